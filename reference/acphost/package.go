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

	"github.com/capconform/capconform/reference/caphost"
	"github.com/capconform/capconform/reference/rpc"
)

// Package is an ACP file that was read. What the file gives in a wrong type is
// left empty here, and it is for the rules to complain.
type Package struct {
	CID  string
	Text []byte // as it was published
	// Document is the file as JSON; Metadata is its section of that name.
	Document, Metadata object

	URI, Name   string
	Version     *semver.Version // nil if the URI has none
	Scope       string
	Triggers    []Trigger
	Permissions []string
	Author      string // the DID that the file itself names, empty if it names none
	Signature   string

	SchemaURI string
	Schema    object // nil if the section is no JSON object in a string
	// Contract compiles the schema at its first call. It gives nil if the schema does not compile.
	Contract func() *caphost.Contract
	Prompt   string
	Tools    []Tool
	Bindings map[string]Binding

	file  *file
	place uint64 // in the store, 0 while it is not there
}

// Trigger says which messages a package is meant for.
type Trigger struct{ Type, Value string }

// Tool is a tool as the package declares it. Parameters is nil if it has none.
type Tool struct {
	Name       string
	Parameters object
	Function   object // the whole declaration, which must not be changed
}

// Binding says how a tool is executed.
type Binding struct {
	Type    string
	Members object
}

var capabilityURI = regexp.MustCompile(`^did:nuwa:cap:([A-Za-z0-9][A-Za-z0-9._-]*)@(.+)$`)

// splitURI gives name and version of a capability URI.
func splitURI(uri string) (string, *semver.Version, error) {
	parts := capabilityURI.FindStringSubmatch(uri)
	if parts == nil {
		return "", nil, fmt.Errorf("acphost: %.120q is no capability URI", uri)
	}
	version, err := semver.StrictNewVersion(parts[2])
	if err != nil {
		return "", nil, fmt.Errorf("acphost: %.120q: %w", uri, err)
	}
	return parts[1], version, nil
}

// Lenience is something unsound that a reader of packages takes all the same.
type Lenience int

// The leniences.
const (
	SecondDocument Lenience = iota // a second YAML document
	RepeatedKey                    // a key that is there twice
	NoMetadata                     // members of metadata at the top of the file
	MappedSchema                   // a schema that is a mapping
)

// ReadPackage reads a file. It fails only if the file is not one YAML mapping.
func ReadPackage(text []byte) (*Package, error) { return readPackage(text, nil) }

// Lenient gives a reader that takes what others do not.
func Lenient(takes ...Lenience) func([]byte) (*Package, error) {
	return func(text []byte) (*Package, error) { return readPackage(text, takes) }
}

func readPackage(text []byte, takes []Lenience) (*Package, error) {
	f, err := readFile(text, takes...)
	if err != nil {
		return nil, err
	}
	return packageOf(text, f, takes), nil
}

func packageOf(text []byte, f *file, takes []Lenience) *Package {
	document := f.document
	metadata := members(document["metadata"])
	p := &Package{
		CID: CIDOf(text), Text: text, file: f, Document: document, Metadata: metadata,
		URI: word(metadata["id"]), Author: word(members(metadata["author"])["did"]), Signature: word(metadata["signature"]),
		Permissions: texts(members(metadata["permissions"])["require"]),
		Prompt:      word(document["prompt"]),
	}
	p.Name, p.Version, _ = splitURI(p.URI) // the rule about the id says what is wrong
	if p.Scope = word(metadata["memory_scope"]); p.Scope == "" {
		p.Scope = "capability:" + p.Name
	}
	triggers, _ := metadata["triggers"].([]any)
	for _, trigger := range triggers {
		p.Triggers = append(p.Triggers, Trigger{word(members(trigger)["type"]), word(members(trigger)["value"])})
	}
	schema := word(document["schema"])
	if mapped := members(document["schema"]); mapped != nil && slices.Contains(takes, MappedSchema) {
		schema = string(rpc.Append(nil, mapped))
	}
	p.readSchema(schema)
	p.readTools()
	return p
}

func (p *Package) readSchema(text string) {
	value, _ := rpc.Decode([]byte(text)) // as above, for the rule about the schema
	p.Schema = members(value)
	p.SchemaURI = word(p.Schema["$id"])
	schema, uri := p.Schema, p.SchemaURI // the contract, which packages share, must not hold the package
	compile := sync.OnceValue(func() *caphost.Contract { return contract(schema, uri) })
	known, _ := p.file.contracts.LoadOrStore(demands(text, p.SchemaURI), compile)
	p.Contract, _ = known.(func() *caphost.Contract)
}

// plainURI is one that every compiler of schemas takes.
var plainURI = regexp.MustCompile(`^did:[a-z0-9:_-]+$`)

// demands is the text of a schema without its URI, where nothing in it can refer to the URI: what
// differs in the URI alone demands the same.
func demands(text, uri string) string {
	if !plainURI.MatchString(uri) || strings.Count(text, uri) != 1 || strings.Contains(text, `\u`) {
		return text
	}
	keywords := strings.Count(text, `"$id"`) + strings.Count(text, `"$schema"`)
	if keywords != strings.Count(text, "$") || keywords != 2 {
		return text
	}
	return strings.Replace(text, uri, "", 1)
}

// contract compiles a schema, nil if it can't be. A fragment in $id is what the text wants and
// what the dialect forbids, so the fragment is not compiled.
func contract(schema object, uri string) *caphost.Contract {
	if schema == nil {
		return nil
	}
	if id, _, found := strings.Cut(uri, "#"); found {
		schema = maps.Clone(schema)
		schema["$id"] = id
	}
	compiled, _ := caphost.Compile(schema) // it gives nil with its error
	return compiled
}

func (p *Package) readTools() {
	declared, _ := p.Document["tools"].([]any)
	for _, element := range declared {
		function := members(members(element)["function"])
		p.Tools = append(p.Tools, Tool{word(function["name"]), members(function["parameters"]), function})
	}
	p.Bindings = map[string]Binding{}
	for name, value := range members(p.Document["tool_bindings"]) {
		p.Bindings[name] = Binding{word(members(value)["type"]), members(value)}
	}
}

// requirements are the section llm_requirements.
func (p *Package) requirements() object { return members(p.Metadata["llm_requirements"]) }

func (p *Package) declares(name string) bool {
	for _, tool := range p.Tools {
		if tool.Name == name {
			return true
		}
	}
	return false
}

// sameJSON compares by value.
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

// isBuiltIn keeps the whole prefix for the runtime.
func isBuiltIn(name string) bool { return strings.HasPrefix(name, "state.") }

// forbidden are patterns of prompts that want to get out of their capability.
var forbidden = regexp.MustCompile(`(?i)\b(ignore|disregard|forget|override)\b[^.\n]{0,40}\b(previous|prior|above|earlier|system|all other)\b[^.\n]{0,20}\b(instructions?|prompts?|rules|messages?)\b|\breveal\b[^.\n]{0,40}\b(system prompt|secrets?|credentials?|private keys?)\b`)

func lint(prompt string) error {
	if forbidden.MatchString(prompt) {
		return errors.New("acphost: the prompt has a forbidden pattern")
	}
	return nil
}

// title is what a user reads of a package.
func (p *Package) title() string {
	if title := word(p.Metadata["name"]); title != "" {
		return title
	}
	return p.Name
}
