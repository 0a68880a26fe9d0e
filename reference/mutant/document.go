package mutant

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Document is a file that is examined without any call: a valid one, or one made from a valid one
// by one edit.
type Document struct {
	Name        string // unique
	Suite       string
	Requirement string // the one requirement it breaks, empty for a valid document
	Summary     string // the edit, in one sentence
	Base        string // the valid document from which it was made, without notation
	File        string // the name to write it under, with its ending
	Content     []byte
	Also        []Also
	// Supports names the members of skills that the subject must declare as supported; otherwise
	// the requirement stays undecided.
	Supports []string
	// Strict is set if the defect shows only with --strict: the text permits it.
	Strict bool
	// Publishable is set if a package is examined as one to be published, not as a draft.
	Publishable bool
	// Against is the package that this one upgrades, nil if there is none.
	Against []byte
}

// Edit changes one place of a valid document.
type Edit struct {
	Name, Requirement, Base, Summary string
	At                               string // member names and indexes joined by slashes
	Value                            any    // the new value; Absent removes the member
	Also                             []Also
}

// Absent as a value removes a member.
type Absent struct{}

// Fault is a place of a valid document and a value that breaks a requirement there.
type Fault struct {
	Requirement, Base, At string
	Value                 any
}

// Edit returns an edit for a fault. The way in which it breaks the place is part of the name.
func (f Fault) Edit(how, summary string, value any) Edit {
	name := Dashed(strings.ReplaceAll(f.At, "/", "-")) + "-" + how
	return Edit{Name: name, Requirement: f.Requirement, Base: f.Base, Summary: summary, At: f.At, Value: value}
}

// Closed returns an edit for a fault that only a closed reading finds.
func (f Fault) Closed() Edit {
	return f.Edit("closed", "Gives "+f.At+" as no closed reading has it.", f.Value)
}

// ValidDocuments returns the documents without a defect, in both notations.
func ValidDocuments(suite string, files embed.FS, bases ...string) ([]Document, error) {
	var edits []Edit
	for _, base := range bases {
		edits = append(edits, Edit{Name: "sound", Base: base, Summary: "Is sound."})
	}
	return Edited(suite, files, edits)
}

// Edited makes documents of a suite, each in both notations. The valid ones are JSON files in the
// folder documents. It returns an error only if one of them cannot be read, or if an edit finds no
// place.
func Edited(suite string, files embed.FS, edits []Edit) ([]Document, error) {
	var documents []Document
	for _, e := range edits {
		text, err := files.ReadFile("documents/" + e.Base + ".json")
		if err != nil {
			return nil, fmt.Errorf("mutant: %w", err)
		}
		var root any
		if err := json.Unmarshal(text, &root); err != nil {
			return nil, fmt.Errorf("mutant: %s: %w", e.Base, err)
		}
		if e.At != "" {
			if root, err = put(root, strings.Split(e.At, "/"), e.Value); err != nil {
				return nil, fmt.Errorf("mutant: %s of %s: %w", e.Name, e.Base, err)
			}
		}
		both, err := written(suite, e, root)
		if err != nil {
			return nil, err
		}
		documents = append(documents, both...)
	}
	return documents, nil
}

// put returns a value with another value at the place.
func put(root any, at []string, value any) (any, error) {
	if len(at) == 0 {
		return value, nil
	}
	switch v := root.(type) {
	case map[string]any:
		if _, gone := value.(Absent); gone && len(at) == 1 {
			if _, known := v[at[0]]; !known {
				return nil, fmt.Errorf("nothing at %q", at[0])
			}
			delete(v, at[0])
			return v, nil
		}
		member, err := put(v[at[0]], at[1:], value)
		v[at[0]] = member
		return v, err
	case []any:
		var index int
		if _, err := fmt.Sscanf(at[0], "%d", &index); err != nil || index < 0 || index > len(v) {
			return nil, fmt.Errorf("no element %q", at[0])
		}
		if index == len(v) {
			v = append(v, nil)
		}
		element, err := put(v[index], at[1:], value)
		v[index] = element
		return v, err
	}
	return nil, fmt.Errorf("nothing at %q", path.Join(at...))
}

// written returns the document in both notations.
func written(suite string, e Edit, root any) ([]Document, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(root); err != nil {
		return nil, fmt.Errorf("mutant: %s: %w", e.Name, err)
	}
	lines, err := yaml.Marshal(root)
	if err != nil {
		return nil, fmt.Errorf("mutant: %s: %w", e.Name, err)
	}
	var both []Document
	for ending, content := range map[string][]byte{"json": text.Bytes(), "yaml": lines} {
		name := suite + "-" + e.Base + "-" + e.Name
		both = append(both, Document{Name: name + "-" + ending, Suite: suite, Requirement: e.Requirement, Summary: e.Summary,
			Base: e.Base, File: name + "." + ending, Content: content, Also: e.Also})
	}
	slices.SortFunc(both, func(a, b Document) int { return strings.Compare(a.Name, b.Name) })
	return both, nil
}
