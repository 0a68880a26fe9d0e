package text

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/instance"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/reading"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/rule"
	"github.com/capconform/capconform/suites/stimulus"
	"github.com/capconform/capconform/suites/verdict"
)

// performer makes the calls of one stimulus.
type performer struct {
	*examination
	laboratory *suites.Laboratory
}

// The bounds of what stimuli send.
const (
	maxPages = 50       // of one list
	maxSent  = 32 << 20 // bytes of all params and messages
)

// Call implements stimulus.Performer. It requests further pages of a list, unless each would need a connection.
func (p *performer) Call(ctx context.Context, c stimulus.Call) (any, error) {
	first, err := p.one(ctx, c, nil)
	if err != nil {
		return nil, err
	}
	op := p.text.operation(c.Operation)
	last := first
	for range maxPages {
		cursor := op.further(last.Result)
		if cursor == nil || c.Apart {
			break
		}
		next := c
		next.Params = maps.Clone(c.Params)
		next.Params[op.Param] = cursor
		if last, err = p.one(ctx, next, []record.Link{{Relation: record.PageOf, To: first.Entry}}); err != nil {
			break
		}
	}
	return object{"sent": first.Sent, "result": first.Result, "error": orNull(first.Error), "outcome": first.Outcome,
		"status": first.Status}, nil
}

// one makes one call. The error is the reason why the policy did not admit it.
func (p *performer) one(ctx context.Context, c stimulus.Call, links []record.Link) (*call, error) {
	called := p.text.operation(c.Operation)
	if called.Heard && !p.info.Hears {
		return nil, verdict.NotObserved("what the target sends on its own; this transport does not show it")
	}
	p.copies(called, c.Params)
	op := driver.Operation{Name: c.Operation, Params: jsonvalue.Encode(c.Params), Method: p.text.Methods,
		Heard: called.Heard, Request: called.Request, Last: called.Last, Apart: c.Apart}
	if c.Apart && !p.info.Apart {
		return nil, verdict.NotObserved("a further connection; this transport has one")
	}
	if called.Request {
		if err := p.mayRequest(op); err != nil {
			return nil, err
		}
	}
	if c.Message != nil {
		if !p.info.Messages {
			return nil, verdict.NotObserved("a message as it is; this transport sends calls only")
		}
		op = driver.Operation{Name: c.Operation, Body: c.Message, Message: true, Quiet: c.Quiet}
	}
	if p.sent.Add(int64(len(op.Params)+len(op.Body))) > maxSent {
		return nil, &verdict.LimitError{Reason: fmt.Sprintf("the stimuli send more than %d MB", maxSent>>20)}
	}
	entry, _, err := p.laboratory.Do(ctx, suites.Call{About: c.About, Links: links, Operation: op, Opens: p.opens(c)})
	var refused *verdict.Inconclusive
	if entry.Outcome == record.NotSent && errors.As(err, &refused) {
		return nil, refused
	}
	if made := reading.ObjectAt[*call](&p.Reading, entry.Begun); made != nil {
		p.offer(c.Operation, made.Result)
		return made, nil
	}
	return &call{Observed: reading.Observe(entry), Operation: c.Operation}, nil
}

// opens reports whether a call is made on a further connection, as the handshakes of MCP are.
func (p *performer) opens(c stimulus.Call) bool {
	return c.Apart || p.text.Methods && c.Operation == "initialize" && len(c.Params) > 0
}

// mayRequest returns the reason why a request of HTTP is not sent.
func (p *performer) mayRequest(op driver.Operation) error {
	if !p.info.Requests {
		return verdict.NotObserved("a request of HTTP; this transport sends messages only")
	}
	_, err := driver.ReadRequest(op.Params)
	if errors.Is(err, driver.ErrNoSession) {
		return verdict.NotObserved("a session that can be ended")
	}
	return err
}

// The bounds of what the functions of stimuli make.
const (
	maxInvalid = 20      // values that break a schema
	maxRepeat  = 1 << 20 // bytes
	makingFor  = 2 * time.Second
)

// generators are the functions that stimuli have beside those of the rules:
//
//	valid(SCHEMA)       a value that the schema accepts; SCHEMA is a name in schemas/, or a schema
//	invalid(SCHEMA)     values that each break one keyword: a list of {value, keyword, place}
//	samples(SCHEMA)     a list of one value that the schema accepts, empty if none can be made
//	filled(NAMES, VALUE) an object with members of these names that have the value
//	unknown(LIST)       a text that is not in a list
//	unique(PREFIX)      a text that nobody used before
//	repeat(TEXT, N)     a text N times
func (t *Text) generators() []rule.Function {
	return []rule.Function{
		rule.FunctionOf("valid", func(of any) any {
			_, sample, err := t.sample(of)
			if err != nil {
				return err
			}
			return schemas.ReadValue(sample.Text)
		}),
		rule.FunctionOf("invalid", func(of any) any { return t.invalid(of) }),
		rule.FunctionOf("samples", func(of any) any {
			_, sample, err := t.sample(of)
			if err != nil {
				return []any{}
			}
			return []any{schemas.ReadValue(sample.Text)}
		}),
		rule.FunctionOfTwo("filled", func(names []any, value any) any {
			all := object{}
			for _, name := range names {
				all[fmt.Sprint(name)] = value
			}
			return all
		}),
		rule.FunctionOf("unknown", func(of any) any {
			known, _ := of.([]any)
			for {
				made := unknownPrefix + uuid.NewString()[:8]
				if !slices.Contains(known, any(made)) {
					return made
				}
			}
		}),
		rule.FunctionOf("unique", func(prefix string) any { return prefix + uuid.NewString()[:8] }),
		rule.FunctionOfTwo("repeat", func(text string, n int64) any {
			if n < 0 || int64(len(text))*n > maxRepeat {
				return fmt.Errorf("repeat makes at most %d bytes", maxRepeat)
			}
			return strings.Repeat(text, int(n))
		}),
	}
}

// sample returns a value that a schema accepts.
func (t *Text) sample(of any) (*instance.Template, instance.Sample, error) {
	if name, is := of.(string); is {
		s := t.shapes[name]
		if s == nil {
			return nil, instance.Sample{}, fmt.Errorf("there is no schema %s", name)
		}
		of = s.doc
	}
	template, err := t.cache.Template(of)
	if err != nil {
		return nil, instance.Sample{}, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), makingFor)
	defer cancel()
	made, err := template.Valid(ctx, 0)
	if err == nil && len(made) == 0 {
		err = errors.New("no value can be made for the schema")
	}
	if err != nil {
		return nil, instance.Sample{}, err
	}
	return template, made[0], nil
}

func (t *Text) invalid(of any) any {
	template, valid, err := t.sample(of)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), makingFor)
	defer cancel()
	all := []any{}
	for _, s := range template.Invalid(ctx, valid.Text, instance.Options{Limit: maxInvalid}) {
		all = append(all, object{"value": schemas.ReadValue(s.Text), "keyword": s.Keyword, "place": s.Pointer})
	}
	return all
}
