package capsuite

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/cap/act"
	"github.com/capconform/capconform/suites/cap/history"
	"github.com/capconform/capconform/suites/cap/judge"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/instance"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/live"
	"github.com/capconform/capconform/suites/verdict"
)

// maxInvoked limits how many capabilities of a source are invoked. It is enough for any real
// source, and bounds the calls to a source that lists 10,000.
const maxInvoked = 100

// examination is what the suite knows about one capability source.
type examination struct {
	*history.History
	*act.Caller

	subject *suites.Subject
	session driver.Session
	gate    *live.Gate      // below the session: it admits and counts invocations
	tools   *toolSession    // the adapter; nil if the source is not a plain MCP server
	cache   *instance.Cache // of all runs of the suite
	profile suites.Profile

	list    *history.List
	listErr error // why there is no list
	judge   *judge.Judge
	named   map[history.Ref]bool // capabilities that the target file names
}

// examineSource lists the capabilities once and assigns the roles.
func examineSource(ctx context.Context, subject *suites.Subject, gate *live.Gate,
	cache *instance.Cache) (suites.Examination, error) {
	if _, err := rules(); err != nil {
		return nil, err
	}
	e := &examination{
		subject: subject, session: gate, gate: gate, cache: cache, History: history.New(subject.Limits.Message),
		named: map[history.Ref]bool{},
	}
	e.profile = suites.Profile{Actors: []string{actorSource}, Shown: []string{actorSource}}
	adapted := plainServer(gate.Info(), subject)
	if adapted {
		e.adapt(gate)
	}
	if len(subject.Actors) > 0 {
		e.profile.Actors = subject.Actors
	}
	describes := false // the source answers although it closed the connection of the list
	control := func(ctx context.Context, session driver.Session) error {
		err := e.Control(ctx, session)
		describes = err == nil
		return err
	}
	e.list, e.listErr = e.readList(suites.Discover(ctx, e.session, listOperation(), e.subject.Deadlines.Call, control))
	if lost := (*driver.CallError)(nil); errors.As(e.listErr, &lost) && !suites.CanContinueAfter(lost) && !describes {
		return nil, lost
	}
	e.Caller = &act.Caller{
		History: e.History, Subject: subject, Gate: gate, Cache: cache, Running: ctx, List: e.list, NotReady: e.notReady,
		Adapted:       adapted,
		OfferManifest: func(r history.Ref, m history.Manifest) { e.offer(r, m) },
	}
	for _, s := range e.list.Capabilities {
		e.profile.Capabilities = append(e.profile.Capabilities, s.ID)
	}
	e.assignRoles()
	// Offer also pairs that are listed twice: the gate refuses a pair if it refuses one of its
	// manifests.
	for _, el := range e.list.Elements {
		if el.ID != "" {
			e.offer(el.Ref(), el.Manifest())
		}
	}
	e.assignSkill()
	e.fillPool()
	e.Caller.Fixtures = e.fixtures()
	e.judge = judge.New(e.History)
	e.judge.Cache, e.judge.Purpose, e.judge.Adapted = cache, purpose, adapted
	e.judge.MissingRole, e.judge.NotReady = e.lacksRole, e.notReady
	e.judge.Own, e.judge.Supports = ownAddress(subject.Driver.Target()), e.supports()
	e.judge.Players, e.judge.OneInput = map[string]history.Ref{}, map[string]bool{}
	for role, p := range e.Caller.Players {
		e.judge.Players[role], e.judge.OneInput[role] = p.Ref(), !p.Always(role)
	}
	return e, nil
}

// askList lists, and reads the answer as far as it is a list.
func (e *examination) askList(ctx context.Context, session driver.Session) (*history.List, error) {
	ctx, cancel := context.WithTimeout(ctx, e.subject.Deadlines.Call)
	defer cancel()
	return e.readList(session.Call(ctx, listOperation()))
}

// readList reads the answer to a call for the list.
func (e *examination) readList(answer driver.Answer, err error) (*history.List, error) {
	if err != nil || answer.Outcome != driver.Returned {
		return &history.List{}, err
	}
	return e.History.Read(answer.Result), nil
}

func listOperation() driver.Operation {
	return driver.Operation{Name: history.OpList, List: true, Single: true}
}

// fixtures returns references that the source may know but not list: the fixture profile, those
// of the target file, and the tools of reductions.
func (e *examination) fixtures() []history.Ref {
	all := []history.Ref{{ID: "conformance.echo", Version: "2.0.0"}}
	for _, r := range roles() {
		all = append(all, history.Ref{ID: r.Capability, Version: "1.0.0"})
	}
	for _, role := range slices.Sorted(maps.Keys(e.subject.Roles["cap"])) {
		if named := e.subject.Roles["cap"][role]; named.Version != "" {
			all = append(all, history.Ref{ID: named.Capability, Version: named.Version})
		}
	}
	for _, s := range e.skills() {
		all = append(all, s.Manifest().ReducedTo()...)
	}
	return all
}

// supports returns the members that the Skills system of the source has: as the target file
// declares, or all of them if the source registers the skill of the fixture profile.
func (e *examination) supports() []string {
	if e.byID(history.FixtureSkill, "") != nil {
		return judge.SkillMembers
	}
	return e.subject.Supports["skills"]
}

