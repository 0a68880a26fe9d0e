package rule

import (
	"errors"
	"slices"
	"strings"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"

	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/verdict"
)

// Judge evaluates a rule on a view. The words are the values of the sentence's parameters, in order.
func (r *Rule) Judge(v *View, words []string) verdict.Verdict {
	if known, is := v.judged[Asked{r, words}.key()]; is {
		return known
	}
	e, err := r.evaluate(v, words)
	if err != nil {
		return verdict.Verdict{Open: err}
	}
	return e.conclude()
}

// Applies reports whether a view has an object that the rule is about. A rule that applies to nothing is no test.
func (r *Rule) Applies(v *View, words []string) bool {
	e, err := r.evaluate(v, words)
	return err == nil && e.applied
}

func (r *Rule) evaluate(v *View, words []string) (*evaluation, error) {
	p, err := r.compiled()
	if err != nil {
		return nil, err
	}
	e := newEvaluation(r, p, v)
	if k := v.vocabulary.kinds[Run]; k != nil {
		e.vars[Run] = v.all(k)[0]
	}
	for i, name := range r.Parameters() {
		e.vars[name] = words[i]
	}
	e.each(0, nil)
	return e, nil
}

// evaluation is the evaluation of a rule on one view.
type evaluation struct {
	rule    *Rule
	program *program
	view    *View
	vars    map[string]any
	keys    map[*object]ref.Val
	cost    uint64
	applied bool // to an object
	bound   int  // that the first variable was bound to
	verdict verdict.Verdict
	stopped error // the budget is exceeded, or the rule is wrong
	blocked error // a gap that decides that nothing is decided
	reason  error // why an object was not judged
}

func newEvaluation(r *Rule, p *program, v *View) *evaluation {
	return &evaluation{rule: r, program: p, view: v, vars: map[string]any{}, keys: map[*object]ref.Val{}}
}

// each binds the variable at an index to each of its values and goes on with the next variable.
func (e *evaluation) each(index int, bound []*object) {
	if index == len(e.program.sources) {
		e.judge(bound)
		return
	}
	s := e.program.sources[index]
	if s.kind == nil {
		e.eachElement(s, index, bound)
		return
	}
	all := e.objects(s, index, bound)
	if e.excluded(index - 1) {
		return
	}
	for _, one := range all {
		if e.stopped != nil {
			return
		}
		e.bind(index, bound, one)
	}
}

// bind binds the variable at an index to an object and goes on with the next variable.
func (e *evaluation) bind(index int, bound []*object, one *object) {
	if index == 0 {
		e.bound++
	}
	e.vars[e.program.sources[index].name] = one
	e.each(index+1, append(slices.Clone(bound), one))
}

// objects returns the objects of a kind. The second of two variables of one kind takes those after the first, of the
// same group.
func (e *evaluation) objects(s source, index int, bound []*object) []*object {
	all := e.view.all(s.kind)
	if index == 0 || e.program.sources[index-1].kind != s.kind || len(bound) == 0 {
		return all
	}
	first := bound[len(bound)-1]
	rest := all[slices.Index(all, first)+1:]
	if e.program.by == nil {
		return rest
	}
	key := e.key(first)
	if key == nil {
		return nil
	}
	var same []*object
	for _, one := range rest {
		if other := e.key(one); other != nil && key.Equal(other) == types.True {
			same = append(same, one)
		}
	}
	return same
}

// key returns the key of the group of an object, nil if it is not known.
func (e *evaluation) key(o *object) ref.Val {
	if key, is := e.keys[o]; is {
		return key
	}
	before := e.vars[o.kind.name]
	e.vars[o.kind.name] = o
	key := e.eval(e.program.by)
	e.vars[o.kind.name] = before
	e.keys[o] = key
	return key
}

