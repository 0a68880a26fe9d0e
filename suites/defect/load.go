// Package defect edits calls and answers by rows of data, so that known-bad hosts need no Go:
//
//   - defect: second-page-repeats
//     breaks: CLOCK-3-03
//     when: call.operation == "clock.zones" && call.n == 2
//     set: {result.zones: call.result.zones + [call.result.zones[0]]}
//
// A row edits every call for which when is true, by one or more of
//
//	send     values of what is sent, by path
//	omit     paths of what is sent
//	set      values of the answer, by path
//	remove   paths of the answer
//	refuse   an error in place of the answer
//	return   a result in place of the answer
//	lose     no answer
//
// Paths of the answer begin with result or error; [0] is an element of a list, [] is each element, and [it.id == "x"]
// is each element for which the condition is true. In a value, the variable was is the value that it replaces.
//
// A file may instead be a mapping. Its words are texts that rows use as variables. Its places name the objects of
// answers that rows edit:
//
//	words: {victim: colour.compute_mix}
//	places:
//	  event: {of: chp.replay, at: 'result.events[it.capability_id == victim]', count: result.event_count}
//	defects:
//	  - {defect: typeless, breaks: CHP-6-04, in: event, if: it.sequence > 7, remove: [event_type]}
//
// The paths of a row with in begin at the object, which is the variable it. There, drop removes the object from its
// list, whose length is in count, and add puts the edited object before it, as a further one. A place can be in the
// answers of several operations (of) and at several paths (at).
//
// An entry with defects is a group: what else it says holds for each of its rows that does not say otherwise. A row
// with edits has several edits, before its own, or around the word itself. An edit has in, when and if of its row,
// unless it says otherwise. A word is the name of an edit of the file, which has nothing of the row. The variable
// earlier is the list of the calls before this one, with their answers. Only a file that is a mapping has send, omit,
// drop, add, places, groups, edits and let.
//
// What let names is computed at most once for each call, however many objects the edits of the row meet. It sees the
// names before it, and those of the group come before those of the row:
//
//	let: {paid: 'answered(earlier, "clock.pay").map(c, c.result.id)'}
//	set: {status: 'it.id in paid ? "open" : was'}
package defect

import (
	"cmp"
	"maps"
	"regexp"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/capconform/capconform/suites/part"
	"github.com/capconform/capconform/suites/rule"
)

// Defect is one row.
type Defect struct {
	Name    string
	Breaks  string // the requirement
	Summary string
	Marks   Marks

	let   []binding
	edits []edit
}

// Marks say how a known-bad host is examined. Texts that are data do not use them.
type Marks struct {
	Role      string   // without which the defect does not show
	Fixtures  bool     // it shows only on a host with fixtures
	Strict    bool     // it shows only with --strict
	ShortWait bool     // the harness waits for something that never happens
	Driver    string   // the only driver over which it shows
	NotOver   string   // a driver over which it is another defect
	Actors    []string // that the target file names; none: those that the host shows
	Also      []Also
}

// Also is a requirement that a defect necessarily breaks as well.
type Also struct{ ID, Reason string }

// edit is one edit of a row.
type edit struct {
	place  *place // nil: the answer
	when   *rule.Expression
	on     *rule.Expression // a condition on the object of the place
	send   []assignment
	omit   []path // of what is sent
	set    []assignment
	remove []path
	refuse map[string]*rule.Expression
	result *rule.Expression
	lose   bool
	drop   bool
	add    bool // the edited object is a further one

	earlier bool // an expression may use the calls before the one that is edited
}

// place is where the objects are that rows edit.
type place struct {
	of    map[string]bool // operations; nil: all
	when  *rule.Expression
	at    []path // nil: the answer
	count path   // of the number of elements, nil if nothing counts them

	earlier bool
}

type assignment struct {
	path  path
	value *rule.Expression
}

// The variables of expressions: the call that may be edited, the calls before it, the object that is edited, and the
// value that is replaced.
const (
	Call    = "call"
	Earlier = "earlier"
	It      = "it"
	Was     = "was"
)

var (
	keys       = []string{"defect", "breaks", "summary", "when", "set", "remove", "refuse", "return", "lose"}
	editKeys   = []string{"in", "when", "if", "send", "omit", "set", "remove", "refuse", "return", "lose", "drop", "add"}
	markKeys   = []string{"role", "fixtures", "strict", "shortWait", "driver", "notOver", "actors", "also"}
	hostKeys   = slices.Concat(keys[:3], editKeys, markKeys, []string{"let", "edits", "defects", "members", "noun", "prefix"})
	fileKeys   = []string{"words", "places", "edits", "shapes", "defects"}
	placeKeys  = []string{"of", "when", "at", "count"}
	refuseKeys = []string{"code", "number", "message", "data"}

	nameForm = regexp.MustCompile(`^[a-z][a-zA-Z0-9-]{0,63}$`)
)

