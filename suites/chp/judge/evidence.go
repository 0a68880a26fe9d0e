package judge

import (
	"errors"
	"fmt"
	"slices"

	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/instance"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

// evidence is the history, and what the judgements of several subjects derive from it.
type evidence struct {
	*history.History
	Forms    *Forms
	Cache    *instance.Cache               // compiles the schemas of capabilities
	Bodies   bool                          // the binding is CHP's own
	Missing  func(kind, name string) error // why no capability plays a role
	NotReady func() error                  // why nothing may be invoked

	gone   map[*history.Attempt]record.Tick // see goneEvidence
	goneOf int                              // the size of the history then
}

// entriesOfAttempt returns the entries that prove a breach by an attempt: the invocation and, if there is one,
// the replay.
func (j *evidence) entriesOfAttempt(a *history.Attempt) []record.Tick {
	if replay := j.Evidence(a).LastReplay; replay != nil {
		return []record.Tick{a.Entry, replay.Entry}
	}
	return []record.Tick{a.Entry}
}

// entriesOfReplay returns the entries that prove a breach by a replay: the last invocation of the correlation
// before it, and the replay.
func (j *evidence) entriesOfReplay(r *history.Replay) []record.Tick {
	if a := j.lastBefore(r); a != nil {
		return []record.Tick{a.Entry, r.Entry}
	}
	return []record.Tick{r.Entry}
}

func (j *evidence) lastBefore(r *history.Replay) *history.Attempt {
	var last *history.Attempt
	for _, a := range j.Thread(r.Correlation()).Attempts {
		if a.Done < r.Entry {
			last = a
		}
	}
	return last
}

// lost returns the first error of an attempt without any answer. It returns nil if the host was
// only overloaded for some attempts and answered enough others.
func (j *evidence) lost(all []*history.Attempt) error {
	turnedAway, others := error(nil), false
	for _, a := range all {
		for _, c := range []*history.Call{&a.Call, j.ReplayAfter(a)} {
			var open *verdict.Inconclusive
			switch {
			case c == nil:
			case c.Lost == nil || j.ClosedInsteadOfAnswer(c):
				others = true
			case c.Throttled, errors.As(c.Lost, &open):
				turnedAway = c.Lost
			default:
				return c.Lost
			}
		}
	}
	if others {
		return nil
	}
	return turnedAway
}

// inRole returns the attempts of a role.
func (j *evidence) inRole(role string) []*history.Attempt {
	return slices.DeleteFunc(j.Attempts(), func(a *history.Attempt) bool { return a.Role() != role })
}

// host returns the first descriptor that the host returned of itself.
func (j *evidence) host() *history.Description {
	if all := j.Hosts(); len(all) > 0 {
		return all[0]
	}
	return &history.Description{}
}

// declared returns the descriptors of discovery, or those of the host descriptor if discovery
// returns none.
func (j *evidence) declared() []history.Object {
	if all := j.Lists(); len(all) > 0 && len(all[0].Capabilities()) > 0 {
		return all[0].Capabilities()
	}
	return j.host().Capabilities()
}

// descriptor returns the descriptor of the capability of an attempt, nil if none is declared.
func (j *evidence) descriptor(a *history.Attempt) history.Object {
	for _, members := range j.declared() {
		if members["id"] == a.Capability && (a.Version == "" || members["version"] == a.Version) {
			return members
		}
	}
	return nil
}

func printed(v any) string { return jsonvalue.Print(v) }

// notShown returns the reason why nothing was seen that a role would have shown.
func (j *evidence) notShown(role, what string) error {
	for _, a := range j.inRole(role) {
		if a.DeniedOrSkipped() {
			return ruledOut(what, a)
		}
	}
	if err := j.Missing("role", role); err != nil {
		return err
	}
	return verdict.Undecided("%s", what)
}

// ruledOut is the reason that a rule of the host ended an invocation.
func ruledOut(what string, a *history.Attempt) error {
	of := a.Capability
	if role := a.Role(); role != "" {
		of += ", the role " + role
	}
	return &verdict.Inconclusive{
		Reason: fmt.Sprintf("%s: the host itself ended the invocation of %s (outcome %s, code %s)", what, of, a.Outcome(),
			printed(a.Denial()["code"])),
		Supply: "grant this caller what the rule requires: an entitlement, a budget, a rate, or the capability enabled",
	}
}

// hidden adds the status if the transport answers instead of the protocol.
func hidden(a *history.Attempt) string {
	if a.Result == nil && a.Status >= 300 {
		return fmt.Sprintf("status %d and no InvocationResult (a processed invocation is status 200 whatever its outcome): %s", a.Status, a.Got())
	}
	return a.Got()
}

// answered reports whether an answer arrived, or the host closed the connection instead of
// answering.
func (j *evidence) answered(a *history.Attempt) bool {
	return a.Lost == nil || j.ClosedInsteadOfAnswer(&a.Call)
}
