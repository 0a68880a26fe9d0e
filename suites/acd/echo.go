package acdsuite

import (
	"context"
	"slices"
	"strings"
	"sync"
)

// answersForItself wants of what plays echo that each call gives back its own message.
// Another capability may play it, which has to be seen to echo before that.
func (w *world) answersForItself(ctx context.Context) error {
	p, cast := w.players[roleEcho]
	if !cast || p.Capability != w.template.of || w.template.mode != modeDirect {
		return nil
	}
	own := p.Capability.id == echoID
	for _, further := range []string{" größer 能力", strings.Repeat("-", longestMessage)} {
		input, mark, possible := marked(w.template)
		if !possible {
			return nil
		}
		if own {
			mark = string([]rune(mark + further)[:min(len([]rune(mark+further)), longestMessage)])
			input = object{"message": mark}
		}
		a := w.invoke(ctx, invocation{id: p.Capability.id, mode: modeDirect, permissions: p.Capability.required(), input: input})
		if !a.accepted() || says(a.value, mark) {
			continue
		}
		if own || w.echoes(w.template.input) {
			return broken("a call does not give what its own input makes", mark+" in the output of "+p.Capability.id, a.received())
		}
	}
	return w.answersApart(ctx, p.Capability)
}

// longestMessage is what conformance.echo takes, in characters.
const longestMessage = 280

// says tells whether a text stands in a string anywhere in a value.
func says(v any, part string) bool {
	switch v := v.(type) {
	case string:
		return strings.Contains(v, part)
	case []any:
		return slices.ContainsFunc(v, func(item any) bool { return says(item, part) })
	case object:
		for _, item := range v {
			if says(item, part) {
				return true
			}
		}
	}
	return false
}

// together is how many calls are made at the same time.
const together = 4

// answersApart makes calls at the same time, none of which may get what another one's input
// makes.
func (w *world) answersApart(ctx context.Context, c *capability) error {
	var inputs [together]any
	var marks [together]string
	var answers [together]answered
	var wg sync.WaitGroup
	for i := range together {
		inputs[i], marks[i], _ = marked(w.template)
		wg.Go(func() {
			answers[i] = w.invoke(ctx, invocation{id: c.id, mode: modeDirect, permissions: c.required(), input: inputs[i]})
		})
	}
	wg.Wait()
	for i, a := range answers {
		for j, mark := range marks {
			if i != j && a.accepted() && says(a.value, mark) {
				w.sc.Cite(a.answer, a.err)
				return broken("a call is answered with what the input of another one makes", marks[i]+" in the output of "+c.id, a.received())
			}
		}
	}
	return nil
}

// echoes tells whether the first answer held each text of its input.
func (w *world) echoes(input any) bool {
	trials := w.done.trials.Kept()
	at := slices.IndexFunc(trials, func(t trial) bool { return t.of == w.template.of })
	members, _ := deep(input).(object)
	if at < 0 || len(members) == 0 {
		return false
	}
	for _, value := range members {
		if said, isText := value.(string); !isText || len(said) < 2 || !holdsText(trials[at].answers[modeDirect].value, said) {
			return false
		}
	}
	return true
}
