package acdsuite

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acd/act"
	"github.com/capconform/capconform/suites/acd/history"
	"github.com/capconform/capconform/suites/acd/judge"
	"github.com/capconform/capconform/suites/acp/environment"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/instance"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/live"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/transcript"
	"github.com/capconform/capconform/suites/verdict"
)

// maxTried bounds how many capabilities of a subject are invoked.
const maxTried = 24

// examination is what the suite knows about one agent.
type examination struct {
	subject *suites.Subject
	session driver.Session
	gate    *live.Gate      // the session, which admits and counts invocations
	running context.Context // of the run: no more inputs are made when it ends
	profile suites.Profile
	shared  *sharedState

	manifest      *history.Call
	list          *history.Call
	undefinedPath *history.Call
	execLog       *history.Call
	capList       *history.Call // of CAP, if the host also speaks it
	entries       []*history.Item
	players       map[string]live.Assignment[*history.Item]
	pool          []*history.Item // the entries that may be invoked

	*history.History
	caller *act.Caller
	judge  *judge.Judge
}

// sharedState contains the values that all runs of a suite share.
type sharedState struct {
	shapes suites.Memo[shapes]
	models environment.Environment
}

// examineAgent requests the manifest and the registry.
func (k *sharedState) examineAgent(
	ctx context.Context, subject *suites.Subject, gate *live.Gate,
) (suites.Examination, error) {
	s, err := compileShapes(&k.shapes)
	if err != nil {
		return nil, err
	}
	e := &examination{subject: subject, session: gate, gate: gate, running: ctx, shared: k, History: history.New()}
	e.judge = judge.New(e.History, s.descriptor.Shape, s.manifest.Shape)
	e.manifest = e.ask(ctx, history.OpManifest)
	e.list = e.ask(ctx, history.OpList)
	e.undefinedPath = e.ask(ctx, transcript.UndefinedPath)
	if !e.list.Served() {
		if path := e.correctPathAnswer(e.ask(ctx, history.OpPath)); path.Served() {
			e.list = path
		}
	}
	e.execLog, e.capList = e.ask(ctx, history.OpExecLog), e.ask(ctx, history.OpCapabilityList)
	reached := e.manifest.Accepted() || e.list.Accepted()
	for _, a := range []*history.Call{e.manifest, e.list} {
		closed := reached && errors.Is(a.Lost, driver.ErrClosed) // one operation is not answered
		if lost := (*driver.CallError)(nil); errors.As(a.Lost, &lost) && !suites.CanContinueAfter(lost) && !closed {
			return nil, lost
		}
	}
	e.profile = suites.Profile{Actors: e.actors(), Shown: e.shownActors(ctx),
		Name: history.Text(e.manifest.Value, "name"), Version: history.Text(e.manifest.Value, "version"),
		Binding: gate.Info().Binding + "; ACD defines no such binding but the paths of its lists, this one is capconform's"}
	for _, item := range history.ListOf(e.list.Value) {
		members, _ := item.(object)
		if id := history.Text(members, "capability_id"); id != "" && !history.IsCopyID(id) {
			// Copies of another run do not belong to the subject.
			e.entries = append(e.entries, &history.Item{ID: id, Value: members, Members: members})
			e.profile.Capabilities = append(e.profile.Capabilities, id)
		}
	}
	e.assignRoles()
	e.offerEntries()
	e.fillPool()
	e.makeCallerAndJudge()
	return e, nil
}

// makeCallerAndJudge makes the caller and the judge from what is known about the agent.
func (e *examination) makeCallerAndJudge() {
	e.caller = &act.Caller{
		History: e.History, Subject: e.subject, Gate: e.gate, Entries: e.entries, Players: e.players, Pool: e.pool,
		Models: &e.shared.models, Input: e.input,
	}
	if p, assigned := e.players[roleEcho]; assigned {
		e.judge.Echo = p.Capability.ID
	}
	if p, assigned := e.players[roleShell]; assigned {
		e.judge.Shell = p.Capability.ID
	}
	e.judge.SDK = slices.Contains(e.subject.Actors, actorSDK)
}

