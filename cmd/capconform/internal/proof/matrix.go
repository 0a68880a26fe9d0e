package proof

import (
	"slices"

	"github.com/capconform/capconform/spec"
)

// Matrix is the result of a selftest.
type Matrix struct {
	// Void is the reason why nothing can be concluded, otherwise empty.
	Void string `json:"void,omitempty"`
	// Rows are the requirements that something can break, in catalogue order.
	Rows []Row `json:"requirements"`
	// Tallies count the trials by kind.
	Tallies []Tally `json:"tallies"`
	// Idle are the scenarios that may show nothing: the reference passes them, or they are never
	// judged, and no trial makes them fail.
	Idle []string `json:"idle,omitempty"`
	// Trials are all of them, in the order of their plan.
	Trials []Trial `json:"trials"`

	suites []catalogued
	whole  bool
	stale  bool // the golden files differ from what was observed
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

// Tally counts the trials of one kind.
type Tally struct {
	Kind Kind `json:"kind"`
	// Hosts are different hosts or documents.
	Hosts  int `json:"hosts"`
	Trials int `json:"trials"`
	Right  int `json:"right"`
}

func newMatrix(o Options) *Matrix {
	m := &Matrix{whole: len(o.Names) == 0}
	for _, s := range o.Suites {
		m.suites = append(m.suites, catalogued{s.Name, s.Catalogue.Requirements})
	}
	return m
}

// OK reports whether every trial showed what it must, there was at least one, and no scenario is
// idle.
func (m *Matrix) OK() bool {
	return m.Void == "" && len(m.Idle) == 0 && len(m.Trials) > 0 &&
		!slices.ContainsFunc(m.Trials, func(t Trial) bool { return !t.OK() })
}

// settle computes the counts.
func (m *Matrix) settle() {
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
	for _, kind := range Kinds() {
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

func (r *Row) score(t Trial) *Score {
	switch {
	case t.Kind == KindDocument:
		return &r.Documents
	case t.Driver == InProcess && !t.Ordinary:
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
