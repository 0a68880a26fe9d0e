package suites

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	gherkin "github.com/cucumber/gherkin/go/v26"
	messages "github.com/cucumber/messages/go/v21"

	"github.com/capconform/capconform/features"
)

type feature struct {
	file  features.File
	cases []*Case
	used  sync.Map // *regexp.Regexp -> map[*Case]bool, the cases that have a matching step
}

// vocabulary returns a Vocabulary that registers only the sentences that the case uses. godog tries
// each registered sentence for every step of every scenario, which would cost more than the
// scenarios themselves.
func (f *feature) vocabulary(c *Case, to Vocabulary) Vocabulary { return narrowedVocabulary{f, c, to} }

type narrowedVocabulary struct {
	feature  *feature
	testCase *Case
	to       Vocabulary
}

// Step implements Vocabulary.
func (n narrowedVocabulary) Step(expression, handler any) {
	if e, ok := expression.(*regexp.Regexp); !ok || n.feature.users(e)[n.testCase] {
		n.to.Step(expression, handler)
	}
}

func (f *feature) users(e *regexp.Regexp) map[*Case]bool {
	known, ok := f.used.Load(e)
	if !ok {
		users := map[*Case]bool{}
		beginning, _ := e.LiteralPrefix() // distinguishes most sentences at the least cost
		for _, c := range f.cases {
			if slices.ContainsFunc(c.Steps,
				func(step string) bool { return strings.HasPrefix(step, beginning) && e.MatchString(step) }) {
				users[c] = true
			}
		}
		known = users
		f.used.Store(e, known)
	}
	users, _ := known.(map[*Case]bool)
	return users
}

// eachCapability is the tag of a scenario that is about each capability, and judges those that were invoked.
const eachCapability = "each-capability"

// todo is the tag of a scenario that nobody has written yet.
const todo = "todo"

// conditionKinds are the kinds of tags that state a condition on the subject.
var conditionKinds = map[string]bool{"role": true, "when": true, "with": true}

// parseFeature parses a file and returns its scenarios. It returns an error for a step with a table
// or a doc string, because a step is one sentence.
func parseFeature(file features.File) (*feature, error) {
	ids := &messages.Incrementing{}
	doc, err := file.Parse(ids.NewId)
	if err != nil {
		return nil, fmt.Errorf("suites: %w", err)
	}
	lines := scenarioLines(doc)
	f := &feature{file: file}
	for _, p := range gherkin.Pickles(*doc, file.Name, ids.NewId) {
		c := &Case{Name: p.Name, Feature: file.Name, Line: lines[p.AstNodeIds[0]], Mode: Live}
		for _, s := range p.Steps {
			if s.Argument != nil {
				return nil, fmt.Errorf("suites: %s:%d: a step is more than a sentence: %s", file.Name, c.Line, s.Text)
			}
			c.Steps = append(c.Steps, s.Text)
		}
		for _, t := range p.Tags {
			if err := c.tag(t.Name); err != nil {
				return nil, fmt.Errorf("suites: %s:%d: %w", file.Name, c.Line, err)
			}
		}
		c.Universal = c.Mode == Live && !slices.ContainsFunc(p.Steps, acts)
		if c.Requirement == "" || len(c.Steps) == 0 && !c.Todo {
			return nil, fmt.Errorf("suites: %s:%d: scenario %q has no requirement tag or no steps", file.Name, c.Line, c.Name)
		}
		f.cases = append(f.cases, c)
	}
	return f, nil
}

// acts reports whether a step may call the target: a Given or a When.
func acts(s *messages.PickleStep) bool {
	return s.Type == messages.PickleStepType_CONTEXT || s.Type == messages.PickleStepType_ACTION
}

func (c *Case) tag(name string) error {
	c.Tags = append(c.Tags, name)
	word := strings.TrimPrefix(name, "@")
	kind, value, conditional := strings.Cut(word, ":")
	switch {
	case word == string(Documents):
		c.Mode = Documents
	case word == string(Live):
	case word == todo:
		c.Todo = true
	case word == eachCapability:
		c.Each = true
	case conditional && conditionKinds[kind]:
		c.Conditions = append(c.Conditions, Condition{kind, value})
	case strings.ToUpper(word) == word && strings.Contains(word, "-"):
		if c.Requirement != "" {
			return fmt.Errorf("two requirement tags, @%s and %s", c.Requirement, name)
		}
		c.Requirement = word
	default:
		return fmt.Errorf("unknown tag %s", name)
	}
	return nil
}

func scenarioLines(doc *messages.GherkinDocument) map[string]int {
	lines := map[string]int{}
	if doc.Feature == nil {
		return lines
	}
	for _, child := range doc.Feature.Children {
		if s := child.Scenario; s != nil {
			lines[s.Id] = int(s.Location.Line)
		}
		if child.Rule == nil {
			continue
		}
		for _, inner := range child.Rule.Children {
			if s := inner.Scenario; s != nil {
				lines[s.Id] = int(s.Location.Line)
			}
		}
	}
	return lines
}

// Mode is the kind of subject that a scenario examines.
type Mode string

// The modes: a live target, or documents.
const (
	Live      Mode = "live"
	Documents Mode = "document"
)

// Case is one scenario of a feature.
type Case struct {
	Requirement string
	Name        string
	Feature     string // file name
	Line        int
	Mode        Mode
	Tags        []string // all tags, with @
	Conditions  []Condition
	Each        bool // it is about each capability, and judges those that were invoked
	Todo        bool // nobody has written its steps yet: it is inconclusive
	Universal   bool // a live scenario without a stimulus: it judges everything that the run observed
	Steps       []string
}

// Condition is a tag such as @role:echo.
type Condition struct{ Kind, Name string }

// String returns the tag without @.
func (c Condition) String() string { return c.Kind + ":" + c.Name }

// Vocabulary registers the sentences of a suite. Each has an expression, always a *regexp.Regexp
// that is compiled once, and a function that handles the step.
type Vocabulary interface {
	Step(expression, handler any)
}
