package act

import (
	"context"

	"github.com/capconform/capconform/suites/acd/history"
	"github.com/capconform/capconform/suites/live"
	"github.com/capconform/capconform/suites/verdict"
)

// routes examine the substrate on which a call runs.
type routes struct{ bench }

// movable are the substrates that a copy of the capability with the role echo may have. The other substrates reach
// outside the agent.
var movable = []string{"symbolic", "llm", "agent", "external_service"}

// substrates invokes an entry of each substrate, and copies of the capability with the role echo that have another
// substrate from their creation or from an update on. It reads the log of executions and the records after each call.
func (b routes) substrates(ctx context.Context) error {
	t, of, err := b.template()
	if err != nil {
		return err
	}
	if !b.logged() {
		return verdict.MissingInstrument("acd", history.OpExecLog)
	}
	done := map[string]bool{}
	for _, one := range b.History.Trials() {
		substrate := history.Substrate(b.find(one.ID).Members)
		if done[substrate] || len(one.Ran()) == 0 {
			continue
		}
		done[substrate] = true
		b.all(ctx, b.inEachMode(one)...)
	}
	if p, assigned := b.Players["echo"]; !assigned || p.Capability.ID != t.ID || b.Subject.Invoke == live.InvokeNone {
		return nil
	}
	for i, substrate := range movable {
		c, err := b.register(ctx, of, func(d object) {
			history.Set(d, "execution.substrate", substrate)
			history.Set(d, "audit.log_invocation", true)
		})
		if err != nil {
			continue
		}
		b.all(ctx, b.invocationOf(c, t.Modes[i%len(t.Modes)], c.Required()...))
		b.audit(ctx, c, 1)
		history.Set(c.Members, "execution.substrate", movable[(i+1)%len(movable)])
		if b.updates(ctx, c) {
			b.all(ctx, b.invocationOf(c, t.Modes[(i+1)%len(t.Modes)], c.Required()...))
		}
	}
	return nil
}

// inEachMode returns calls of an entry in each mode in which it ran.
func (b routes) inEachMode(t *history.Trial) []invocation {
	var calls []invocation
	for _, mode := range t.Ran() {
		calls = append(calls, invocation{id: t.ID, mode: mode, held: t.Held, input: t.Input})
	}
	return calls
}
