package acpsuite

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/mr-tron/base58"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acp/environment"
	"github.com/capconform/capconform/suites/acp/signature"
	"github.com/capconform/capconform/suites/driver"
)

// object is a JSON object.
type object = map[string]any

// The built-in tools.
const (
	toolCreate = "state.create"
	toolUpdate = "state.update"
	toolQuery  = "state.query"
	toolDelete = "state.delete"
)

// specimen is a package of our own. Its mark stands in its prompt and in the names
// of its tools, so that it is known again wherever it shows.
type specimen struct {
	environment.Package
	mark   string
	name   string // in its capability URI
	word   string // matched by a trigger of its own
	schema string // the schema URI
	edited []byte // its text, where it is another than YAML writes
	file   []byte // as it is published
	cid    string
}

// supportsNames is how the target file says how names have to begin.
const supportsNames = "names"

// beginning is that of the names of what is published.
func (e *examination) beginning() string {
	if named := e.subject.Supports[supportsNames]; len(named) > 0 {
		return named[0]
	}
	return "capconform_"
}

// specimen makes a sound package: an object type, a tool of the runtime's to make
// one and one to find some, and a tool that a web page serves.
func (e *examination) specimen() *specimen {
	mark := environment.Mark()
	s := &specimen{mark: mark, name: e.beginning() + mark[2:12], word: "word" + mark[2:14]}
	s.schema = "did:nuwa:state:" + s.name + "#v1"
	s.ID = s.identified("1.0.0")
	s.Package.Name = "Sample " + mark[2:6]
	s.Description = "A sample of capconform."
	s.Triggers = bothTriggers(s.word)
	s.MemoryScope = "sc:" + s.name
	s.AuthorDID = e.authorDID()
	s.Prompt = "You are the sample " + mark + " of capconform.\nUse your tools where they fit, and answer in one sentence."
	s.keeps(toolCreate, toolQuery)
	s.binds("lookup", "http_get", map[string]string{"url": e.env.Tools.URL(environment.Echo, mark)})
	e.know(s)
	return s
}

// bothTriggers match a message by either type that can be examined, so that a router
// which lacks one of them is still examined on the rest.
func bothTriggers(words ...string) []environment.Trigger {
	var all []environment.Trigger
	for _, word := range words {
		all = append(all, environment.Trigger{Type: "regex", Value: "please " + word + "|" + word}, environment.Trigger{Type: "keyword", Value: word})
	}
	return all
}

// text is the package before it is signed.
func (s *specimen) text() []byte {
	if s.edited != nil {
		return s.edited
	}
	return s.YAML()
}

func (s *specimen) identified(version string) string { return "did:nuwa:cap:" + s.name + "@" + version }

// tool is the name of a tool that the package alone has.
func (s *specimen) tool(name string) string { return name + "_" + s.mark }

// keeps gives the package tools of the runtime's, and declares them.
func (s *specimen) keeps(verbs ...string) {
	s.Schema = s.schemaText()
	uri := object{"type": "string", "enum": []any{s.schema}}
	id := object{"type": "string", "description": "The id of the object."}
	all := map[string]object{
		toolCreate: {"properties": object{"schema_uri": uri, "object": object{"$ref": "#/schema"}}, "required": []any{"schema_uri", "object"}},
		toolUpdate: {"properties": object{"schema_uri": uri, "id": id, "patch": object{"type": "array", "items": object{"type": "object"}}}, "required": []any{"schema_uri", "id", "patch"}},
		toolQuery: {
			"properties": object{"schema_uri": uri, "query": object{"type": "object"}, "limit": object{"type": "integer"}, "cursor": object{"description": "Where a further page begins."}},
			"required":   []any{"schema_uri", "query"},
		},
		toolDelete: {"properties": object{"schema_uri": uri, "id": id, "mode": object{"type": "string", "enum": []any{"soft", "hard"}}}, "required": []any{"schema_uri", "id"}},
	}
	for _, verb := range verbs {
		all[verb]["type"] = "object"
		s.Permissions = append(s.Permissions, verb)
		s.Tools = append(s.Tools, environment.PackageTool{Name: verb, Description: "Keeps objects of the sample: " + verb + ".", Parameters: all[verb]})
	}
}

// The members of an object that a sample keeps.
const (
	memberID     = "id"
	memberTitle  = "title"
	memberCount  = "count"
	memberNote   = "note"
	memberTags   = "tags"
	memberDetail = "detail"
	memberPinned = "pinned"
)

func (s *specimen) schemaText() string {
	raw, err := json.MarshalIndent(object{
		"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": s.schema, "type": "object",
		"properties": object{
			memberID: object{"type": "string"}, memberTitle: object{"type": "string", "x-crdt": "lww_register"},
			memberCount: object{"type": "integer"}, memberNote: object{"type": "string"},
			memberTags:   object{"type": "array", "items": object{"type": "string"}},
			memberPinned: object{"type": "boolean"},
			memberDetail: object{
				"type":       "object",
				"properties": object{"label": object{"type": "string"}, "open": object{"type": "boolean"}, "left": object{"type": "integer"}, "in/out": object{"type": "string"}},
				"required":   []any{"label"},
			},
		},
		"required": []any{memberID, memberTitle},
	}, "", "  ")
	if err != nil {
		return "" // it is made of JSON's own types
	}
	return string(raw)
}