// eachElement binds a variable to the elements of a list.
func (e *evaluation) eachElement(s source, index int, bound []*object) {
	var elements []ref.Val
	switch l := e.eval(s.list).(type) {
	case traits.Lister:
		elements = elementsOf(l)
	case *openList:
		elements = l.elements
		defer e.note(l.open, nil)
	}
	if e.excluded(index - 1) {
		return
	}
	for _, one := range elements {
		if e.stopped != nil {
			return
		}
		e.vars[s.name] = one
		next := bound
		if o, is := one.(*object); is {
			next = append(slices.Clone(bound), o)
		}
		e.each(index+1, next)
	}
}

// judge evaluates the demands on the objects that the variables are bound to.
func (e *evaluation) judge(bound []*object) {
	if !e.holds(e.program.condition) {
		return
	}
	e.applied = true
	for i := range e.program.demands {
		d := &e.program.demands[i]
		switch result := e.evalOrUnknown(d.must).(type) {
		case types.Bool:
			if result {
				continue
			}
			e.verdict.Breaches = append(e.verdict.Breaches, e.breach(d, bound))
		case *types.Unknown:
			e.note(result, func() verdict.Breach { return e.breach(d, bound) })
		}
		return
	}
	if e.holds(e.program.countsIf) {
		e.verdict.Judged++
	}
}

// holds evaluates a condition: an empty one is true.
func (e *evaluation) holds(p cel.Program) bool {
	if p == nil {
		return true
	}
	result := e.evalOrUnknown(p)
	if u, is := result.(*types.Unknown); is {
		e.note(u, nil)
	}
	return result == types.True
}

// note keeps what an unknown value means for the verdict. The breach is what the rule reports if the gap is closed
// by what it suspects; nil if it suspects nothing.
func (e *evaluation) note(u *types.Unknown, suspected func() verdict.Breach) {
	for _, gap := range e.view.gapsOf(u) {
		switch {
		case gap.settles() && suspected != nil:
			e.verdict.Doubts = append(e.verdict.Doubts, verdict.Doubt{Breach: suspected(), Settle: gap.Settle})
			return
		case gap.Blocks:
			if e.blocked == nil {
				e.blocked = gap.Reason
			}
		case e.reason == nil:
			e.reason = gap.Reason
		}
	}
}

// breach returns the breach of a demand. It belongs to the object of the last variable, whose entries are the first.
func (e *evaluation) breach(d *compiledDemand, bound []*object) verdict.Breach {
	b := verdict.Breach{Message: e.fill(d.message), Want: e.fill(d.want), Hint: e.fill(d.hint), At: e.fill(d.at)}
	if n, is := e.evalOrUnknown(d.severity).(types.Int); is {
		b.Worse = int(n)
	}
	if d.got != nil {
		b.Got = e.print(e.evalOrUnknown(d.got))
	}
	for _, o := range slices.Backward(bound) {
		for _, entry := range o.kind.entries(o.x) {
			if !slices.Contains(b.Entries, entry) {
				b.Entries = append(b.Entries, entry)
			}
		}
	}
	return b
}

func (e *evaluation) fill(t template) string {
	var b strings.Builder
	for i, text := range t.texts {
		b.WriteString(text)
		if i < len(t.parts) {
			b.WriteString(e.print(e.evalOrUnknown(t.parts[i])))
		}
	}
	return b.String()
}

// print returns a value for a message.
func (e *evaluation) print(v ref.Val) string {
	switch v := v.(type) {
	case types.String:
		return string(v)
	case nil:
		return "nothing"
	case *types.Unknown:
		return "not known"
	}
	return jsonvalue.Print(native(v))
}

// native returns a value as decoded JSON.
func native(v ref.Val) any {
	switch v := v.(type) {
	case traits.Lister:
		all := []any{}
		for _, one := range elementsOf(v) {
			all = append(all, native(one))
		}
		return all
	case *openList:
		return native(v.known())
	case number:
		return v.text
	case types.Null:
		return nil
	}
	return v.Value()
}

