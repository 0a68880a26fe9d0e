// Package starter writes the files that a team starts with: a commented target file and a CI
// workflow, filled in with what the target showed.
package starter

import (
	"regexp"
	"slices"
	"strings"
)

// Facts contains what is known about the target, and how it was reached. Name, Version and
// Candidates are text of the target: they may contain anything.
type Facts struct {
	Name    string // empty: unknown
	Version string // empty: unknown
	Driver  string // http, mcp or stdio
	URL     string // may begin with mcp+, or refer to a variable; empty if there is a command
	Command []string
	Env     []string // the variables that the command gets
	Headers []Header
	Suites  []Suite
	Release string // the release of the harness that the workflow uses; empty if this build is none
	Schema  string // the address of the schema of target files, for editors; empty if this build is no release
	Target  string // the path of the target file, as the workflow names it
}

// Header is a header of every request; its value refers to a variable.
type Header struct{ Name, Value string }

// Suite is a suite that the target speaks.
type Suite struct {
	Name   string
	Played []Role
	Vacant []Role
	Listed []string // the ids of the capabilities of the target, which may contain anything
}

// Role is a role of some scenario.
type Role struct {
	Name       string
	Capability string // of the fixture profile
	Purpose    string
	Optional   bool // without it, a requirement is not observed, and never inconclusive
	Candidates []Candidate
}

// Candidate is a capability of the target whose name suggests a role.
type Candidate struct {
	ID    string
	Why   string // why it is not proposed: the result of a trial, or why there was none; empty: it plays the role
	Named bool   // a person named it, and no trial showed anything
}

// player returns the candidate that behaved as the role requires or was named for it, one without an id if there is
// none.
func (r Role) player() Candidate {
	for _, c := range r.Candidates {
		if c.Why == "" && idForm.MatchString(c.ID) {
			return c
		}
	}
	return Candidate{}
}

// Vacant returns the number of roles that no capability plays.
func (f Facts) Vacant() int {
	vacant := 0
	for _, s := range f.Suites {
		for _, r := range s.Vacant {
			if r.player().ID == "" {
				vacant++
			}
		}
	}
	return vacant
}

// Optional returns the number of vacant roles that are optional.
func (f Facts) Optional() int {
	optional := 0
	for _, s := range f.Suites {
		for _, r := range s.Vacant {
			if r.player().ID == "" && r.Optional {
				optional++
			}
		}
	}
	return optional
}

// Variables returns the names of the variables that the file uses, in order.
func (f Facts) Variables() []string {
	texts := []string{f.URL}
	for _, h := range f.Headers {
		texts = append(texts, h.Value)
	}
	for _, name := range f.Env {
		texts = append(texts, "${"+name+"}")
	}
	var names []string
	for _, text := range texts {
		for rest := text; ; {
			_, after, found := strings.Cut(rest, "${")
			if !found {
				break
			}
			name, behind, _ := strings.Cut(after, "}")
			if rest = behind; !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// idForm is the form of an id that may be written to a file: that of the ids of CHP and of the
// names of MCP tools. Such an id has no special meaning in YAML, a shell or a CI system.
var idForm = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9._:/-]{0,127}$`)

// Candidates returns the ids that resemble a role: those that contain the name of the role, or
// the last part of the fixture's id. If the list shows who plays it, the others follow. It omits ids
// of another form.
func Candidates(role, fixture string, listed bool, ids []string) []string {
	last := fixture[strings.LastIndexByte(fixture, '.')+1:]
	var alike, others []string
	for _, id := range writable(ids) {
		lower := strings.ToLower(id)
		switch sounds := strings.Contains(lower, role) || last != "" && strings.Contains(lower, last); {
		case sounds:
			alike = append(alike, id)
		case listed:
			others = append(others, id)
		}
	}
	return append(alike, others...)
}

// writable returns the ids that may be written to a file, each once.
func writable(ids []string) []string {
	known := map[string]bool{}
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool {
		again := known[id]
		known[id] = true
		return again || !idForm.MatchString(id)
	})
}