// Load reads rows. The requirements are the ids that a row may break, nil for any. Words replace those of the file.
func Load(
	name string, data []byte, scope *rule.Scope, requirements []string, words map[string]string,
) ([]*Defect, error) {
	file, root, err := part.Read(name, data)
	if err != nil || root == nil {
		return nil, err
	}
	for _, variable := range []string{Call, Earlier, It, Was} {
		scope = scope.With(variable)
	}
	l := &loader{
		File: file, scope: scope, requirements: requirements, keys: keys,
		names: map[string]bool{}, named: map[string]edit{}, places: map[string]*place{},
	}
	if root.Kind == yaml.MappingNode {
		l.keys = hostKeys
		if root = l.header(l.Members(root, fileKeys), words); root == nil {
			return nil, l.Err()
		}
	}
	var all []*Defect
	if root.Kind != yaml.SequenceNode {
		l.Fail(root, "expected a list: one entry for each defect")
	}
	for _, item := range root.Content {
		all = append(all, l.entry(item, nil)...)
	}
	return all, l.Err()
}

type loader struct {
	*part.File
	scope        *rule.Scope
	requirements []string
	keys         []string
	places       map[string]*place
	named        map[string]edit // the edits of the file
	names        map[string]bool
	shapes       map[string]*yaml.Node
}

// header reads what stands before the rows and returns the rows.
func (l *loader) header(m map[string]*yaml.Node, words map[string]string) *yaml.Node {
	l.pairs(m["words"], "words", func(key, value *yaml.Node) {
		word := l.Text(value).Value
		if other, is := words[key.Value]; is {
			word = other
		}
		l.scope = l.scope.WithText(key.Value, word)
	})
	l.pairs(m["places"], "places", func(key, value *yaml.Node) {
		members := l.Members(value, placeKeys)
		p := &place{when: l.scope.Compile(l.File, l.Text(members["when"])), earlier: names(value, Earlier)}
		for _, operation := range l.listOrOne(members["of"]) {
			if p.of == nil {
				p.of = map[string]bool{}
			}
			p.of[operation.Value] = true
		}
		for _, at := range l.listOrOne(members["at"]) {
			p.at = append(p.at, l.path(at))
		}
		if members["count"] != nil {
			p.count = l.path(members["count"])
		}
		l.places[key.Value] = p
	})
	l.pairs(m["edits"], "edits", func(key, value *yaml.Node) { l.named[key.Value] = l.edit(value, l.Members(value, editKeys)) })
	l.shapes = map[string]*yaml.Node{}
	l.pairs(m["shapes"], "shapes", func(key, value *yaml.Node) { l.shapes[key.Value] = value })
	return m["defects"]
}

// entry reads a row, or the rows of a group.
func (l *loader) entry(item *yaml.Node, group map[string]*yaml.Node) []*Defect {
	m := l.Members(item, l.keys)
	own := m["let"]
	for key, value := range group {
		if m[key] == nil {
			m[key] = value
		}
	}
	m["let"] = joined(group["let"], own)
	rows, members := m["defects"], m["members"]
	for _, key := range []string{"defects", "members"} {
		delete(m, key)
	}
	if rows == nil && members == nil {
		return []*Defect{l.defect(item, m)}
	}
	var all []*Defect
	l.pairs(members, "members", func(member, value *yaml.Node) { all = append(all, l.member(member, value, m)...) })
	for _, row := range l.list(rows, "defects") {
		all = append(all, l.entry(row, m)...)
	}
	return all
}

func (l *loader) defect(item *yaml.Node, m map[string]*yaml.Node) *Defect {
	d := &Defect{Name: l.Text(m["defect"]).Value, Breaks: l.Text(m["breaks"]).Value, Summary: l.Text(m["summary"]).Value}
	if !nameForm.MatchString(d.Name) {
		l.Fail(item, "a defect needs a name of lower-case letters, digits and hyphens")
	}
	if l.names[d.Name] {
		l.Fail(item, "the defect %s is there twice", d.Name)
	}
	l.names[d.Name] = true
	switch {
	case m["breaks"] == nil:
		l.Fail(item, "a defect needs breaks: the id of the requirement that it breaks")
	default:
		l.requirement(m["breaks"])
	}
	d.Marks = l.marks(m)
	outer := l.scope
	d.let, d.edits = l.let(m["let"]), l.edits(item, m)
	l.scope = outer
	return d
}

