// Package judge decides about the requirements of CHP by what a run did and saw (DESIGN
// section 5). It calls nothing: the same history gives the same verdicts.
package judge

import (
	"errors"
	"slices"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/instance"
	"github.com/capconform/capconform/suites/record"
)

// Judge decides about one history.
type Judge struct {
	*history.History
	Forms  *Forms
	Cache  *instance.Cache               // compiles the schemas of capabilities
	Bodies bool                          // the binding is CHP's own
	Lacks  func(kind, name string) error // why nobody plays a role
	Ready  func() error                  // why nothing may be invoked
}

// by names the entries that show a breach by an attempt: the invocation and, where it
// matters, the replay.
func (j *Judge) by(a *history.Attempt) []record.Tick {
	if look := j.Evidence(a).Look; look != nil {
		return []record.Tick{a.Entry, look.Entry}
	}
	return []record.Tick{a.Entry}
}

// in names the entries that show a breach by a replay: the last invocation of the
// correlation before it, and the replay.
func (j *Judge) in(r *history.Replay) []record.Tick {
	if a := j.lastBefore(r); a != nil {
		return []record.Tick{a.Entry, r.Entry}
	}
	return []record.Tick{r.Entry}
}

func (j *Judge) lastBefore(r *history.Replay) *history.Attempt {
	var last *history.Attempt
	for _, a := range j.Thread(r.Correlation()).Attempts {
		if a.Done < r.Entry {
			last = a
		}
	}
	return last
}

// lost gives the first error of an attempt that brought no answer at all. A host that turns
// some attempts away, since it has too much to do, leaves enough others.
func (j *Judge) lost(all []*history.Attempt) error {
	turnedAway, others := error(nil), false
	for _, a := range all {
		for _, c := range []*history.Call{&a.Call, j.LookAfter(a)} {
			var open *suites.Inconclusive
			switch {
			case c == nil:
			case c.Lost == nil || j.ClosedInFace(c):
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

// answered are the attempts that were answered by a result.
func (j *Judge) results() []*history.Attempt {
	return slices.DeleteFunc(j.Attempts(), func(a *history.Attempt) bool { return !a.IsResult() })
}

// inRole are the attempts of a role.
func (j *Judge) inRole(role string) []*history.Attempt {
	return slices.DeleteFunc(j.Attempts(), func(a *history.Attempt) bool { return a.Role() != role })
}

// host is the first description that the host gave of itself.
func (j *Judge) host() *history.Description {
	if all := j.Hosts(); len(all) > 0 {
		return all[0]
	}
	return &history.Description{}
}

// declared are the descriptors of discovery, or those of the host where discovery shows none.
func (j *Judge) declared() []history.Object {
	if all := j.Lists(); len(all) > 0 && len(all[0].Capabilities()) > 0 {
		return all[0].Capabilities()
	}
	return j.host().Capabilities()
}

// descriptor is the descriptor of the capability of an attempt, nil if none is declared.
func (j *Judge) descriptor(a *history.Attempt) history.Object {
	for _, members := range j.declared() {
		if members["id"] == a.Capability && (a.Version == "" || members["version"] == a.Version) {
			return members
		}
	}
	return nil
}

// SomeSuccess is the positive control of the host as a whole: an invocation that came back
// with success.
func (j *Judge) SomeSuccess() suites.Verdict {
	r := &suites.Verdict{}
	for _, a := range j.Of(history.Ordinary) {
		if a.Outcome() == history.Success {
			r.Judged++
		}
	}
	return r.Otherwise(j.unserved())
}

func (j *Judge) unserved() error {
	if err := j.Ready(); err != nil {
		return err
	}
	if err := j.lost(j.Of(history.Ordinary)); err != nil {
		return err
	}
	return &suites.Inconclusive{
		Reason: "no capability came back with success",
		Supply: "name one with an input that works in the target file: roles: {chp: {echo: {capability: ID, input: {...}}}}",
	}
}

func tied(all []*history.Attempt) int {
	n := 0
	for _, a := range all {
		if a.Tied() {
			n++
		}
	}
	return n
}

// ofResults gives a verdict about results: one of them at least is of the invocation that it
// answers.
func (j *Judge) ofResults(r *suites.Verdict) suites.Verdict {
	r.Judged = tied(j.results())
	return r.Otherwise(suites.Undecided("no invocation was answered by a result: see CHP-5-01"))
}

func printed(v any) string { return suites.Print(v) }
