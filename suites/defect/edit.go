package defect

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"strconv"

	"github.com/capconform/capconform/suites/rule"
	"github.com/capconform/capconform/suites/verdict"
)

// Answer is the answer of one call: a result or an error, as decoded JSON.
type Answer struct {
	Result any
	Error  map[string]any // code, number, message and data; nil for a result
	Lost   bool           // nothing arrived
}

// Edit returns the answer of a call as the defect changes it, and whether it does. The variable call is an object of
// the view. The error is that of an expression.
func (d *Defect) Edit(view *rule.View, call any, a Answer) (Answer, bool, error) {
	return d.edited(&values{view: view, vars: map[string]any{Call: call}, unbound: d.let, strict: true}, "", a)
}

func (d *Defect) edited(v *values, operation string, a Answer) (Answer, bool, error) {
	changed := false
	for _, e := range d.edits {
		var is bool
		if !e.sendsAlone() && e.concerns(v, operation) {
			a, is = e.answer(v, a)
		}
		if changed = changed || is; v.err != nil {
			return a, false, v.err
		}
	}
	return a, changed, nil
}

// concerns reports whether an edit is one of calls like this one.
func (e *edit) concerns(v *values, operation string) bool {
	p := cmp.Or(e.place, &place{})
	if p.of != nil && !p.of[operation] || !v.holds(p.when) {
		return false
	}
	v.bind()
	return v.holds(e.when)
}

// answer applies an edit to an answer.
func (e *edit) answer(v *values, a Answer) (Answer, bool) {
	switch {
	case e.lose:
		return Answer{Lost: true}, true
	case e.refuse != nil:
		return Answer{Error: v.all(e.refuse)}, true
	}
	whole := map[string]any{"result": a.Result}
	if a.Error != nil {
		whole = map[string]any{"error": a.Error}
	}
	var edited any
	var changed bool
	if e.place == nil || e.place.at == nil {
		edited, changed = e.members(v, whole, e.whole)
	} else {
		edited, changed = e.objects(v, whole)
	}
	if members, is := edited.(map[string]any); is {
		whole = members
	}
	a.Result = whole["result"]
	a.Error, _ = whole["error"].(map[string]any)
	return a, changed
}

// objects applies an edit to the objects of its place.
func (e *edit) objects(v *values, whole any) (any, bool) {
	changed, longer := false, 0
	for _, at := range e.place.at {
		var is bool
		whole, is = v.apply(at, whole, func(it any) (any, fate) {
			value, what := e.object(v, it)
			switch what {
			case removed:
				longer--
			case added:
				longer++
			}
			return value, what
		})
		changed = changed || is
	}
	if e.place.count != nil && longer != 0 {
		whole, _ = v.apply(e.place.count, whole, func(was any) (any, fate) {
			n, err := strconv.Atoi(fmt.Sprint(was))
			if err != nil {
				return was, untouched
			}
			return n + longer, replaced
		})
	}
	return whole, changed
}

// whole applies return, which replaces the answer by a result.
func (e *edit) whole(v *values, it any) (any, bool) {
	if value, is := e.returned(v); is {
		return map[string]any{"result": value}, true
	}
	return it, false
}

// returned returns the value of return, if it has one.
func (e *edit) returned(v *values) (any, bool) {
	if e.result == nil {
		return nil, false
	}
	return v.eval(e.result)
}

// object applies an edit to the object of its place.
func (e *edit) object(v *values, it any) (any, fate) {
	v.vars[It] = it
	if it == nil || !v.holds(e.on) {
		return it, untouched
	}
	if e.drop {
		return nil, removed
	}
	value, changed := e.members(v, it, func(v *values, it any) (any, bool) {
		if value, is := e.returned(v); is {
			return value, true
		}
		return it, false
	})
	switch {
	case e.add:
		return value, added
	case !changed:
		return it, untouched
	}
	return value, replaced
}

