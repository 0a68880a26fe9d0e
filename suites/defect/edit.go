package defect

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/capconform/capconform/suites/rule"
)

// Answer is the answer of one call: a result or an error, as decoded JSON.
type Answer struct {
	Result any
	Error  map[string]any // code, number, message and data; nil for a result
	Lost   bool           // nothing arrived
}

// Edit returns the answer of a call as the defect changes it, and whether it does. The variable call is an object of the
// view. The error is that of an expression.
func (d *Defect) Edit(view *rule.View, call any, a Answer) (Answer, bool, error) {
	vars := map[string]any{Call: call}
	if d.when != nil {
		holds, err := d.when.Eval(view, vars)
		if err != nil || holds != true {
			return a, false, err
		}
	}
	if d.lose {
		return Answer{Lost: true}, true, nil
	}
	if d.refuse != nil {
		refused := map[string]any{}
		for name, e := range d.refuse {
			value, err := e.Eval(view, vars)
			if err != nil {
				return a, false, err
			}
			refused[name] = value
		}
		return Answer{Error: refused}, true, nil
	}
	if d.result != nil {
		value, err := d.result.Eval(view, vars)
		if err != nil {
			return a, false, err
		}
		a = Answer{Result: value}
	}
	whole := map[string]any{"result": a.Result}
	if a.Error != nil {
		whole = map[string]any{"error": a.Error}
	}
	changed := d.result != nil
	for _, s := range d.set {
		value, err := s.value.Eval(view, vars)
		if err != nil {
			return a, false, err
		}
		edited, is := s.path.apply(whole, func(any) (any, bool) { return value, true })
		whole, changed = edited.(map[string]any), changed || is
	}
	for _, p := range d.remove {
		edited, is := p.apply(whole, func(any) (any, bool) { return nil, false })
		whole, changed = edited.(map[string]any), changed || is
	}
	a.Result = whole["result"]
	a.Error, _ = whole["error"].(map[string]any)
	return a, changed, nil
}

// apply returns a copy of a value in which the places of the path have another value or, if the function says so, none. It
// reports whether there is such a place.
func (p path) apply(v any, change func(any) (value any, stays bool)) (any, bool) {
	switch of := v.(type) {
	case map[string]any:
		if strings.HasPrefix(p[0], "[") {
			return v, false
		}
		of = maps.Clone(of)
		if len(p) == 1 {
			_, was := of[p[0]]
			value, stays := change(of[p[0]])
			if of[p[0]] = value; !stays {
				delete(of, p[0])
			}
			return of, was || stays
		}
		below, is := p[1:].apply(of[p[0]], change)
		if is {
			of[p[0]] = below
		}
		return of, is
	case []any:
		return p.applyToList(slices.Clone(of), change)
	}
	return v, false
}

func (p path) applyToList(of []any, change func(any) (any, bool)) (any, bool) {
	word := strings.Trim(p[0], "[]")
	first, last := 0, len(of)
	if word != "" {
		n, err := strconv.Atoi(word)
		if n < 0 {
			n += len(of)
		}
		if err != nil || n < 0 || n >= len(of) {
			return of, false
		}
		first, last = n, n+1
	}
	if !strings.HasPrefix(p[0], "[") {
		return of, false
	}
	changed := false
	var kept []any
	for i, element := range of {
		if i < first || i >= last {
			kept = append(kept, element)
			continue
		}
		if len(p) == 1 {
			changed = true
			if value, stays := change(element); stays {
				kept = append(kept, value)
			}
			continue
		}
		value, is := p[1:].apply(element, change)
		kept, changed = append(kept, value), changed || is
	}
	return kept, changed
}
