package acpsuite

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/capconform/capconform/schemas"
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
	"github.com/capconform/capconform/suites/record"
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

// supportsTimeouts is what an adapter says that obeys timeouts.
const supportsTimeouts = "timeouts"

// operations lists all of them, those of the other actors included.
func operations() []string {
	return []string{opConfigure, opInstall, opUninstall, opMessage, opState, opAuthor, opPublish, opGet, opEvents, opResolve, opSearch}
}

// probes change nothing that lasts: everybody but an index is configured before
// anything else, and once more when it is known where everything is.
func probes() []driver.Operation {
	nowhere := environment.Configuration{Services: map[string]string{}}
	return []driver.Operation{
		{Name: opConfigure, Params: suites.Encode(nowhere)},
		{Name: opSearch, Params: suites.Encode(object{"query_string": "capconform"}), List: true},
	}
}

// examination is what the suite knows of one subject, and what it plays to it.
type examination struct {
	*act.Maker
	subject *suites.Subject
	session driver.Session
	profile suites.Profile

	follows bool      // it was told where our registry is
	hinted  bool      // the variables of its environment say it
	blocked error     // why no package can be installed
	deaf    error     // why packages are installed and no message reaches them
	sample  *specimen // installed while it was found out who signs

	mu     sync.Mutex
	guests []string // capability URIs of ours that the subject installed

	done      experiments
	history   *history.History
	judge     *judge.Judge
	router    *router.Caller
	registry  *registry.Caller
	publisher *publisher.Caller
	index     *index.Caller
}

// examineSubject starts to play what the subject talks to, configures it, and
// finds out which actors it plays and which signatures it takes.
func examineSubject(ctx context.Context, subject *suites.Subject, session *suites.Gate, surroundings *environment.Environment) (suites.Examination, error) {
	e := &examination{
		Maker:   &act.Maker{Record: session, Names: subject.Supports[act.SupportsNames], Supports: map[string]bool{}},
		subject: subject, session: session, history: history.New(),
	}
	e.judge = &judge.Judge{History: e.history, Offer: offerOf(session.Info()), Known: knownReleases(subject)}
	e.index = &index.Caller{
		Maker: e.Maker, History: e.history, Subject: subject, Known: knownReleases(subject), Usable: e.judge.Offer.Unusable,
		Follows: func() bool { return e.follows },
	}
	e.publisher = &publisher.Caller{Maker: e.Maker}
	e.registry = &registry.Caller{Maker: e.Maker, History: e.history}
	e.judge.Blocked = party{e, e.ask}.needPackages
	e.router = &router.Caller{Maker: e.Maker, History: e.history, Ready: e.judge.Blocked, Guest: e.remember, Flaws: flaws()}
	var err error
	for _, author := range []*environment.Author{&e.Author, &e.Stranger} {
		if *author, err = environment.NewAuthor(); err != nil {
			return nil, fmt.Errorf("acpsuite: %w", err)
		}
	}
	if e.Environment, e.hinted = subject.Surroundings["acp"].Held.(*environment.Run); !e.hinted {
		if e.Environment, err = surroundings.Open(); err != nil {
			return nil, fmt.Errorf("acpsuite: %w", err)
		}
	}
	e.index.Hinted = e.hinted
	e.Environment.Tell(session)
	if err := e.look(ctx); err != nil {
		return nil, errors.Join(err, e.Close())
	}
	if !e.Signs.Subject {
		e.judge.Profile = e.Signs.Profile
	}
	return e, nil
}

// look makes the first calls. The error is that of a subject that gives no answer.
func (e *examination) look(ctx context.Context) error {
	p := party{e, e.ask}
	answer, err := p.configure(ctx, nil)
	if err != nil && !suites.Survivable(err) {
		return err
	}
	for _, word := range suites.Texts(schemas.ReadObject(answer.Result)["supports"]) {
		e.Supports[word] = true
	}
	e.follows = err == nil && answer.Outcome == driver.Returned
	routes, err := p.meetRouter(ctx)
	if err != nil {
		return err
	}
	var met []string
	if routes {
		met = append(met, actorRouter, actorRuntime)
	}
	e.profile.Shown = append(met, p.meetOthers(ctx)...)
	e.profile.Actors = e.actorsFor(e.profile.Shown)
	e.profile.Binding = e.session.Info().Binding + "; ACP defines no such binding, this one is capconform's"
	return nil
}

