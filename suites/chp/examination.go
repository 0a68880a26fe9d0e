package chpsuite

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/chp/act"
	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/chp/judge"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/instance"
	"github.com/capconform/capconform/suites/live"
	"github.com/capconform/capconform/suites/verdict"
)

// maxInvoked is the greatest number of capabilities of a host that are invoked.
const maxInvoked = 60

// object is a JSON object of the protocol.
type object = map[string]any

// examination is the examination of one host.
type examination struct {
	*history.History
	*act.Caller

	subject *suites.Subject
	session driver.Session
	gate    *live.Gate // the session, which admits and counts invocations
	profile suites.Profile

	host      discoveryAnswer // chp.host
	discovery discoveryAnswer // chp.capabilities
	judge     *judge.Judge
}

// discoveryAnswer is the answer to a read-only call.
type discoveryAnswer struct {
	err    error
	result object // nil if the answer is not an object
}

// examineHost requests the descriptor of the host and its capabilities.
func examineHost(
	ctx context.Context, subject *suites.Subject, gate *live.Gate, cache *instance.Cache,
	compile func() (*judge.Forms, error), edition string,
) (suites.Examination, error) {
	forms, err := compile()
	if err != nil {
		return nil, err
	}
	if _, err := rules(); err != nil {
		return nil, err
	}
	e := &examination{subject: subject, session: gate, gate: gate, History: history.New(subject.Limits.Message)}
	e.profile = suites.Profile{Actors: []string{history.ActorHost}, Shown: []string{history.ActorHost},
		Beyond: notJudgedUnlessStrict(subject)}
	if len(subject.Actors) > 0 {
		e.profile.Actors = subject.Actors
	}
	e.profile.Binding = gate.Info().Binding + "; CHP defines no such binding, this one is capconform's"
	if gate.Info().Bodies {
		e.profile.Binding = "CHP's own HTTP binding"
	}
	e.host = e.ask(ctx, driver.Operation{Name: history.OpHost, List: true})
	e.discovery = e.ask(ctx, driver.Operation{Name: history.OpCapabilities, List: true})
	reached := e.host.result != nil || e.discovery.result != nil
	for _, a := range []discoveryAnswer{e.host, e.discovery} {
		closed := reached && errors.Is(a.err, driver.ErrClosed) // one operation is not answered
		if lost := (*driver.CallError)(nil); errors.As(a.err, &lost) && !suites.CanContinueAfter(lost) && !closed {
			return nil, lost
		}
	}
	e.profile.Declared = judge.ProtocolVersions(e.host.result)
	e.profile.Name, _ = e.host.result["id"].(string)
	e.profile.Version, _ = e.host.result["version"].(string)
	e.Caller = &act.Caller{History: e.History, Subject: subject, Running: ctx, Bodies: gate.Info().Bodies, Offer: e.offer,
		Stable: edition == Stable}
	e.Caller.Read = func(members object) *act.Capability { return readCapability(members, cache) }
	e.judge = judge.New(e.History)
	e.judge.Forms, e.judge.Cache, e.judge.Bodies = forms, cache, gate.Info().Bodies
	e.judge.Missing, e.judge.NotReady = e.lacks, e.Caller.NotReady
	for _, item := range e.declared() {
		if members, _ := item.(object); members != nil {
			if c := e.Caller.Read(members); c != nil {
				e.Caller.Capabilities = append(e.Caller.Capabilities, c)
				e.profile.Capabilities = append(e.profile.Capabilities, c.ID)
			}
		}
	}
	e.assignRoles()
	for _, c := range e.Caller.Capabilities {
		e.offer(c)
	}
	e.fillPool()
	return e, nil
}

func (e *examination) ask(ctx context.Context, op driver.Operation) discoveryAnswer {
	return readAnswer(suites.Discover(ctx, e.session, op, e.subject.Deadlines.Call, e.Control))
}

func readAnswer(answer driver.Answer, err error) discoveryAnswer {
	a := discoveryAnswer{err: err}
	if err == nil && answer.Outcome == driver.Returned {
		a.result = schemas.ReadObject(answer.Result)
	}
	return a
}

// declared returns the descriptors of discovery, or those of the host descriptor if discovery
// shows none.
func (e *examination) declared() []any {
	if all := listedIn(e.discovery.result); len(all) > 0 {
		return all
	}
	return listedIn(e.host.result)
}

// listedIn returns the items of the list of capabilities of an answer.
func listedIn(answer object) []any {
	all, _ := answer["capabilities"].([]any)
	return all
}

// readCapability reads a descriptor. It returns nil if the descriptor names no capability.
func readCapability(members object, cache *instance.Cache) *act.Capability {
	id, _ := members["id"].(string)
	if id == "" {
		return nil
	}
	version, _ := members["version"].(string)
	c := &act.Capability{ID: id, Version: version, Members: members, Modes: history.Texts(members["modes"])}
	if schema, declared := members["input_schema"].(object); declared {
		c.Input, _ = cache.Template(schema) // the requirements of section 3 judge a broken one
	}
	return c
}

