package rule

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"

	"github.com/capconform/capconform/suites/part"
	"github.com/capconform/capconform/suites/verdict"
)

// Scope is the variables and functions that an expression outside the rules may use, such as a parameter of a stimulus.
type Scope struct {
	vocabulary *Vocabulary
	env        func() (*cel.Env, error) // made at its first use
	names      []string
	makers     bool // some functions are not those of rules
	deferred   bool // see Deferred
}

// Scope returns the scope of the variable run, if the vocabulary has that kind, and of functions that rules do not
// have: they need not be pure.
func (v *Vocabulary) Scope(functions ...Function) *Scope {
	var options []cel.EnvOption
	for _, f := range functions {
		options = append(options, f.option)
	}
	s := &Scope{vocabulary: v, makers: len(functions) > 0}
	if v.kinds[Run] != nil {
		options, s.names = append(options, cel.Variable(Run, cel.ObjectType(Run))), []string{Run}
	}
	s.env = extended(v.env, options...)
	return s
}

// extended returns an environment with further declarations, made at its first use.
func extended(base func() (*cel.Env, error), options ...cel.EnvOption) func() (*cel.Env, error) {
	return sync.OnceValues(func() (*cel.Env, error) {
		env, err := base()
		if err != nil {
			return nil, err
		}
		return env.Extend(options...)
	})
}

// Deferred returns a scope whose expressions are compiled at their first use: nothing is reported before.
func (s *Scope) Deferred() *Scope {
	later := *s
	later.deferred = true
	return &later
}

// With returns a scope with one more variable, whose value may have any type.
func (s *Scope) With(name string) *Scope {
	if s.Has(name) {
		return s
	}
	more := *s
	more.env, more.names = extended(s.env, cel.Variable(name, cel.DynType)), append(slices.Clone(s.names), name)
	return &more
}

// Has reports whether a variable has this name.
func (s *Scope) Has(name string) bool { return slices.Contains(s.names, name) }

// WithText returns a scope with one more variable, which is always the text.
func (s *Scope) WithText(name, text string) *Scope {
	more := *s
	more.env = extended(s.env, cel.Constant(name, cel.StringType, types.String(text)))
	more.names = append(slices.Clone(s.names), name)
	return &more
}

// Compile compiles an expression. It adds what is wrong to the file, and then returns nil, as for an empty text.
func (s *Scope) Compile(f *part.File, t part.Text) *Expression {
	if t.Value == "" {
		return nil
	}
	file := f.Name
	line, column := t.At(0)
	e := &Expression{place: fmt.Sprintf("%s:%d:%d", file, line, column)}
	e.program = sync.OnceValues(func() (cel.Program, error) {
		env, err := s.env()
		if err != nil {
			return nil, fmt.Errorf("rule: %w", err)
		}
		c := &compiler{vocabulary: s.vocabulary, rule: &Rule{file: file}, env: env, names: s.names, makers: s.makers}
		p := c.expression(t, nil)
		return p, errors.Join(c.errs...)
	})
	if s.deferred {
		return e
	}
	if _, err := e.program(); err != nil {
		f.Add(err)
		return nil
	}
	return e
}

// Expression is an expression, compiled at the latest at its first use.
type Expression struct {
	program func() (cel.Program, error)
	place   string
}

// Eval returns the value of an expression as decoded JSON; within a list, an object of a kind is itself. The error is a
// *verdict.Inconclusive if the value depends on something that is not known, and a *verdict.LimitError if the
// expression exceeds its budget. It waits for judgements that use the same history.
func (e *Expression) Eval(view *View, vars map[string]any) (any, error) {
	value, err := e.Value(view, vars)
	if err != nil {
		return nil, err
	}
	return plainValue(value), nil
}

// Value returns the value of an expression for the variables of other ones. It is not copied, as that of Eval is.
func (e *Expression) Value(view *View, vars map[string]any) (ref.Val, error) {
	defer view.notes.Exclusively()()
	bound := maps.Clone(vars)
	if bound == nil {
		bound = map[string]any{}
	}
	if k := view.vocabulary.kinds[Run]; k != nil {
		bound[Run] = view.all(k)[0]
	}
	program, err := e.program()
	if err != nil {
		return nil, err
	}
	value, _, err := program.Eval(bound)
	switch {
	case err != nil && stops(err):
		return nil, &verdict.LimitError{Reason: "the expression " + e.place + " " + why(err)}
	case err != nil:
		return nil, verdict.Undecided("%s has no value: %s", e.place, err)
	}
	if u, is := value.(*types.Unknown); is {
		for _, gap := range view.gapsOf(u) {
			return nil, gap.Reason
		}
		return nil, errors.New("rule: an unknown value without a gap")
	}
	return value, nil
}

// plainValue returns a value as decoded JSON, in which objects of kinds remain values.
func plainValue(v ref.Val) any {
	switch v := v.(type) {
	case *object:
		return v
	case *openList:
		return plainValue(v.known())
	case traits.Mapper:
		all := map[string]any{}
		for it := v.Iterator(); it.HasNext() == types.True; {
			key := it.Next()
			name, is := key.Value().(string)
			if !is {
				name = fmt.Sprint(key.Value())
			}
			all[name] = plainValue(v.Get(key))
		}
		return all
	case traits.Lister:
		all := []any{}
		for _, one := range elementsOf(v) {
			all = append(all, plainValue(one))
		}
		return all
	}
	return native(v)
}
