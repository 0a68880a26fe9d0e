package format

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
)

// illustrations contains one Illustration per line, in the order of the catalogue. `make
// illustrations` writes them, and a test of package proof repeats the runs.
//
//go:embed illustrations/*.jsonl
var illustrations embed.FS

// Illustration shows how one requirement is met and broken, from runs of the reference and of a
// mutant. The binary contains it, because a page with many failures cannot wait for so many runs.
type Illustration struct {
	Requirement string `json:"requirement"`       // its id
	Breaker     string `json:"breaker"`           // name of the mutant, or of the broken document
	Summary     string `json:"summary,omitempty"` // what it does, in one sentence; a row of defects has none
	Found       string `json:"found"`             // what the run found, as Failure.Message does
	Want        string `json:"want,omitempty"`    // as Failure.Want
	Got         string `json:"got,omitempty"`     // as Failure.Got
	// Broken is the last exchange of the scenario that failed, and Kept is the same call to the
	// reference. Both are nil if a document is broken, or if there is no such call.
	Kept   *IllustratedCall `json:"kept,omitempty"`
	Broken *IllustratedCall `json:"broken,omitempty"`
	Line   int              `json:"line,omitempty"` // of the document, from 1
	Text   string           `json:"text,omitempty"` // of that line
}

// IllustratedCall is one call. If a text is only a part, it begins or ends with " … ".
type IllustratedCall struct {
	Operation string `json:"operation"` // as the protocol names it
	Sent      string `json:"sent"`      // the request as sent
	Received  string `json:"received"`  // the answer as received
}

// Illustrated returns the illustration of a requirement, nil if there is none.
func Illustrated(suite, requirement string) (*Illustration, error) {
	lines, err := illustrated(suite)
	if err != nil {
		return nil, err
	}
	line := lines[requirement]
	if line == nil {
		return nil, nil
	}
	var shown Illustration
	if err := json.Unmarshal(line, &shown); err != nil {
		return nil, fmt.Errorf("reports: illustration of %s: %w", requirement, err)
	}
	return &shown, nil
}

// illustrated returns the lines of a suite by requirement. They are decoded only when they are
// needed.
func illustrated(suite string) (map[string][]byte, error) {
	text, err := illustrations.ReadFile("illustrations/" + suite + ".jsonl")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil // a text of one's own has no reference
	}
	if err != nil {
		return nil, fmt.Errorf("reports: no illustrations of suite %q: %w", suite, err)
	}
	lines := map[string][]byte{}
	for line := range bytes.Lines(text) {
		rest, ok := strings.CutPrefix(string(line[:min(len(line), 64)]), `{"requirement":"`)
		id, _, ended := strings.Cut(rest, `"`)
		if !ok || !ended {
			return nil, fmt.Errorf("reports: a line of the illustrations of suite %q names no requirement", suite)
		}
		lines[id] = line
	}
	return lines, nil
}
