package acphost

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/Masterminds/semver/v3"
	"go.yaml.in/yaml/v3"

	"github.com/capconform/capconform/reference/caphost"
	"github.com/capconform/capconform/reference/rpc"
)

// Package is a parsed ACP file. A member of a wrong type is empty here; the rules report it.
type Package struct {
	CID  string
	Text []byte // as published
	// Document is the file as JSON. Metadata is its section metadata.
	Document, Metadata object

	URI, Name   string
	Version     *semver.Version // nil if the URI has none
	Scope       string
	Triggers    []Trigger
	Permissions []string
	Author      string // the DID that the file names, "" if none
	Signature   string

	SchemaURI string
	Schema    object // nil if the section is not a string with a JSON object
	// Contract compiles the schema at its first call. It returns nil if the schema does not compile.
	Contract func() *caphost.Contract
	Prompt   string
	Tools    []Tool
	Bindings map[string]Binding

	file     *file
	position uint64 // the position in the store, 0 if it is not stored
}

// Trigger states which messages a package handles.
type Trigger struct{ Type, Value string }

// Tool is a tool as the package declares it. Parameters is nil if it has none.
type Tool struct {
	Name       string
	Parameters object
	Function   object // the whole declaration; read-only
}

// Binding states how a tool is executed.
type Binding struct {
	Type    string
	Members object
}

var capabilityURI = regexp.MustCompile(`^did:nuwa:cap:([A-Za-z0-9][A-Za-z0-9._-]*)@(.+)$`)

// splitURI returns the name and the version of a capability URI.
func splitURI(uri string) (string, *semver.Version, error) {
	parts := capabilityURI.FindStringSubmatch(uri)
	if parts == nil {
		return "", nil, fmt.Errorf("acphost: %.120q is not a capability URI", uri)
	}
	version, err := semver.StrictNewVersion(parts[2])
	if err != nil {
		return "", nil, fmt.Errorf("acphost: %.120q: %w", uri, err)
	}
	return parts[1], version, nil
}

// Lenience is a defect of a file that a lenient reader accepts.
type Lenience int

// The leniences.
const (
	SecondDocument Lenience = iota // a second YAML document
	RepeatedKey                    // a duplicate key
	NoMetadata                     // members of metadata at the top level
	MappedSchema                   // a schema that is a mapping
)

// ReadPackage parses a file. It returns an error only if the file is not one YAML mapping.
func ReadPackage(text []byte) (*Package, error) { return readPackage(text, nil) }

// file is a parsed file. It must not be changed.
type file struct {
	document  object
	signature *yaml.Node // nil if there is none
	contracts *sync.Map  // func() *caphost.Contract by the text of the schema; several files may share the map
}

func fileOf(root *yaml.Node, document object) *file {
	return &file{document: document, signature: child(child(root, "metadata"), "signature"), contracts: &sync.Map{}}
}

func readFile(text []byte, accepts ...Lenience) (*file, error) {
	root, document, err := readDocument(text, accepts...)
	if err != nil {
		return nil, err
	}
	return fileOf(root, document), nil
}

// Lenient returns a reader that accepts some defects.
func Lenient(accepts ...Lenience) func([]byte) (*Package, error) {
	return func(text []byte) (*Package, error) { return readPackage(text, accepts) }
}

func readPackage(text []byte, accepts []Lenience) (*Package, error) {
	f, err := readFile(text, accepts...)
	if err != nil {
		return nil, err
	}
	return packageOf(text, f, accepts), nil
}

func packageOf(text []byte, f *file, accepts []Lenience) *Package {
	document := f.document
	metadata := objectOf(document["metadata"])
	p := &Package{
		CID: CIDOf(text), Text: text, file: f, Document: document, Metadata: metadata,
		URI: stringOf(metadata["id"]), Author: stringOf(objectOf(metadata["author"])["did"]),
		Signature:   stringOf(metadata["signature"]),
		Permissions: stringsOf(objectOf(metadata["permissions"])["require"]),
		Prompt:      stringOf(document["prompt"]),
	}
	p.Name, p.Version, _ = splitURI(p.URI) // the rule about the id reports the error
	if p.Scope = stringOf(metadata["memory_scope"]); p.Scope == "" {
		p.Scope = "capability:" + p.Name
	}
	triggers, _ := metadata["triggers"].([]any)
	for _, trigger := range triggers {
		p.Triggers = append(p.Triggers, Trigger{stringOf(objectOf(trigger)["type"]), stringOf(objectOf(trigger)["value"])})
	}
	schema := stringOf(document["schema"])
	if mapped := objectOf(document["schema"]); mapped != nil && slices.Contains(accepts, MappedSchema) {
		schema = string(rpc.Append(nil, mapped))
	}
	p.readSchema(schema)
	p.readTools()
	return p
}