func (e *examination) assignRoles() {
	var notes []string
	e.Caller.Players, notes = live.Assign(roles(), e.subject.Roles["chp"],
		func(id, version string) (*act.Capability, bool) {
			i := slices.IndexFunc(e.Caller.Capabilities, func(c *act.Capability) bool {
				return c.ID == id && (version == "" || c.Version == version)
			})
			if i < 0 {
				return nil, false
			}
			return e.Caller.Capabilities[i], true
		})
	e.profile.Notes = append(e.profile.Notes, notes...)
}

// offer registers a descriptor, and returns the reason why its capability must not be invoked,
// or "".
func (e *examination) offer(c *act.Capability) string {
	named := false
	for _, p := range e.Caller.Players {
		named = named || (p.Named && p.Capability == c)
	}
	name, _ := c.Members["name"].(string)
	description, _ := c.Members["description"].(string)
	return e.gate.Offer(live.Candidate{ID: c.ID, Version: c.Version, Named: named, Name: name, Description: description,
		Members: c.Members})
}

// reasonAgainst returns the reason why a capability must not be invoked, or "".
func (e *examination) reasonAgainst(c *act.Capability) string {
	return e.gate.ReasonAgainst(c.ID, c.Version)
}

// fillPool selects the capabilities that may be invoked and should succeed.
func (e *examination) fillPool() {
	var pool []*act.Capability
	for _, c := range e.Caller.Capabilities {
		special := slices.ContainsFunc([]string{act.Fails, act.Guarded, act.Disabled, act.Restricted},
			func(role string) bool { return e.Caller.Plays(c, role) })
		if !special && slices.Contains(c.Modes, act.Sync) && e.reasonAgainst(c) == "" {
			pool = append(pool, c)
		}
	}
	if admitted := len(pool); admitted > maxInvoked {
		pool = pool[:maxInvoked]
		e.profile.Notes = append(e.profile.Notes,
			fmt.Sprintf("of %d ordinary capabilities that may be invoked, the first %d are examined", admitted, maxInvoked))
	}
	e.Caller.Pool = pool
}

// Steps implements suites.Examination.
func (e *examination) Steps(voc suites.Vocabulary, sc *suites.Scenario) {
	suites.Register(voc, sc, e.judge, ruleSentences())
}

// Profile implements suites.Examination.
func (e *examination) Profile() suites.Profile { return e.profile }

// Control implements suites.Examination. A host is alive if it returns its descriptor, or if it
// closes that connection but lists its capabilities.
func (e *examination) Control(ctx context.Context, session driver.Session) error {
	var all error
	for _, operation := range []string{history.OpHost, history.OpCapabilities} {
		within, cancel := context.WithTimeout(ctx, e.subject.Deadlines.Call)
		answer, err := session.Call(within, driver.Operation{Name: operation, List: true})
		cancel()
		if history.Alive(operation, readAnswer(answer, err).result) {
			return nil
		}
		all = errors.Join(all, err)
		if !errors.Is(err, driver.ErrClosed) {
			break
		}
	}
	return errors.Join(all, errors.New("chpsuite: the host does not describe itself"))
}

// Condition implements suites.Examination.
func (e *examination) Condition(kind, name string) error {
	switch kind {
	case "role", "with":
		return e.lacks(kind, name)
	default:
		return e.lacksState(name)
	}
}

func (e *examination) lacks(kind, name string) error {
	if kind == "with" && name == "restart" {
		if e.subject.Restartable() {
			return nil
		}
		return verdict.NotObserved("a restart; the target file names no command under restart")
	}
	p, assigned := e.Caller.Players[name]
	if !assigned {
		for _, r := range roles() {
			if r.Name == name && kind == "with" {
				return r.NotObserved("chp")
			}
			if r.Name == name {
				return r.Missing("chp")
			}
		}
		return fmt.Errorf("chpsuite: unknown role %q", name)
	}
	if why := e.reasonAgainst(p.Capability); why != "" {
		return live.NotInvoked(p.Capability.ID, "it plays "+name+" and "+why)
	}
	return nil
}

// lacksState evaluates the tag @when:name.
func (e *examination) lacksState(name string) error {
	members := map[string][]string{
		"input-schema": {"input_schema"}, "output-schema": {"output_schema"}, "invariants": {"invariants"}, "risk": {"risk"},
		"assurance": {"assurance"}, "owner-tags-metadata": {"owner", "tags", "metadata"},
		"capability-uri": {"capability_uri"},
	}[name]
	for _, item := range slices.Concat(listedIn(e.discovery.result), listedIn(e.host.result)) {
		descriptor, _ := item.(object)
		if slices.ContainsFunc(members, func(m string) bool { return descriptor[m] != nil }) {
			return nil
		}
	}
	switch {
	case len(members) > 0 && len(e.Caller.Capabilities) == 0:
		return verdict.Undecided("no capability is declared, so it is not known whether one declares %s", members[0])
	case len(members) > 0:
		return verdict.Inapplicable("no capability declares %s", members[0])
	case name == "disabled-capability":
		return e.lacks("with", act.Disabled)
	case name == "restricted-capability":
		return e.lacks("with", act.Restricted)
	}
	return nil
}
