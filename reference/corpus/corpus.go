// Package corpus contains the corpus: recorded runs of the reference host, and edits of them, each
// of which breaks one requirement or none. README.md describes the files for programs in other
// languages. The package reads the files and applies patches; it judges nothing.
package corpus

import (
	"bytes"
	"compress/gzip"
	"embed"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"path"

	"go.yaml.in/yaml/v3"
)

//go:embed acd acp cap chp
var files embed.FS

// Edit is one case of the corpus.
type Edit struct {
	Name    string `json:"name"`
	Record  string `json:"record"`            // the name of a file in the folder records, without .jsonl.gz
	Breaks  string `json:"breaks,omitempty"`  // the requirement that fails
	Lawful  string `json:"lawful,omitempty"`  // the requirement whose reading permits it, if it breaks none
	Advises string `json:"advises,omitempty"` // of a lawful edit: the advice that it does not follow
	// Also contains the requirements that necessarily fail with the broken one, each with the
	// reason.
	Also    map[string]string `json:"also,omitempty"`
	Place   string            `json:"place,omitempty"` // what is unusual about the place
	Changes []Change          `json:"changes"`
}

// Change changes the answers of some entries.
type Change struct {
	Entries Selector `json:"entries"`
	// Each narrows the patch to elements of a list of the answer.
	Each    *Each           `json:"each,omitempty"`
	Patch   json.RawMessage `json:"patch,omitempty"` // RFC 6902
	Take    *Take           `json:"take,omitempty"`
	Becomes *Outcome        `json:"becomes,omitempty"`
}

// Selector selects entries by properties that are the same in every run.
type Selector struct {
	Operation string            `json:"operation"`
	Stimulus  string            `json:"stimulus,omitempty"`
	About     map[string]string `json:"about,omitempty"`
	Sent      map[string]any    `json:"sent,omitempty"`     // by JSON pointer; null: no such member
	Received  map[string]any    `json:"received,omitempty"` // by JSON pointer; null: no such member
	Holds     *Holding          `json:"holds,omitempty"`
	Again     bool              `json:"again,omitempty"` // repetitions of an earlier request
	Nth       int               `json:"nth,omitempty"`   // the nth of those, from 1; below 0: from the end; 0: all
}

// Holding selects answers with a list that contains such an element.
type Holding struct {
	Of    string         `json:"of"`
	Where map[string]any `json:"where"`
}

// Each selects elements of a list of the answer.
type Each struct {
	Of    string         `json:"of"`              // the JSON pointer of the list
	Where map[string]any `json:"where,omitempty"` // by JSON pointer into the element
	Nth   int            `json:"nth,omitempty"`   // as in Selector
	Do    string         `json:"do,omitempty"`    // patch (if empty), drop, or repeat: a patched copy follows the element
	Count string         `json:"count,omitempty"` // the JSON pointer of the number of elements, which is corrected
}

// Take copies a value from another entry.
type Take struct {
	Entries Selector `json:"entries"` // the first of them
	Side    string   `json:"side"`    // sent or received
	From    string   `json:"from"`    // the JSON pointer of the value
	To      string   `json:"to"`      // the JSON pointer in the answer, or in the element
}

// Outcome replaces the result of a call.
type Outcome struct {
	Outcome string          `json:"outcome"`
	Status  int             `json:"status,omitempty"`
	Error   json.RawMessage `json:"error,omitempty"` // as in the schema of the record
	// Received is the result of a call that returned.
	Received json.RawMessage `json:"received,omitempty"`
}

// Edits reads the cases of a suite.
func Edits(suite string) ([]Edit, error) {
	names, err := fs.Glob(files, path.Join(suite, "edits", "*.yaml"))
	if err != nil {
		return nil, fmt.Errorf("corpus: %w", err)
	}
	var all []Edit
	for _, name := range names {
		text, err := File(name)
		if err != nil {
			return nil, err
		}
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.DisallowUnknownFields()
		var some []Edit
		if err := decoder.Decode(&some); err != nil {
			return nil, fmt.Errorf("corpus: %s: %w", name, err)
		}
		all = append(all, some...)
	}
	return all, nil
}

// Names returns the files with edits of a suite.
func Names(suite string) ([]string, error) {
	return fs.Glob(files, path.Join(suite, "edits", "*.yaml"))
}

// File returns a file with edits as JSON.
func File(name string) ([]byte, error) {
	text, err := files.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("corpus: %w", err)
	}
	var value any
	if err := yaml.Unmarshal(text, &value); err != nil {
		return nil, fmt.Errorf("corpus: %s: %w", name, err)
	}
	return json.Marshal(value)
}

// Record opens a recorded run. The caller must close it.
func Record(suite, name string) (io.ReadCloser, error) {
	file, err := files.Open(path.Join(suite, "records", name+".jsonl.gz"))
	if err != nil {
		return nil, fmt.Errorf("corpus: %w", err)
	}
	return gzip.NewReader(file)
}
