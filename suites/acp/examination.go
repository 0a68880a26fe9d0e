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
	noAddresses := environment.Configuration{Services: map[string]string{}}
	return []driver.Operation{
		{Name: opConfigure, Params: jsonvalue.Encode(noAddresses)},
		{Name: opSearch, Params: jsonvalue.Encode(object{"query_string": "capconform"}), List: true},
	}
}

// examination is the state of the suite for one subject: what is known of it, and the test doubles for
// it.
type examination struct {
	*act.PackageMaker
	subject        *suites.Subject
	session        *live.Gate
	profile        suites.Profile
	firstInstalled *sample.Package // the package that was installed during discovery

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
		PackageMaker: &act.PackageMaker{
			Record: session, NamePrefixes: subject.Supports[act.SupportsNames], ArgumentNames: argumentsOf(subject),
			Supports: map[string]bool{},
			Signing:  act.Signing{Profile: signature.Profile(subject.Options[optionSignature])},
		},
		subject: subject, session: session, history: history.New(),
	}
	e.judge = judge.New(e.history)
	e.judge.Offer = offerOf(session.Info())
	e.index = &index.Caller{
		Maker: e.PackageMaker, History: e.history, Subject: subject, AnswerError: e.judge.Offer.AnswerError,
		Configured: func() bool { return e.history.Discovery().Configured },
	}
	e.publisher = &publisher.Caller{Maker: e.PackageMaker}
	e.registry = &registry.Caller{Maker: e.PackageMaker, History: e.history}
	e.router = &router.Caller{
		PackageMaker: e.PackageMaker, History: e.history, Ready: e.judge.Blocked, AddInstalled: e.addInstalled,
		Flaws:          flaws(),
		FirstInstalled: func() *sample.Package { return e.firstInstalled },
	}
	if session.Recorded() {
		return e, nil
	}
	var err error
	for _, author := range []*environment.Author{&e.Author, &e.OtherAuthor} {
		if *author, err = environment.NewAuthor(); err != nil {
			return nil, fmt.Errorf("acpsuite: %w", err)
		}
	}
	if e.Environment, e.index.HasAddresses = subject.TestDoubles["acp"].Closer.(*environment.Run); !e.index.HasAddresses {
		if e.Environment, err = surroundings.Open(); err != nil {
			return nil, fmt.Errorf("acpsuite: %w", err)
		}
	}
	e.history.UseReader(&e.Environment.Model.Reader)
	e.Environment.Record(session)
	if err := e.discover(ctx); err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return e, nil
}

// argumentsOf returns the runtime's names of the arguments of the built-in tools, as the target file
// states them.
func argumentsOf(subject *suites.Subject) map[string]string {
	all := map[string]string{}
	for _, name := range sample.ArgumentNames() {
		if runtimeName := subject.Options[optionArgument+name]; runtimeName != "" {
			all[name] = runtimeName
		}
	}
	return all
}

// discover makes the first calls and records their result.
func (e *examination) discover(ctx context.Context) error {
	d := &discovery{PackageMaker: e.PackageMaker, call: e.call}
	err := d.run(ctx)
	for _, p := range d.installed {
		e.addInstalled(p.ID)
		e.firstInstalled = d.installed[0]
	}
	if err != nil {
		return err
	}
	for _, version := range e.subject.Known {
		d.result.Known = append(d.result.Known, history.KnownVersion{URI: version.CapURI, CID: version.CID})
	}
	e.session.Conclude(history.Installs, d.installError)
	e.session.Conclude(history.Reaches, d.reachError)
	e.session.Enter(record.Entry{
		Begun: e.session.Tick(), Done: e.session.Tick(), Party: record.Target, Operation: history.OpDiscovery,
		Outcome: record.Returned, Sent: record.NewBody(jsonvalue.Encode(d.result)),
	})
	return nil
}

// call makes a call outside any scenario.
func (e *examination) call(ctx context.Context, op driver.Operation) (driver.Answer, error) {
	ctx, cancel := context.WithTimeout(ctx, e.subject.Deadlines.Call)
	defer cancel()
	return e.session.Call(ctx, op)
}

// addInstalled adds a package that the subject must uninstall at the end.
func (e *examination) addInstalled(capURI string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.installed = append(e.installed, capURI)
}

// Add implements recording.EntryReader.
func (e *examination) Add(entry record.Entry) {
	e.history.Add(entry)
	if entry.Operation == history.OpDiscovery {
		e.applyDiscovery(e.history.Discovery())
	}
}

// Reads implements reading.Reader.
func (e *examination) Reads() *reading.Reading { return e.history.Reads() }

// applyDiscovery uses the result of discovery.
func (e *examination) applyDiscovery(found *history.Discovery) {
	if found == nil {
		return
	}
	for _, feature := range found.Supports {
		e.Supports[feature] = true
	}
	for _, version := range found.Known {
		e.judge.KnownReleases = append(e.judge.KnownReleases, history.NewRelease(version.URI, version.CID))
	}
	e.index.KnownReleases, e.judge.Profile = e.judge.KnownReleases, signature.Profile(found.Signature)
	e.profile = suites.Profile{Shown: found.Actors, Actors: e.actorsFor(found.Actors), Notes: found.Notes}
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

// closeTimeout is the time in which the packages of the harness are uninstalled.
const closeTimeout = 5 * time.Second

// Close uninstalls the packages of the harness, as far as the subject permits, and stops the test
// doubles.
func (e *examination) Close() error {
	if e.Environment == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	for _, capURI := range e.installed {
		if _,
			err := e.call(ctx,
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
	if !e.playsActor(actorRouter) && !e.playsActor(actorRuntime) {
		return e.checkAlive(ctx, ask)
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
