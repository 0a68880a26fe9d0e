package acpsuite

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acp/act"
	"github.com/capconform/capconform/suites/acp/act/index"
	"github.com/capconform/capconform/suites/acp/act/publisher"
	"github.com/capconform/capconform/suites/acp/act/registry"
	"github.com/capconform/capconform/suites/acp/act/router"
	"github.com/capconform/capconform/suites/acp/environment"
	"github.com/capconform/capconform/suites/acp/history"
	"github.com/capconform/capconform/suites/acp/judge"
	"github.com/capconform/capconform/suites/acp/sample"
	"github.com/capconform/capconform/suites/acp/signature"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/live"
	"github.com/capconform/capconform/suites/reading"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

// The operations of suites/acp/ADAPTER.md.
const (
	opConfigure = history.OpConfigure
	opInstall   = history.OpInstall
	opUninstall = history.OpUninstall
	opMessage   = history.OpMessage
	opState     = history.OpState
	opAuthor    = history.OpAuthor
	opPublish   = history.OpPublish
	opGet       = history.OpGet
	opEvents    = history.OpEvents
	opResolve   = history.OpResolve
	opSearch    = history.OpSearch
)

// supportsTimeouts is the value of supports by which an adapter declares that its router obeys timeouts.
const supportsTimeouts = "timeouts"

// operations returns all operations of all actors.
func operations() []string {
	return []string{opConfigure, opInstall, opUninstall, opMessage, opState, opAuthor, opPublish, opGet, opEvents,
		opResolve, opSearch}
}

// probes returns the calls that show whether a subject speaks ACP. They change nothing permanently.
// Every actor except an index is configured first; it is configured again when the addresses are known.
func probes() []driver.Operation {
	nowhere := environment.Configuration{Services: map[string]string{}}
	return []driver.Operation{
		{Name: opConfigure, Params: jsonvalue.Encode(nowhere)},
		{Name: opSearch, Params: jsonvalue.Encode(object{"query_string": "capconform"}), List: true},
	}
}

// examination is the state of the suite for one subject: what is known of it, and the test doubles for
// it.
type examination struct {
	*act.Maker
	subject *suites.Subject
	session *live.Gate
	profile suites.Profile
	first   *sample.Package // the package that was installed during discovery

	mu        sync.Mutex
	installed []string // the capability URIs of the harness's packages that the subject installed

	history   *history.History
	judge     *judge.Judge
	router    *router.Caller
	registry  *registry.Caller
	publisher *publisher.Caller
	index     *index.Caller
}

// examineSubject starts the test doubles, configures the subject, and finds out which actors it plays
// and which signatures it accepts. If a stored record is judged, everything known of the subject is in
// the record: see Add.
func examineSubject(ctx context.Context, subject *suites.Subject, session *live.Gate,
	surroundings *environment.Environment) (suites.Examination, error) {
	e := &examination{
		Maker: &act.Maker{
			Record: session, Names: subject.Supports[act.SupportsNames], Arguments: argumentsOf(subject),
			Supports: map[string]bool{},
			Signs:    act.Signs{Profile: signature.Profile(subject.Options[optionSignature])},
		},
		subject: subject, session: session, history: history.New(),
	}
	e.judge = judge.New(e.history)
	e.judge.Offer = offerOf(session.Info())
	e.index = &index.Caller{
		Maker: e.Maker, History: e.history, Subject: subject, Usable: e.judge.Offer.Unusable,
		Follows: func() bool { return e.history.Met().Follows },
	}
	e.publisher = &publisher.Caller{Maker: e.Maker}
	e.registry = &registry.Caller{Maker: e.Maker, History: e.history}
	e.router = &router.Caller{
		Maker: e.Maker, History: e.history, Ready: e.judge.Blocked, Remember: e.remember, Flaws: flaws(),
		First: func() *sample.Package { return e.first },
	}
	if session.Past() {
		return e, nil
	}
	var err error
	for _, author := range []*environment.Author{&e.Author, &e.Stranger} {
		if *author, err = environment.NewAuthor(); err != nil {
			return nil, fmt.Errorf("acpsuite: %w", err)
		}
	}
	if e.Environment, e.index.Hinted = subject.Surroundings["acp"].Held.(*environment.Run); !e.index.Hinted {
		if e.Environment, err = surroundings.Open(); err != nil {
			return nil, fmt.Errorf("acpsuite: %w", err)
		}
	}
	e.history.ReadBy(&e.Environment.Model.Reader)
	e.Environment.Record(session)
	if err := e.look(ctx); err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return e, nil
}

// argumentsOf returns the runtime's names of the arguments of the built-in tools, as the target file
// states them.
func argumentsOf(subject *suites.Subject) map[string]string {
	all := map[string]string{}
	for _, name := range sample.Arguments() {
		if theirs := subject.Options[optionArgument+name]; theirs != "" {
			all[name] = theirs
		}
	}
	return all
}