// ask makes a call outside of any scenario.
func (e *examination) ask(ctx context.Context, op driver.Operation) (driver.Answer, error) {
	ctx, cancel := context.WithTimeout(ctx, e.subject.Deadlines.Call)
	defer cancel()
	return e.session.Call(ctx, op)
}

// party is who talks to the subject: the examination at first, then scenarios.
type party struct {
	*examination
	call func(ctx context.Context, op driver.Operation) (driver.Answer, error)
}

// configure tells the subject where everything is. Timeouts may be nil.
func (p party) configure(ctx context.Context, timeouts *environment.Timeouts) (driver.Answer, error) {
	configuration := p.Environment.Configuration()
	configuration.Timeouts = timeouts
	return p.call(ctx, driver.Operation{Name: opConfigure, Params: suites.Encode(configuration)})
}

// meetRouter finds the signature that the subject takes, by packages that differ in
// nothing else. It reports whether the operations of a router are served.
func (p party) meetRouter(ctx context.Context) (bool, error) {
	answer, err := p.call(ctx, driver.Operation{Name: opMessage, Params: suites.Encode(object{"conversation": newConversation(), "text": "Hello."})})
	if err == nil && answer.Outcome == driver.NotProvided {
		p.blocked = suites.Undecided("the subject takes no messages: it does not serve acp.message")
		// Who takes packages is a router all the same. There is no file without a CID.
		answer, err = p.call(ctx, driver.Operation{Name: opInstall, Params: suites.Encode(object{"cid": ""})})
		return err == nil && answer.Outcome != driver.NotProvided, nil
	}
	var refusals []string
	if err == nil {
		refusals, err = p.findSigner(ctx)
	}
	switch {
	case silent(err):
		p.blocked = fmt.Errorf("packages can't be examined: %w", err)
	case err != nil:
		return true, err
	case p.sample == nil:
		p.blocked = &suites.Inconclusive{
			Reason: "no package of ours is installed: " + suites.Clip(strings.Join(refusals, "; ")),
			Supply: "name the signature profile that you take in the target file (signature: PROFILE), or serve acp.author, so that the subject signs them itself",
		}
	}
	return true, nil
}

// silent tells a call that went unanswered by a subject that may answer others.
func silent(err error) bool {
	return suites.Survivable(err) || errors.Is(err, driver.ErrClosed)
}

// findSigner tries the ways to sign until a package is installed and a message
// reaches it. It gives what came of the others. Who does not even download a
// package does not look at signatures.
func (p party) findSigner(ctx context.Context) (refusals []string, err error) {
	found := p.Signs
	defer func() { p.Signs = found }()
	for _, way := range p.waysToSign() {
		s, refused, err := p.tryWay(ctx, way)
		if err != nil {
			return nil, err
		}
		if refused != "" {
			refusals = append(refusals, way.String()+": "+refused)
			if s != nil && len(p.Environment.Gateway.Fetches(s.CID)) == 0 {
				break
			}
			continue
		}
		t := p.say(ctx, newConversation(), sample.Amid(s.Word), environment.Script{})
		if t.err != nil {
			return nil, t.err
		}
		hears := p.reached(t, s)
		if hears || p.sample == nil {
			found, p.sample = way, s
		}
		if hears {
			p.deaf = nil
			p.profile.Notes = append(p.profile.Notes, "acp: packages are "+signedBy(way))
			break
		}
		p.deaf = suites.Undecided("a package that was installed is not reached by a message that its trigger matches: see ACP-FIELD-06")
		if len(p.Environment.Gateway.Fetches(s.CID)) == 0 {
			p.deaf = suites.Undecided("a package that the subject calls installed was never downloaded: see ACP-INST-01")
			break
		}
	}
	return refusals, nil
}

func signedBy(way act.Signs) string {
	if way.Subject {
		return way.String()
	}
	return "signed by the profile " + way.String() + ", which is capconform's own"
}