// Add implements recording.EntryReader. It offers copies to the gate, also when a record is
// judged.
func (e *examination) Add(entry record.Entry) {
	e.History.Add(entry)
	if of := entry.About[history.AboutCopyOf]; of != "" {
		e.gate.Copy(history.MadeBy(e.History.At(entry.Begun)), of)
	}
}

// Steps implements suites.Examination.
func (e *examination) Steps(voc suites.Vocabulary, sc *suites.Scenario) {
	suites.Register(voc, sc, e.judge, judge.Sentences())
}

// PerformAll implements suites.Provoker.
func (e *examination) PerformAll(ctx context.Context, sc *suites.Scenario) {
	e.caller.PerformAll(ctx, sc)
}

// Settle implements suites.Settler.
func (e *examination) Settle(ctx context.Context, sc *suites.Scenario, what []verdict.Settle) {
	e.caller.Settle(ctx, sc, what)
}

func (e *examination) ask(ctx context.Context, operation string) *history.Call {
	op := driver.Operation{Name: operation, List: operation != history.OpManifest}
	answer, err := suites.Discover(ctx, e.session, op, e.subject.Deadlines.Call, e.Control)
	return readAnswer(operation, answer, err)
}

// correctPathAnswer corrects the outcome of an answer on a path of the text. Many servers answer every
// path that they do not serve, by an error, a page or a redirect. If the answer is not a list,
// and has the same outcome and status as the answer on an undefined path, the path is not
// provided.
func (e *examination) correctPathAnswer(a *history.Call) *history.Call {
	alike := a.Lost == nil && e.undefinedPath.Lost == nil && a.Outcome == e.undefinedPath.Outcome &&
		a.Status == e.undefinedPath.Status
	if alike && strings.HasPrefix(a.Operation, history.OpPath) && !isList(a) {
		a.Outcome = record.NotProvided
	}
	return a
}

// actors returns the actors that the target file names. If it names none, actors returns all
// but the exemplar, which must be declared by the manifest.
func (e *examination) actors() []string {
	if len(e.subject.Actors) > 0 {
		return e.subject.Actors
	}
	all := []string{actorDescriptor, actorSDK, actorAgent, actorChannel}
	if claimsExemplar(history.Text(e.manifest.Value, "agent_id"), history.Text(e.manifest.Value, "name")) {
		all = append(all, actorExemplar)
	}
	return all
}

// shownActors returns the actors whose operations the subject serves. It matters only if a target
// file names the actors, and may have left one out.
func (e *examination) shownActors(ctx context.Context) []string {
	if len(e.subject.Actors) == 0 {
		return nil
	}
	var all []string
	if e.list.Served() {
		all = append(all, actorDescriptor, actorSDK)
	}
	if e.manifest.Served() {
		all = append(all, actorAgent)
	}
	if !slices.Contains(e.subject.Actors, actorChannel) && e.ask(ctx, history.OpDeclare).Served() {
		all = append(all, actorChannel)
	}
	if claimsExemplar(history.Text(e.manifest.Value, "agent_id"), history.Text(e.manifest.Value, "name")) {
		all = append(all, actorExemplar)
	}
	return all
}

func (e *examination) find(id string) *history.Item {
	i := slices.IndexFunc(e.entries, func(c *history.Item) bool { return c.ID == id })
	if i < 0 {
		return nil
	}
	return e.entries[i]
}

func (e *examination) assignRoles() {
	var notes []string
	e.players, notes = live.Assign(roles(), e.subject.Roles["acd"], func(id, version string) (*history.Item, bool) {
		c := e.find(id)
		return c, c != nil && (version == "" || history.Text(c.Members, "version") == version)
	})
	e.profile.Notes = append(e.profile.Notes, notes...)
}