// eval returns a value that is known, or nil. It notes why it is not.
func (e *evaluation) eval(p cel.Program) ref.Val {
	v := e.evalOrUnknown(p)
	if u, is := v.(*types.Unknown); is {
		e.note(u, nil)
		return nil
	}
	return v
}

// evalOrUnknown returns a value, or nil if an error prevents the evaluation. It notes the error.
func (e *evaluation) evalOrUnknown(p cel.Program) ref.Val {
	if p == nil || e.stopped != nil {
		return nil
	}
	value, err := e.run(p)
	switch {
	case err == nil:
		return value
	case stops(err):
		e.stopped = &verdict.LimitError{Reason: "the rule " + e.rule.Place() + " " + why(err)}
	case e.reason == nil:
		e.reason = verdict.Undecided("%s", inWords(err))
	}
	return nil
}

// run evaluates an expression within the budget.
func (e *evaluation) run(p cel.Program) (ref.Val, error) {
	value, details, err := p.Eval(e.vars)
	if details != nil && details.ActualCost() != nil {
		e.cost += *details.ActualCost()
	}
	if e.cost > maxCost+costOfEach*uint64(e.bound) {
		err = errBudget
	}
	return value, err
}

var errBudget = errors.New("actual cost limit exceeded")

// stops reports whether an error ends the evaluation of a rule: it exceeds its budget, or it divides by zero.
func stops(err error) bool { return why(err) != "" }

func why(err error) string {
	for _, one := range []struct{ in, says string }{
		{"cost limit", "exceeds its budget: it needs too many steps for this history"},
		{"division by zero", "divides by zero"},
		{"modulus by zero", "divides by zero"},
		{"internal error", "ends with an error of capconform"},
	} {
		if strings.Contains(err.Error(), one.in) {
			return one.says
		}
	}
	return ""
}

// inWords returns the reason why an expression has no value.
func inWords(err error) string {
	if _, name, found := strings.Cut(err.Error(), "no such key: "); found {
		return "an answer lacks the member " + name
	}
	return "a member of an answer has another type"
}

func (e *evaluation) conclude() verdict.Verdict {
	v := &e.verdict
	switch {
	case e.stopped != nil:
		return verdict.Verdict{Open: e.stopped}
	case e.blocked != nil:
		v.Open = e.blocked
	case e.rule.WholeStimulus && e.unperformed() != nil:
		v.Open = e.unperformed()
	case v.Judged > 0 || len(v.Breaches) > 0 || len(v.Doubts) > 0:
	case e.rule.HoldsIfNone:
		v.Judged = 1
	default:
		v.Open = e.unseen()
	}
	return *v
}

// unperformed returns the reason why the stimulus of the rule was not performed, or not answered.
func (e *evaluation) unperformed() error { return e.view.unseen(Need{Stimulus: e.rule.Stimulus.Value}) }

// inWords returns a text with the words of the sentence in place of their names.
func (e *evaluation) inWords(t text) string {
	return parameter.ReplaceAllStringFunc(t.Value, func(name string) string {
		word, _ := e.vars[strings.Trim(name, "{}")].(string)
		return word
	})
}

// unseen returns the reason why nothing was judged.
func (e *evaluation) unseen() error {
	need := Need{Needs: e.inWords(e.rule.Needs), Stimulus: e.rule.Stimulus.Value}
	if kind := e.program.sources[0].kind; kind != nil {
		need.Kind = kind.name
	}
	need.Otherwise, need.NotObserved = e.inWords(e.rule.Otherwise), e.inWords(e.rule.NotObserved)
	if err := e.view.unseen(need); err != nil {
		return err
	}
	switch {
	case e.reason != nil:
		return e.reason
	case need.Otherwise != "":
		return verdict.Undecided("%s", need.Otherwise)
	}
	return verdict.Undecided("nothing was observed that this is about")
}
