package mutant

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
)

//go:embed documents/*.json
var soundDocuments embed.FS

// Document is a file to be examined without any call: sound, or made from a
// sound one by one edit.
type Document struct {
	Name        string // unique
	Suite       string
	Requirement string // the one requirement it breaks, empty for a sound document
	Summary     string // the edit, in one sentence
	Base        string // the sound document that it was made from, without notation
	File        string // the name to write it under, with its ending
	Content     []byte
	Also        []Also
	// Supports names the members of skills that the subject must be said to
	// support, else the defect leaves the requirement undecided.
	Supports []string
	// Strict is set where the defect shows with --strict alone: the text permits it.
	Strict bool
	// Publishable is set where a package is examined as one that is about to be
	// published, else it is a draft.
	Publishable bool
	// Against is the package that this one upgrades, nil where there is none.
	Against []byte
}

// edit changes one place of a sound document.
type edit struct {
	name, requirement, base, summary string
	at                               string // member names and indexes joined by slashes
	value                            any    // put there; absent takes the member out
	also                             []Also
}

// absent as a value takes a member out.
type absent struct{}

// Documents gives the sound documents and the broken ones, each as JSON and as
// YAML, but for packages, which are as they are written. It fails only if a file
// built into this package can't be read, or if an edit finds no place.
func Documents() ([]Document, error) {
	all, err := documents()
	return slices.Clone(all), err
}

// documents are made once: many are edited, and some are signed.
var documents = sync.OnceValues(func() ([]Document, error) {
	edits := []edit{}
	for _, base := range slices.Concat(bases, chpBases, acdBases) {
		edits = append(edits, edit{name: "sound", base: base, summary: "Is sound."})
	}
	plain, err := edited(slices.Concat(edits, soundEdits(), manifestEdits(), upperEdits(), chpEdits(), acdEdits()))
	if err != nil {
		return nil, err
	}
	closed, err := edited(closedEdits())
	if err != nil {
		return nil, err
	}
	for i := range closed {
		closed[i].Strict = true
	}
	packages, err := packageDocuments()
	if err != nil {
		return nil, err
	}
	return slices.Concat(plain, closed, packages), nil
})

// edited makes documents, each in both notations.
func edited(edits []edit) ([]Document, error) {
	var documents []Document
	for _, e := range edits {
		text, err := soundDocuments.ReadFile("documents/" + e.base + ".json")
		if err != nil {
			return nil, fmt.Errorf("mutant: %w", err)
		}
		var root any
		if err := json.Unmarshal(text, &root); err != nil {
			return nil, fmt.Errorf("mutant: %s: %w", e.base, err)
		}
		if e.at != "" {
			if root, err = put(root, strings.Split(e.at, "/"), e.value); err != nil {
				return nil, fmt.Errorf("mutant: %s of %s: %w", e.name, e.base, err)
			}
		}
		both, err := written(e, root)
		if err != nil {
			return nil, err
		}
		documents = append(documents, both...)
	}
	return documents, nil
}

// bases are the sound documents of CAP.
var bases = []string{"manifest", "capability", "manifests", "task", "card", "query", "delegation", "audit", "reference"}

// suiteOf gives the suite of a sound document.
func suiteOf(base string) string {
	for suite, all := range map[string][]string{"chp": chpBases, "acd": acdBases} {
		if slices.Contains(all, base) {
			return suite
		}
	}
	return "cap"
}

// put gives a value in which the place holds something else.
func put(root any, at []string, value any) (any, error) {
	if len(at) == 0 {
		return value, nil
	}
	switch v := root.(type) {
	case map[string]any:
		if _, gone := value.(absent); gone && len(at) == 1 {
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

// supports is what CAP-MAN-04 hangs on.
func supports(e edit) []string {
	if e.requirement != "CAP-MAN-04" {
		return nil
	}
	return []string{"prompt_template", "resources", "required_permissions"}
}

// written gives the document in both notations.
func written(e edit, root any) ([]Document, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(root); err != nil {
		return nil, fmt.Errorf("mutant: %s: %w", e.name, err)
	}
	lines, err := yaml.Marshal(root)
	if err != nil {
		return nil, fmt.Errorf("mutant: %s: %w", e.name, err)
	}
	var both []Document
	for ending, content := range map[string][]byte{"json": text.Bytes(), "yaml": lines} {
		suite := suiteOf(e.base)
		name := suite + "-" + e.base + "-" + e.name
		both = append(both, Document{Name: name + "-" + ending, Suite: suite, Requirement: e.requirement, Summary: e.summary,
			Base: e.base, File: name + "." + ending, Content: content, Also: e.also, Supports: supports(e)})
	}
	slices.SortFunc(both, func(a, b Document) int { return strings.Compare(a.Name, b.Name) })
	return both, nil
}
