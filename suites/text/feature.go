package text

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

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
	seen      map[string]bool // the requirements that have a scenario
	file      string
	errs      []error
}

// checkFeatures reports steps that no rule or generic sentence has, words in generic sentences that do not exist, tags that
// name no requirement, requirements without a scenario, and rules that no step uses.
func (t *Text) checkFeatures(f *folder, own int) []error {
	c := &featureCheck{Text: t, used: map[*rule.Rule]bool{}, seen: map[string]bool{}}
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
		c.feature(doc.Feature)
	}
	for _, r := range t.catalogue.Requirements {
		if r.Testable() && !c.seen[r.ID] {
			c.errs = append(c.errs, fmt.Errorf("%s: %s has no scenario in %s", f.place("catalogue.yaml"), r.ID,
				path.Join(f.dir, "features")))
		}
	}
	for _, s := range c.sentences {
		if !s.generic && !c.used[s.Rule] {
			c.errs = append(c.errs, fmt.Errorf("%s: no scenario uses the rule", s.Place()))
		}
	}
	return c.errs
}

func (c *featureCheck) fail(at *messages.Location, format string, args ...any) {
	c.errs = append(c.errs, fmt.Errorf("%s:%d:%d: %s", c.file, at.Line, at.Column, fmt.Sprintf(format, args...)))
}

func (c *featureCheck) feature(f *messages.Feature) {
	if f == nil {
		return
	}
	for _, child := range f.Children {
		if s := child.Scenario; s != nil {
			c.scenario(s)
		}
	}
}

func (c *featureCheck) scenario(s *messages.Scenario) {
	todo := false
	for _, tag := range s.Tags {
		id := strings.TrimPrefix(tag.Name, "@")
		todo = todo || tag.Name == Todo
		if strings.ToUpper(id) != id || !strings.Contains(id, "-") {
			continue
		}
		r, known := c.catalogue.Lookup(id)
		switch {
		case !known:
			c.fail(tag.Location, "there is no requirement %s%s", id, part.Meant(id, c.ids()))
		case r.Check == spec.Excluded || r.Check == spec.None:
			c.fail(tag.Location, "%s is not examined: its check is %s", id, r.Check)
		}
		c.seen[id] = true
	}
	if len(s.Steps) == 0 && !todo {
		c.fail(s.Location, "the scenario has no step; mark it with %s until it has one", Todo)
	}
	for _, step := range s.Steps {
		c.step(step, todo)
	}
}

func (c *featureCheck) ids() []string {
	var ids []string
	for _, r := range c.catalogue.Requirements {
		ids = append(ids, r.ID)
	}
	return ids
}

func (c *featureCheck) step(step *messages.Step, todo bool) {
	var fits []sentence
	var known []string
	for _, s := range c.sentences {
		if s.form.MatchString(step.Text) {
			fits = append(fits, s)
		}
		known = append(known, s.Sentence.Value)
	}
	switch {
	case len(fits) == 0 && !todo:
		c.fail(step.Location, "no rule has the sentence %q%s", step.Text, part.Meant(step.Text, known))
	case len(fits) > 1:
		c.fail(step.Location, "two rules have the sentence %q: %s and %s", step.Text, fits[0].Place(), fits[1].Place())
	}
	for _, s := range fits {
		c.used[s.Rule] = true
		if s.generic {
			c.words(step, s)
		}
	}
}

// words checks the parameters of a generic sentence.
func (c *featureCheck) words(step *messages.Step, s sentence) {
	var operations, kinds, stimuli []string
	for _, op := range c.Operations {
		operations = append(operations, op.Name)
	}
	for _, k := range c.Kinds {
		kinds = append(kinds, k.Name)
	}
	for _, one := range c.stimuli {
		stimuli = append(stimuli, one.Name)
	}
	known := map[string][]string{"operation": operations, "kind": kinds, "stimulus": stimuli}
	words := s.form.FindStringSubmatch(step.Text)[1:]
	for i, name := range s.Parameters() {
		if all, closed := known[name]; closed && !slices.Contains(all, words[i]) {
			c.fail(step.Location, "there is no %s %s%s", name, words[i], part.Meant(words[i], all))
		}
	}
}