// fillPool fills the pool with the ordinary capabilities that the gate admits. It excludes
// instruments and capabilities whose role is to fail.
func (e *examination) fillPool() {
	for _, s := range e.list.Capabilities {
		if !e.isSpecial(s) && e.reasonAgainst(s) == "" {
			e.Caller.Pool = append(e.Caller.Pool, e.capability(s))
		}
	}
	if admitted := len(e.Caller.Pool); admitted > maxInvoked {
		e.Caller.Pool = e.Caller.Pool[:maxInvoked]
		e.addNote("of %d ordinary capabilities that may be invoked, the first %d are examined", admitted, maxInvoked)
	}
}

// capability returns a listed capability; one with a role is the capability of its player.
func (e *examination) capability(s *history.RawManifest) *act.Capability {
	for _, p := range e.Caller.Players {
		if p.RawManifest == s {
			return p.Capability
		}
	}
	return &act.Capability{RawManifest: s, Cache: e.cache}
}

// notReady returns the reason why nothing may be invoked, nil if something may.
func (e *examination) notReady() error {
	switch {
	case e.listErr != nil:
		return e.listErr
	case e.list.Empty():
		return verdict.Undecided("no capability is listed, so there is nothing to examine")
	case len(e.Caller.Pool) == 0 && slices.ContainsFunc(e.list.Capabilities, func(s *history.RawManifest) bool {
		return e.isSpecial(s) && e.reasonAgainst(s) == ""
	}):
		return &verdict.Inconclusive{
			Reason: "every capability that may be invoked plays a role such as fails, and is invoked for that role alone",
			Supply: "name another one that succeeds in the target file: roles: {cap: {echo: {capability: ID}}}",
		}
	case len(e.Caller.Pool) == 0:
		return &verdict.Inconclusive{
			Reason: "no listed capability may be invoked",
			Supply: "--invoke all invokes every one; or name one under roles in the target file",
		}
	}
	return nil
}

func (e *examination) addNote(format string, args ...any) {
	e.profile.Notes = append(e.profile.Notes, fmt.Sprintf(format, args...))
}

// Steps implements suites.Examination.
func (e *examination) Steps(voc suites.Vocabulary, sc *suites.Scenario) {
	suites.Register(voc, sc, e.judge, ruleSentences())
}

// Profile implements suites.Examination.
func (e *examination) Profile() suites.Profile {
	p := e.profile
	if never := e.Caller.NeverSucceeded(); len(never) > 0 {
		const named = 10
		p.Notes = append(slices.Clone(p.Notes),
			fmt.Sprintf("%d of the invoked capabilities accepted no generated input, so no invalid input was sent to them: %s",
				len(never), strings.Join(never[:min(len(never), named)], ", ")))
	}
	if slow := e.Caller.Slow(); len(slow) > 0 {
		p.Notes = append(slices.Clone(p.Notes),
			fmt.Sprintf("%s took about %s or longer for an answer and was not invoked further; allow more time with --call-timeout",
				strings.Join(slow, ", "), e.subject.Deadlines.Call))
	}
	return p
}

// Control implements suites.Examination. A source is alive if it lists capabilities after it did
// so before, even in a form that other requirements judge. If it closes the connection of the
// list, it must answer describe.
func (e *examination) Control(ctx context.Context, session driver.Session) error {
	now, err := e.askList(ctx, session)
	if errors.Is(err, driver.ErrClosed) && e.describes(ctx, session) {
		return nil
	}
	if err != nil {
		return err
	}
	if now.Empty() && e.list != nil && !e.list.Empty() {
		return errors.New("capsuite: the list shows no capability")
	}
	return nil
}

// describes reports whether the source answers describe, with a manifest or with an error.
func (e *examination) describes(ctx context.Context, session driver.Session) bool {
	ctx, cancel := context.WithTimeout(ctx, e.subject.Deadlines.Call)
	defer cancel()
	params := map[string]any{"capability_id": "conformance.echo", "version": "1.0.0"}
	answer, err := session.Call(ctx, driver.Operation{Name: history.OpDescribe, Params: jsonvalue.Encode(params)})
	return err == nil && (answer.Outcome == driver.Returned || answer.Outcome == driver.Refused)
}

// Condition implements suites.Examination.
func (e *examination) Condition(kind, name string) error {
	switch kind {
	case "role":
		return e.lacksRole(name)
	case "with":
		return e.lacksWitness(name)
	default:
		return e.lacksState(name)
	}
}

// lacksState returns the condition of the tag @when:name.
func (e *examination) lacksState(name string) error {
	if e.list.Empty() {
		return verdict.Undecided("no capability is listed")
	}
	switch name {
	case "several-versions":
		if !e.several() {
			return verdict.Inapplicable("no id is listed in several versions")
		}
		return nil
	case "skills":
		if len(e.skills()) == 0 {
			return verdict.Inapplicable("no skill is listed")
		}
		return nil
	default:
		return fmt.Errorf("capsuite: unknown condition %q", name)
	}
}

// several reports whether an id is listed in more than one version.
func (e *examination) several() bool {
	seen := map[string]bool{}
	for _, s := range e.list.Capabilities {
		if seen[s.ID] {
			return true
		}
		seen[s.ID] = true
	}
	return false
}

func (e *examination) skills() []*history.RawManifest {
	return slices.DeleteFunc(slices.Clone(e.list.Capabilities),
		func(s *history.RawManifest) bool { return s.Kind != history.KindSkill })
}
