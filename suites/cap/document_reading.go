package capsuite

import (
	"context"
	"fmt"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/cap/history"
	"github.com/capconform/capconform/suites/document"
	"github.com/capconform/capconform/suites/lint"
)

// layerKinds are the kinds of the documents of each upper layer.
var layerKinds = map[layer][]string{
	layerHACP:  {kindHACP, kindTasks},
	layerAAP:   {kindAAP},
	layerUpper: {kindTasks},
}

// manifestDocument is a manifest, by itself or in a Capability. Its node need not be an object: an
// item of a list of manifests may be anything.
type manifestDocument struct {
	file   string
	node   *document.Node
	listed bool // in a list, which is read as complete
	history.Manifest
}

func (m manifestDocument) place() string {
	return fmt.Sprintf("%s:%d:%d", m.file, m.node.Line, m.node.Column)
}

func (m manifestDocument) pair() history.Ref {
	return history.Ref{ID: m.node.Get(history.MemberID).Str(), Version: m.node.Get(history.MemberVersion).Str()}
}

// reading is the content of all documents. All files together are read as those of one source and
// its upper layers.
type reading struct {
	*lint.Findings
	supports  []string // the members that the Skills system of the source has
	documents []recognised
	manifests []manifestDocument
	claims    []claim
}

func readDocuments(ctx context.Context, files []suites.Document, supports []string) (*reading, error) {
	r := &reading{Findings: lint.NewFindings(), supports: supports}
	for _, file := range files {
		for _, root := range file.Roots {
			for _, found := range recognise(file.Path, root) {
				r.collect(found)
			}
		}
		if err := r.lines(ctx, file); err != nil {
			return nil, err
		}
	}
	set, err := rules()
	if err != nil {
		return nil, err
	}
	for _, m := range r.manifests {
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		r.judgeManifest(set, m)
	}
	r.judgeCapabilities()
	r.judgePairs()
	r.judgeSkills()
	r.judgeReferences()
	for _, found := range r.documents {
		r.judgeTransport(found)
		r.judgeCalls(found)
	}
	return r, nil
}

// lines collects the manifests of JSON Lines.
func (r *reading) lines(ctx context.Context, file suites.Document) error {
	if file.Log == nil || !Recognises(&file) {
		return nil
	}
	return r.Entries(ctx, file.Log, func(e document.Entry) {
		for _, found := range recogniseLine(&file, e.Node) {
			r.collect(found)
		}
	})
}

// collect adds one document by its form.
func (r *reading) collect(found recognised) {
	r.documents = append(r.documents, found)
	node := found.node
	switch found.form {
	case formManifest:
	case formCapability:
		r.AddKind(kindCapabilities)
		if node = found.node.Get(history.MemberWrapped); !node.Is(document.Object) {
			return // CAP-CAP-01 judges it
		}
	default:
		for _, kind := range layerKinds[found.form.layer()] {
			r.AddKind(kind)
		}
		r.claims = append(r.claims, claimsOf(found)...)
		return
	}
	members, _ := node.Value().(map[string]any)
	m := manifestDocument{found.file, node, found.listed, members}
	r.AddKind(kindManifests)
	switch m.Manifest[history.MemberKind] {
	case history.KindSkill:
		r.AddKind(kindSkills)
	case history.KindTool:
		r.AddKind(kindTools)
	}
	r.manifests = append(r.manifests, m)
}

// textDefect returns why a member is not a non-empty string, and where; the message is empty if it
// is one.
func textDefect(n *document.Node, name string, known []string) (at *document.Node, message string) {
	value := n.Get(name)
	switch {
	case value.Is(document.String) && value.Text != "":
		return nil, ""
	case value.Absent():
		return n, name + " is missing" + lint.Misspelt(n, name, known)
	case value.Is(document.String):
		return value, name + " is empty"
	case value.Is(document.Number):
		return value, name + " is a number" + lint.InQuotes(value)
	default:
		return value, fmt.Sprintf("%s is %s and not a string", name, value.Kind)
	}
}
