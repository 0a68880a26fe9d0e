package acdsuite

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acd/history"
	"github.com/capconform/capconform/suites/acd/judge"
	"github.com/capconform/capconform/suites/document"
	"github.com/capconform/capconform/suites/lint"
	"github.com/capconform/capconform/suites/shape"
)

// entry is a capability descriptor and its place. Its node need not be an object: an item of a
// list of descriptors may be anything.
type entry struct {
	file string
	node *document.Node
	id   string // "" if it has none
}

func (e entry) at(n *document.Node) string {
	return fmt.Sprintf("%s:%d:%d", e.file, n.Line, n.Column)
}

// fileReading is the content of all documents. All descriptors are read as one registry,
// whatever files contain them.
type fileReading struct {
	*lint.Findings
	shapes    shapes
	strict    bool // the closed readings are applied too
	entries   []entry
	byID      map[string]entry // the first of each id
	manifests []entry
}

func readDocuments(
	ctx context.Context, files []suites.Document, compiled *suites.Memo[shapes], strict bool,
) (*fileReading, error) {
	r := &fileReading{Findings: lint.NewFindings(), strict: strict, byID: map[string]entry{}}
	var err error
	if r.shapes, err = compileShapes(compiled); err != nil {
		return nil, err
	}
	for _, file := range files {
		if !Recognises(&file) {
			continue
		}
		if err := r.collect(ctx, file); err != nil {
			return nil, err
		}
	}
	for _, e := range r.entries {
		r.judgeDescriptor(e)
	}
	r.judgeRegistry()
	for _, m := range r.manifests {
		r.judgeManifest(m)
	}
	return r, nil
}

// collect adds the descriptors and manifests of one file.
func (r *fileReading) collect(ctx context.Context, file suites.Document) error {
	for _, root := range file.Roots {
		r.take(file.Path, root)
	}
	if file.Log == nil {
		return nil
	}
	return r.Entries(ctx, file.Log, func(e document.Entry) {
		switch {
		case file.Log.Lines():
			r.take(file.Path, e.Node)
		case e.List == "" || e.List == "capabilities":
			r.add(file.Path, e.Node)
		}
	})
}

func (r *fileReading) take(file string, n *document.Node) {
	switch formOf(n) {
	case formManifest:
		r.manifests = append(r.manifests, entry{file, n, ""})
	case formDescriptor:
		r.add(file, n)
	case formRegistry:
		for _, item := range itemsOf(n) {
			if formOf(item) == formManifest {
				r.take(file, item)
			} else {
				r.add(file, item)
			}
		}
	}
}

// itemsOf returns the items of a list of descriptors.
func itemsOf(n *document.Node) []*document.Node {
	if n.Is(document.Object) {
		return n.Get("capabilities").Items
	}
	return n.Items
}

func (r *fileReading) add(file string, n *document.Node) {
	e := entry{file, n, n.Get("capability_id").Str()}
	r.entries = append(r.entries, e)
	if _, twice := r.byID[e.id]; e.id != "" && !twice {
		r.byID[e.id] = e
	}
}

// judgeShape judges an object by the core reading. If the object satisfies it and the reading
// is strict, judgeShape also judges it by the closed reading.
func (r *fileReading) judgeShape(s objectShape, closedID string, e entry) {
	value := e.node.Value()
	for _, p := range s.Parts {
		for _, path := range p.Given {
			if history.Member(value, path) != nil {
				r.AddKind(p.Member)
			}
		}
	}
	flaws, err := s.Flaws(value)
	if err != nil {
		for _, p := range s.Parts {
			r.LeaveOpen(p.Requirement, "%s cannot be decided: %v", e.at(e.node), err)
		}
	}
	for _, f := range flaws {
		at := e.node.At(f.Pointer)
		switch {
		case f.Missing && at.Is(document.Object):
			r.Breach(f.Requirement, e.file, at, "%s%s", f.Message, r.misspeltMember(s, at, f))
		case f.Missing:
			r.Breach(f.Requirement, e.file, at, "this is %s, not an object", at.Kind)
		case strings.Contains(f.Want, "boolean") && oldBoolean(at):
			r.LeaveOpen(f.Requirement,
				"%s at %s is %s, which is a boolean in YAML 1.1 and a string in YAML 1.2; write true or false",
				nameOf(f), e.at(at), lint.Described(at))
		default:
			r.Breach(f.Requirement, e.file, at, "%s is %s; want %s%s", nameOf(f), lint.Described(at), f.Want,
				misspeltHint(at, f.Want))
		}
	}
	if r.strict && len(flaws) == 0 && err == nil {
		r.judgeClosed(s, closedID, e, value)
	}
}

// oldBoolean reports whether a node is a plain word that YAML 1.1 reads as a boolean and YAML 1.2 as a string. JSON has
// no plain strings.
func oldBoolean(n *document.Node) bool {
	words := []string{"yes", "no", "on", "off", "y", "n"}
	return n.Is(document.String) && n.Style == document.Plain && slices.Contains(words, strings.ToLower(n.Text))
}

// nameOf returns the member of a flaw, as a path.
func nameOf(f shape.Flaw) string {
	if f.Pointer == "" {
		return f.Member
	}
	return judge.PathOf(f.Pointer)
}

// misspeltMember suggests a misspelt member if a required one is missing.
func (r *fileReading) misspeltMember(s objectShape, at *document.Node, f shape.Flaw) string {
	var known []string
	for _, p := range s.Parts {
		known = append(known, lastName(p.Member))
	}
	return lint.Misspelt(at, lastName(f.Member), append(known, descriptorSigns...))
}

// misspeltHint suggests the intended value for a wrong one.
func misspeltHint(n *document.Node, want string) string {
	switch {
	case isTemplate(n):
		return "; the text prints the choices joined by bars: take one of them"
	case want == wantText:
		return lint.InQuotes(n)
	}
	return ""
}

func (r *fileReading) judgeClosed(s objectShape, id string, e entry, value any) {
	closed, err := s.closedSchema()
	if err == nil {
		err = closed.Validate(value)
	}
	var invalid *schemas.Invalidity
	switch {
	case errors.As(err, &invalid):
		for _, cause := range invalid.Causes {
			r.Breach(id, e.file, e.node.At(cause.InstancePointer), "%s", cause)
		}
	case err != nil:
		r.LeaveOpen(id, "%s cannot be decided: %v", e.at(e.node), err)
	}
}
