package chpsuite

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/instance"
)

// invokedAtMost bounds how many capabilities of a host are invoked.
const invokedAtMost = 60

// mode is the one every capability supports.
const modeSync = "sync"

// object is a JSON object of the protocol.
type object = map[string]any

// capability is one CapabilityDescriptor that can be referred to.
type capability struct {
	id, version string
	members     object
	modes       []string
	input       *instance.Template // nil: not declared, or not decidable
}

// examination is what the suite knows of one host.
type examination struct {
	subject *suites.Subject
	session driver.Session
	gate    *suites.Gate       // the session, which admits and counts invocations
	running context.Context    // of the run: no more payloads are made when it ends
	shop    *instance.Workshop // of all runs of the suite
	profile suites.Profile

	host         answered // chp.host
	discovery    answered // chp.capabilities
	capabilities []*capability
	players      map[string]suites.Cast[*capability]
	pool         []*capability // ordinary capabilities that may be invoked
	done         experiments
	ahead        instance.Ahead // see unsoundAhead
}

// answered is a read-only call that was made once.
type answered struct {
	answer driver.Answer
	err    error
	result object // nil where the answer is no object
}

// examineHost asks for the host's descriptor and its capabilities.
func examineHost(ctx context.Context, subject *suites.Subject, gate *suites.Gate, shop *instance.Workshop) (suites.Examination, error) {
	e := &examination{subject: subject, session: gate, gate: gate, running: ctx, shop: shop}
	e.profile = suites.Profile{Actors: []string{actorHost}, Shown: []string{actorHost}, Beyond: beyondPlainRuns(subject)}
	if len(subject.Actors) > 0 {
		e.profile.Actors = subject.Actors
	}
	e.profile.Binding = gate.Info().Binding + "; CHP defines no such binding, this one is capconform's"
	if gate.Info().Bodies {
		e.profile.Binding = "CHP's own HTTP binding"
	}
	e.host = e.ask(ctx, driver.Operation{Name: opHost, List: true})
	e.discovery = e.ask(ctx, driver.Operation{Name: opCapabilities, List: true})
	for _, a := range []answered{e.host, e.discovery} {
		if lost := (*driver.CallError)(nil); errors.As(a.err, &lost) && !suites.Survivable(lost) {
			return nil, lost
		}
	}
	e.profile.Declared = protocolVersions(e.host.result)
	e.capabilities = e.readCapabilities(e.declared())
	for _, c := range e.capabilities {
		e.profile.Capabilities = append(e.profile.Capabilities, c.id)
	}
	e.cast()
	for _, c := range e.capabilities {
		e.offer(c)
	}
	e.fillPool()
	return e, nil
}

func (e *examination) ask(ctx context.Context, op driver.Operation) answered {
	ctx, cancel := context.WithTimeout(ctx, e.subject.Deadlines.Call)
	defer cancel()
	answer, err := e.session.Call(ctx, op)
	return readAnswer(answer, err)
}

func readAnswer(answer driver.Answer, err error) answered {
	a := answered{answer: answer, err: err}
	if err == nil && answer.Outcome == driver.Returned {
		a.result = schemas.ReadObject(answer.Result)
	}
	return a
}

// protocolVersions lists the versions that a host descriptor declares. The one in
// protocol_version is the one that the host prefers.
func protocolVersions(descriptor object) []string {
	supported, _ := descriptor["supported_versions"].([]any)
	var all []string
	for _, v := range append([]any{descriptor["protocol_version"]}, supported...) {
		switch v.(type) {
		case string, json.Number, float64:
			all = append(all, fmt.Sprint(v))
		}
	}
	return all
}

// declared gives the descriptors of discovery, or those of the host where
// discovery shows none.
func (e *examination) declared() []any {
	if all, _ := e.discovery.result["capabilities"].([]any); len(all) > 0 {
		return all
	}
	all, _ := e.host.result["capabilities"].([]any)
	return all
}

func (e *examination) readCapabilities(all []any) []*capability {
	var read []*capability
	for _, item := range all {
		members, _ := item.(object)
		id, _ := members["id"].(string)
		if id == "" {
			continue
		}
		version, _ := members["version"].(string)
		c := &capability{id: id, version: version, members: members, modes: texts(members["modes"])}
		if schema, declared := members["input_schema"].(object); declared {
			c.input, _ = e.shop.Template(schema) // a broken one is CHP-3's
		}
		read = append(read, c)
	}
	return read
}

func texts(v any) []string {
	list, _ := v.([]any)
	var all []string
	for _, item := range list {
		if s, ok := item.(string); ok {
			all = append(all, s)
		}
	}
	return all
}

func (e *examination) cast() {
	var notes []string
	e.players, notes = suites.Assign(roles(), e.subject.Roles["chp"], func(id, version string) (*capability, bool) {
		i := slices.IndexFunc(e.capabilities, func(c *capability) bool {
			return c.id == id && (version == "" || c.version == version)
		})
		if i < 0 {
			return nil, false
		}
		return e.capabilities[i], true
	})
	e.profile.Notes = append(e.profile.Notes, notes...)
}

// fillPool takes what may be invoked and is expected to succeed.
func (e *examination) fillPool() {
	for _, c := range e.capabilities {
		if e.plays(c, roleFails) || e.plays(c, roleGuarded) || e.plays(c, roleDisabled) || e.plays(c, roleRestricted) || !slices.Contains(c.modes, modeSync) {
			continue
		}
		if e.reasonAgainst(c) == "" {
			e.pool = append(e.pool, c)
		}
	}
	if admitted := len(e.pool); admitted > invokedAtMost {
		e.pool = e.pool[:invokedAtMost]
		e.profile.Notes = append(e.profile.Notes, fmt.Sprintf("of %d ordinary capabilities that may be invoked, the first %d are examined", admitted, invokedAtMost))
	}
}

func (e *examination) plays(c *capability, role string) bool {
	p, cast := e.players[role]
	return cast && p.Capability == c
}

// payloads are inputs that should be taken: the target file's, else made from
// the schema, else the empty object.
func (e *examination) payloads(c *capability) []any {
	for role, p := range e.players {
		if p.Capability != c {
			continue
		}
		if p.Input != nil {
			return []any{p.Input}
		}
		if role == roleEcho {
			return []any{object{"value": "capconform"}}
		}
	}
	if c.input == nil {
		return []any{object{}}
	}
	made, err := c.input.Sound(e.running, e.subject.Seed)
	if err != nil {
		return nil
	}
	var all []any
	for _, m := range made {
		all = append(all, schemas.ReadValue(m.Text))
	}
	return all
}

// Profile implements suites.Examination.
func (e *examination) Profile() suites.Profile { return e.profile }

// Control implements suites.Examination: a living host describes itself.
func (e *examination) Control(ctx context.Context, session driver.Session) error {
	ctx, cancel := context.WithTimeout(ctx, e.subject.Deadlines.Call)
	defer cancel()
	answer, err := session.Call(ctx, driver.Operation{Name: opHost, List: true})
	if a := readAnswer(answer, err); a.result == nil || a.result["id"] == nil {
		return errors.Join(err, errors.New("chpsuite: the host does not describe itself"))
	}
	return nil
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
		return suites.NotObserved("a restart; the target file names no command under restart")
	}
	p, cast := e.players[name]
	if !cast {
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
		return suites.NotInvoked(p.Capability.id, "it plays "+name+" and "+why)
	}
	return nil
}
