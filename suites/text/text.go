// Package text makes a suite from a folder of data, so that any text can be examined without Go (DESIGN section 16):
//
//	catalogue.yaml   the requirements of the text
//	protocol.yaml    its operations with their bindings, and the kinds of objects that rules can be about
//	schemas/         the shapes of its objects, as JSON Schemas
//	stimuli.yaml     what is sent
//	rules.yaml       what must hold between what was seen
//	features/        one scenario for each way to see a requirement
//	defects.yaml     known-bad edits of answers
//
// The author of a folder may be a stranger. Loading it reads files and nothing else, and what it contains is bounded.
package text

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/capconform/capconform/features"
	"github.com/capconform/capconform/spec"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/defect"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/instance"
	"github.com/capconform/capconform/suites/live"
	"github.com/capconform/capconform/suites/part"
	"github.com/capconform/capconform/suites/rule"
	"github.com/capconform/capconform/suites/stimulus"
	"github.com/capconform/capconform/suites/verdict"
)

//go:embed generic.yaml
var genericRules []byte

// Text is a suite that was read from a folder. It is immutable.
type Text struct {
	*protocol
	Dir    string // as it was given
	Digest string // SHA-256, in hexadecimal, of the names and texts of its files

	catalogue  *spec.Catalogue
	features   []features.File
	shapes     map[string]*shape
	cache      *instance.Cache
	vocabulary *rule.Vocabulary
	rules      *rule.Set // those of the folder come first
	ownRules   int
	sentences  []verdict.Sentence[*examination]
	stimuli    []*stimulus.Stimulus
	defects    []*defect.Defect
}

// Load reads the folder of a suite. The names are those of other suites, which it must not have. The error lists
// everything that is wrong, each with file, line and column, one per line.
func Load(dir string, taken []string) (*Text, error) {
	f, err := readFolder(dir)
	if err != nil {
		return nil, err
	}
	data, given := f.files["protocol.yaml"]
	if !given {
		return nil, fmt.Errorf("%s: no suite: there is no protocol.yaml", dir)
	}
	p, err := readProtocol(f.place("protocol.yaml"), data)
	if err != nil {
		return nil, err
	}
	if slices.Contains(taken, p.Name) {
		return nil, fmt.Errorf("%s:1:1: the name %s is taken by a suite of capconform", f.place("protocol.yaml"), p.Name)
	}
	t := &Text{protocol: p, Dir: dir, Digest: f.digest(), shapes: map[string]*shape{}, cache: &instance.Cache{}}
	var errs []error
	note := func(err error) {
		if err != nil {
			errs = append(errs, err)
		}
	}
	t.catalogue, err = spec.Parse(f.place("catalogue.yaml"), p.Name, f.files["catalogue.yaml"])
	note(err)
	for _, name := range f.in("schemas") {
		s, err := readShape(f.place(name), f.files[name])
		note(err)
		t.shapes[shapeName(name)] = s
	}
	note(t.checkShapes(f))
	for _, name := range f.in("features") {
		t.features = append(t.features, features.File{Name: path.Join(p.Name, path.Base(name)), Text: f.files[name]})
	}
	t.vocabulary = p.vocabulary(t.functions())
	broken := false // the sentences are not known
	if t.rules, err = rule.Load(f.place("rules.yaml"), f.files["rules.yaml"], t.vocabulary); err == nil {
		err = t.rules.Check()
	} else {
		broken = true
	}
	note(err)
	note(t.loadStimuli(f))
	note(t.loadDefects(f))
	if broken || t.catalogue == nil {
		return nil, errors.Join(errs...)
	}
	generic, err := rule.Load("generic.yaml", genericRules, t.vocabulary)
	if err != nil {
		return nil, err
	}
	t.ownRules = len(t.rules.Rules)
	t.rules.Rules = append(t.rules.Rules, generic.Rules...)
	t.sentences = rule.Sentences(t.rules, (*examination).View)
	if errs = append(errs, t.checkFeatures(f, t.ownRules)...); len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	return t, nil
}

// shapeName returns the name by which operations refer to a schema: that of the file without its endings.
func shapeName(file string) string {
	return strings.TrimSuffix(strings.TrimSuffix(path.Base(file), ".json"), ".schema")
}

// checkShapes reports the operations that name a schema that does not exist.
func (t *Text) checkShapes(f *folder) error {
	var known []string
	for name := range t.shapes {
		known = append(known, name)
	}
	var errs []error
	for name, operation := range t.schemas() {
		if _, is := t.shapes[name]; !is {
			errs = append(
				errs,
				fmt.Errorf("%s: %s: there is no schema %s in schemas/%s", f.place("protocol.yaml"), operation, name,
					part.Meant(name, known)),
			)
		}
	}
	return errors.Join(errs...)
}

func (t *Text) loadStimuli(f *folder) error {
	scope, err := t.vocabulary.Scope(t.generators()...)
	if err != nil {
		return err
	}
	var operations []string
	for _, op := range t.Operations {
		operations = append(operations, op.Name)
	}
	t.stimuli, err = stimulus.Load(f.place("stimuli.yaml"), f.files["stimuli.yaml"], scope, operations)
	return err
}

func (t *Text) loadDefects(f *folder) error {
	if t.catalogue == nil {
		return nil
	}
	scope, err := t.vocabulary.Scope()
	if err != nil {
		return err
	}
	var ids []string
	for _, r := range t.catalogue.Requirements {
		ids = append(ids, r.ID)
	}
	t.defects, err = defect.Load(f.place("defects.yaml"), f.files["defects.yaml"], scope, ids)
	return err
}

// Definition returns the definition of the suite.
func (t *Text) Definition() suites.Definition {
	var operations, reads []string
	for _, op := range t.Operations {
		operations = append(operations, op.Name)
		if op.Reads {
			reads = append(reads, op.Name)
		}
	}
	return suites.Definition{
		Name: t.Name, Operations: operations, Routes: t.routes(), Uses: t.uses(reads),
		Source: &suites.Source{Catalogue: t.catalogue, Features: t.features, Place: t.Dir, Digest: t.Digest},
		Probes: []driver.Operation{{Name: t.Probe, List: true}},
		Examine: func(ctx context.Context, subject *suites.Subject, gate *live.Gate) (suites.Examination, error) {
			return t.examine(ctx, subject, gate)
		},
		Sentences: func(voc suites.Vocabulary) {
			(&examination{text: t, history: newHistory()}).Steps(voc, &suites.Scenario{})
		},
	}
}

// uses returns the operations that need permission: all but those that read.
func (t *Text) uses(reads []string) map[string]func(driver.Operation) live.Use {
	all := map[string]func(driver.Operation) live.Use{}
	for _, op := range t.Operations {
		if !slices.Contains(reads, op.Name) {
			all[op.Name] = func(driver.Operation) live.Use { return live.Use{Invokes: true, ID: op.Name} }
		}
	}
	return all
}
