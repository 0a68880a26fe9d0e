package rule

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common"
	"cel.dev/cel-go/interpreter"

	"github.com/capconform/capconform/suites/part"
)

// The budget of a rule, in CEL's units of cost: one is about 50 nanoseconds, and allocates at most a few dozen bytes.
// It bounds all evaluations for one sentence together, and grows with the number of objects, so that a rule that
// takes the same number of steps for each object is judged on a history of any length.
const (
	maxCost    = 10_000_000
	costOfEach = 400
)

// program is a compiled rule.
type program struct {
	sources             []source
	by                  cel.Program
	condition, countsIf cel.Program
	early               []cel.Program // see early
	demands             []compiledDemand
}

// source is where the values of a variable come from: a kind, or a list.
type source struct {
	name string
	kind *Kind       // nil: expression
	list cel.Program // nil: kind
}

type compiledDemand struct {
	must, got, severity     cel.Program
	message, want, at, hint template
}

// template is a text with expressions: strings and programs in turn, beginning with a string.
type template struct {
	texts []string
	parts []cel.Program
}

var inserted = regexp.MustCompile(`\{\{(.*?)\}\}`)

// compiler compiles the expressions of one rule.
type compiler struct {
	vocabulary *Vocabulary
	rule       *Rule
	env        *cel.Env
	names      []string // the variables that are declared
	errs       []error
	makers     bool // functions may make texts of any length, see Scope
}

// compile compiles a rule. The error names every place of the rule that is wrong.
func (v *Vocabulary) compile(r *Rule) (*program, error) {
	base, err := v.env()
	if err != nil {
		return nil, fmt.Errorf("rule: %w", err)
	}
	c := &compiler{vocabulary: v, rule: r, env: base}
	if v.kinds[Run] != nil {
		c.declare(Run, cel.ObjectType(Run))
	}
	for _, name := range r.Parameters() {
		c.declare(name, cel.StringType)
	}
	p := &program{}
	for _, each := range r.Each {
		p.sources = append(p.sources, c.source(each))
	}
	p.condition, p.countsIf = c.boolean(r.If), c.boolean(r.CountsIf)
	p.early = c.early(r.If, p.sources)
	for _, d := range r.Demands {
		if s := p.sources[0]; d.Got.Value == "" && s.kind != nil && s.kind.members["got"] != nil {
			d.Got.Value = s.name + ".got"
		}
		p.demands = append(p.demands, compiledDemand{c.boolean(d.Must), c.expression(d.Got, nil),
			c.expression(d.Severity, nil), c.template(d.Message), c.template(d.Want), c.template(d.At), c.template(d.Hint)})
	}
	if r.By.Value != "" {
		c.declare(r.Each[0].source.Value, cel.ObjectType(r.Each[0].source.Value))
		p.by = c.expression(r.By, nil)
	}
	return p, errors.Join(c.errs...)
}

func (c *compiler) declare(name string, of *cel.Type) {
	if slices.Contains(c.names, name) {
		return
	}
	extended, err := c.env.Extend(cel.Variable(name, of))
	if err != nil {
		c.errs = append(c.errs, fmt.Errorf("%s: %w", c.rule.Place(), err))
		return
	}
	c.env, c.names = extended, append(c.names, name)
}

var word = regexp.MustCompile(`^[a-z_]+$`)

func (c *compiler) source(each variable) source {
	s := source{name: each.name.Value}
	if kind := c.vocabulary.kinds[each.source.Value]; kind != nil {
		s.kind = kind
		c.declare(s.name, cel.ObjectType(kind.name))
		return s
	}
	if word.MatchString(each.source.Value) {
		c.fail(each.source, 0, "there is no kind "+each.source.Value, c.vocabulary.Kinds())
		return s
	}
	var of *cel.Type
	s.list = c.expression(each.source, func(t *cel.Type) string {
		if t.Kind() == cel.ListKind {
			of = t.Parameters()[0]
			return ""
		}
		of = cel.DynType
		if t.Kind() == cel.DynKind {
			return ""
		}
		return "is not a list, it is " + t.String()
	})
	if of == nil {
		of = cel.DynType
	}
	c.declare(s.name, of)
	return s
}

