// Package sample holds what is known of the capability packages that the suite makes for a
// subject to install, publish or list. It makes them from values alone: it calls nothing.
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

// Package is a package that the suite makes. Its mark stands in its prompt and in the names of its
// tools, so that it is known again wherever it shows.
type Package struct {
	environment.Package
	Mark      string `json:"mark"`
	Label     string `json:"label"`      // in its capability URI
	Word      string `json:"word"`       // matched by a trigger of this package alone
	SchemaURI string `json:"schema_uri"` // under which it keeps objects
	CID       string `json:"cid"`
	Flaw      string `json:"flaw,omitempty"` // what is wrong with it; empty: it is sound
	// Arguments are the names that the runtime has for arguments of the built-in tools, by ours.
	Arguments map[string]string `json:"arguments,omitempty"`
	Edited    []byte            `json:"-"` // its text, where it is another than YAML writes
	File      []byte            `json:"-"` // as it is published
}

// BothTriggers match a message by either type that can be examined, so that a router
// which lacks one of them is still examined on the rest.
func BothTriggers(words ...string) []environment.Trigger {
	var all []environment.Trigger
	for _, word := range words {
		all = append(all, environment.Trigger{Type: "regex", Value: "please " + word + "|" + word},
			environment.Trigger{Type: "keyword", Value: word})
	}
	return all
}

// Text is the package before it is signed.
func (s *Package) Text() []byte {
	if s.Edited != nil {
		return s.Edited
	}
	return s.YAML()
}

// Identified is the capability URI of a version.
func (s *Package) Identified(version string) string { return "did:nuwa:cap:" + s.Label + "@" + version }

// Tool is the name of a tool that the package alone has.
func (s *Package) Tool(name string) string { return name + "_" + s.Mark }

// Keeps adds built-in tools to the package, and declares them.
func (s *Package) Keeps(verbs ...string) {
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
		s.rename(all[verb])
		s.Permissions = append(s.Permissions, verb)
		s.Tools = append(s.Tools,
			environment.PackageTool{Name: verb, Description: "Keeps objects of the sample: " + verb + ".",
				Parameters: encoded(all[verb])})
	}
}

// The members of an object that a sample keeps.
const (
	MemberID     = "id"
	MemberTitle  = "title"
	MemberCount  = "count"
	MemberNote   = "note"
	MemberTags   = "tags"
	MemberDetail = "detail"
	MemberPinned = "pinned"
)

// SchemaWord stands in the schema of each package, and nowhere else.
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
	}, "", "  ") // it is made of JSON's own types
	return string(raw)
}

// arguments of the tools that a binding executes.
func boundParameters() json.RawMessage {
	return encoded(Object{
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

// encoded writes an object that is made of JSON's own types.
func encoded(o Object) json.RawMessage {
	text, _ := json.Marshal(o) // see above
	return text
}

// Declares adds a tool that no other package has.
func (s *Package) Declares(name string) { s.DeclaresAs(s.Tool(name)) }

// DeclaresAs adds a tool under a name that other packages may have.
func (s *Package) DeclaresAs(name string) {
	s.Tools = append(s.Tools,
		environment.PackageTool{Name: name, Description: "Does what the sample is asked for: " + name + ".",
			Parameters: boundParameters()})
}

// Binds adds such a tool and its binding.
func (s *Package) Binds(name, kind string, parameters map[string]string) {
	s.Declares(name)
	s.Bindings = append(s.Bindings, environment.Binding{Tool: s.Tool(name), Type: kind, Parameters: parameters})
}

// markForm is that of environment.Mark.
var markForm = regexp.MustCompile(`mk[0-9a-f]{16}`)

// Marks returns the marks that stand in a text, in their order.
func Marks(text string) []string { return markForm.FindAllString(text, -1) }

// Amid puts a word that a trigger matches amid words of no language: any word of one may be
// what another capability of the host is there for.
func Amid(word string) string { return "Zaqö 42x, " + word + "; Wvelß 文x." }

// MarkedUp is a text of several lines whose first characters mean something in Markdown. As in Amid, it has no word
// of any language.
const MarkedUp = "# Qx\n> Wvelß 文\n- Zwö\n1. Qx\n    qx\n```\nQx\n```\n// qx\n; qx"

// AtLength returns a text longer than what is often cut off, with characters that are often lost and,
// as in Amid, without a word of any language. Unicode normalisation to NFC does not change it.
func AtLength(runes int) string {
	part := []rune("Krüß, 長ざ & <qx>\"Vlorp\"</qx> 100%; {\"qx\": [1]} $qx \\q %s `q` *x* 𝔮 ﬁ ")
	return string(slices.Repeat(part, runes/len(part)+1)[:runes]) + " Zwönd."
}
