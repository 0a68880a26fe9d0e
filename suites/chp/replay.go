package chpsuite

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites"
)

// A replay is kept for every scenario that judges it. A host that answers each
// with all that it has, 100,000 events say, must not fill the memory by that.
const (
	foreignAtMost = 100       // events of others that are kept: CHP-6-05 and CHP-10-02 need one
	keptWhole     = 256 << 10 // bytes of an answer that is kept as it came
	keptOfLarger  = 32 << 10
	keptDecoded   = 64 << 10 // bytes of an answer whose events are kept decoded
)

// read takes the answer apart. Of a large one the beginning is kept for the
// transcript, and of its events those of our own invocations and a few others are
// kept whole; of the rest what tells them apart and orders them.
func (r *replay) read(limits schemas.Limits) {
	whole := r.answer.Result
	r.large = len(whole) > keptWhole
	known := words{}
	foreign, others := 0, 0
	for raw, err := range schemas.Elements(whole, limits, "events") {
		if err != nil {
			r.broken = err
			break
		}
		members := schemas.ReadObject(raw)
		if members == nil {
			r.odd = suites.Clip(string(raw))
			continue
		}
		r.page++
		ev := readEvent(raw, members)
		if strange := ev.correlation != "" && ev.correlation != r.query["correlation_id"]; strange {
			if foreign++; foreign > foreignAtMost {
				continue
			}
		}
		switch ours := strings.HasPrefix(ev.invocation, sender); {
		case len(whole) <= keptDecoded:
			ev.kept = members
		case !r.large:
		case ours || others < foreignAtMost:
			if !ours {
				others++
			}
			ev.raw = bytes.Clone(raw)
		default:
			ev.raw = nil
		}
		if r.large {
			ev.kind, ev.invocation, ev.correlation = known.one(ev.kind), known.one(ev.invocation), known.one(ev.correlation)
		}
		r.events = append(r.events, ev)
	}
	r.result = headOf(whole)
	if r.large {
		cut := fmt.Appendf(bytes.Clone(whole[:keptOfLarger]), "... (%d bytes in all)", len(whole))
		r.answer.Result, r.answer.Exchange.Received = cut, cut
	}
}

// words keeps one copy of a text that comes again and again.
type words map[string]string

func (w words) one(text string) string {
	known, ok := w[text]
	if !ok {
		w[text], known = text, text
	}
	return known
}

// idsOf gives the ids of events as a set.
func idsOf(events []event) map[string]bool {
	ids := make(map[string]bool, len(events))
	for _, ev := range events {
		ids[ev.id] = true
	}
	return ids
}

// keepTo lets go of what a large replay holds beside the events of one invocation. An
// attempt is kept for the whole run, and there are many attempts.
func (r *replay) keepTo(invocation string) {
	if !r.large {
		return
	}
	var kept []event
	foreign := 0
	for _, ev := range r.events {
		if ev.invocation != invocation {
			if foreign++; foreign > foreignAtMost {
				continue
			}
		}
		kept = append(kept, ev)
	}
	r.events = kept
}
