// Package stimulus performs stimuli that are data: calls whose parameters are expressions in CEL.
//
//   - stimulus: unknown-zone
//     for: {n: "[1, 2]"}
//     if: size(run.zones) > 0
//     call: clock.convert
//     params: {zone: unknown(run.zones.map(z, z.value.name)), unix: n}
//     about: {zone: "'unknown'"}
//
// A stimulus with steps makes calls one after the other; later ones may use the answers of earlier ones by their names
// (as). With times or concurrently, it makes its calls that often, in turn or at once; index counts from 0.
//
// In place of call and params, send is a whole message: a text is sent as it is, and another value as JSON. With quiet,
// no answer to it is expected. A call that is apart is the first request on a further connection.
package stimulus

import (
	"regexp"
	"slices"
	"strconv"

	"go.yaml.in/yaml/v3"

	"github.com/capconform/capconform/suites/part"
	"github.com/capconform/capconform/suites/rule"
)

// Stimulus is one entry of stimuli.yaml.
type Stimulus struct {
	Name string
	// Otherwise is the reason why nothing was sent, if there was nothing to send.
	Otherwise string
	// NotObserved is the event that nobody causes if there was nothing to send: what needs it does not apply then.
	NotObserved string

	loops        []loop
	condition    *rule.Expression
	steps        []step
	times        int
	concurrently int
}

// loop is a variable that takes each element of a list.
type loop struct {
	name string
	list *rule.Expression
}

// step is one call.
type step struct {
	operation string
	params    tree
	about     map[string]*rule.Expression
	as        string
	sends     bool // params is a whole message
	quiet     bool
	apart     bool
}

// tree is the params of a call: an expression, or an object or a list of trees.
type tree struct {
	value   *rule.Expression
	members []member
	items   []tree
	isList  bool
}

type member struct {
	name string
	tree tree
}

// The bounds of one stimulus.
const (
	maxTimes        = 1000
	maxConcurrently = 64
)

var (
	keys = []string{"stimulus", "for", "if", "call", "params", "send", "quiet", "apart", "about", "steps", "concurrently", "times",
		"otherwise", "not_observed"}
	stepKeys = []string{"call", "params", "send", "quiet", "apart", "about", "as"}

	nameForm     = regexp.MustCompile(`^[a-z][a-z0-9-]{0,63}$`)
	variableForm = regexp.MustCompile(`^[a-z][a-z0-9_]{0,63}$`)
)

// index is the variable that counts the repetitions.
const index = "index"

// Operations are what stimuli may use.
type Operations struct {
	Called  []string // the names of those that may be called
	Message string   // the name of the one that carries whole messages, "" if none does
}

// Load reads stimuli.
func Load(name string, data []byte, scope *rule.Scope, operations Operations) ([]*Stimulus, error) {
	file, root, err := part.Read(name, data)
	if err != nil || root == nil {
		return nil, err
	}
	l := &loader{file, operations}
	var all []*Stimulus
	l.Entries(root, "stimulus", func(item *yaml.Node) string {
		all = append(all, l.stimulus(item, scope.With(index)))
		return all[len(all)-1].Name
	})
	return all, l.Err()
}

type loader struct {
	*part.File
	operations Operations
}

