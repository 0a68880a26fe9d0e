package stimulus

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"sync"

	"github.com/capconform/capconform/suites/rule"
	"github.com/capconform/capconform/suites/verdict"
)

// Call is one call of a stimulus.
type Call struct {
	Operation string
	Params    map[string]any    // decoded JSON
	Message   []byte            // if not nil, a whole message in place of the params
	Quiet     bool              // no answer to the message is expected
	Apart     bool              // the call is the first one on a further connection
	About     map[string]string // what the record keeps of the parameters
}

// Performer makes the calls. The policy for invocations stands between it and the target.
type Performer interface {
	// Call makes a call and returns what expressions see of it. The error is the reason why it was not made. Call is
	// safe for concurrent use.
	Call(ctx context.Context, c Call) (answer any, err error)
	// View returns the history as it is now.
	View() *rule.View
}

// The bounds of one stimulus.
const (
	maxCalls      = 2000
	maxSent       = 2 << 20 // bytes of the texts of one call
	maxSentAtOnce = 8 << 20 // bytes of the texts of concurrent calls
)

// Perform performs the stimulus. The error is the reason why it was not completely performed.
func (s *Stimulus) Perform(ctx context.Context, by Performer) error {
	p := &performance{stimulus: s, by: by, ctx: ctx}
	if err := p.loop(0, map[string]any{}); err != nil {
		return err
	}
	switch {
	case p.calls == 0 && p.refused != nil && s.NotObserved != "":
		return verdict.NotObserved("%s; %s", s.NotObserved, p.refused)
	case p.calls == 0 && s.NotObserved != "":
		return verdict.NotObserved("%s", s.NotObserved)
	case p.calls == 0 && p.refused != nil:
		return p.refused
	case p.calls == 0 && s.Otherwise != "":
		return verdict.Undecided("%s", s.Otherwise)
	case p.calls == 0:
		return verdict.Undecided("there was nothing to send for the stimulus %s", s.Name)
	}
	return nil
}

type performance struct {
	stimulus *Stimulus
	by       Performer
	ctx      context.Context

	mu      sync.Mutex
	calls   int
	refused error // why a call was not made
}

// loop binds the variable of a loop to each element of its list, and performs the steps when all are bound.
func (p *performance) loop(at int, vars map[string]any) error {
	if p.ctx.Err() != nil {
		return context.Cause(p.ctx)
	}
	if at < len(p.stimulus.loops) {
		one := p.stimulus.loops[at]
		value, err := one.list.Eval(p.by.View(), vars)
		if err != nil {
			return err
		}
		list, is := value.([]any)
		if !is {
			return fmt.Errorf("stimulus %s: %s is not a list", p.stimulus.Name, one.name)
		}
		for _, element := range list {
			if err := p.loop(at+1, with(vars, one.name, element)); err != nil {
				return err
			}
		}
		return nil
	}
	if p.stimulus.condition != nil {
		holds, err := p.stimulus.condition.Eval(p.by.View(), with(vars, index, p.calls))
		if err != nil || holds != true {
			return err
		}
	}
	for range p.stimulus.times {
		if err := p.atOnce(vars); err != nil {
			return err
		}
	}
	return nil
}

func with(vars map[string]any, name string, value any) map[string]any {
	more := maps.Clone(vars)
	more[name] = value
	return more
}

// atOnce performs the steps, as often at once as the stimulus says. Expressions are evaluated one at a time.
func (p *performance) atOnce(vars map[string]any) error {
	n := p.stimulus.concurrently
	if n == 1 {
		return p.sequence(with(vars, index, p.calls))
	}
	errs := make([]error, n)
	first := p.calls
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { errs[i] = p.sequence(with(vars, index, first+i)) })
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// sequence makes the calls of the steps in order.
func (p *performance) sequence(vars map[string]any) error {
	for _, s := range p.stimulus.steps {
		c, err := p.prepare(s, vars)
		if err != nil {
			return err
		}
		answer, err := p.by.Call(p.ctx, c)
		p.mu.Lock()
		if err != nil {
			p.refused = err
		} else {
			p.calls++
		}
		p.mu.Unlock()
		if err != nil {
			return nil // the later steps need this one
		}
		if s.as != "" {
			vars = with(vars, s.as, answer)
		}
	}
	return nil
}

// prepare evaluates the parameters of a step.
func (p *performance) prepare(s step, vars map[string]any) (Call, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.calls >= maxCalls {
		return Call{}, &verdict.LimitError{
			Reason: fmt.Sprintf("the stimulus %s makes more than %d calls", p.stimulus.Name, maxCalls),
		}
	}
	view := p.by.View()
	c := Call{Operation: s.operation, Params: map[string]any{}, About: map[string]string{}}
	left := min(maxSent, maxSentAtOnce/p.stimulus.concurrently)
	value, err := s.params.eval(view, vars, &left)
	switch {
	case left < 0:
		return c, &verdict.LimitError{Reason: fmt.Sprintf("the stimulus %s makes params that are too large", p.stimulus.Name)}
	case err != nil:
		return c, err
	}
	c.Apart = s.apart
	if s.sends {
		if c.Message, err = message(value); err != nil {
			return c, fmt.Errorf("stimulus %s: the message cannot be written: %w", p.stimulus.Name, err)
		}
		c.Quiet = s.quiet
	} else if params, is := value.(map[string]any); is {
		c.Params = params
	} else if value != nil {
		return c, fmt.Errorf("stimulus %s: the params of %s are not an object", p.stimulus.Name, s.operation)
	}
	for name, e := range s.about {
		word, err := e.Eval(view, vars)
		if err != nil {
			return c, err
		}
		c.About[name] = fmt.Sprint(word)
	}
	return c, nil
}

// message returns the text of a message: a text is sent as it is, and another value as JSON.
func message(value any) ([]byte, error) {
	if text, is := value.(string); is {
		return []byte(text), nil
	}
	return json.Marshal(value)
}

// eval returns the value of a tree as decoded JSON. It subtracts the bytes of texts from left, and stops below 0.
func (t tree) eval(view *rule.View, vars map[string]any, left *int) (any, error) {
	switch {
	case *left < 0:
		return nil, nil
	case t.value != nil:
		value, err := t.value.Eval(view, vars)
		*left -= textIn(value)
		return value, err
	case t.isList:
		all := []any{}
		for _, one := range t.items {
			value, err := one.eval(view, vars, left)
			if err != nil {
				return nil, err
			}
			all = append(all, value)
		}
		return all, nil
	case t.members == nil:
		return nil, nil
	}
	all := map[string]any{}
	for _, m := range t.members {
		value, err := m.tree.eval(view, vars, left)
		if err != nil {
			return nil, err
		}
		all[m.name] = value
	}
	return all, nil
}

// textIn returns the number of bytes of the texts in a value.
func textIn(value any) int {
	n := 0
	switch v := value.(type) {
	case string:
		n = len(v)
	case []any:
		for _, one := range v {
			n += 1 + textIn(one)
		}
	case map[string]any:
		for name, one := range v {
			n += len(name) + textIn(one)
		}
	}
	return n
}
