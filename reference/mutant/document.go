package mutant

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"path"
	"strconv"
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

// edit changes one place of a valid document.
type edit struct {
	Name, Breaks, Base, Summary string
	At                          string // member names and indexes joined by slashes
	Value                       any    // the new value
	Remove                      bool   // there is none
	Faults                      []string
	Supports                    []string
	Also                        map[string]string
	closed                      bool
}

// faults are the ways to break a member that rows name, with their summaries.
var faults = map[string]string{
	"missing": "Omits %s.",
	"null":    "Uses null as %s.",
	"type":    "Uses another type or value for %s.",
	"value":   "Uses a value for %s that is not permitted.",
	"closed":  "Uses a value for %s that a closed reading does not permit.",
}

// Documents returns the documents of a suite, each in both notations: the JSON files of the folder documents, which are
// valid, and those that the rows of its file edits.yaml make of them.
func Documents(suite string, files embed.FS) ([]Document, error) {
	edits, err := readEdits(files)
	if err != nil {
		return nil, fmt.Errorf("mutant: edits.yaml: %w", err)
	}
	valid, err := files.ReadDir("documents")
	if err != nil {
		return nil, fmt.Errorf("mutant: %w", err)
	}
	for _, file := range valid {
		if base, is := strings.CutSuffix(file.Name(), ".json"); is {
			edits = append(edits, edit{Name: "sound", Base: base, Summary: "Is valid."})
		}
	}
	var documents []Document
	for _, e := range edits {
		both, err := e.documents(suite, files)
		if err != nil {
			return nil, fmt.Errorf("mutant: %s of %s: %w", e.Name, e.Base, err)
		}
		documents = append(documents, both...)
	}
	return documents, nil
}

func readEdits(files embed.FS) ([]edit, error) {
	text, err := files.ReadFile("documents/edits.yaml")
	if err != nil {
		return nil, err
	}
	var rows []struct {
		Base   string
		Faults []string
		Edits  []edit
	}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	decoder.KnownFields(true)
	if err := decoder.Decode(&rows); err != nil {
		return nil, err
	}
	var all []edit
	names := map[string]int{}
	for _, row := range rows {
		for _, e := range row.Edits {
			e.Base = row.Base
			for _, one := range e.faults(row.Faults) {
				one.Name += numbered(names, one.Base+"/"+one.Name)
				all = append(all, one)
			}
		}
	}
	return all, nil
}

// numbered returns a suffix that makes the name of an edit unique.
func numbered(names map[string]int, name string) string {
	if names[name]++; names[name] == 1 {
		return ""
	}
	return "-" + strconv.Itoa(names[name])
}

// faults returns an edit for each way to break its member, or the edit itself if it has a name.
func (e edit) faults(ways []string) []edit {
	if e.Name != "" {
		return []edit{e}
	}
	if ways == nil {
		ways = []string{"value"}
	}
	var all []edit
	for _, way := range ways {
		one := e
		one.Name = Dashed(strings.ReplaceAll(e.At, "/", "-")) + "-" + way
		one.Summary = fmt.Sprintf(faults[way], e.At)
		one.Remove, one.closed = way == "missing", way == "closed"
		if way == "null" {
			one.Value = nil
		}
		all = append(all, one)
	}
	return all
}

// documents returns the document that an edit makes, in both notations.
func (e edit) documents(suite string, files embed.FS) ([]Document, error) {
	text, err := files.ReadFile("documents/" + e.Base + ".json")
	if err != nil {
		return nil, err
	}
	var root any
	if err := json.Unmarshal(text, &root); err != nil {
		return nil, err
	}
	if e.At != "" {
		if root, err = e.put(root, strings.Split(e.At, "/")); err != nil {
			return nil, err
		}
	}
	return e.written(suite, root)
}

// put returns a value with the edit at the place.
func (e edit) put(root any, at []string) (any, error) {
	if len(at) == 0 {
		return e.Value, nil
	}
	switch v := root.(type) {
	case map[string]any:
		if e.Remove && len(at) == 1 {
			if _, known := v[at[0]]; !known {
				return nil, fmt.Errorf("nothing at %q", at[0])
			}
			delete(v, at[0])
			return v, nil
		}
		member, err := e.put(v[at[0]], at[1:])
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
		element, err := e.put(v[index], at[1:])
		v[index] = element
		return v, err
	}
	return nil, fmt.Errorf("nothing at %q", path.Join(at...))
}

// written returns the document in both notations.
func (e edit) written(suite string, root any) ([]Document, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(root); err != nil {
		return nil, err
	}
	lines, err := yaml.Marshal(root)
	if err != nil {
		return nil, err
	}
	name := suite + "-" + e.Base + "-" + e.Name
	d := Document{Suite: suite, Requirement: e.Breaks, Summary: e.Summary, Base: e.Base, Supports: e.Supports, Strict: e.closed}
	for id, reason := range e.Also {
		d.Also = append(d.Also, Also{ID: id, Reason: reason})
	}
	inJSON, inYAML := d, d
	inJSON.Name, inJSON.File, inJSON.Content = name+"-json", name+".json", text.Bytes()
	inYAML.Name, inYAML.File, inYAML.Content = name+"-yaml", name+".yaml", lines
	return []Document{inJSON, inYAML}, nil
}
