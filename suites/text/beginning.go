package text

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/recording"
)

// begin calls the operations under begin, with all pages of lists, and offers to the gate what they list. The error is
// that of a target that does not answer any more.
func (e *examination) begin(ctx context.Context) error {
	for _, name := range e.text.Begin {
		op := e.text.operation(name)
		params, links := object{}, []record.Link(nil)
		for range maxPages {
			result, entry, err := e.ask(ctx, op, params, links)
			if err != nil {
				return err
			}
			e.offer(name, result)
			cursor := op.further(result)
			if cursor == nil {
				break
			}
			params = object{op.Param: cursor}
			if links == nil {
				links = []record.Link{{Relation: record.PageOf, To: entry}}
			}
		}
	}
	// A record says nothing of copies, so those that stimuli may name are known from the list alone.
	for _, id := range e.capabilities() {
		e.copy(strings.ToUpper(id))
	}
	return nil
}

// ask makes one call before anything is planned and returns its result, nil if there is none.
func (e *examination) ask(ctx context.Context, op *operation, params object, links []record.Link) (any, record.Tick,
	error) {
	var taken record.Entry
	what := recording.LabelOf(ctx)
	what.Links, what.Taken = links, &taken
	ctx, cancel := context.WithTimeout(recording.Labelled(ctx, what), e.subject.Deadlines.Call)
	defer cancel()
	call := driver.Operation{Name: op.Name, Params: jsonvalue.Encode(params), List: true, Method: e.text.Methods}
	answer, err := e.gate.Call(ctx, call)
	if lost := (*driver.CallError)(nil); errors.As(err, &lost) && !suites.CanContinueAfter(lost) {
		return nil, 0, lost
	}
	if err != nil || answer.Outcome != driver.Returned {
		return nil, taken.Begun, nil
	}
	return schemas.ReadValue(answer.Result), taken.Begun, nil
}

// addCapability adds the name of something that an operation runs.
func (e *examination) addCapability(id string) {
	e.offering.Lock()
	defer e.offering.Unlock()
	if key := caseless(id); !slices.Contains(e.offered[key], id) {
		e.offered[key] = append(e.offered[key], id)
		e.profile.Capabilities = append(e.profile.Capabilities, id)
	}
}

// caseless returns what texts that differ only in their case have in common.
func caseless(text string) string { return strings.ToLower(strings.ToUpper(text)) }

// inOtherCase returns the capabilities whose names differ from an id in their case alone, none if it is one itself.
func (e *examination) inOtherCase(id string) []string {
	e.offering.Lock()
	defer e.offering.Unlock()
	known := e.offered[caseless(id)]
	if slices.Contains(known, id) {
		return nil
	}
	return slices.Clone(known)
}

// capabilities returns the names of what operations run.
func (e *examination) capabilities() []string {
	e.offering.Lock()
	defer e.offering.Unlock()
	return slices.Clone(e.profile.Capabilities)
}
