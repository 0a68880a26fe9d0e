package schemas

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

//go:embed */*.json
var embedded embed.FS

// ownURL is the base address of the schemas of this project, so that they refer to each other by
// relative references.
const ownURL = "capconform:///"

// Read returns the text of an embedded schema by its path, such as
// "cap/manifest.schema.json".
func Read(name string) ([]byte, error) {
	raw, err := embedded.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("schemas: no schema of that name: %w", err)
	}
	return raw, nil
}

// Names lists the paths of the embedded schemas, sorted.
func Names() []string {
	names, err := fs.Glob(embedded, "*/*.json")
	if err != nil {
		return nil // the pattern is a valid constant
	}
	return names
}

// Own compiles an embedded schema. It caches nothing, so callers must compile once. An error means
// that an embedded file is broken.
func Own(name string) (*Schema, error) {
	doc, err := own(name)
	if err != nil {
		return nil, err
	}
	drafts, err := dialects(doc)
	if err != nil {
		return nil, fmt.Errorf("schemas: %s: %w", name, err)
	}
	const plenty = 1_000_000
	options := Options{Subschemas: plenty, Expansions: plenty}.WithDefaults()
	compiled, err := source{doc: doc, url: ownURL + name, loader: ownLoader{}}.compile(drafts[0], options)
	if err != nil {
		return nil, fmt.Errorf("schemas: %s: %w", name, err)
	}
	return compiled, nil
}

// own decodes an embedded schema.
func own(name string) (any, error) {
	raw, err := Read(name)
	if err != nil {
		return nil, err
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return nil, fmt.Errorf("schemas: %s: %w", name, err)
	}
	return doc, nil
}

// ID returns the address at which an embedded schema of documents is published, "" if it has none.
func ID(name string) string {
	doc, err := own(name)
	if err != nil {
		return ""
	}
	object, _ := doc.(map[string]any)
	id, _ := object["$id"].(string)
	return id
}

// ownLoader finds the schemas of this project, by path or by $id, and nothing else.
type ownLoader struct{}

// Load implements jsonschema.URLLoader.
func (ownLoader) Load(url string) (any, error) {
	if name, ok := strings.CutPrefix(url, ownURL); ok {
		return own(name)
	}
	for _, name := range Names() {
		doc, err := own(name)
		if err != nil {
			return nil, err
		}
		if object, ok := doc.(map[string]any); ok && object["$id"] == url {
			return doc, nil
		}
	}
	return nil, fmt.Errorf("schemas: %s is not embedded", url)
}