func (l *loader) stimulus(item *yaml.Node, scope *rule.Scope) *Stimulus {
	m := l.Members(item, keys)
	s := &Stimulus{Name: l.Text(m["stimulus"]).Value, Otherwise: l.Text(m["otherwise"]).Value,
		NotObserved: l.Text(m["not_observed"]).Value}
	if !nameForm.MatchString(s.Name) {
		l.Fail(item, "a stimulus needs a name of lower-case letters, digits and hyphens")
	}
	if loops := m["for"]; loops != nil && loops.Kind != yaml.MappingNode {
		l.Fail(loops, "for is a variable with its list: {NAME: LIST}")
	} else if loops != nil {
		for i := 0; i < len(loops.Content); i += 2 {
			variable := l.variable(loops.Content[i])
			s.loops = append(s.loops, loop{variable, scope.Compile(l.File, l.Text(loops.Content[i+1]))})
			scope = scope.With(variable)
		}
	}
	s.condition = scope.Compile(l.File, l.Text(m["if"]))
	s.times, s.concurrently = l.number(m["times"], maxTimes), l.number(m["concurrently"], maxConcurrently)
	switch steps := m["steps"]; {
	case steps != nil && (m["call"] != nil || m["send"] != nil):
		l.Fail(steps, "a stimulus has either call, send or steps")
	case steps == nil:
		s.steps = []step{l.step(item, m, scope)}
	case steps.Kind != yaml.SequenceNode:
		l.Fail(steps, "steps are a list")
	default:
		for _, one := range steps.Content {
			made := l.step(one, l.Members(one, stepKeys), scope)
			if s.steps = append(s.steps, made); made.as != "" {
				scope = scope.With(made.as)
			}
		}
	}
	return s
}

func (l *loader) variable(n *yaml.Node) string {
	if !variableForm.MatchString(n.Value) {
		l.Fail(n, "the name of a variable has lower-case letters, digits and _")
	}
	return n.Value
}

// number reads a count, 1 if there is none.
func (l *loader) number(n *yaml.Node, most int) int {
	if n == nil {
		return 1
	}
	count, err := strconv.Atoi(n.Value)
	if err != nil || count < 1 || count > most {
		l.Fail(n, "expected a number from 1 to %d", most)
	}
	return count
}

func (l *loader) step(item *yaml.Node, m map[string]*yaml.Node, scope *rule.Scope) step {
	s := step{operation: l.Text(m["call"]).Value, about: map[string]*rule.Expression{}, quiet: l.Flag(m["quiet"]),
		apart: l.Flag(m["apart"])}
	switch {
	case m["send"] != nil:
		l.message(m, &s, scope)
	case m["call"] == nil:
		l.Fail(item, "a step needs a call, the name of an operation, or send, a message")
	case m["quiet"] != nil:
		l.Fail(m["quiet"], "quiet is for send: no answer is expected")
	case !slices.Contains(l.operations.Called, s.operation):
		l.Fail(m["call"], "there is no operation %s%s", s.operation, part.Meant(s.operation, l.operations.Called))
	}
	if m["params"] != nil {
		s.params = l.tree(m["params"], scope)
	}
	if about := m["about"]; about != nil && about.Kind != yaml.MappingNode {
		l.Fail(about, "about is a word for each name: {NAME: EXPRESSION}")
	} else if about != nil {
		for i := 0; i < len(about.Content); i += 2 {
			s.about[about.Content[i].Value] = scope.Compile(l.File, l.Text(about.Content[i+1]))
		}
	}
	if m["as"] != nil {
		s.as = l.variable(m["as"])
	}
	return s
}

// message reads a whole message.
func (l *loader) message(m map[string]*yaml.Node, s *step, scope *rule.Scope) {
	switch {
	case m["call"] != nil || m["params"] != nil:
		l.Fail(m["send"], "a step has either call with params, or send")
	case m["apart"] != nil:
		l.Fail(m["apart"], "apart is for call")
	case l.operations.Message == "":
		l.Fail(m["send"], "no operation carries messages: protocol.yaml needs one with message: true")
	}
	s.operation, s.sends, s.params = l.operations.Message, true, l.tree(m["send"], scope)
}

func (l *loader) tree(n *yaml.Node, scope *rule.Scope) tree {
	switch n.Kind {
	case yaml.MappingNode:
		t := tree{members: []member{}}
		for i := 0; i < len(n.Content); i += 2 {
			t.members = append(t.members, member{n.Content[i].Value, l.tree(n.Content[i+1], scope)})
		}
		return t
	case yaml.SequenceNode:
		t := tree{isList: true}
		for _, one := range n.Content {
			t.items = append(t.items, l.tree(one, scope))
		}
		return t
	case yaml.ScalarNode:
		return tree{value: scope.Compile(l.File, l.Text(n))}
	}
	l.Fail(n, "params are expressions, or an object of them; there are no aliases")
	return tree{}
}
