package suites

import (
	"context"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/live"
)

// Tryer is an examination that can test whether a capability plays a role.
type Tryer interface {
	// Try invokes a listed capability in the way in which a run invokes the role. It returns nil if
	// the capability showed the behaviour of the role, and otherwise an error that describes what
	// it showed. A *verdict.Inconclusive means that the call proved nothing.
	Try(ctx context.Context, sc *Scenario, role live.Role, id string) error
}

// Trial is the outcome of considering a capability for a role.
type Trial struct {
	Capability string
	Invoked    bool   // if false, Why is the reason
	Why        string // why it does not play the role; "" if it does
}

// maxTries is the maximum number of capabilities that are tried for one role.
const maxTries = 5

// tried returns the trials of the candidates for a vacant role, at most maxTries. It stops at
// the first capability that shows the behaviour of the role, and does not invoke those that the
// policy excludes. For a role that the list shows, every capability is a candidate, so that only
// those that were invoked count.
func (t *trials) tried(ctx context.Context, role live.Role, candidates []string) []Trial {
	var all []Trial
	for _, id := range candidates {
		one := t.try(ctx, role, id)
		if role.Listed && one.Why != "" && !one.Invoked {
			continue
		}
		all = append(all, one)
		if one.Why == "" || ctx.Err() != nil || len(all) == maxTries {
			break
		}
	}
	return all
}

// trials tries capabilities with one examination.
type trials struct {
	tryer Tryer
	gate  *live.Gate
	sc    *Scenario
}

func newTrials(s *Suite, subject *Subject, gate *live.Gate, examination Examination) *trials {
	tryer, _ := examination.(Tryer)
	session := driver.Session(gate)
	if own := examination.Profile().Session; own != nil {
		session = own
	}
	all := &shared{suiteName: s.Name, session: session, examination: examination,
		health: &health{dead: func(error) {}}}
	return &trials{tryer: tryer, gate: gate, sc: &Scenario{Subject: subject, shared: all, session: session}}
}

func (t *trials) try(ctx context.Context, role live.Role, id string) Trial {
	if t.tryer == nil {
		return Trial{Capability: id, Why: "not tried: in this suite no single answer shows a role"}
	}
	if why := t.gate.ReasonAgainst(id, ""); why != "" {
		if flag := live.InvokeFlag(id); flag != "" {
			why += " (run admits it by " + flag + ")"
		}
		return Trial{Capability: id, Why: "not tried, because " + why}
	}
	before := t.gate.Invocations()
	err := t.tryer.Try(ctx, t.sc, role, id)
	trial := Trial{Capability: id, Invoked: t.gate.Invocations() > before}
	switch {
	case err == nil:
	case trial.Invoked:
		trial.Why = "tried: " + err.Error()
	default:
		trial.Why = "not tried: " + err.Error()
	}
	return trial
}
