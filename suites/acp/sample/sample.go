// Package sample contains the capability packages that the suite makes for a subject to install, publish
// or list. It only builds values and makes no calls.
package sample

import (
	"encoding/json"
	"regexp"
	"slices"

	"github.com/capconform/capconform/suites/acp/environment"
)

// Object is a JSON object.
type Object = map[string]any

// The built-in tools.
const (
	Create = "state.create"
	Update = "state.update"
	Query  = "state.query"
	Delete = "state.delete"
)

// Package is a package that the suite makes. Its prompt and the names of its tools contain its mark, by
// which it is recognised.
type Package struct {
	environment.Package
	Mark      string `json:"mark"`
	Label     string `json:"label"`      // the name in its capability URI
	Word      string `json:"word"`       // matched only by a trigger of this package
	SchemaURI string `json:"schema_uri"` // of its state objects
	CID       string `json:"cid"`
	Flaw      string `json:"flaw,omitempty"` // the flaw; empty if the package is valid
	// ArgumentNames maps the harness's names of the arguments of built-in tools to those of the runtime.
	ArgumentNames map[string]string `json:"arguments,omitempty"`
	Edited        []byte            `json:"-"` // the text, if it differs from the result of YAML
	File          []byte            `json:"-"` // the published file
}

// BothTriggers returns a regular expression and a keyword for each word, so that a router that supports
// only one type can still be examined.
func BothTriggers(words ...string) []environment.Trigger {
	var all []environment.Trigger
	for _, word := range words {
		all = append(all, environment.Trigger{Type: "regex", Value: "please " + word + "|" + word},
			environment.Trigger{Type: "keyword", Value: word})
	}
	return all
}

// Text returns the text of the package before it is signed.
func (s *Package) Text() []byte {
	if s.Edited != nil {
		return s.Edited
	}
	return s.YAML()
}

// CapURI returns the capability URI of a version.
func (s *Package) CapURI(version string) string { return "did:nuwa:cap:" + s.Label + "@" + version }

// ToolName returns the name of a tool that only this package has.
func (s *Package) ToolName(name string) string { return name + "_" + s.Mark }

// AddBuiltInTools adds built-in tools to the package, and the permissions to use them.
func (s *Package) AddBuiltInTools(verbs ...string) {
	s.Schema = s.schemaText()
	uri := Object{"type": "string", "enum": []any{s.SchemaURI}}
	id := Object{"type": "string", "description": "The id of the object."}
	all := map[string]Object{
		Create: {"properties": Object{"schema_uri": uri, "object": Object{"$ref": "#/schema"}},
			"required": []any{"schema_uri", "object"}},
		Update: {"properties": Object{"schema_uri": uri, "id": id,
			"patch": Object{"type": "array", "items": Object{"type": "object"}}}, "required": []any{"schema_uri",
			"id", "patch"}},
		Query: {
			"properties": Object{"schema_uri": uri, "query": Object{"type": "object"}, "limit": Object{"type": "integer"},
				"cursor": Object{"description": "Where a further page begins."}},
			"required": []any{"schema_uri", "query"},
		},
		Delete: {"properties": Object{"schema_uri": uri, "id": id,
			"mode": Object{"type": "string", "enum": []any{"soft", "hard"}}}, "required": []any{"schema_uri", "id"}},
	}
	for _, verb := range verbs {
		all[verb]["type"] = "object"
		s.renameParameters(all[verb])
		s.Permissions = append(s.Permissions, verb)
		s.Tools = append(s.Tools,
			environment.PackageTool{Name: verb, Description: "Keeps objects of the sample: " + verb + ".",
				Parameters: encode(all[verb])})
	}
}

// The members of a state object.
const (
	MemberID     = "id"
	MemberTitle  = "title"
	MemberCount  = "count"
	MemberNote   = "note"
	MemberTags   = "tags"
	MemberDetail = "detail"
	MemberPinned = "pinned"
)

// SchemaWord is contained in the schema of each package, and nowhere else.
const SchemaWord = "lww_register"

