// Package suites is the engine: it plans a suite's scenarios for a subject,
// runs each in its own world, and gives one status to each requirement
// (DESIGN sections 5 and 6). It is the only package that knows godog.
package suites

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/capconform/capconform/features"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/spec"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/live"
)

// Vocabulary takes the sentences of a suite: an expression, always a
// *regexp.Regexp compiled once, and the function that it calls.
type Vocabulary interface {
	Step(expression, handler any)
}

// Definition is what the package of one protocol gives to the engine.
type Definition struct {
	Name       string             // of the catalogue and of the folder of features
	Operations []string           // the protocol's operations
	Probes     []driver.Operation // read-only calls: is the protocol spoken at all?
	Routes     []driver.Route     // the protocol's own HTTP binding; none: JSON-RPC is spoken over HTTP
	Roles      []live.Role
	Fixtures   []string // ids of the fixture profile beside those of the roles
	// Invokes reads, of each operation that invokes, registers or changes a capability,
	// what it does: the gate sends it only if the policy admits that.
	Invokes map[string]func(driver.Operation) live.Use
	// Examine looks at a live target before the scenarios run: what it offers,
	// who can play which role. An error means that the target gives no answer;
	// whatever it answers is judged by scenarios, not here.
	Examine func(ctx context.Context, subject *Subject, session *live.Gate) (Examination, error)
	// Surround starts what the suite plays to a subject, before a child is started
	// that is to be told by its variables where it is. Nil: the suite plays nothing, or
	// tells it by operations alone.
	Surround func() (Surroundings, error)
	// Plain says whether a session whose operations are not the protocol's own
	// can still be examined through an adapter of the suite; nil: never.
	Plain func(info driver.Info, subject *Subject) bool
	// Recognises tells whether a file holds a document of this protocol, sound or
	// not; nil where a suite reads no documents.
	Recognises func(*Document) bool
	// Foreign says of which other format a file is that bears the name of this protocol's
	// files, "" if it is of none; nil where the protocol has no names of files.
	Foreign func(*Document) string
	// Inspect does the same for documents; nil where a suite has none.
	Inspect func(subject *Subject) (Examination, error)
	// Sentences registers every sentence on a vocabulary without running any.
	Sentences func(Vocabulary)
}

// Surroundings are what a suite plays to a subject.
type Surroundings struct {
	Variables []string  // NAME=VALUE, for the environment of a child
	Held      io.Closer // what was started; whoever asked for it closes it
}

// Examination is a suite at work on one subject. Its methods are called
// concurrently; what it knows is fixed once it is made. One that is an io.Closer
// is closed when the last scenario has ended.
type Examination interface {
	// Steps registers the sentences for one scenario, on a world that is this
	// scenario's own.
	Steps(Vocabulary, *Scenario)
	// Condition answers a tag such as role:echo, when:several-versions or
	// with:counter: nil if the subject has it, else an *Inconclusive or a
	// *NotApplicable that says what is missing.
	Condition(kind, name string) error
	// Control does the simplest thing that must work on a living subject, and
	// returns nil if it did.
	Control(ctx context.Context, session driver.Session) error
	// Profile describes the subject as this suite found it.
	Profile() Profile
}

// Profile is what an examination says of its subject for plan and report.
type Profile struct {
	Session  driver.Session    // to use in place of the one given, where a wrapper adapts it
	Binding  string            // one line; empty: as the session says
	Actors   []string          // the actors that are examined
	Shown    []string          // the actors that the subject shows, whatever the target file says; nil: Actors
	Declared []string          // the versions of the protocol that the subject says it speaks, the preferred one first
	Provided map[string]string // requirement id -> what keeps it in the target's place
	Beyond   map[string]string // requirement id -> why the wire can't carry it
	Mappings []reports.Mapping // operations whose wire the target file maps
	Notes    []string          // what a reader of the report must know
	// Capabilities are the ids that the subject lists, as listed; for who has to
	// say which of them plays a role.
	Capabilities []string
}

// Suite is a definition joined to its catalogue and its parsed features. It
// never changes and serves any number of runs at once.
type Suite struct {
	Definition
	Catalogue *spec.Catalogue
	features  []*feature
	digest    string
}

// New loads catalogue and features of a definition.
func New(def Definition) (*Suite, error) {
	files, err := features.Suite(def.Name)
	if err != nil {
		return nil, fmt.Errorf("suites: %w", err)
	}
	s := &Suite{Definition: def, features: make([]*feature, len(files)), digest: features.Digest(files)}
	faults := make([]error, len(files)+1)
	var all sync.WaitGroup
	for i, f := range files {
		all.Go(func() { s.features[i], faults[i] = parseFeature(f) })
	}
	if s.Catalogue, err = spec.Load(def.Name); err != nil {
		faults[len(files)] = fmt.Errorf("suites: %w", err)
	}
	all.Wait()
	if err := errors.Join(faults...); err != nil {
		return nil, err
	}
	return s, nil
}

// Scenarios lists every scenario of the suite, in the order of the features.
func (s *Suite) Scenarios() []Case {
	var all []Case
	for _, f := range s.features {
		for _, c := range f.cases {
			all = append(all, *c)
		}
	}
	return all
}

// RoleNamed gives the role of that name.
func (s *Suite) RoleNamed(name string) (live.Role, bool) {
	for _, r := range s.Roles {
		if r.Name == name {
			return r, true
		}
	}
	return live.Role{}, false
}
