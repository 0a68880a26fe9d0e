package chpsuite

import (
	"context"
	"errors"
	"iter"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites"
)

var adviceSentences = []sentence{
	say(`each capability descriptor has the recommended members`, func(w *world) any { return w.recommended }),
	say(`capabilities are invoked with payloads that break their input schema`, func(w *world) any { return w.invokeUntyped }),
	say(`none of them succeeds`, func(w *world) any { return w.noneSucceeds }),
	say(`the data of each success keeps the output schema`, func(w *world) any { return w.dataKeepsSchema }),
	say(`each of the (results|events|replay results|correlation contexts) that were seen is looked at`, func(w *world) any { return w.lookAt }),
	say(`it keeps to the closed reading of ([a-z-]+)`, func(w *world) any { return w.keepsClosed }),
}

// strictAlone are the requirements that advise in a strict run only: readings
// that are narrower than the prose, and that lawful hosts break.
func strictAlone() []string {
	return []string{"CHP-3-07", "CHP-3-19", "CHP-4-11", "CHP-5-13", "CHP-6-18", "CHP-7-08", "CHP-8-14", "CHP-10-11", "CHP-10-12"}
}

// beyondPlainRuns says so for a run that is not strict.
func beyondPlainRuns(subject *suites.Subject) map[string]string {
	beyond := map[string]string{}
	if subject.Options["strict"] == "true" {
		return beyond
	}
	for _, id := range strictAlone() {
		beyond[id] = "narrower than the prose: looked at with --strict alone"
	}
	return beyond
}

func (w *world) recommended() error {
	for _, o := range w.objects {
		for _, name := range []string{"input_schema", "output_schema", "invariants", "risk", "assurance", "owner", "tags", "metadata"} {
			if o.object[name] == nil {
				return w.violated(o.answer, nil, "a capability descriptor lacks the recommended member "+name, name, suites.Print(o.object))
			}
		}
	}
	return nil
}

// invokeUntyped sends payloads that each break one keyword, after a sound one.
func (w *world) invokeUntyped(ctx context.Context) error {
	w.attempts = append(w.attempts, w.unsoundOnes(ctx, w.sc)...)
	if len(w.attempts) == 0 {
		return suites.Undecided("no capability that succeeds has an input schema that a payload could break")
	}
	return lost(w.attempts)
}

// unsoundAhead are the payloads that invokeUntyped wants.
func (e *examination) unsoundAhead(succeeding []*attempt) iter.Seq[func()] {
	return func(yield func(func()) bool) {
		for _, c := range e.pool {
			if !yield(func() { e.unsound(c, succeeding) }) {
				return
			}
		}
	}
}

// Close implements io.Closer: nothing is made any more.
func (e *examination) Close() error { return e.ahead.Close() }

func (w *world) noneSucceeds() error {
	for _, a := range w.attempts {
		if a.outcome() == outcomeSuccess {
			return w.blame(a, "a payload that breaks the input schema succeeds", "no success for "+suites.Print(a.payload), suites.Received(a.answer, a.err))
		}
	}
	return nil
}

func (w *world) dataKeepsSchema() error {
	for _, a := range w.attempts {
		if a.of == nil || a.outcome() != outcomeSuccess || a.result["data"] == nil {
			continue
		}
		schema, declared := a.of.members["output_schema"].(object)
		if !declared {
			continue
		}
		compiled, err := w.shop.Template(schema)
		if err != nil {
			continue // CHP-3-09's, or not decidable
		}
		var broken *schemas.Invalidity
		if err := compiled.Validate(a.result["data"]); errors.As(err, &broken) {
			return w.blame(a, "the data of a success breaks the output schema", suites.Print(schema), suites.Print(a.result["data"])+"; "+broken.Error())
		}
	}
	return nil
}

// lookAt shows what the attempts brought.
func (w *world) lookAt(what string) error {
	for _, a := range w.attempts {
		if a.result == nil {
			continue
		}
		context, _ := a.result["correlation"].(object)
		switch what {
		case "results":
			w.objects = append(w.objects, shown{a.result, "a result", a.answer})
		case "replay results":
			if a.replayed.result != nil {
				w.objects = append(w.objects, shown{a.replayed.result, "a replay result", a.replayed.answer})
			}
		case "correlation contexts":
			if context != nil {
				w.objects = append(w.objects, shown{context, "a correlation context", a.answer})
			}
		case "events":
			for _, ev := range a.replayed.events {
				if ev.raw != nil {
					w.objects = append(w.objects, shown{ev.members(), "an event", a.replayed.answer})
				}
			}
		}
	}
	if len(w.objects) == 0 {
		return suites.Undecided("none of the %s was seen", what)
	}
	return nil
}

// keepsClosed validates by one of our closed schemas (schemas/chp).
func (w *world) keepsClosed(name string) error {
	schema, err := schemas.Own("chp/" + name + ".closed.schema.json")
	if err != nil {
		return err
	}
	for _, o := range w.objects {
		var broken *schemas.Invalidity
		if err := schema.Validate(map[string]any(o.object)); errors.As(err, &broken) {
			return w.violated(o.answer, nil, o.what+" does not keep to the closed reading: "+broken.Causes[0].Keyword+" at "+broken.Causes[0].SchemaPointer, "the members and values of the schema", broken.Error())
		}
	}
	return nil
}