func (s *Package) schemaText() string {
	raw, _ := json.MarshalIndent(Object{
		"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": s.SchemaURI, "type": "object",
		"properties": Object{
			MemberID: Object{"type": "string"}, MemberTitle: Object{"type": "string", "x-crdt": SchemaWord},
			MemberCount: Object{"type": "integer"}, MemberNote: Object{"type": "string"},
			MemberTags:   Object{"type": "array", "items": Object{"type": "string"}},
			MemberPinned: Object{"type": "boolean"},
			MemberDetail: Object{
				"type": "object",
				"properties": Object{"label": Object{"type": "string"}, "open": Object{"type": "boolean"},
					"left": Object{"type": "integer"}, "in/out": Object{"type": "string"}},
				"required": []any{"label"},
			},
		},
		"required": []any{MemberID, MemberTitle},
	}, "", "  ") // cannot fail: it contains only JSON types
	return string(raw)
}

// boundToolParameters returns the parameters of the tools that bindings execute.
func boundToolParameters() json.RawMessage {
	return encode(Object{
		"type": "object",
		"properties": Object{
			"topic": Object{"type": "string", "description": "What it is about."}, "amount": Object{"type": "integer"},
			"agent": Object{"type": "string"},
			"parts": Object{"type": "array",
				"items": Object{"type": "object", "properties": Object{"label": Object{"type": "string"}}}},
			"urgent": Object{"type": "boolean"}, "depth": Object{"type": "integer"}, "remark": Object{"type": "string"},
			"labels":  Object{"type": "array", "items": Object{"type": "string"}},
			"options": Object{"type": "object"}, "ratio": Object{"type": "number"}, "comment": Object{"type": "string"},
			"address": Object{"type": "string"}, "code": Object{"type": "string"},
			"digits": Object{"type": "string"},
		},
		"required": []any{"topic"},
	})
}

// encode returns an object of JSON types as JSON.
func encode(o Object) json.RawMessage {
	text, _ := json.Marshal(o) // cannot fail: it contains only JSON types
	return text
}

// AddTool adds a tool that no other package has.
func (s *Package) AddTool(name string) { s.AddToolNamed(s.ToolName(name)) }

// AddToolNamed adds a tool under a name that other packages may have.
func (s *Package) AddToolNamed(name string) {
	s.Tools = append(s.Tools,
		environment.PackageTool{Name: name, Description: "Does what the sample is asked for: " + name + ".",
			Parameters: boundToolParameters()})
}

// AddBoundTool adds a tool that no other package has, and its binding.
func (s *Package) AddBoundTool(name, kind string, parameters map[string]string) {
	s.AddTool(name)
	s.Bindings = append(s.Bindings, environment.Binding{Tool: s.ToolName(name), Type: kind, Parameters: parameters})
}

// markPattern matches the result of environment.NewMark.
var markPattern = regexp.MustCompile(`mk[0-9a-f]{16}`)

// Marks returns the marks in a text, in order.
func Marks(text string) []string { return markPattern.FindAllString(text, -1) }

// TextWith returns a text with a word that a trigger matches, among words that belong to no language: a
// word of a language could match another capability of the host.
func TextWith(word string) string { return "Zaqö 42x, " + word + "; Wvelß 文x." }

// MarkedUp is a text of several lines whose first characters mean something in Markdown. As in Amid, it has no word
// of any language.
const MarkedUp = "# Qx\n> Wvelß 文\n- Zwö\n1. Qx\n    qx\n```\nQx\n```\n// qx\n; qx"

// TextOfLength returns a text longer than what is often cut off, with characters that are often lost
// and, as in Amid, without a word of any language. Unicode normalisation to NFC does not change it.
func TextOfLength(runes int) string {
	part := []rune("Krüß, 長ざ & <qx>\"Vlorp\"</qx> 100%; {\"qx\": [1]} $qx \\q %s `q` *x* 𝔮 ﬁ ")
	return string(slices.Repeat(part, runes/len(part)+1)[:runes]) + " Zwönd."
}
