package act

import (
	"context"
	"slices"
	"time"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/reading"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/transcript"
)

// laboratory makes the calls of one stimulus.
type laboratory struct {
	*Caller
	lab *suites.Laboratory
}

// maxThrottled is the greatest number of times that a request is repeated after status 429 or
// 503.
const maxThrottled = 4

// ask sends a request, and repeats it if the host answers that it is overloaded. The driver
// waits for Retry-After. Without that header, a host may also refuse a request by its own rules:
// a missing answer proves nothing.
func (c laboratory) ask(ctx context.Context, call suites.Call) (record.Entry, driver.Answer, error) {
	wait := settlePoll
	for try := 0; ; try++ {
		entry, answer, err := c.lab.Do(ctx, call)
		if err != nil || entry.Status != 429 && entry.Status != 503 || try == maxThrottled {
			return entry, answer, err
		}
		call.Links = append(slices.Clone(call.Links), record.Link{Relation: record.RetryOf, To: entry.Begun})
		select {
		case <-ctx.Done():
			return entry, answer, err
		case <-time.After(wait):
			wait *= 2
		}
	}
}

// invoke sends an envelope, and repeats it if that makes sense. The last attempt counts.
func (c laboratory) invoke(ctx context.Context, v envelope, links ...record.Link) *history.Attempt {
	a := c.invokeOnce(ctx, v, links...)
	for tries := 1; tries < maxTries && a.Outcome() == history.Denied && v.isRepeated(a); tries++ {
		a = c.invokeOnce(ctx, v, append(slices.Clone(links), record.Link{Relation: record.RetryOf, To: a.Entry})...)
	}
	return a
}

// invokeOnce sends an envelope with a new invocation id: a host may answer a used id with the
// stored result.
func (c laboratory) invokeOnce(ctx context.Context, v envelope, links ...record.Link) *history.Attempt {
	if v.id == "" {
		v.id = newInvocationID()
	}
	call := suites.Call{About: v.about, Links: links, Operation: driver.Operation{Name: history.OpInvoke,
		Params: v.params()}}
	entry, _, _ := c.ask(ctx, call) // the entry contains the answer
	if a := c.History.Attempt(entry.Begun); a != nil {
		return a
	}
	return &history.Attempt{Call: history.Call{Observed: reading.Observed{Lost: transcript.LostCall(entry)}}}
}

// describe requests the descriptor of the host or its list of capabilities.
func (c laboratory) describe(ctx context.Context, op string) *history.Description {
	call := suites.Call{About: map[string]string{history.AboutStep: history.StepAfter},
		Operation: driver.Operation{Name: op, List: true}}
	entry, _, _ := c.ask(ctx, call) // the entry contains the answer
	if d := c.History.Description(entry.Begun); d != nil {
		return d
	}
	return &history.Description{}
}