// look makes the first calls and records their result.
func (e *examination) look(ctx context.Context) error {
	d := &discovery{Maker: e.Maker, ask: e.ask}
	err := d.look(ctx)
	for _, p := range d.installed {
		e.remember(p.ID)
		e.first = d.installed[0]
	}
	if err != nil {
		return err
	}
	for _, one := range e.subject.Known {
		d.met.Known = append(d.met.Known, history.Listed{URI: one.CapURI, CID: one.CID})
	}
	e.session.Conclude(history.Installs, d.installs)
	e.session.Conclude(history.Reaches, d.reaches)
	e.session.Enter(record.Entry{
		Begun: e.session.Tick(), Done: e.session.Tick(), Party: record.Target, Operation: history.OpMeet,
		Outcome: record.Returned, Sent: record.NewBody(jsonvalue.Encode(d.met)),
	})
	return nil
}

// ask makes a call outside any scenario.
func (e *examination) ask(ctx context.Context, op driver.Operation) (driver.Answer, error) {
	ctx, cancel := context.WithTimeout(ctx, e.subject.Deadlines.Call)
	defer cancel()
	return e.session.Call(ctx, op)
}

// remember adds a package that the subject must uninstall at the end.
func (e *examination) remember(capURI string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.installed = append(e.installed, capURI)
}

// Add implements recording.Historian.
func (e *examination) Add(entry record.Entry) {
	e.history.Add(entry)
	if entry.Operation == history.OpMeet {
		e.take(e.history.Met())
	}
}

// Reads implements reading.Reader.
func (e *examination) Reads() *reading.Reading { return e.history.Reads() }

// take uses the result of discovery.
func (e *examination) take(met *history.Met) {
	if met == nil {
		return
	}
	for _, word := range met.Supports {
		e.Supports[word] = true
	}
	for _, one := range met.Known {
		e.judge.Known = append(e.judge.Known, history.NewRelease(one.URI, one.CID))
	}
	e.index.Known, e.judge.Profile = e.judge.Known, signature.Profile(met.Signature)
	e.profile = suites.Profile{Shown: met.Actors, Actors: e.actorsFor(met.Actors), Notes: met.Notes}
	e.profile.Binding = e.session.Info().Binding + "; ACP defines no such binding, capconform defines this one"
}

// Steps implements suites.Examination.
func (e *examination) Steps(voc suites.Vocabulary, sc *suites.Scenario) {
	suites.Register(voc, sc, e.judge, judge.Sentences())
}

// Settle implements suites.Settler.
func (e *examination) Settle(ctx context.Context, sc *suites.Scenario, what []verdict.Settle) {
	e.index.Settle(ctx, sc, what)
}

// Profile implements suites.Examination.
func (e *examination) Profile() suites.Profile { return e.profile }

// closing is the time in which the packages of the harness are uninstalled.
const closing = 5 * time.Second

// Close uninstalls the packages of the harness, as far as the subject permits, and stops the test
// doubles.
func (e *examination) Close() error {
	if e.Environment == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), closing)
	defer cancel()
	for _, capURI := range e.installed {
		if _,
			err := e.ask(ctx,
			driver.Operation{Name: opUninstall, Params: jsonvalue.Encode(object{"cap_uri": capURI})}); err != nil {
			break // the subject does not answer
		}
	}
	return e.Environment.Close()
}

// Control implements suites.Examination. A living router must answer a message; of the other actors, one
// operation must be answered. The subject is configured first, because it may have been restarted.
func (e *examination) Control(ctx context.Context, session driver.Session) error {
	ask := func(ctx context.Context, op driver.Operation) (driver.Answer, error) {
		ctx, cancel := context.WithTimeout(ctx, e.subject.Deadlines.Call)
		defer cancel()
		return session.Call(ctx, op)
	}
	if e.Environment != nil {
		if _, err := configure(ctx, ask, e.Environment.Configuration()); err != nil {
			return err
		}
	}
	if !e.plays(actorRouter) && !e.plays(actorRuntime) {
		return e.alive(ctx, ask)
	}
	answer, err := message(ctx, ask, "Are you there?")
	if errors.Is(err, driver.ErrClosed) { // the router may still answer other operations
		answer, err = ask(ctx, driver.Operation{Name: opInstall, Params: jsonvalue.Encode(object{"cid": ""})})
	}
	if err != nil || answer.Outcome != driver.Returned && answer.Outcome != driver.Refused {
		return errors.Join(err, errors.New("acpsuite: a message in a new conversation is not answered"))
	}
	return nil
}

// Condition implements suites.Examination.
func (e *examination) Condition(kind, name string) error {
	confined := router.Confined().Name
	switch kind + ":" + name {
	case "when:timeouts":
		if !e.Supports[supportsTimeouts] {
			return &verdict.Inconclusive{
				Reason: "the subject does not report that it obeys timeouts",
				Supply: "answer acp.configure with {supports: [timeouts]} if the router obeys capability_ms",
			}
		}
	case "when:restart":
		if !e.subject.Restartable() {
			return &verdict.Inconclusive{
				Reason: "the command that restarts the subject is unknown",
				Supply: "name the command in the target file: restart: [COMMAND, ARGS...]",
			}
		}
	case "role:" + confined:
		if e.subject.Roles["acp"][confined].Capability == "" {
			return router.Confined().NotObserved("acp")
		}
	default:
		return fmt.Errorf("acpsuite: unknown condition %s:%s", kind, name)
	}
	return nil
}
