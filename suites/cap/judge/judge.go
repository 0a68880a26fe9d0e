// Package judge decides about the requirements of CAP by what a run did and saw (DESIGN
// section 5). It calls nothing: the same history gives the same verdicts. Its rules on
// manifests hold for those in files, too.
package judge

import (
	"errors"
	"maps"
	"slices"
	"sync"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites/cap/history"
	"github.com/capconform/capconform/suites/instance"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

// The roles that a judgement knows.
const (
	roleFails      = "fails"
	roleSlow       = "slow"
	roleRestricted = "restricted"
	roleMalformed  = "malformed"
	roleReplace    = "replace"
	roleAttach     = "attach"
	roleCounter    = "counter"
)

// Judge decides about one history. Each subject has a type with its judgements; they share
// the evidence and nothing else.
type Judge struct {
	*evidence
	attachments
	lists
	manifests
	invocations
}

// The subjects: what attaching changes; which capabilities a list shows, and what stays the
// same; what descriptions, manifests and Skills say; the answers to invocations.
type (
	attachments struct{ *evidence }
	lists       struct{ *evidence }
	manifests   struct{ *evidence }
	invocations struct{ *evidence }
)

// Sentences returns the sentences of the scenarios for live sources. Each names a judgement
// and stands in the file of that judgement.
func Sentences() []verdict.Sentence[*Judge] {
	return slices.Concat(controlSentences, attachmentSentences, descriptionSentences, leakSentences, listingSentences,
		manifestSentences, resultSentences, roleSentences, skillSentences, stabilitySentences)
}

var controlSentences = []verdict.Sentence[*Judge]{
	verdict.Say(`some invocation succeeded`, (*Judge).SomeSucceeded),
}

// evidence is the history, and what the judgements of several subjects conclude from it.
type evidence struct {
	*history.History
	Cache    *instance.Cache          // compiles the schemas of capabilities
	Players  map[string]history.Ref   // by role
	Purpose  func(role string) string // what the capability of a role does
	Lacks    func(role string) error  // why nobody plays a role
	Ready    func() error             // why nothing may be invoked
	Own      []string                 // by what the source is reached
	Supports []string                 // the members that the Skills system of the source has
	Adapted  bool                     // a plain MCP server, behind our adapter

	mu        sync.Mutex
	contracts map[*history.Sheet]*contract
}

// New makes a judge of a history. The caller sets the other fields.
func New(h *history.History) *Judge {
	e := &evidence{History: h}
	return &Judge{e, attachments{e}, lists{e}, manifests{e}, invocations{e}}
}

// contract holds the compiled schemas of a manifest.
type contract struct {
	input, output *instance.Template // nil: not declared, or not usable
}

// contractOf compiles the schemas of a manifest once.
func (j *evidence) contractOf(s *history.Sheet) *contract {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.contracts == nil {
		j.contracts = map[*history.Sheet]*contract{}
	}
	if j.contracts[s] == nil {
		m, c := s.Manifest(), &contract{}
		c.input, _ = CompileSchema(j.Cache, m, history.MemberInput) // one that is none is CAP-MAN-02's
		if m[history.MemberOutput] != nil {
			c.output, _ = CompileSchema(j.Cache, m, history.MemberOutput)
		}
		j.contracts[s] = c
	}
	return j.contracts[s]
}

func (j *evidence) plays(r history.Ref, roles ...string) bool {
	return slices.ContainsFunc(roles, func(role string) bool {
		player, cast := j.Players[role]
		return cast && player == r
	})
}

// playsFailure tells the capabilities whose sound invocation must not succeed.
func (j *evidence) playsFailure(r history.Ref) bool {
	return j.plays(r, roleFails, roleSlow, roleRestricted, roleMalformed)
}

// before gives the last readable list that was there before an entry.
func (j *evidence) before(entry record.Tick) *history.Listing {
	var last *history.Listing
	for _, l := range j.Lists() {
		if l.Readable() && l.Done < entry {
			last = l
		}
	}
	return last
}

// after gives the first readable list that was asked for after an entry, nil if there is
// none.
func (j *evidence) after(done record.Tick) *history.Listing {
	for _, l := range j.Lists() {
		if l.Readable() && l.Entry > done {
			return l
		}
	}
	return nil
}

// sheet gives what was listed under a reference before an entry, nil if nothing was.
func (j *evidence) sheet(r history.Ref, entry record.Tick) *history.Sheet {
	if l := j.before(entry); l != nil {
		return l.Find(r)
	}
	return nil
}

// standing says whether a capability was there under one contract around a call.
type standing int

const (
	stands   standing = iota
	shifted           // it was changed, taken away or brought meanwhile
	untested          // nothing was listed after the call
)

// contractMembers are the members of a manifest by which an invocation is judged.
var contractMembers = []string{history.MemberKind, history.MemberInput, history.MemberOutput, history.MemberPermissions}

// around compares the lists before and after a call. A living source changes while it is
// looked at: capabilities come, go, and are released anew.
func (j *evidence) around(r history.Ref, c *history.Call, members []string) standing {
	after := j.after(c.Done)
	if after == nil {
		return untested
	}
	first, then := j.sheet(r, c.Entry), after.Find(r)
	switch {
	case first == then:
		return stands
	case first == nil || then == nil || !agree(first.Manifest(), then.Manifest(), members):
		return shifted
	}
	return stands
}

func agree(a, b history.Manifest, members []string) bool {
	for _, member := range members {
		if !jsonvalue.Equal(a[member], b[member]) {
			return false
		}
	}
	return true
}

// ruling is a verdict that is being made.
type ruling struct {
	verdict.Verdict
	judge  *evidence
	open   error // why a place shows nothing
	limits int   // how many answers a limit may explain
}

func (j *evidence) ruling() *ruling { return &ruling{judge: j} }

// concludes gives the verdict: open for a reason if it is about nothing, or if a place
// shows nothing.
func (r *ruling) concludes(why error) verdict.Verdict {
	if len(r.Breaches) == 0 && r.Open == nil {
		r.Open = r.open
	}
	return r.Otherwise(why)
}

// holds is concludes for a judgement that holds also where it is about nothing.
func (r *ruling) holds() verdict.Verdict {
	r.Judged++
	return r.concludes(nil)
}

// lost gives the first error of an attempt that brought no answer at all. A source that
// turns some attempts away, since it has too much to do, leaves enough others.
func lost(all []*history.Attempt) error {
	turnedAway, others := error(nil), false
	for _, a := range all {
		var open *verdict.Inconclusive
		switch {
		case !a.Unanswered():
			others = true
		case a.Throttled, errors.As(a.Lost, &open):
			turnedAway = a.Lost
		default:
			return a.Lost
		}
	}
	if others {
		return nil
	}
	return turnedAway
}

// listed says why there is no list to look at, nil if there is one.
func (j *evidence) listed() error {
	first := j.First()
	if first.Lost != nil {
		return first.Lost
	}
	if first.Empty() {
		return verdict.Undecided("no capability is listed, so there is nothing to look at")
	}
	return nil
}

// worked gives the first success of a sound input, nil if there is none: the positive
// control of the source as a whole.
func (j *evidence) worked() *history.Attempt {
	for _, a := range j.Of(history.Sound) {
		if a.Succeeded() && !j.playsFailure(a.Asked) {
			return a
		}
	}
	return nil
}

// accepted gives the first sound input that a capability accepted, nil if there is none.
func (j *evidence) accepted(r history.Ref) *history.Attempt {
	for _, a := range j.Of(history.Sound) {
		if a.Asked == r && a.Succeeded() {
			return a
		}
	}
	return nil
}

// controlOf names the entry of the sound input that the same capability accepted.
func (j *evidence) controlOf(a *history.Attempt) []record.Tick {
	if control := j.accepted(a.Asked); control != nil {
		return []record.Tick{control.Entry}
	}
	return nil
}

// SomeSucceeded is the positive control of the source as a whole.
func (j *evidence) SomeSucceeded() verdict.Verdict {
	r := j.ruling()
	if j.worked() != nil {
		r.Judged++
	}
	return r.concludes(j.unserved())
}

// nameWorking says how to supply a capability that answers.
const nameWorking = "name one with an input that works in the target file: " +
	"roles: {cap: {echo: {capability: ID, input: {...}}}}"

func (j *evidence) unserved() error {
	if err := j.Ready(); err != nil {
		return err
	}
	if err := lost(j.Of(history.Sound)); err != nil {
		return err
	}
	return &verdict.Inconclusive{
		Reason: "no capability came back ok on a sound input",
		Supply: nameWorking,
	}
}

// undecided turns what the schema library can't tell into an open question.
func undecided(err error) error {
	var open *schemas.Undecidable
	if errors.As(err, &open) {
		return verdict.Undecided("a schema can't be decided here: %s", open.Message)
	}
	return err
}

// Invalid tells an error that says that a value breaks its schema.
func Invalid(err error) bool {
	var found *schemas.Invalidity
	return errors.As(err, &found)
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