// arguments of the tools that a binding executes.
func boundParameters() object {
	return object{
		"type": "object",
		"properties": object{
			"topic": object{"type": "string", "description": "What it is about."}, "amount": object{"type": "integer"},
			"agent":  object{"type": "string"},
			"parts":  object{"type": "array", "items": object{"type": "object", "properties": object{"label": object{"type": "string"}}}},
			"urgent": object{"type": "boolean"}, "depth": object{"type": "integer"}, "remark": object{"type": "string"},
			"labels":  object{"type": "array", "items": object{"type": "string"}},
			"options": object{"type": "object"}, "ratio": object{"type": "number"}, "comment": object{"type": "string"}, "address": object{"type": "string"},
		},
		"required": []any{"topic"},
	}
}

// declares gives the package a tool of its own.
func (s *specimen) declares(name string) { s.declaresAs(s.tool(name)) }

// declaresAs gives the package a tool under a name that others may have.
func (s *specimen) declaresAs(name string) {
	s.Tools = append(s.Tools, environment.PackageTool{Name: name, Description: "Does what the sample is asked for: " + name + ".", Parameters: boundParameters()})
}

// binds gives the package a tool of its own and says how it is executed.
func (s *specimen) binds(name, kind string, parameters map[string]string) {
	s.declares(name)
	s.Bindings = append(s.Bindings, environment.Binding{Tool: s.tool(name), Type: kind, Parameters: parameters})
}

// upgraded is a newer version of a package, with another prompt and other tools.
func (e *examination) upgraded(old *specimen) *specimen {
	newer := e.specimen()
	newer.name, newer.word, newer.schema = old.name, old.word, old.schema
	newer.ID, newer.MemoryScope = newer.identified("1.1.0"), old.MemoryScope
	newer.Triggers, newer.Schema = old.Triggers, old.Schema
	newer.Tools, newer.Permissions = newer.Tools[len(newer.Tools)-1:], nil
	newer.keeps(toolCreate, toolQuery)
	return newer
}

// signs is how packages get the signature that the subject takes.
type signs struct {
	profile signature.Profile
	subject bool // the subject signs, by acp.author
}

func (n signs) String() string {
	if n.subject {
		return "signed by the subject itself"
	}
	return string(n.profile)
}

// unsignedLine is where environment.Package leaves room for a signature.
const unsignedLine = "signature: \"\"\n"

// sealed signs a file as its author, and leaves to the caller who serves it. The first two
// profiles sign the text that we write, whether it can be read or not.
func (e *examination) sealed(text []byte, by environment.Author) ([]byte, error) {
	signed := text
	switch e.signs.profile {
	case signature.BlankToken:
	case signature.RemoveLine:
		before, behind, _ := bytes.Cut(text, []byte(unsignedLine))
		signed = slices.Concat(bytes.TrimRight(before, " "), behind)
	default:
		file, _, err := signature.Sign(e.signs.profile, text, by.Key)
		if err != nil {
			return nil, fmt.Errorf("acpsuite: %w", err)
		}
		return file, nil
	}
	digest := sha256.Sum256(signed)
	return withSignature(text, "z"+base58.Encode(ed25519.Sign(by.Key, digest[:])))
}

// withSignature puts a value in the place that was left for it.
func withSignature(unsigned []byte, value string) ([]byte, error) {
	return replaced(unsigned, unsignedLine, "signature: \""+value+"\"\n")
}

// publish signs a package and makes it installable.
func (p party) publish(ctx context.Context, s *specimen) error {
	if p.signs.subject {
		return p.authored(ctx, s, p.author)
	}
	file, err := p.sealed(s.text(), p.author)
	if err != nil {
		return err
	}
	s.file, s.cid = file, p.env.Publish(s.ID, file, p.author)
	return nil
}

// authored leaves signing and publishing to the subject, as an author of ours where
// it can act for one.
func (p party) authored(ctx context.Context, s *specimen, by environment.Author) error {
	p.env.Resolver.Know(by.DID, by.Document(nil))
	params := object{"file": string(s.text())}
	if p.supports[supportsAuthors] {
		params["author"] = by.Credentials()
	}
	answer, err := p.call(ctx, driver.Operation{Name: opAuthor, Params: suites.Encode(params)})
	if err != nil {
		return err
	}
	s.cid, _ = schemas.ReadObject(answer.Result)["cid"].(string)
	if answer.Outcome != driver.Returned || s.cid == "" {
		return suites.Undecided("the subject publishes no package: %s", suites.Received(answer, err))
	}
	s.file = p.env.Gateway.Stored(s.cid)
	if s.file == nil {
		return suites.Undecided("what the subject published does not lie at the gateway under the CID that it gave")
	}
	return nil
}

// replaced puts a text in the place of another that has to be there once.
func replaced(file []byte, old, by string) ([]byte, error) {
	if strings.Count(string(file), old) != 1 {
		return nil, fmt.Errorf("acpsuite: %q does not stand in the package once", old)
	}
	return []byte(strings.Replace(string(file), old, by, 1)), nil
}
