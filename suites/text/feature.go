package text

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	gherkin "github.com/cucumber/gherkin/go/v26"
	messages "github.com/cucumber/messages/go/v21"

	"github.com/capconform/capconform/features"
	"github.com/capconform/capconform/spec"
	"github.com/capconform/capconform/suites/part"
	"github.com/capconform/capconform/suites/rule"
)

// Todo is the tag of a scenario that nobody has written yet.
const Todo = "@todo"

// sentence is a sentence that steps may have.
type sentence struct {
	*rule.Rule
	form    *regexp.Regexp
	generic bool
}

// featureCheck finds what is wrong with the features of a folder.
type featureCheck struct {
	*Text
	sentences []sentence
	used      map[*rule.Rule]bool
	seen      map[spec.Check][]string // the requirements that have a scenario, live or for documents
	check     spec.Check              // of the scenario
	file      string
	places    map[string]*messages.Location // by the id of a scenario, step or tag
	errs      []error
}

// tags are the tags that a scenario may have beside ids.
var tags = []string{"@live", "@document", Todo, "@with:restart"}

// checkFeatures reports steps that no rule or generic sentence has, words in generic sentences that do not exist, tags
// that name no requirement, requirements without a scenario, and rules that no step uses.
func (t *Text) checkFeatures(f *folder, own int) []error {
	c := &featureCheck{Text: t, used: map[*rule.Rule]bool{}, seen: map[spec.Check][]string{}}
	for i, r := range t.rules.Rules {
		c.sentences = append(c.sentences, sentence{r, regexp.MustCompile("^" + r.Expression() + "$"), i >= own})
	}
	for _, name := range f.in("features") {
		c.file = f.place(name)
		ids := &messages.Incrementing{}
		doc, err := features.File{Name: c.file, Text: f.files[name]}.Parse(ids.NewId)
		if err != nil {
			c.errs = append(c.errs, fmt.Errorf("%s", strings.TrimPrefix(err.Error(), "features: ")))
			continue
		}
		c.places = placesIn(doc)
		for _, scenario := range gherkin.Pickles(*doc, c.file, ids.NewId) {
			c.scenario(scenario)
		}
	}
	for _, r := range t.catalogue.Requirements {
		for _, check := range []spec.Check{spec.Live, spec.Document} {
			if r.Testable() && r.Check.Covers(check) && !slices.Contains(c.seen[check], r.ID) {
				c.errs = append(c.errs, fmt.Errorf("%s: %s has no %s scenario in %s", f.place("catalogue.yaml"), r.ID, check,
					path.Join(f.dir, "features")))
			}
		}
	}
	for _, s := range c.sentences {
		if !s.generic && !c.used[s.Rule] {
			c.errs = append(c.errs, fmt.Errorf("%s: no scenario uses the rule", s.Place()))
		}
	}
	return c.errs
}

// placesIn returns where the scenarios, steps and tags of a feature are, by their ids.
func placesIn(doc *messages.GherkinDocument) map[string]*messages.Location {
	places := map[string]*messages.Location{}
	steps := func(all []*messages.Step) {
		for _, step := range all {
			places[step.Id] = step.Location
		}
	}
	noteTags := func(all []*messages.Tag) {
		for _, tag := range all {
			places[tag.Id] = tag.Location
		}
	}
	noteScenario := func(s *messages.Scenario) {
		if s == nil {
			return
		}
		places[s.Id] = s.Location
		steps(s.Steps)
		noteTags(s.Tags)
		for _, e := range s.Examples {
			noteTags(e.Tags)
		}
	}
	if doc.Feature == nil {
		return places
	}
	noteTags(doc.Feature.Tags)
	for _, child := range doc.Feature.Children {
		noteScenario(child.Scenario)
		if child.Background != nil {
			steps(child.Background.Steps)
		}
		if child.Rule == nil {
			continue
		}
		noteTags(child.Rule.Tags)
		for _, inner := range child.Rule.Children {
			noteScenario(inner.Scenario)
			if inner.Background != nil {
				steps(inner.Background.Steps)
			}
		}
	}
	return places
}