// waysToSign lists what is tried, the likeliest first.
func (e *examination) waysToSign() []act.Signs {
	if named := e.subject.Options[optionSignature]; named != "" {
		return []act.Signs{{Profile: signature.Profile(named)}}
	}
	var all []act.Signs
	for _, profile := range signature.Profiles() {
		if profile != signature.Detached { // nothing says where a router would find it
			all = append(all, act.Signs{Profile: profile})
		}
	}
	return append(all, act.Signs{Subject: true})
}

// optionSignature names the profile in the subject's options.
const optionSignature = "signature"

// tryWay installs a package that is signed in one way. It tells what came where the
// subject does not take it, and gives nil where there was nothing to take.
func (p party) tryWay(ctx context.Context, way act.Signs) (*specimen, string, error) {
	p.Signs = way
	s := p.Sample()
	if err := p.publish(ctx, s); err != nil {
		if open := (*suites.Inconclusive)(nil); errors.As(err, &open) {
			return nil, open.Reason, nil
		}
		return nil, "", err
	}
	answer, err := p.install(ctx, s.ID, s.CID)
	if err != nil {
		return nil, "", err
	}
	if answer.Outcome != driver.Returned {
		return s, suites.Received(answer, nil), nil
	}
	return s, "", nil
}

// install offers a package by its CID.
func (p party) install(ctx context.Context, capURI, cid string) (driver.Answer, error) {
	answer, err := p.call(ctx, driver.Operation{Name: opInstall, Params: suites.Encode(object{"cid": cid})})
	if err == nil && answer.Outcome == driver.Returned {
		p.remember(capURI)
	}
	return answer, err
}

// remember notes a package that the subject is to let go of at the end.
func (e *examination) remember(capURI string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.guests = append(e.guests, capURI)
}

// uninstall takes a package away again.
func (p party) uninstall(ctx context.Context, capURI string) (driver.Answer, error) {
	return p.call(ctx, driver.Operation{Name: opUninstall, Params: suites.Encode(object{"cap_uri": capURI})})
}

func newConversation() string { return "capconform-" + uuid.NewString() }

// Add implements suites.Historian.
func (e *examination) Add(entry record.Entry) { e.history.Add(entry) }

// Settle implements suites.Settler.
func (e *examination) Settle(ctx context.Context, sc *suites.Scenario, what []suites.Settle) {
	e.index.Settle(ctx, sc, what)
}

// Profile implements suites.Examination.
func (e *examination) Profile() suites.Profile { return e.profile }

// farewell bounds how long the subject is asked to let go of our packages.
const farewell = 5 * time.Second

// Close takes our packages away, as far as the subject lets us, and ends what was
// played to it.
func (e *examination) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), farewell)
	defer cancel()
	p := party{e, e.ask}
	for _, capURI := range e.guests {
		if _, err := p.uninstall(ctx, capURI); err != nil {
			break // it is gone, or too slow
		}
	}
	return e.Environment.Close()
}

// Control implements suites.Examination: a living router answers a message, and
// the other actors what is asked of them first. It is configured first, since it may have been started anew.
func (e *examination) Control(ctx context.Context, session driver.Session) error {
	p := party{e, func(ctx context.Context, op driver.Operation) (driver.Answer, error) {
		ctx, cancel := context.WithTimeout(ctx, e.subject.Deadlines.Call)
		defer cancel()
		return session.Call(ctx, op)
	}}
	if _, err := p.configure(ctx, nil); err != nil {
		return err
	}
	if !e.plays(actorRouter) && !e.plays(actorRuntime) {
		return p.alive(ctx)
	}
	t := p.say(ctx, newConversation(), "Are you there?", environment.Script{})
	if t.err != nil || t.answer.Outcome != driver.Returned && t.answer.Outcome != driver.Refused {
		return errors.Join(t.err, errors.New("acpsuite: a message in a new conversation is not answered"))
	}
	return nil
}

// Condition implements suites.Examination.
func (e *examination) Condition(kind, name string) error {
	confined := router.Confined().Name
	switch kind + ":" + name {
	case "when:timeouts":
		if !e.Supports[supportsTimeouts] {
			return &suites.Inconclusive{
				Reason: "the subject does not say that it obeys timeouts",
				Supply: "answer acp.configure with {supports: [timeouts]} where yours obeys capability_ms",
			}
		}
	case "when:restart":
		if !e.subject.Restartable() {
			return &suites.Inconclusive{
				Reason: "it is not known how the subject is restarted",
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