// members applies return, set and remove, in this order. A value of set sees the object after the edits before it.
func (e *edit) members(v *values, it any, first func(*values, any) (any, bool)) (any, bool) {
	it, changed := first(v, it)
	for _, s := range e.set {
		v.vars[It] = it
		edited, is := v.assign(s, it)
		it, changed = edited, changed || is
	}
	it, is := v.without(e.remove, it)
	return it, changed || is
}

// values evaluates the expressions of a defect for one call.
type values struct {
	view    *rule.View
	vars    map[string]any
	unbound []binding // names without a value until an edit concerns the call
	strict  bool      // an expression without a value is an error
	err     error     // the first one
}

// of returns the value of an expression, nil if it has none.
func (v *values) of(e *rule.Expression) any {
	value, _ := v.eval(e)
	return value
}

func (v *values) eval(e *rule.Expression) (any, bool) {
	value, err := e.Eval(v.view, v.vars)
	v.note(err)
	return value, err == nil
}

// note keeps the first error, unless it is that an expression has no value and this is none.
func (v *values) note(err error) {
	var undecided *verdict.Inconclusive
	if err != nil && v.err == nil && (v.strict || !errors.As(err, &undecided)) {
		v.err = err
	}
}

// holds reports whether a condition holds. One without a value does not, such as one on a member that is missing.
func (v *values) holds(e *rule.Expression) bool { return e == nil || v.of(e) == true }

func (v *values) all(expressions map[string]*rule.Expression) map[string]any {
	all := map[string]any{}
	for name, e := range expressions {
		all[name] = v.of(e)
	}
	return all
}

// assign sets the places of a path. The variable was is the value at the place; an expression without a value changes
// nothing.
func (v *values) assign(s assignment, in any) (any, bool) {
	return v.apply(s.path, in, func(was any) (any, fate) {
		v.vars[Was] = was
		if value, is := v.eval(s.value); is {
			return value, replaced
		}
		return was, untouched
	})
}

// without removes the places of paths.
func (v *values) without(paths []path, in any) (any, bool) {
	changed := false
	for _, p := range paths {
		edited, is := v.apply(p, in, func(any) (any, fate) { return nil, removed })
		in, changed = edited, changed || is
	}
	return in, changed
}

// fate says what happens to a value.
type fate int

const (
	untouched fate = iota
	replaced
	removed
	added // before it
)

// apply returns a copy of a value in which the places of the path were changed, and whether one was.
func (v *values) apply(p path, in any, change func(any) (any, fate)) (any, bool) {
	switch of := in.(type) {
	case map[string]any:
		if p[0].name != "" {
			return v.applyToMember(p, of, change)
		}
	case []any:
		if p[0].name == "" {
			return v.applyToElements(p, of, change)
		}
	}
	return in, false
}

func (v *values) applyToMember(p path, of map[string]any, change func(any) (any, fate)) (any, bool) {
	name := p[0].name
	was, there := of[name]
	value, what := v.below(p, was, change)
	if what == untouched || what == removed && !there {
		return of, false
	}
	of = maps.Clone(of)
	if of[name] = value; what == removed {
		delete(of, name)
	}
	return of, true
}

// below applies the rest of a path.
func (v *values) below(p path, of any, change func(any) (any, fate)) (any, fate) {
	if len(p) == 1 {
		return change(of)
	}
	value, is := v.apply(p[1:], of, change)
	if !is {
		return of, untouched
	}
	return value, replaced
}

func (v *values) applyToElements(p path, of []any, change func(any) (any, fate)) (any, bool) {
	changed := false
	kept := []any{}
	outer := v.vars[It]
	for i, element := range of {
		if v.vars[It] = element; !v.selects(p[0], i, len(of)) {
			kept = append(kept, element)
			continue
		}
		v.vars[It] = outer
		value, what := v.below(p, element, change)
		if changed = changed || what != untouched; what != removed {
			kept = append(kept, value)
		}
		if what == added {
			kept = append(kept, element)
		}
	}
	v.vars[It] = outer
	return kept, changed
}

func (v *values) selects(s step, i, length int) bool {
	if s.index == nil {
		return v.holds(s.where)
	}
	return *s.index == i || *s.index == i-length
}
