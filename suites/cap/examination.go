package capsuite

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/instance"
)

// invokedAtMost bounds how many capabilities of a source are invoked, and
// describedAtMost how many are described: enough for any real one, and linear
// for one that lists 10,000.
const (
	invokedAtMost   = 100
	describedAtMost = 2000
	faultsAtMost    = 60
	edgesAtMost     = 16
	silencesAtMost  = 3
)

// examination is what the suite knows of one capability source.
type examination struct {
	subject *suites.Subject
	session driver.Session
	gate    *suites.Gate       // below the session: what admits and counts invocations
	running context.Context    // of the run: no more inputs are made when it ends
	shop    *instance.Workshop // of all runs of the suite
	profile suites.Profile
	adapted bool // a plain MCP server behind the thin adapter

	list    *listing
	players map[string]*player     // by role
	named   map[ref]bool           // capabilities that the target file names
	pool    []*capability          // ordinary capabilities that may be invoked
	unknown suites.Memo[[]attempt] // what references that nobody lists were answered

	waited    suites.Memo[[]attempt]  // what the role slow answered
	later     suites.Memo[[]*listing] // the lists at the end of the run
	otherwise suites.Memo[[]sheet]    // manifests that describe shows and the list does not

	attachedTools  suites.Memo[*attachment] // what an attached MCP server became
	attachedSkills suites.Memo[*attachment] // what an attached folder of skills became

	ahead instance.Ahead // see inputsAhead

	impatient atomic.Bool // see limitOf

	mu        sync.Mutex
	seen      []attempt      // every invocation of the run, for the closed set of codes
	kinds     map[string]int // of inputs that were tried, see rare
	exchanged map[ref]bool   // pairs that we had exchanged ourselves
}

// examineSource lists the capabilities once and decides who plays what.
func examineSource(ctx context.Context, subject *suites.Subject, gate *suites.Gate, shop *instance.Workshop) (suites.Examination, error) {
	e := &examination{subject: subject, session: gate, gate: gate, running: ctx, shop: shop, named: map[ref]bool{}, exchanged: map[ref]bool{}}
	e.profile = suites.Profile{Actors: []string{actorSource}, Shown: []string{actorSource}}
	if plainServer(gate.Info(), subject) {
		e.adapt(gate)
	}
	if len(subject.Actors) > 0 {
		e.profile.Actors = subject.Actors
	}
	e.list = e.askList(ctx)
	if lost := (*driver.CallError)(nil); errors.As(e.list.err, &lost) && !suites.Survivable(lost) {
		return nil, lost
	}
	for _, c := range e.list.capabilities {
		e.profile.Capabilities = append(e.profile.Capabilities, c.id)
	}
	e.cast()
	e.offer(e.list)
	e.castSkill()
	e.fillPool()
	return e, nil
}

func (e *examination) askList(ctx context.Context) *listing {
	callCtx, cancel := context.WithTimeout(ctx, e.subject.Deadlines.Call)
	defer cancel()
	answer, err := e.session.Call(callCtx, listOperation())
	return e.readListing(answer, err)
}

func listOperation() driver.Operation {
	return driver.Operation{Name: opList, List: true, Single: true}
}

// fillPool takes the ordinary capabilities: no instrument, and none whose role
// is to fail, of what the gate admits.
func (e *examination) fillPool() {
	for _, c := range e.list.capabilities {
		if !e.playsFailure(c) && !e.isInstrument(c) && e.reasonAgainst(c) == "" {
			e.pool = append(e.pool, c)
		}
	}
	if admitted := len(e.pool); admitted > invokedAtMost {
		e.pool = e.pool[:invokedAtMost]
		e.note("of %d ordinary capabilities that may be invoked, the first %d are examined", admitted, invokedAtMost)
	}
}

func (e *examination) note(format string, args ...any) {
	e.profile.Notes = append(e.profile.Notes, fmt.Sprintf(format, args...))
}

// Profile implements suites.Examination.
func (e *examination) Profile() suites.Profile {
	p := e.profile
	if never := e.fruitless(); len(never) > 0 {
		const named = 10
		p.Notes = append(slices.Clone(p.Notes), fmt.Sprintf("%d of the capabilities that were invoked accepted no input that was made for them, so that nothing unsound was tried on them: %s",
			len(never), strings.Join(never[:min(len(never), named)], ", ")))
	}
	if slow := e.slow(); len(slow) > 0 {
		p.Notes = append(slices.Clone(p.Notes), fmt.Sprintf("%s took about %s or longer for an answer and was not invoked further; allow more time with --call-timeout",
			strings.Join(slow, ", "), e.subject.Deadlines.Call))
	}
	return p
}

// fruitless lists the ordinary capabilities that answered so far, and never with ok.
func (e *examination) fruitless() []string {
	var never []string
	for _, c := range e.pool {
		if all := c.done().tried.Kept(); slices.ContainsFunc(all, attempt.arrived) && !slices.ContainsFunc(all, attempt.succeeded) {
			never = append(never, c.id)
		}
	}
	return never
}

// Control implements suites.Examination: a living source lists capabilities, be it
// in a form that is judged elsewhere, if it did so before.
func (e *examination) Control(ctx context.Context, session driver.Session) error {
	ctx, cancel := context.WithTimeout(ctx, e.subject.Deadlines.Call)
	defer cancel()
	answer, err := session.Call(ctx, listOperation())
	if err != nil {
		return err
	}
	if l := e.readListing(answer, nil); l.empty() && !e.list.empty() {
		return errors.New("capsuite: the list shows no capability")
	}
	return nil
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

// lacksState answers the tag @when:name.
func (e *examination) lacksState(name string) error {
	if e.list.empty() {
		return suites.Undecided("no capability is listed")
	}
	switch name {
	case "several-versions":
		if len(e.several()) == 0 {
			return suites.Inapplicable("no id is listed in several versions")
		}
		return nil
	case "skills":
		if len(e.skills()) == 0 {
			return suites.Inapplicable("no skill is listed")
		}
		return nil
	default:
		return fmt.Errorf("capsuite: unknown condition %q", name)
	}
}

// several gives the capabilities whose id is listed in more than one version.
func (e *examination) several() []*capability {
	count := map[string]int{}
	for _, c := range e.list.capabilities {
		count[c.id]++
	}
	return slices.DeleteFunc(slices.Clone(e.list.capabilities), func(c *capability) bool { return count[c.id] < 2 })
}

func (e *examination) skills() []*capability {
	return slices.DeleteFunc(slices.Clone(e.list.capabilities), func(c *capability) bool { return c.kind != kindSkill })
}
