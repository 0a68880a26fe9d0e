// Package act provokes what an agent does: it holds the stimuli of the suite (DESIGN
// section 5). It calls, and judges nothing.
package act

import (
	"context"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acd/history"
	"github.com/capconform/capconform/suites/driver"
)

// Caller performs the stimuli on one agent. Its fields are set before the first call.
type Caller struct {
	History *history.History
}

// stimulus is one of the suite.
type stimulus struct {
	name    string
	perform func(*Caller, context.Context, *suites.Laboratory) error
}

// stimuli are all of the suite in the order in which they are performed.
var stimuli = []stimulus{
	{history.Described, (*Caller).described},
	{history.Declared, (*Caller).declared},
}

// PerformAll performs every stimulus once.
func (c *Caller) PerformAll(ctx context.Context, sc *suites.Scenario) {
	for _, s := range stimuli {
		perform := func(ctx context.Context, l *suites.Laboratory) *suites.Unperformed {
			return suites.Because(s.perform(c, ctx, l))
		}
		_ = sc.Perform(ctx, s.name, perform) // the record holds the reason: see history.Conclusion
	}
}

// described asks for the manifest and the registry once more, with all that the run has done
// in between.
func (c *Caller) described(ctx context.Context, l *suites.Laboratory) error {
	for _, operation := range []string{history.OpManifest, c.History.Registry().Operation} {
		c.read(ctx, l, operation, nil)
	}
	return nil
}

// declared asks each channel of the manifest what it declares.
func (c *Caller) declared(ctx context.Context, l *suites.Laboratory) error {
	for _, channel := range history.ChannelsOf(c.History.Manifest()) {
		c.read(ctx, l, history.OpDeclare, history.Object{"channel_id": channel.ID})
	}
	return nil
}

// read asks for something of the agent. The entry says what came of it.
func (c *Caller) read(ctx context.Context, l *suites.Laboratory, operation string, params history.Object) {
	op := driver.Operation{Name: operation, List: operation != history.OpManifest}
	if params != nil {
		op.Params = suites.Encode(params)
	}
	_, _, _ = l.Do(ctx, suites.Call{Operation: op})
}
