package lint

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites/document"
	"github.com/capconform/capconform/suites/jsonvalue"
)

// Schema judges a JSON Schema in a document. Each error in it is a breach at its place. A requirement
// that cannot be decided is left open. what is the name of the schema in messages, with its verb:
// "input_schema is".
func (f *Findings) Schema(id, file, what string, n *document.Node) {
	_, err := schemas.CompileValue(n.Value(), schemas.Options{})
	var invalid *schemas.InvalidSchema
	var open *schemas.Undecidable
	switch {
	case errors.As(err, &invalid):
		f.InvalidSchema(id, file, what, n, invalid)
	case errors.As(err, &open):
		f.Undecided(id, fmt.Sprintf("the schema at %s:%d:%d", file, n.Line, n.Column), open)
	}
}

// InvalidSchema records an error in a schema that was compiled: its place, the value there, and what is
// required.
func (f *Findings) InvalidSchema(id, file, what string, n *document.Node, invalid *schemas.InvalidSchema) {
	var result []string
	for _, cause := range invalid.Causes {
		place := n.At(cause.InstancePointer)
		message := pointerText(cause.InstancePointer) + shown(place) + alternatives(cause)
		if !slices.Contains(result, message) {
			result = append(result, message)
			f.Breach(id, file, place, "%s not a JSON Schema: %s", what, message)
		}
	}
	if len(result) > 0 {
		return
	}
	if ref := dangling(n); ref != n {
		f.Breach(id, file, ref, "%s not a JSON Schema: the reference %s leads nowhere", what, jsonvalue.Print(ref.Text))
		return
	}
	f.Breach(id, file, n, "%s not a JSON Schema: %s", what, invalid.Message)
}

func pointerText(pointer string) string {
	if pointer == "" {
		return "the top"
	}
	return pointer
}

// shown describes a scalar. For other values, the cause names the kind.
func shown(n *document.Node) string {
	switch {
	case n.Is(document.Object), n.Is(document.Array):
		return " "
	default:
		return " is " + Described(n) + "; it "
	}
}

// alternatives returns what a cause requires, as one text per alternative.
func alternatives(cause schemas.Cause) string {
	var each []string
	for _, within := range cause.Within {
		each = append(each, within.Message)
	}
	if len(each) == 0 {
		return cause.Message
	}
	return strings.Join(each, ", or ")
}

// dangling returns the first reference into the schema that has no target, or the schema.
func dangling(root *document.Node) *document.Node {
	place := root
	References(root, func(ref *document.Node) {
		pointer, local := strings.CutPrefix(ref.Text, "#")
		if place == root && local && (pointer != "" && !strings.HasPrefix(pointer, "/") || !resolves(root, pointer)) {
			place = ref
		}
	})
	return place
}

func resolves(root *document.Node, pointer string) bool {
	if pointer == "" {
		return true
	}
	above := pointer[:strings.LastIndexByte(pointer, '/')]
	return resolves(root, above) && root.At(pointer) != root.At(above)
}

// References visits every $ref and $dynamicRef of a schema, at any place.
func References(n *document.Node, visit func(*document.Node)) {
	if n == nil {
		return
	}
	for i := range n.Members {
		m := &n.Members[i]
		if (m.Name == "$ref" || m.Name == "$dynamicRef") && m.Value.Is(document.String) {
			visit(m.Value)
		}
		References(m.Value, visit)
	}
	for _, item := range n.Items {
		References(item, visit)
	}
}
