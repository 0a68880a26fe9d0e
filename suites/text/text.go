// Package text makes a suite from a folder of data, so that any text can be examined without Go (DESIGN section 16):
//
//	catalogue.yaml   the requirements of the text
//	protocol.yaml    its operations with their bindings, and the kinds of objects that rules can be about
//	schemas/         the shapes of its objects, as JSON Schemas
//	stimuli.yaml     what is sent
//	rules.yaml       what must hold between what was seen; also rules/*.yaml
//	features/        one scenario for each way to see a requirement
//	defects.yaml     known-bad edits of answers; also defects/*.yaml
//
// The author of a folder may be a stranger. Loading it reads files and nothing else, and what it contains is bounded.
package text

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
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
	"github.com/capconform/capconform/suites/record"
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
	// Editions say which versions a target speaks, nil if nothing but the transport does.
	Editions *suites.Editions

	catalogue  *spec.Catalogue
	features   []features.File
	shapes     map[string]*shape
	cache      *instance.Cache
	vocabulary *rule.Vocabulary
	rules      *rule.Set // those of the folder come first
	ownRules   int
	sentences  []verdict.Sentence[*examination]
	asked      []rule.Asked // the sentences about documents
	stimuli    []*stimulus.Stimulus
	conditions map[string]*rule.Expression // by name
	defects    []*defect.Defect
	deferred   bool                                                // see LoadOwn
	trace      func(requirement string, read map[record.Tick]bool) // see Traced; may be nil
}

// Load reads the folder of a suite and follows no link out of it. The names are those of other suites, which it must
// not have. The error lists everything that is wrong, each with file, line and column, one per line.
func Load(dir string, taken []string) (*Text, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("%s: no such folder", dir)
	}
	defer func() { _ = root.Close() }()
	return LoadFrom(dir, taken, root.FS())
}

// LoadFrom is Load for a folder of any file system, such as one that is part of the program. The name of the folder is
// that for messages. Further folders add the files that the ones before them lack.
func LoadFrom(dir string, taken []string, roots ...fs.FS) (*Text, error) {
	return loadFrom(dir, taken, false, roots...)
}

// LoadOwn is LoadFrom for a suite of this program. Its expressions are compiled at their first use, since a run uses
// few of those of all editions: a test of the suite compiles them by LoadFrom.
func LoadOwn(dir string, roots ...fs.FS) (*Text, error) { return loadFrom(dir, nil, true, roots...) }

func loadFrom(dir string, taken []string, deferred bool, roots ...fs.FS) (*Text, error) {
	f, err := readFolder(dir, roots...)
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
	t := &Text{protocol: p, Dir: dir, Digest: f.digest(), shapes: map[string]*shape{}, cache: &instance.Cache{},
		deferred: deferred}
	return t.load(f)
}

// load reads all parts but the protocol.
func (t *Text) load(f *folder) (*Text, error) {
	var err error
	var errs []error
	note := func(err error) {
		if err != nil {
			errs = append(errs, err)
		}
	}
	t.catalogue, err = spec.Parse(f.place("catalogue.yaml"), t.Name, f.files["catalogue.yaml"])
	note(err)
	for _, name := range f.in("schemas") {
		s, err := readShape(f.place(name), f.files[name])
		note(err)
		t.shapes[shapeName(name)] = s
	}
	note(t.checkShapes(f))
	for _, name := range f.in("features") {
		t.features = append(t.features, features.File{Name: path.Join(t.Name, path.Base(name)), Text: f.files[name]})
	}
	t.vocabulary = t.protocol.vocabulary(slices.Concat(t.functions(), t.ofValues(), ofHashes(), t.ofChains()))
	broken := false // the sentences are not known
	switch t.rules, err = rule.LoadAll(f.sources("rules"), t.vocabulary); {
	case err != nil:
		broken = true
	case !t.deferred:
		err = t.rules.Check()
	}
	note(err)
	note(t.loadStimuli(f))
	note(t.loadConditions())
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
	known := slices.Sorted(maps.Keys(t.shapes))
	var errs []error
	for _, op := range t.Operations {
		for _, name := range []string{op.Params, op.Result, op.Error} {
			if name != "" && !slices.Contains(known, name) {
				errs = append(errs, fmt.Errorf("%s: %s: there is no schema %s in schemas/%s",
					f.place("protocol.yaml"), op.Name, name, part.Meant(name, known)))
			}
		}
	}
	return errors.Join(errs...)
}

func (t *Text) loadStimuli(f *folder) error {
	operations := stimulus.Operations{Called: t.called(), Message: t.carrier()}
	var err error
	t.stimuli, err = stimulus.Load(f.place("stimuli.yaml"), f.files["stimuli.yaml"], t.scope(t.generators()...), operations)
	return err
}

func (t *Text) loadDefects(f *folder) error {
	if t.catalogue == nil {
		return nil
	}
	var errs []error
	for _, source := range f.sources("defects") {
		some, err := defect.Load(source.Name, source.Data, t.scope(), t.requirements(), nil)
		t.defects, errs = append(t.defects, some...), append(errs, err)
	}
	return errors.Join(errs...)
}

// scope returns the scope of an expression that is not in a rule.
func (t *Text) scope(functions ...rule.Function) *rule.Scope {
	s := t.vocabulary.Scope(functions...)
	if t.deferred {
		return s.Deferred()
	}
	return s
}

// requirements returns the ids of the requirements.
func (t *Text) requirements() []string {
	var ids []string
	for _, r := range t.catalogue.Requirements {
		ids = append(ids, r.ID)
	}
	return ids
}

// Definition returns the definition of the suite.
func (t *Text) Definition() suites.Definition {
	return suites.Definition{
		Name: t.Name, Operations: t.tools(), Routes: t.routes(), Uses: t.uses(),
		Fixtures: t.Fixtures,
		Source: &suites.Source{Catalogue: t.catalogue, Features: t.features, Place: t.Dir, Digest: t.Digest,
			Defects: t.known()},
		Probes: []driver.Operation{t.probe()}, Editions: t.Editions,
		Examine: func(ctx context.Context, subject *suites.Subject, gate *live.Gate) (suites.Examination, error) {
			return t.examine(ctx, subject, gate)
		},
		Recognises: t.recognises(), Inspect: t.inspect(),
		Sentences: func(voc suites.Vocabulary) {
			(&examination{text: t, history: newHistory()}).Steps(voc, &suites.Scenario{})
		},
	}
}

// known returns the defects, each with the requirement that it breaks.
func (t *Text) known() []suites.Defect {
	var all []suites.Defect
	for _, d := range t.defects {
		all = append(all, suites.Defect{Name: d.Name, Requirement: d.Breaks})
	}
	return all
}

// uses returns the operations that need permission: all but those that read.
func (t *Text) uses() map[string]func(driver.Operation) live.Use {
	all := map[string]func(driver.Operation) live.Use{}
	for _, op := range t.Operations {
		if !op.Reads {
			all[op.Name] = op.use
		}
		switch {
		case op.Request:
			all[op.Name] = t.requestUse
		case op.Message:
			all[op.Name] = func(sent driver.Operation) live.Use { return t.messageUse(sent.Body) }
		}
	}
	return all
}
