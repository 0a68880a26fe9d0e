package rule

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"

	"go.yaml.in/yaml/v3"

	"github.com/capconform/capconform/suites/part"
)

// Load reads a rule file: a list of rules, with the keys sentence, each, by, if, must, message, want, got, at, hint,
// severity, demands, counts_if, needs, stimulus, not_observed and otherwise. Each demand of a list may have its own
// message, want, got, at, hint and severity in place of those of the rule; without got, it shows the member got of its
// object. The name is that of the file in errors. Load does not compile expressions: see Set.Check.
func Load(name string, data []byte, v *Vocabulary) (*Set, error) {
	return LoadAll([]part.Source{{Name: name, Data: data}}, v)
}

// LoadAll reads rule files. No two rules have the same sentence, also if they are in different files.
func LoadAll(files []part.Source, v *Vocabulary) (*Set, error) {
	all := &Set{}
	var errs []error
	for _, one := range files {
		file, root, err := part.Read(one.Name, one.Data)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		l := &loader{file}
		switch {
		case root == nil:
			continue
		case root.Kind != yaml.SequenceNode:
			l.Fail(root, "rules are a list")
		default:
			for _, item := range root.Content {
				r := l.rule(item)
				r.prepare(v)
				all.Rules = append(all.Rules, r)
			}
		}
		errs = append(errs, l.Err())
	}
	return all, errors.Join(append(errs, all.once())...)
}

// LoadFiles is LoadAll for the files of a folder that are wanted. The path of the folder precedes their names in
// errors.
func LoadFiles(files fs.FS, folder string, v *Vocabulary, wanted func(name string) bool) (*Set, error) {
	names, err := fs.Glob(files, "*.yaml")
	if err != nil {
		return nil, err
	}
	var all []part.Source
	for _, name := range names {
		if !wanted(name) {
			continue
		}
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		all = append(all, part.Source{Name: folder + "/" + name, Data: data})
	}
	return LoadAll(all, v)
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

// once reports sentences that two rules have.
func (s *Set) once() error {
	seen := map[string]*Rule{}
	var errs []error
	for _, r := range s.Rules {
		shape := parameter.ReplaceAllString(r.Sentence.Value, "{}")
		if first := seen[shape]; first != nil {
			errs = append(errs, fmt.Errorf("%s:%d: the rule %s has the same sentence", r.Place(), r.Sentence.Column,
				first.Place()))
		}
		seen[shape] = r
	}
	return errors.Join(errs...)
}

type loader struct{ *part.File }

var (
	ruleKeys = []string{"sentence", "each", "by", "if", "must", "message", "want", "got", "at", "hint", "severity",
		"demands", "counts_if", "needs", "stimulus", "needs_whole_stimulus", "not_observed", "otherwise", "holds_if_none"}
	demandKeys = []string{"must", "message", "want", "got", "at", "hint", "severity"}
)

func (l *loader) rule(item *yaml.Node) *Rule {
	r := &Rule{file: l.Name}
	r.Sentence.Line, r.Sentence.Column = item.Line, item.Column
	members := l.Members(item, ruleKeys)
	r.Sentence, r.By, r.If = l.Text(members["sentence"]), l.Text(members["by"]), l.Text(members["if"])
	r.CountsIf, r.Needs = l.Text(members["counts_if"]), l.Text(members["needs"])
	r.Stimulus, r.Otherwise = l.Text(members["stimulus"]), l.Text(members["otherwise"])
	r.NotObserved, r.HoldsIfNone = l.Text(members["not_observed"]), l.Flag(members["holds_if_none"])
	r.WholeStimulus = l.Flag(members["needs_whole_stimulus"])
	if r.Sentence.Value == "" {
		l.Fail(item, "a rule needs a sentence")
	}
	r.Each = l.each(item, members["each"])
	switch demands := members["demands"]; {
	case demands == nil:
		r.Demands = []demand{l.demand(item, members)}
	case members["must"] != nil:
		l.Fail(demands, "a rule has either must or demands")
	case demands.Kind != yaml.SequenceNode:
		l.Fail(demands, "demands are a list")
	default:
		for _, one := range demands.Content {
			own := l.Members(one, demandKeys)
			for _, key := range demandKeys {
				own[key] = cmp.Or(own[key], members[key])
			}
			r.Demands = append(r.Demands, l.demand(one, own))
		}
	}
	if r.By.Value != "" && (len(r.Each) < 2 || r.Each[0].source.Value != r.Each[1].source.Value) {
		l.Fail(members["by"], "by groups the objects of two variables of the same kind")
	}
	return r
}

func (l *loader) demand(at *yaml.Node, members map[string]*yaml.Node) demand {
	d := demand{l.Text(members["must"]), l.Text(members["message"]), l.Text(members["want"]), l.Text(members["got"]),
		l.Text(members["at"]), l.Text(members["hint"]), l.Text(members["severity"])}
	if d.Must.Value == "" {
		l.Fail(at, "a demand needs must")
	}
	if d.Message.Value == "" {
		l.Fail(at, "a demand needs a message")
	}
	return d
}

// each reads the variables: the name of a kind, or a list of pairs of a name and a source.
func (l *loader) each(rule, each *yaml.Node) []variable {
	switch {
	case each == nil:
		l.Fail(rule, "a rule needs each: the kind of its objects")
	case each.Kind == yaml.ScalarNode:
		return []variable{{l.Text(each), l.Text(each)}}
	case each.Kind == yaml.SequenceNode:
		var all []variable
		for _, item := range each.Content {
			if item.Kind != yaml.MappingNode || len(item.Content) != 2 {
				l.Fail(item, "each is a kind, or a list of variables: [earlier: KIND, later: KIND]")
				continue
			}
			all = append(all, variable{l.Text(item.Content[0]), l.Text(item.Content[1])})
		}
		return all
	default:
		l.Fail(each, "each is a kind, or a list of variables: [earlier: KIND, later: KIND]")
	}
	return nil
}
