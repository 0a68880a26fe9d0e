// Package suites is the engine: it plans the scenarios of a suite for a subject, runs each in a
// separate world, and assigns one status to each requirement (DESIGN sections 5 and 6). It is the
// only package that imports godog.
//
// Of godog 0.15: expressions must be compiled at package level, since strings are compiled again for each scenario.
// Strict must be set. Its tag expressions (@a and not @b selects nothing), ErrSkip in a Before hook (it counts as
// passed) and godog.T (it writes to stdout) must not be used. It ignores cancellation, has no deadlines, ends the
// process on a panic in an After hook, and calls formatters concurrently without a lock. Its cost grows badly with
// one large run, so the engine performs one TestSuite.Run per feature.
package suites

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/capconform/capconform/features"
	"github.com/capconform/capconform/spec"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/live"
)

// Definition is what the package of a protocol provides to the engine.
type Definition struct {
	Name       string             // name of the catalogue and of the folder of features
	Operations []string           // the protocol's operations
	Probes     []driver.Operation // read-only calls that show whether the target speaks the protocol
	Routes     []driver.Route     // the protocol's HTTP binding; if empty, the protocol uses JSON-RPC over HTTP
	Roles      []live.Role
	Fixtures   []string // ids of the fixture profile that are not those of the roles
	// Uses contains a function for each operation that invokes, registers or changes a
	// capability. The function returns what a call does to capabilities. The gate sends the call
	// only if the policy admits it.
	Uses    map[string]func(driver.Operation) live.Use
	Shows   []string // the operations whose answers contain descriptors of capabilities
	Changes []string // further operations that change the target; for a document, only --invoke all sends them
	// Examine examines a live target before the scenarios run: what it offers, and which capability
	// can play which role. It returns an error only if the target does not answer. Scenarios judge
	// the answers.
	Examine func(ctx context.Context, subject *Subject, session *live.Gate) (Examination, error)
	// StartTestDoubles starts the parties that the suite simulates for a subject. It runs before the child
	// process that reads their addresses from its environment. It is nil if the suite simulates no
	// party, or passes the addresses only by operations.
	StartTestDoubles func() (TestDoubles, error)
	// Plain reports whether the suite can examine a session through an adapter although the
	// operations of the session are not those of the protocol. If Plain is nil, the suite has no
	// such adapter.
	Plain func(info driver.Info, subject *Subject) bool
	// Recognises reports whether a file is a document of this protocol, valid or not. It is nil if
	// the suite reads no documents.
	Recognises func(*Document) bool
	// Foreign returns the name of another format if a file has a file name of this protocol but is
	// in that format, and "" otherwise. It is nil if the protocol defines no file names.
	Foreign func(*Document) string
	// Inspect is Examine for documents. It is nil if the suite reads no documents.
	Inspect func(subject *Subject) (Examination, error)
	// Sentences registers every sentence on a vocabulary without running any.
	Sentences func(Vocabulary)
	// Editions are the further editions of the suite, nil if there are none, or if the transport negotiates them.
	Editions *Editions
	// Source is the catalogue and the features of a suite that is not part of this program. It is nil for one that is.
	Source *Source
}

// Source is the catalogue and the features of a suite that was read from a folder.
type Source struct {
	Place     string // the folder, as it was given
	Digest    string // of all its files
	Catalogue *spec.Catalogue
	Features  []features.File
	Defects   []Defect // the known-bad edits of answers
}

// Defect is an edit of answers, and the requirement that it breaks.
type Defect struct{ Name, Requirement string }

// Flag returns the value of --suite that selects the suite: its name, or the folder of a text of one's own.
func (d *Definition) Flag() string {
	if d.Source != nil {
		return d.Source.Place
	}
	return d.Name
}

// LoadCatalogue returns the catalogue of the suite.
func (d *Definition) LoadCatalogue() (*spec.Catalogue, error) {
	if d.Source != nil {
		return d.Source.Catalogue, nil
	}
	return spec.Load(d.Name)
}

// TextDigest returns the digest of the folder of a text of one's own, "" for a suite of this program.
func (d *Definition) TextDigest() string {
	if d.Source == nil {
		return ""
	}
	return d.Source.Digest
}

func (d *Definition) loadFeatures() ([]features.File, error) {
	if d.Source != nil {
		return d.Source.Features, nil
	}
	return features.Suite(d.Name)
}

// Suite is a definition with its catalogue and its parsed features. It is immutable, and any number
// of runs may use it concurrently.
type Suite struct {
	Definition
	Catalogue *spec.Catalogue
	features  []*feature
	digest    string
}

// New returns the suite of a definition. It returns an error if the catalogue or the features
// cannot be loaded.
func New(def Definition) (*Suite, error) {
	files, err := def.loadFeatures()
	if err != nil {
		return nil, fmt.Errorf("suites: %w", err)
	}
	s := &Suite{Definition: def, features: make([]*feature, len(files)), digest: features.Digest(files)}
	if def.Source != nil {
		s.digest = def.Source.Digest
	}
	faults := make([]error, len(files)+1)
	var all sync.WaitGroup
	for i, f := range files {
		all.Go(func() { s.features[i], faults[i] = parseFeature(f) })
	}
	if s.Catalogue, err = def.LoadCatalogue(); err != nil {
		faults[len(files)] = fmt.Errorf("suites: %w", err)
	}
	all.Wait()
	if err := errors.Join(faults...); err != nil {
		return nil, err
	}
	return s, nil
}

// Scenarios returns every scenario of the suite, in the order of the features.
func (s *Suite) Scenarios() []Case {
	var all []Case
	for _, f := range s.features {
		for _, c := range f.cases {
			all = append(all, *c)
		}
	}
	return all
}

// RoleNamed returns the role with the given name, and whether there is one.
func (s *Suite) RoleNamed(name string) (live.Role, bool) {
	for _, r := range s.Roles {
		if r.Name == name {
			return r, true
		}
	}
	return live.Role{}, false
}
