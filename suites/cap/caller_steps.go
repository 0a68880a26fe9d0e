package capsuite

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/instance"
)

var callerSentences = []sentence{
	say(`"([^"]*)" is invoked many times at once, each time with an input of its own`, func(w *world) any { return w.invokeAtOnce }),
	say(`each answer belongs to its own input`, func(w *world) any { return w.answersNotCrossed }),
}

// invokeAtOnce calls the role echo from several callers together.
func (w *world) invokeAtOnce(ctx context.Context, role string) error {
	const callers = 8
	p := w.players[role]
	inputs := make([]json.RawMessage, 0, callers)
	for n := range callers {
		input, found := echoInput(p.capability, w.soundInputs(p.capability), fmt.Sprintf("caller %d", n))
		if !found {
			return suites.Inapplicable("%s takes no text by which callers could be told apart", p.id)
		}
		inputs = append(inputs, input)
	}
	w.attempts = make([]attempt, callers)
	var wg sync.WaitGroup
	for n, input := range inputs {
		wg.Go(func() {
			w.attempts[n] = w.invoke(ctx, w.sc, invocation{asked: p.ref(), of: p.capability, input: input})
		})
	}
	wg.Wait()
	return lost(w.attempts)
}

// echoInput puts a text into the first member of a sound input that takes any text.
func echoInput(c *capability, sound []instance.Sample, text string) (json.RawMessage, bool) {
	for _, input := range sound {
		var members map[string]any
		if json.Unmarshal(input.Text, &members) != nil {
			continue
		}
		for _, name := range sortedKeys(members) {
			was := members[name]
			if !isString(was) {
				continue
			}
			members[name] = text
			made := suites.Encode(members)
			if c.compiled().input == nil || c.input.Validate(decoded(made)) == nil {
				return made, true
			}
			members[name] = was
		}
	}
	return nil, false
}

// answersNotCrossed looks for each caller's text in its own output, and for
// nobody else's.
func (w *world) answersNotCrossed() error {
	for n, a := range w.attempts {
		if !a.succeeded() {
			continue
		}
		output := suites.Print(a.result.output())
		for other := range w.attempts {
			if other != n && strings.Contains(output, fmt.Sprintf("caller %d", other)) {
				return w.violation("the answers to invocations that run at the same time are mixed up", "the output that belongs to "+suites.Clip(string(a.input)), a.answer, nil)
			}
		}
	}
	return nil
}