func (p *Package) readSchema(text string) {
	value, _ := rpc.Decode([]byte(text)) // the rule about the schema reports the error
	p.Schema = objectOf(value)
	p.SchemaURI = stringOf(p.Schema["$id"])
	compile := sync.OnceValue(func() *caphost.Contract { return compileContract(p.Schema, p.SchemaURI) })
	known, _ := p.file.contracts.LoadOrStore(contractKey(text, p.SchemaURI), compile)
	p.Contract, _ = known.(func() *caphost.Contract)
}

// plainURI matches URIs that every schema compiler accepts.
var plainURI = regexp.MustCompile(`^did:[a-z0-9:_-]+$`)

// contractKey returns the text of a schema without its URI if nothing in it can refer to the URI.
// Schemas that differ only in their URI have the same meaning, so they are compiled once.
func contractKey(text, uri string) string {
	if !plainURI.MatchString(uri) || strings.Count(text, uri) != 1 || strings.Contains(text, `\u`) {
		return text
	}
	keywords := strings.Count(text, `"$id"`) + strings.Count(text, `"$schema"`)
	if keywords != strings.Count(text, "$") || keywords != 2 {
		return text
	}
	return strings.Replace(text, uri, "", 1)
}

// compileContract compiles a schema, nil if it does not compile. The text requires a fragment in $id and
// the dialect forbids one, so the schema is compiled without the fragment.
func compileContract(schema object, uri string) *caphost.Contract {
	if schema == nil {
		return nil
	}
	if id, _, found := strings.Cut(uri, "#"); found {
		schema = maps.Clone(schema)
		schema["$id"] = id
	}
	compiled, _ := caphost.Compile(schema) // it returns nil with an error
	return compiled
}

func (p *Package) readTools() {
	declared, _ := p.Document["tools"].([]any)
	for _, element := range declared {
		function := objectOf(objectOf(element)["function"])
		p.Tools = append(p.Tools, Tool{stringOf(function["name"]), objectOf(function["parameters"]), function})
	}
	p.Bindings = map[string]Binding{}
	for name, value := range objectOf(p.Document["tool_bindings"]) {
		p.Bindings[name] = Binding{stringOf(objectOf(value)["type"]), objectOf(value)}
	}
}

// requirements returns the section llm_requirements.
func (p *Package) requirements() object { return objectOf(p.Metadata["llm_requirements"]) }

func (p *Package) hasTool(name string) bool {
	for _, tool := range p.Tools {
		if tool.Name == name {
			return true
		}
	}
	return false
}

// sameJSON reports whether two values are equal as JSON.
func sameJSON(a, b any) bool {
	return bytes.Equal(rpc.Append(nil, a), rpc.Append(nil, b)) || numbersEqual(a, b)
}

func numbersEqual(a, b any) bool {
	first, isNumber := a.(json.Number)
	second, isToo := b.(json.Number)
	if !isNumber || !isToo {
		return false
	}
	x, err := first.Float64()
	y, failed := second.Float64()
	return err == nil && failed == nil && x == y
}

// isBuiltIn reports whether a name has the prefix that is reserved for the runtime.
func isBuiltIn(name string) bool { return strings.HasPrefix(name, "state.") }

// forbiddenPrompt matches prompts that try to escape their capability.
var forbiddenPrompt = regexp.MustCompile(`(?i)\b(ignore|disregard|forget|override)\b[^.\n]{0,40}\b(previous|prior|above|earlier|system|all other)\b[^.\n]{0,20}\b(instructions?|prompts?|rules|messages?)\b|\breveal\b[^.\n]{0,40}\b(system prompt|secrets?|credentials?|private keys?)\b`)

func checkPrompt(prompt string) error {
	if forbiddenPrompt.MatchString(prompt) {
		return errors.New("acphost: the prompt has a forbidden pattern")
	}
	return nil
}

// title returns the name of a package for users.
func (p *Package) title() string {
	if title := stringOf(p.Metadata["name"]); title != "" {
		return title
	}
	return p.Name
}