// fillPool fills the pool with the capabilities that may be invoked: enabled ones with a mode,
// whose substrate does not reach outside the agent unless that is permitted.
func (e *examination) fillPool() {
	for _, c := range e.entries {
		if !history.Enabled(c.Members) || len(c.Modes()) == 0 || e.plays(c, roleFails) || e.plays(c, roleShell) ||
			history.ChangesRegistry(c.ID) || e.reasonAgainst(c) != "" {
			continue
		}
		e.pool = append(e.pool, c)
	}
	echo := func(c *history.Item) int {
		if e.plays(c, roleEcho) {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(e.pool, func(a, b *history.Item) int { return echo(a) - echo(b) })
	if admitted := len(e.pool); admitted > maxTried {
		e.pool = e.pool[:maxTried]
		e.profile.Notes = append(e.profile.Notes,
			fmt.Sprintf("of %d ordinary capabilities that may be invoked, the first %d are examined", admitted, maxTried))
	}
}

func (e *examination) plays(c *history.Item, role string) bool {
	p, assigned := e.players[role]
	return assigned && p.Capability == c
}

// input returns an input that a capability should accept: that of the target file, that of its
// role, one made from the schema, or the empty object. It reports whether there is one.
func (e *examination) input(c *history.Item) (any, bool) {
	for role, p := range e.players {
		switch {
		case p.Capability != c:
		case p.Input != nil:
			return p.Input, true
		case role == roleEcho:
			return object{"message": "capconform"}, true
		}
	}
	given := history.Member(c.Members, "inputs.schema")
	if _, isReference := given.(string); isReference {
		return nil, false
	}
	demanded := jsonvalue.Texts(history.Member(c.Members, "inputs.required"))
	if given == nil && len(demanded) == 0 {
		return object{}, true
	}
	schema, err := schemas.CompileValue(history.Folded(given, demanded), schemas.Options{})
	if err != nil {
		return nil, false // ACD-DESC-18 judges a broken schema
	}
	made, err := instance.ValidObject(instance.Within(e.running, schema), e.subject.Seed)
	if err != nil || len(made) == 0 {
		return nil, false
	}
	return made[0].Value, true
}

// Profile implements suites.Examination.
func (e *examination) Profile() suites.Profile { return e.profile }

// Control implements suites.Examination. An agent is alive if it returns its registry or its
// manifest.
func (e *examination) Control(ctx context.Context, session driver.Session) error {
	var all error
	registry := history.OpList
	if e.list != nil {
		registry = e.list.Operation
	}
	for _, operation := range []string{registry, history.OpManifest} {
		within, cancel := context.WithTimeout(ctx, e.subject.Deadlines.Call)
		answer, err := session.Call(within, driver.Operation{Name: operation, List: true})
		cancel()
		if readAnswer(operation, answer, err).Accepted() {
			return nil
		}
		all = errors.Join(all, err)
	}
	return errors.Join(all, errors.New("acdsuite: the agent shows neither registry nor manifest"))
}

// Condition implements suites.Examination.
func (e *examination) Condition(kind, name string) error {
	switch {
	case kind == "with" && name == "execlog" && !e.execLog.Accepted():
		return verdict.MissingInstrument("acd", history.OpExecLog)
	case kind == "when" && name == "speaks-cap" && !e.capList.Accepted():
		return verdict.Inapplicable("the subject does not speak CAP")
	case kind != "role":
		return nil
	}
	p, assigned := e.players[name]
	if !assigned {
		for _, r := range roles() {
			if r.Name == name {
				return r.Missing("acd")
			}
		}
		return fmt.Errorf("acdsuite: unknown role %q", name)
	}
	if why := e.reasonAgainst(p.Capability); why != "" {
		return live.NotInvoked(p.Capability.ID, "it plays "+name+" and "+why)
	}
	return nil
}