// itself is the word for the edit of a row among its edits.
const itself = "itself"

// edits reads the edits of a row in their order.
func (l *loader) edits(item *yaml.Node, m map[string]*yaml.Node) []edit {
	var all []edit
	last := m["edits"] == nil || edits(m)
	for _, one := range l.list(m["edits"], "edits") {
		named, known := l.named[one.Value]
		switch {
		case one.Value == itself:
			all, last = append(all, l.edit(item, m)), false
		case known:
			all = append(all, named)
		case one.Kind == yaml.ScalarNode:
			l.Fail(one, "there is no edit %s%s", one.Value, part.Meant(one.Value, slices.Sorted(maps.Keys(l.named))))
		default:
			each := l.Members(one, editKeys)
			for _, key := range []string{"in", "when", "if", "let"} {
				each[key] = cmp.Or(each[key], m[key])
			}
			all = append(all, l.edit(one, each))
		}
	}
	if last {
		all = append(all, l.edit(item, m))
	}
	return all
}

func (l *loader) requirement(n *yaml.Node) {
	if l.requirements != nil && !slices.Contains(l.requirements, n.Value) {
		l.Fail(n, "there is no requirement %s%s", n.Value, part.Meant(n.Value, l.requirements))
	}
}

func (l *loader) marks(m map[string]*yaml.Node) Marks {
	marks := Marks{
		Role:      l.Text(m["role"]).Value,
		Fixtures:  l.Flag(m["fixtures"]),
		Strict:    l.Flag(m["strict"]),
		ShortWait: l.Flag(m["shortWait"]),
		Driver:    l.Text(m["driver"]).Value,
		NotOver:   l.Text(m["notOver"]).Value,
	}
	for _, actor := range l.list(m["actors"], "actors") {
		marks.Actors = append(marks.Actors, l.Text(actor).Value)
	}
	l.pairs(m["also"], "also", func(key, value *yaml.Node) {
		l.requirement(key)
		marks.Also = append(marks.Also, Also{key.Value, l.Text(value).Value})
	})
	return marks
}

func (l *loader) edit(item *yaml.Node, m map[string]*yaml.Node) edit {
	e := edit{
		when:   l.scope.Compile(l.File, l.Text(m["when"])),
		on:     l.scope.Compile(l.File, l.Text(m["if"])),
		result: l.scope.Compile(l.File, l.Text(m["return"])),
		lose:   l.Flag(m["lose"]),
		drop:   l.Flag(m["drop"]),
		add:    l.Flag(m["add"]),
	}
	e.send, e.set = l.assignments(m["send"], "send"), l.assignments(m["set"], "set")
	e.omit, e.remove = l.paths(m["omit"], "omit"), l.paths(m["remove"], "remove")
	if m["refuse"] != nil {
		e.refuse = map[string]*rule.Expression{}
		for name, value := range l.Members(m["refuse"], refuseKeys) {
			e.refuse[name] = l.scope.Compile(l.File, l.Text(value))
		}
	}
	if in := m["in"]; in != nil {
		if e.place = l.places[in.Value]; e.place == nil {
			l.Fail(in, "there is no place %s%s", in.Value, part.Meant(in.Value, slices.Sorted(maps.Keys(l.places))))
		}
		e.earlier = e.place != nil && e.place.earlier
	}
	for _, value := range m {
		e.earlier = e.earlier || names(value, Earlier)
	}
	if !edits(m) {
		l.Fail(item, "a defect needs an edit: send, omit, set, remove, refuse, return, drop, add or lose")
	}
	if e.place == nil || e.place.at == nil {
		l.ofAnswer(m)
	}
	return e
}

// edits reports whether a row has an edit besides those of the key edits.
func edits(m map[string]*yaml.Node) bool {
	return slices.ContainsFunc(editKeys[3:], func(key string) bool { return m[key] != nil })
}

var rootForm = regexp.MustCompile(`^(result|error)\b`)

// ofAnswer checks an edit that has no object.
func (l *loader) ofAnswer(m map[string]*yaml.Node) {
	paths := l.list(m["remove"], "remove")
	l.pairs(m["set"], "set", func(key, _ *yaml.Node) { paths = append(slices.Clone(paths), key) })
	for _, p := range paths {
		if !rootForm.MatchString(p.Value) {
			l.Fail(p, "a path begins with result or error")
		}
	}
	if other := cmp.Or(m["drop"], m["add"], m["if"]); other != nil {
		l.Fail(other, "drop, add and if need in: the place of an object")
	}
}
