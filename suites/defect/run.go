package defect

import (
	"encoding/base64"
	"encoding/hex"
	"maps"
	"regexp"
	"slices"
	"sync"

	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/reading"
	"github.com/capconform/capconform/suites/rule"
)

// Functions returns the functions of the rows of hosts whose history no view shows.
func Functions() []rule.Function {
	return []rule.Function{
		rule.FunctionOfTwo("merge", func(a, b map[string]any) any {
			all := maps.Clone(a)
			maps.Copy(all, b)
			return all
		}),
		rule.FunctionOf("toJSON", func(v any) any { return string(jsonvalue.Encode(v)) }),
		rule.FunctionOf("toHex", func(text string) any { return hex.EncodeToString([]byte(text)) }),
		rule.FunctionOf("toBase64", func(text string) any { return base64.StdEncoding.EncodeToString([]byte(text)) }),
		rule.FunctionOfTwo("answered", answered),
		rule.FunctionOfTwo("unique", unique),
		rule.FunctionOfThree("replaced", substituted),
	}
}

// answered returns the calls of an operation that have a result.
func answered(calls []any, operation string) any {
	return slices.DeleteFunc(slices.Clone(calls), func(call any) bool {
		members, _ := call.(object)
		_, is := members["result"]
		return !is || members["operation"] != operation
	})
}

// unique returns the objects of a list without those whose member an earlier one has, too.
func unique(list []any, member string) any {
	seen := map[any]bool{}
	return slices.DeleteFunc(slices.Clone(list), func(one any) bool {
		members, _ := one.(object)
		key := jsonvalue.Print(members[member])
		defer func() { seen[key] = true }()
		return seen[key]
	})
}

// substituted returns a text in which each match of a regular expression is replaced.
func substituted(text, pattern, by string) any {
	compiled, err := regexp.Compile(pattern)
	if err != nil {
		return err
	}
	return compiled.ReplaceAllString(text, by)
}

var vocabulary = rule.NewVocabulary(nil)

// Scope is the scope of such rows.
func Scope() *rule.Scope { return vocabulary.Scope(Functions()...) }

// Run is the application of a defect to one host. It is safe for concurrent use.
type Run struct {
	defect *Defect

	mu      sync.Mutex
	view    *rule.View
	earlier []any
}

// Run returns the application of the defect to a new host.
func (d *Defect) Run() *Run {
	return &Run{defect: d, view: rule.NewView(vocabulary, nil, &reading.Reading{}, func(rule.Need) error { return nil })}
}

// Send returns what the host gets in place of the params of a call, and whether it differs.
func (r *Run) Send(operation string, sent any) (any, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	changed := false
	v := r.values(object{"operation": operation, "sent": sent})
	for _, e := range r.defect.edits {
		if !e.sends() || !e.concerns(v, operation) {
			continue
		}
		for _, s := range e.send {
			edited, is := v.assign(s, sent)
			sent, changed = edited, changed || is
		}
		edited, is := v.without(e.omit, sent)
		sent, changed = edited, changed || is
	}
	return sent, changed
}

// Answer returns the answer in place of that of the host, and whether it differs.
func (r *Run) Answer(operation string, sent any, a Answer) (Answer, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	a, changed, err := r.defect.edited(r.values(called(operation, sent, a)), operation, a)
	r.earlier = append(r.earlier, called(operation, sent, a))
	return a, changed && err == nil
}

func (r *Run) values(call object) *values {
	vars := map[string]any{Call: call, Earlier: r.earlier, It: nil, Was: nil}
	return &values{view: r.view, vars: vars, unbound: r.defect.let}
}

// Concerns reports whether the defect may edit calls of an operation, or needs them to edit later ones. Other calls
// need not pass through its run.
func (d *Defect) Concerns(operation string) bool {
	return slices.ContainsFunc(d.edits, func(e edit) bool {
		return e.earlier || e.place == nil || e.place.of == nil || e.place.of[operation]
	})
}

type object = map[string]any

// called is a call as rows see it.
func called(operation string, sent any, a Answer) object {
	call := object{"operation": operation, "sent": sent}
	switch {
	case a.Error != nil:
		call["error"] = a.Error
	case !a.Lost:
		call["result"] = a.Result
	}
	return call
}

// Sends reports whether the defect edits what is sent, so that answers alone do not show it.
func (d *Defect) Sends() bool {
	return slices.ContainsFunc(d.edits, edit.sends)
}

func (e edit) sends() bool { return e.send != nil || e.omit != nil }

// sendsAlone reports whether an edit changes no answer.
func (e edit) sendsAlone() bool {
	answers := e.set != nil || e.remove != nil || e.refuse != nil || e.result != nil || e.lose || e.drop || e.add
	return e.sends() && !answers
}
