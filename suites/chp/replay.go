package chpsuite

import (
	"bytes"
	"fmt"
)

// A replay is kept for every scenario that judges it. A host that answers each
// with all that it has, 100,000 events say, must not fill the memory by that.
const (
	foreignAtMost = 100       // events of others that are kept: CHP-6-05 and CHP-10-02 need one
	keptWhole     = 256 << 10 // bytes of an answer that is kept as it came
	keptOfLarger  = 32 << 10
	keptDecoded   = 64 << 10 // bytes of an answer whose events are kept decoded
)

// lighten lets go of a large answer: its events are copied, and of the rest the
// beginning is kept for the transcript.
func (r *replay) lighten() {
	whole := len(r.answer.Result)
	if whole <= keptWhole {
		return
	}
	for i := range r.events {
		r.events[i].raw = bytes.Clone(r.events[i].raw)
	}
	r.large = true
	cut := fmt.Appendf(bytes.Clone(r.answer.Result[:keptOfLarger]), "... (%d bytes in all)", whole)
	r.answer.Result, r.answer.Exchange.Received = cut, cut
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