// fail adds an error at the place of a scenario, a step or a tag.
func (c *featureCheck) fail(id, format string, args ...any) {
	at := c.places[id]
	err := fmt.Errorf("%s:%d:%d: %s", c.file, at.Line, at.Column, fmt.Sprintf(format, args...))
	if !slices.ContainsFunc(c.errs, func(e error) bool { return e.Error() == err.Error() }) { // a step of an outline
		c.errs = append(c.errs, err)
	}
}

func (c *featureCheck) scenario(s *messages.Pickle) {
	todo, requirements := false, 0
	c.check = spec.Live
	for _, tag := range s.Tags {
		if tag.Name == "@"+string(spec.Document) {
			c.check = spec.Document
		}
	}
	known := append(c.conditionTags(), tags...)
	for _, tag := range s.Tags {
		id := strings.TrimPrefix(tag.Name, "@")
		todo = todo || tag.Name == Todo
		switch r, exists := c.catalogue.Lookup(id); {
		case slices.Contains(known, tag.Name):
			continue
		case strings.ToUpper(id) != id || !strings.Contains(id, "-"):
			c.fail(tag.AstNodeId, "the tag %s has no meaning in a suite of one's own%s", tag.Name, part.Meant(tag.Name, known))
			continue
		case !exists:
			c.fail(tag.AstNodeId, "there is no requirement %s%s", id, part.Meant(id, c.requirements()))
		case r.Check == spec.Excluded || r.Check == spec.None:
			c.fail(tag.AstNodeId, "%s is not examined: its check is %s", id, r.Check)
		case !r.Check.Covers(c.check):
			c.fail(tag.AstNodeId, "a %s scenario of %s never runs: its check is %s", c.check, id, r.Check)
		}
		requirements++
		c.seen[c.check] = append(c.seen[c.check], id)
	}
	switch at := s.AstNodeIds[0]; {
	case requirements != 1:
		c.fail(at, "a scenario has the tag of one requirement")
	case len(s.Steps) == 0 && !todo:
		c.fail(at, "the scenario has no step; mark it with %s until it has one", Todo)
	}
	for _, step := range s.Steps {
		c.step(step, todo)
	}
}

func (c *featureCheck) step(step *messages.PickleStep, todo bool) {
	var fits []sentence
	var known []string
	for _, s := range c.sentences {
		if s.form.MatchString(step.Text) {
			fits = append(fits, s)
		}
		known = append(known, s.Sentence.Value)
	}
	switch {
	case step.Argument != nil:
		c.fail(step.AstNodeIds[0], "a step is one sentence, without a table or a doc string")
	case len(fits) == 0 && !todo:
		c.fail(step.AstNodeIds[0], "no rule has the sentence %q%s", step.Text, part.Meant(step.Text, known))
	case len(fits) > 1:
		c.fail(step.AstNodeIds[0], "two rules have the sentence %q: %s and %s", step.Text, fits[0].Place(), fits[1].Place())
	}
	for _, s := range fits {
		c.used[s.Rule] = true
		if c.check == spec.Document {
			c.asked = append(c.asked, rule.Asked{Rule: s.Rule, Words: s.form.FindStringSubmatch(step.Text)[1:]})
		}
		if s.generic {
			c.words(step, s)
		}
	}
}

// words checks the parameters of a generic sentence.
func (c *featureCheck) words(step *messages.PickleStep, s sentence) {
	var stimuli []string
	for _, one := range c.stimuli {
		stimuli = append(stimuli, one.Name)
	}
	known := map[string][]string{"operation": c.operations(), "kind": c.kinds(), "stimulus": stimuli}
	words := s.form.FindStringSubmatch(step.Text)[1:]
	for i, name := range s.Parameters() {
		if all, closed := known[name]; closed && !slices.Contains(all, words[i]) {
			c.fail(step.AstNodeIds[0], "there is no %s %s%s", name, words[i], part.Meant(words[i], all))
		}
	}
}
