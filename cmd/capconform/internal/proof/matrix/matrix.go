// Package matrix sums up the trials of a selftest: the kill matrix, and the golden files that follow
// from it.
package matrix

import (
	"fmt"
	"slices"

	"github.com/capconform/capconform/cmd/capconform/internal/proof/plan"
	"github.com/capconform/capconform/cmd/capconform/internal/proof/trial"
	"github.com/capconform/capconform/spec"
	"github.com/capconform/capconform/suites"
)

// Matrix is the result of a selftest.
type Matrix struct {
	// Void is the reason why nothing can be concluded, otherwise empty.
	Void string `json:"void,omitempty"`
	// Rows are the requirements that a mutant or a document breaks, in catalogue order.
	Rows []Row `json:"requirements"`
	// Tallies count the trials by kind.
	Tallies []Tally `json:"tallies"`
	// Idle are the scenarios that may detect nothing: no trial makes them fail, and the reference
	// passes them, or they are never judged.
	Idle []string `json:"idle,omitempty"`
	// Trials are all trials, in the order of their plan.
	Trials []trial.Result `json:"trials"`

	suites []catalogued
	whole  bool
	stale  bool // the golden files differ from the observations
}

// catalogued is the part of a suite that a matrix needs.
type catalogued struct {
	name         string
	requirements []spec.Requirement
}

// Row is one requirement with its trials.
type Row struct {
	ID    string     `json:"id"`
	Suite string     `json:"suite"`
	Level spec.Level `json:"level"`
	// Mutants are the live hosts that break it, Documents the files.
	Mutants   Score `json:"mutants"`
	Documents Score `json:"documents"`
	// Elsewhere are further trials of such hosts: not in process with fixtures.
	Elsewhere Score `json:"elsewhere"`
}

// Score counts trials and successes.
type Score struct {
	Killed int `json:"killed"`
	Total  int `json:"total"`
}

// Tally contains the counts of the trials of one kind.
type Tally struct {
	Kind plan.Kind `json:"kind"`
	// Hosts are different hosts or documents.
	Hosts  int `json:"hosts"`
	Trials int `json:"trials"`
	Right  int `json:"right"`
}

// New returns a matrix of suites without trials. The matrix is whole if no host or document is
// omitted.
func New(all []*suites.Suite, whole bool) *Matrix {
	m := &Matrix{whole: whole}
	for _, s := range all {
		m.suites = append(m.suites, catalogued{s.Name, s.Catalogue.Requirements})
	}
	return m
}

// OK reports whether every trial had the expected result, there was at least one, and no scenario is
// idle.
func (m *Matrix) OK() bool {
	return m.Void == "" && len(m.Idle) == 0 && len(m.Trials) > 0 &&
		!slices.ContainsFunc(m.Trials, func(t trial.Result) bool { return !t.OK() })
}

// Obstacle returns why the trials so far permit no conclusion: a reference that does not conform, or
// a canary that cannot be started or survives. It returns "" if they permit one.
func (m *Matrix) Obstacle() string {
	for _, t := range m.Trials {
		if (t.Kind == plan.KindReference || t.Canary) && !t.OK() {
			return fmt.Sprintf("%s %s%s: %s", t.Kind, t.Name, t.Where(), t.Faults[0])
		}
	}
	return ""
}

// Settle computes the counts.
func (m *Matrix) Settle() {
	for _, s := range m.suites {
		for _, r := range s.requirements {
			row := Row{ID: r.ID, Suite: s.name, Level: r.Level}
			for _, t := range m.Trials {
				if t.Requirement == r.ID && t.Suite == s.name {
					row.score(t).add(t.Killed)
				}
			}
			if row.Mutants.Total+row.Documents.Total+row.Elsewhere.Total > 0 {
				m.Rows = append(m.Rows, row)
			}
		}
	}
	for _, kind := range plan.Kinds() {
		tally := Tally{Kind: kind}
		hosts := map[string]bool{}
		for _, t := range m.Trials {
			if t.Kind != kind {
				continue
			}
			hosts[t.Suite+"\n"+t.Name] = true
			tally.Trials++
			if t.OK() {
				tally.Right++
			}
		}
		tally.Hosts = len(hosts)
		if tally.Trials > 0 {
			m.Tallies = append(m.Tallies, tally)
		}
	}
}

func (r *Row) score(t trial.Result) *Score {
	switch {
	case t.Kind == plan.KindDocument:
		return &r.Documents
	case t.Driver == plan.InProcess && !t.Ordinary:
		return &r.Mutants
	default:
		return &r.Elsewhere
	}
}

func (s *Score) add(killed bool) {
	s.Total++
	if killed {
		s.Killed++
	}
}