func (c *compiler) boolean(t text) cel.Program {
	return c.expression(t, func(of *cel.Type) string {
		if of.Kind() == cel.BoolKind || of.Kind() == cel.DynKind {
			return ""
		}
		return "is neither true nor false, it is " + of.String()
	})
}

// expression compiles an expression, nil for an empty one. The function wrong says what is wrong with the type.
func (c *compiler) expression(t text, wrong func(*cel.Type) string) cel.Program {
	if t.Value == "" {
		return nil
	}
	tree, issues := c.env.Compile(t.Value)
	if issues.Err() != nil {
		for _, e := range issues.Errors() {
			c.issue(t, e)
		}
		return nil
	}
	if wrong != nil {
		if why := wrong(tree.OutputType()); why != "" {
			c.fail(t, 0, "the expression "+why, nil)
			return nil
		}
	}
	p, err := c.program(tree)
	if err != nil {
		c.fail(t, 0, err.Error(), nil)
		return nil
	}
	return p
}

func (c *compiler) program(tree *cel.Ast) (cel.Program, error) {
	return c.env.Program(tree, cel.EvalOptions(cel.OptTrackCost), cel.CostLimit(maxCost),
		cel.CostTracking(callCost{c.makers}), cel.OptimizeRegex(interpreter.MatchesRegexOptimization))
}

// bareExpression is a text that can only be meant as an expression if it begins with the name of a variable or
// function.
var bareExpression = regexp.MustCompile(`^([a-z_]+)(\(.*\)|(\.[a-z_]+)+)$`)

func (c *compiler) template(t text) template {
	m := bareExpression.FindStringSubmatch(t.Value)
	if m != nil && (slices.Contains(c.names, m[1]) || c.env.HasFunction(m[1])) {
		c.fail(t, 0, "this is a text: put an expression between {{ and }}", nil)
	}
	var all template
	rest := t.Value
	for _, name := range c.rule.Parameters() {
		rest = regexp.MustCompile(`(^|[^{])\{`+name+`\}`).ReplaceAllString(rest, "${1}{{"+name+"}}")
	}
	for {
		at := inserted.FindStringSubmatchIndex(rest)
		if at == nil {
			all.texts = append(all.texts, rest)
			return all
		}
		all.texts = append(all.texts, rest[:at[0]])
		inner := t
		inner.Value = rest[at[2]:at[3]]
		all.parts = append(all.parts, c.expression(inner, nil))
		rest = rest[at[1]:]
	}
}

var (
	undeclared = regexp.MustCompile(`undeclared reference to '([^']+)'`)
	undefined  = regexp.MustCompile(`undefined field '([^']+)'`)
)

// issue adds an error that CEL reports.
func (c *compiler) issue(t text, e *cel.Error) {
	message, known := e.Message, []string(nil)
	if m := undefined.FindStringSubmatch(message); m != nil {
		message = "there is no member " + m[1]
		for _, k := range c.vocabulary.kinds {
			for name := range k.members {
				known = append(known, name)
			}
		}
		known = nearestOf(m[1], known)
	} else if m := undeclared.FindStringSubmatch(message); m != nil {
		message = "there is no variable or function " + m[1]
		known = slices.Clone(c.names)
		for name := range c.env.Functions() {
			known = append(known, name)
		}
		known = nearestOf(m[1], known)
	}
	c.fail(t, offset(t.Value, e.Location), message, known)
}

// offset returns the place of a location within a text, in bytes; 0 for an error without a place.
func offset(value string, l common.Location) int {
	at := 0
	for range l.Line() - 1 {
		next := strings.IndexByte(value[at:], '\n')
		if next < 0 {
			return at
		}
		at += next + 1
	}
	for range l.Column() {
		_, size := utf8.DecodeRuneInString(value[at:])
		at += size
	}
	return at
}

// fail adds an error at an offset of a text, with the words that were meant.
func (c *compiler) fail(t text, at int, message string, meant []string) {
	line, column := t.At(at)
	if len(meant) > 0 {
		message += "; there is " + strings.Join(meant, ", ")
	}
	c.errs = append(c.errs, fmt.Errorf("%s:%d:%d: %s", c.rule.file, line, column, message))
}

func nearestOf(word string, known []string) []string {
	if near := part.Nearest(word, known); near != "" {
		return []string{near}
	}
	return nil
}
