// Package starter writes the files that a team begins with: a commented target
// file and a CI workflow, filled with what was seen of the target.
package starter

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"text/template"
)

// Facts are what was seen of a target, and how it was reached.
type Facts struct {
	Name    string // empty: unknown
	Version string // empty: unknown
	Driver  string // http, mcp or stdio
	URL     string // may begin with mcp+; empty where there is a command
	Command []string
	Headers []Header
	Suites  []Suite
	Module  string // the Go module path of the harness
	Release string // its version, for go install
	Target  string // the path of the target file, as the workflow names it
}

// Header is a header of every request; its value refers to a variable.
type Header struct{ Name, Value string }

// Suite is a suite that the target speaks.
type Suite struct {
	Name   string
	Played []Role
	Vacant []Role
}

// Role is a part that some scenario needs a capability for.
type Role struct {
	Name       string
	Capability string // of the fixture profile
	Purpose    string
	Candidates []string // ids of the target that sound like the role
}

var (
	//go:embed target.yaml.tmpl
	targetText string
	//go:embed workflow.yml.tmpl
	workflowText string
)

// TargetFile gives the text of the target file.
func (f Facts) TargetFile() ([]byte, error) { return f.fill("target.yaml", targetText) }

// Workflow gives the text of a GitHub workflow that examines the target.
func (f Facts) Workflow() ([]byte, error) { return f.fill("workflow.yml", workflowText) }

// Variables names the variables that the headers refer to, in order.
func (f Facts) Variables() []string {
	var names []string
	for _, h := range f.Headers {
		for rest := h.Value; ; {
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

func (f Facts) fill(name, text string) ([]byte, error) {
	parsed, err := template.New(name).Funcs(template.FuncMap{"text": quoted, "list": listed}).Parse(text)
	if err != nil {
		return nil, fmt.Errorf("starter: %w", err)
	}
	var out bytes.Buffer
	if err := parsed.Execute(&out, f); err != nil {
		return nil, fmt.Errorf("starter: %w", err)
	}
	return out.Bytes(), nil
}

// quoted is a YAML scalar: JSON is YAML.
func quoted(text string) (string, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	err := e.Encode(text)
	return strings.TrimSpace(out.String()), err
}

func listed(words []string) (string, error) {
	var all []string
	for _, w := range words {
		text, err := quoted(w)
		if err != nil {
			return "", err
		}
		all = append(all, text)
	}
	return "[" + strings.Join(all, ", ") + "]", nil
}

// Candidates gives the ids that sound like a role: the role's name, or the last
// part of the fixture's id, occurs in them.
func Candidates(role, fixture string, ids []string) []string {
	last := fixture[strings.LastIndexByte(fixture, '.')+1:]
	var alike []string
	for _, id := range ids {
		lower := strings.ToLower(id)
		if (strings.Contains(lower, role) || last != "" && strings.Contains(lower, last)) && !slices.Contains(alike, id) {
			alike = append(alike, id)
		}
	}
	return alike
}
