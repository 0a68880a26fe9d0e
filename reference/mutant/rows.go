package mutant

import (
	"context"
	"errors"
	"fmt"

	"github.com/capconform/capconform/reference"
	"github.com/capconform/capconform/reference/rpc"
	"github.com/capconform/capconform/suites/defect"
)

// MustRows returns the mutants of a file of defects that is part of the program. Their names begin with the name of the
// suite.
func MustRows(suite string, file []byte) []Mutant {
	all, err := Defects(file, nil)
	if err != nil {
		panic(err)
	}
	var mutants []Mutant
	for _, d := range all {
		m := Mutant{
			Name: suite + "-" + d.Name, Suite: suite, Requirement: d.Breaks, Summary: d.Summary,
			Role: d.Marks.Role, NeedsFixtures: d.Marks.Fixtures || d.Marks.Role != "", Strict: d.Marks.Strict,
			ShortWait: d.Marks.ShortWait, Driver: d.Marks.Driver, NotOver: d.Marks.NotOver,
			Actors: d.Marks.Actors, Apply: edits(d),
		}
		for _, also := range d.Marks.Also {
			m.Also = append(m.Also, Also(also))
		}
		mutants = append(mutants, m)
	}
	return mutants
}

// Defects returns the rows of a file. Words replace those of the file, so that the rows edit another host.
func Defects(file []byte, words map[string]string) ([]*defect.Defect, error) {
	all, err := defect.Load("defects.yaml", file, defect.Scope().Deferred(), nil, words)
	if err != nil {
		return nil, fmt.Errorf("mutant: %w", err)
	}
	return all, nil
}

// edits returns a change of a host whose calls and answers a row edits. A host may have several rows.
func edits(d *defect.Defect) func(*reference.Parts) {
	return func(parts *reference.Parts) {
		run, others := d.Run(), parts.Around
		parts.Around = func(name string, operation rpc.Operation) rpc.Operation {
			if others != nil {
				operation = others(name, operation)
			}
			if !d.Concerns(name) {
				return operation
			}
			return func(ctx context.Context, params map[string]any) (any, error) {
				sent, _ := rpc.Clone(params).(map[string]any)
				if changed, is := run.Send(name, params); is {
					params, _ = decoded(changed).(map[string]any)
				}
				result, err := operation(ctx, params)
				answer, err := read(result, err)
				if err != nil {
					return nil, err
				}
				edited, _ := run.Answer(name, sent, answer)
				return reply(edited)
			}
		}
	}
}

// read returns an answer as it is on the wire. An error that is none of the protocol remains one.
func read(result any, err error) (defect.Answer, error) {
	var refused *rpc.Error
	switch {
	case err == nil:
		return defect.Answer{Result: decoded(result)}, nil
	case !errors.As(err, &refused):
		return defect.Answer{}, err
	}
	return defect.Answer{Error: map[string]any{"number": refused.Number, "code": refused.Code, "message": refused.Message,
		"data": refused.Data}}, nil
}

// decoded returns a value as it arrives at the other side.
func decoded(value any) any {
	value, _ = rpc.Decode(rpc.Append(nil, value)) // Append writes JSON
	return value
}

func reply(a defect.Answer) (any, error) {
	if a.Error == nil {
		return a.Result, nil
	}
	p := a.Refusal()
	refused := &rpc.Error{Number: int(p.Number), Code: p.Code, Message: p.Message}
	refused.Data, _ = a.Error["data"].(map[string]any)
	return nil, refused
}
