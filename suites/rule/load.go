package rule

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Load reads a rule file: a list of rules, with the keys sentence, each, by, if, must, message, want, got, demands,
// counts_if, needs, stimulus, not_observed and otherwise. The name is that of the file in errors. Load does not compile
// expressions: see Set.Check.
func Load(name string, data []byte, v *Vocabulary) (*Set, error) {
	var doc yaml.Node
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	if err := decoder.Decode(&doc); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(doc.Content) == 0 {
		return &Set{}, nil
	}
	l := &loader{file: name, lines: strings.Split(string(data), "\n")}
	set := &Set{}
	if doc.Content[0].Kind != yaml.SequenceNode {
		return nil, fmt.Errorf("%s:%d:%d: rules are a list", name, doc.Content[0].Line, doc.Content[0].Column)
	}
	for _, item := range doc.Content[0].Content {
		r := l.rule(item)
		r.prepare(v)
		set.Rules = append(set.Rules, r)
	}
	l.once(set)
	return set, errors.Join(l.errs...)
}

// Check compiles every rule and returns what is wrong with them.
func (s *Set) Check() error {
	var errs []error
	for _, r := range s.Rules {
		if _, err := r.compiled(); err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

type loader struct {
	file  string
	lines []string
	errs  []error
}

func (l *loader) fail(at *yaml.Node, format string, args ...any) {
	l.errs = append(l.errs, fmt.Errorf("%s:%d:%d: %s", l.file, at.Line, at.Column, fmt.Sprintf(format, args...)))
}

// once reports sentences that two rules have.
func (l *loader) once(set *Set) {
	seen := map[string]*Rule{}
	for _, r := range set.Rules {
		shape := parameter.ReplaceAllString(r.Sentence.value, "{}")
		if first := seen[shape]; first != nil {
			l.errs = append(l.errs, fmt.Errorf("%s:%d:%d: the rule in line %d has the same sentence", l.file, r.Sentence.line,
				r.Sentence.column, first.Sentence.line))
		}
		seen[shape] = r
	}
}

var (
	ruleKeys = []string{"sentence", "each", "by", "if", "must", "message", "want", "got", "demands", "counts_if", "needs",
		"stimulus", "needs_whole_stimulus", "not_observed", "otherwise", "holds_if_none"}
	demandKeys = []string{"must", "message", "want", "got"}
)

func (l *loader) rule(item *yaml.Node) *Rule {
	r := &Rule{file: l.file}
	r.Sentence.line, r.Sentence.column = item.Line, item.Column
	members := l.members(item, ruleKeys)
	r.Sentence, r.By, r.If = l.text(members["sentence"]), l.text(members["by"]), l.text(members["if"])
	r.CountsIf, r.Needs = l.text(members["counts_if"]), l.text(members["needs"])
	r.Stimulus, r.Otherwise = l.text(members["stimulus"]), l.text(members["otherwise"])
	r.NotObserved, r.HoldsIfNone = l.text(members["not_observed"]), l.flag(members["holds_if_none"])
	r.WholeStimulus = l.flag(members["needs_whole_stimulus"])
	if r.Sentence.value == "" {
		l.fail(item, "a rule needs a sentence")
	}
	r.Each = l.each(item, members["each"])
	switch demands := members["demands"]; {
	case demands == nil:
		r.Demands = []demand{l.demand(item, members)}
	case members["must"] != nil:
		l.fail(demands, "a rule has either must or demands")
	case demands.Kind != yaml.SequenceNode:
		l.fail(demands, "demands are a list")
	default:
		for _, one := range demands.Content {
			r.Demands = append(r.Demands, l.demand(one, l.members(one, demandKeys)))
		}
	}
	if r.By.value != "" && (len(r.Each) < 2 || r.Each[0].source.value != r.Each[1].source.value) {
		l.fail(members["by"], "by groups the objects of two variables of the same kind")
	}
	return r
}

func (l *loader) demand(at *yaml.Node, members map[string]*yaml.Node) demand {
	d := demand{l.text(members["must"]), l.text(members["message"]), l.text(members["want"]), l.text(members["got"])}
	if d.Must.value == "" {
		l.fail(at, "a demand needs must")
	}
	if d.Message.value == "" {
		l.fail(at, "a demand needs a message")
	}
	return d
}

// each reads the variables: the name of a kind, or a list of pairs of a name and a source.
func (l *loader) each(rule, each *yaml.Node) []variable {
	switch {
	case each == nil:
		l.fail(rule, "a rule needs each: the kind of its objects")
	case each.Kind == yaml.ScalarNode:
		return []variable{{l.text(each), l.text(each)}}
	case each.Kind == yaml.SequenceNode:
		var all []variable
		for _, item := range each.Content {
			if item.Kind != yaml.MappingNode || len(item.Content) != 2 {
				l.fail(item, "each is a kind, or a list of variables: [earlier: KIND, later: KIND]")
				continue
			}
			all = append(all, variable{l.text(item.Content[0]), l.text(item.Content[1])})
		}
		return all
	default:
		l.fail(each, "each is a kind, or a list of variables: [earlier: KIND, later: KIND]")
	}
	return nil
}

func (l *loader) members(item *yaml.Node, keys []string) map[string]*yaml.Node {
	members := map[string]*yaml.Node{}
	if item.Kind != yaml.MappingNode {
		l.fail(item, "expected the keys %s", strings.Join(keys, ", "))
		return members
	}
	for i := 0; i < len(item.Content); i += 2 {
		key := item.Content[i]
		switch {
		case !slices.Contains(keys, key.Value):
			meant := ""
			if near := nearestTo(key.Value, slices.Clone(keys)); near != nil {
				meant = "; there is " + near[0]
			}
			l.fail(key, "there is no key %s%s", key.Value, meant)
		case members[key.Value] != nil:
			l.fail(key, "the key %s is there twice", key.Value)
		default:
			members[key.Value] = item.Content[i+1]
		}
	}
	return members
}

func (l *loader) flag(n *yaml.Node) bool {
	if n != nil && n.Value != "true" {
		l.fail(n, "expected true, or no such key")
	}
	return n != nil
}

func (l *loader) text(n *yaml.Node) text {
	switch {
	case n == nil:
		return text{}
	case n.Kind != yaml.ScalarNode:
		l.fail(n, "expected a text")
		return text{}
	}
	t := text{value: strings.TrimSpace(n.Value), line: n.Line, column: n.Column}
	switch {
	case n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		t.line, t.column, t.block = n.Line+1, 1, true
		if n.Line < len(l.lines) {
			t.indent = len(l.lines[n.Line]) - len(strings.TrimLeft(l.lines[n.Line], " "))
		}
	case n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0:
		t.column++
	}
	return t
}
