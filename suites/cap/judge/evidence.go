package judge

import (
	"errors"
	"slices"
	"sync"

	"github.com/capconform/capconform/suites/cap/history"
	"github.com/capconform/capconform/suites/instance"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

// Describes reports whether the source described a listed capability: the positive control of
// every refusal of describe.
func (j *evidence) Describes() bool {
	return slices.ContainsFunc(j.Lookups(), (*history.Lookup).Own)
}

func (j *evidence) noDescription() error {
	if err := j.listed(); err != nil {
		return err
	}
	for _, l := range j.LookupsOf(history.Described) {
		if l.Unanswered() {
			return l.Lost
		}
	}
	return verdict.Undecided(
		"the source describes no listed capability, so a refusal proves nothing: see CAP-DIS-02 and CAP-DIS-03")
}

// unlistedAround reports whether neither the list before a call nor the one after it contains a
// reference, and no listed capability declares compatibility with it.
func (j *evidence) unlistedAround(ref history.Ref, c *history.Call) bool {
	before, after := j.before(c.Entry), j.after(c.Done)
	return before != nil && before.Find(ref) == nil && (after == nil || after.Find(ref) == nil) &&
		!before.DeclaresCompatible(ref)
}

// noRefusal returns the reason why there was no refusal to examine.
func (j *evidence) noRefusal() error {
	all := slices.DeleteFunc(j.Attempts(), func(a *history.Attempt) bool { return !j.invalid(a) || a.OutsideContract() })
	switch {
	case slices.ContainsFunc(all, (*history.Attempt).Succeeded):
		return verdict.Undecided("invalid inputs were accepted, so no refusal shows its code: see CAP-INV-02")
	case len(all) > 0:
		return verdict.Undecided("no refusal of an invalid input differs from the answer to a valid one: see CAP-INV-01")
	}
	return firstOf(j.listed(), j.NotReady(), &verdict.Inconclusive{
		Reason: "no capability that accepted a valid input can be sent an object that breaks its input schema",
		Supply: nameWorking,
	})
}

// supported reports whether the source declares that its Skills system has a member.
func (j *evidence) supported(member string) bool { return slices.Contains(j.Supports, member) }

// invalid reports whether an input breaks a keyword on purpose.
func (j *evidence) invalid(a *history.Attempt) bool {
	return a.BrokenKeyword() != "" && !a.Settles() && a.Stimulus != history.AttachedTools &&
		a.Stimulus != history.Replaced
}

// The roles that a judgement knows.
const (
	roleEcho       = "echo"
	roleFails      = "fails"
	roleSlow       = "slow"
	roleRestricted = "restricted"
	roleMalformed  = "malformed"
	roleReplace    = "replace"
	roleAttach     = "attach"
	roleCounter    = "counter"
	roleSkill      = "skill"
)

// evidence is the history, and what the judgements of several subjects derive from it.
type evidence struct {
	*history.History
	Cache       *instance.Cache          // compiles the schemas of capabilities
	Players     map[string]history.Ref   // by role
	OneInput    map[string]bool          // roles that concern only one input of their capability
	Purpose     func(role string) string // what the capability of a role does
	MissingRole func(role string) error  // why no capability plays a role
	NotReady    func() error             // why nothing may be invoked
	Own         []string                 // the addresses by which the source is reached
	Supports    []string                 // the members that the Skills system of the source has
	Adapted     bool                     // a plain MCP server, behind the adapter of the suite

	mu        sync.Mutex
	contracts map[*history.RawManifest]*contract
}

func (j *evidence) plays(r history.Ref, roles ...string) bool {
	return slices.ContainsFunc(roles, func(role string) bool {
		player, assigned := j.Players[role]
		return assigned && player == r
	})
}

// mustNotSucceed reports whether a valid invocation must not succeed: that of a role which concerns every
// input of the capability, or the invocation in the role itself.
func (j *evidence) mustNotSucceed(a *history.Attempt) bool {
	return slices.ContainsFunc([]string{roleFails, roleSlow, roleRestricted, roleMalformed}, func(role string) bool {
		return j.plays(a.Asked, role) && (!j.OneInput[role] || a.About[history.AboutRole] == role)
	})
}

// before returns the last readable list before an entry.
func (j *evidence) before(entry record.Tick) *history.Listing {
	var last *history.Listing
	for _, l := range j.Lists() {
		if l.Readable() && l.Done < entry {
			last = l
		}
	}
	return last
}

// after returns the first readable list after an entry, nil if there is none.
func (j *evidence) after(done record.Tick) *history.Listing {
	for _, l := range j.Lists() {
		if l.Readable() && l.Entry > done {
			return l
		}
	}
	return nil
}

// rawManifest returns what was listed under a reference before an entry, nil if nothing was.
func (j *evidence) rawManifest(r history.Ref, entry record.Tick) *history.RawManifest {
	if l := j.before(entry); l != nil {
		return l.Find(r)
	}
	return nil
}

// contractState states whether a capability had the same contract before and after a call.
type contractState int

const (
	contractSame    contractState = iota
	contractChanged               // it was changed, removed or added during the call
	contractUnknown               // nothing was listed after the call
)

// contractMembers are the members of a manifest by which an invocation is judged.
var contractMembers = []string{history.MemberKind, history.MemberInput, history.MemberOutput, history.MemberPermissions}

// contractAround compares the lists before and after a call. A source in use changes during the run:
// capabilities are added, removed, and published in new versions.
func (j *evidence) contractAround(r history.Ref, c *history.Call, members []string) contractState {
	after := j.after(c.Done)
	if after == nil {
		return contractUnknown
	}
	first, then := j.rawManifest(r, c.Entry), after.Find(r)
	switch {
	case first == then:
		return contractSame
	case first == nil || then == nil || !sameMembers(first.Manifest(), then.Manifest(), members):
		return contractChanged
	}
	return contractSame
}

func sameMembers(a, b history.Manifest, members []string) bool {
	for _, member := range members {
		if !jsonvalue.Equal(a[member], b[member]) {
			return false
		}
	}
	return true
}

// firstLost returns the first error of an attempt without an answer. It returns nil if the source was
// only busy for some attempts and answered enough others.
func firstLost(all []*history.Attempt) error {
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

// listed returns the reason why there is no list to examine, nil if there is one.
func (j *evidence) listed() error {
	first := j.First()
	if first.Lost != nil {
		return first.Lost
	}
	if first.Empty() {
		return noCapability()
	}
	return nil
}

func noCapability() error {
	return verdict.Undecided("no capability is listed, so there is nothing to examine")
}

// someSuccess returns the first success with a valid input, nil if there is none: the positive control
// of the source as a whole.
func (j *evidence) someSuccess() *history.Attempt {
	for _, a := range j.Of(history.Valid) {
		if a.Succeeded() && !j.mustNotSucceed(a) {
			return a
		}
	}
	return nil
}

func (j *evidence) noSuccess() error {
	return firstOf(j.NotReady(), firstLost(j.Of(history.Valid)), &verdict.Inconclusive{
		Reason: "no invocation with a valid input succeeded",
		Supply: nameWorking,
	})
}

// accepted returns the first valid input that a capability accepted, nil if there is none.
func (j *evidence) accepted(r history.Ref) *history.Attempt {
	for _, a := range j.Of(history.Valid) {
		if a.Asked == r && a.Succeeded() {
			return a
		}
	}
	return nil
}

// controlOf returns the entry of the valid input that the same capability accepted.
func (j *evidence) controlOf(a *history.Attempt) []record.Tick {
	if control := j.accepted(a.Asked); control != nil {
		return []record.Tick{control.Entry}
	}
	return nil
}

func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// nameWorking states how to supply a capability that works.
const nameWorking = "name one with an input that works in the target file: " +
	"roles: {cap: {echo: {capability: ID, input: {...}}}}"

// contract contains the compiled schemas of a manifest.
type contract struct {
	input, output *instance.Template // nil: not declared, or not usable
}

// misshapen returns the reason that an answer shows no code.
func misshapen() error {
	return verdict.Undecided("an invocation is answered with an InvokeResult of a wrong shape: see CAP-INV-01")
}

// Validates reports whether some capability refused every invalid input: the control.
func (j *evidence) Validates() bool {
	took := map[history.Ref]bool{}
	for _, a := range j.Of(history.Invalid) {
		took[a.Asked] = took[a.Asked] || a.BrokenKeyword() != "" && a.Succeeded()
	}
	for _, accepts := range took {
		if !accepts {
			return true
		}
	}
	return false
}
