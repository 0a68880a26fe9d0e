package act

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/cap/history"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/reading"
	"github.com/capconform/capconform/suites/record"
)

// askedAgain is how often a call is repeated if a limit may have refused it.
const askedAgain = 2

// laboratory makes the calls of one stimulus.
type laboratory struct {
	*Caller
	lab *suites.Laboratory
}

// listOperation returns the operation that lists.
func listOperation() driver.Operation {
	return driver.Operation{Name: history.OpList, List: true, Single: true}
}

// list lists once, and again if a limit may have refused it.
func (c laboratory) list(ctx context.Context, about map[string]string, links ...record.Link) *history.Listing {
	call := suites.Call{About: about, Operation: listOperation(), Links: links}
	for again := 0; ; again++ {
		entry, _, _ := c.lab.Do(ctx, call) // the entry contains the outcome
		now := c.History.Listing(entry.Begun)
		if now == nil {
			return &history.Listing{}
		}
		if again == askedAgain || !now.MayBeLimit() {
			for _, s := range now.Capabilities {
				c.offerIfChanged(s)
			}
			return now
		}
		call.Links = append(slices.Clone(links), record.Link{Relation: record.RetryOf, To: entry.Begun})
	}
}

// describe describes one pair.
func (c laboratory) describe(ctx context.Context, r history.Ref, about map[string]string,
	links ...record.Link) *history.Lookup {
	call := suites.Call{About: about, Links: links, Operation: driver.Operation{Name: history.OpDescribe,
		Params: jsonvalue.Encode(r)}}
	entry, _, _ := c.lab.Do(ctx, call) // the entry contains the outcome
	found := c.History.Lookup(entry.Begun)
	if found == nil {
		return &history.Lookup{Asked: r}
	}
	if found.Own() {
		c.offerIfChanged(found.Shown)
	}
	return found
}

// offerIfChanged offers a manifest that was described, or listed again, if it differs from the one that the
// first list contains: it may declare an effect only here.
func (c laboratory) offerIfChanged(s *history.RawManifest) {
	first := c.List.Find(s.Ref())
	if first != nil && first != s && !jsonvalue.Equal(map[string]any(first.Manifest()), map[string]any(s.Manifest())) {
		c.OfferManifest(s.Ref(), s.Manifest())
	}
}

func (c laboratory) invoke(ctx context.Context, i invocation) *history.Attempt {
	return c.send(ctx, i, i.params())
}

func (c laboratory) send(ctx context.Context, i invocation, params json.RawMessage) *history.Attempt {
	call := suites.Call{About: i.about, Links: i.links, Limit: c.limitOf(i),
		Operation: driver.Operation{Name: history.OpInvoke, Params: params}}
	begun := time.Now()
	entry, _, err := c.lab.Do(ctx, call) // the entry contains the outcome
	c.notePace(ctx, i, time.Since(begun), err)
	if a := c.History.Attempt(entry.Begun); a != nil {
		return a
	}
	return &history.Attempt{Call: history.Call{Observed: reading.Observed{Lost: context.Canceled}}, Asked: i.asked,
		Input: i.input}
}

// invocationOf returns the same invocation as that of an attempt.
func (c laboratory) invocationOf(a *history.Attempt) invocation {
	slow := c.Players[Slow]
	return invocation{asked: a.Asked, input: a.Input, about: a.About, slow: slow != nil && slow.Ref() == a.Asked}
}

// step returns the parameters of a part of a stimulus.
func step(name string) map[string]string { return map[string]string{history.AboutStep: name} }
