package capmutant

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/capconform/capconform/reference/caphost"
	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/rpc"
)

// rareInputs returns hosts that answer correctly except for inputs with an unusual value (CAP-INV-04),
// after a refusal, or while another invocation is in progress.
func rareInputs() []mutant.Mutant {
	var broken []mutant.Mutant
	for _, m := range []struct {
		name, summary string
		breaks        func(input object) bool
	}{
		{"blanks", "a text that begins with a blank", texts(func(text string) bool { return strings.HasPrefix(text, " ") })},
		{"quotes", "a text with quotes", texts(func(text string) bool { return strings.Contains(text, `"`) })},
		{"two-units", "a text with a character of two UTF-16 units", texts(func(text string) bool {
			return strings.ContainsFunc(text, func(r rune) bool { return r > 0xffff })
		})},
		{"long-text", "a text of more than a thousand characters", texts(func(text string) bool { return len(text) > 1000 })},
		{"million", "a number of more than a million", numbers(func(n float64) bool { return n > 1_000_000 })},
		{"33-bits", "a number that does not fit in 32 bits", numbers(func(n float64) bool { return n > 1<<32 })},
		{"small-fraction", "a number between 0 and 0.001", numbers(func(n float64) bool { return 0 < n && n < 0.001 })},
		{"many-items", "more than ten items", func(input object) bool {
			items, _ := input["items"].([]any)
			return len(items) > 10
		}},
		{"null-of-any", "null where any value is permitted", func(input object) bool {
			value, given := input["value"]
			return given && value == nil
		}},
		{"list-of-any", "a list where any value is permitted", func(input object) bool {
			_, isList := input["value"].([]any)
			return isList
		}},
	} {
		broken = append(broken, newMutant("output-of-"+m.name, "CAP-INV-04",
			"Returns an output without a required member for "+m.summary+".", func(h *caphost.Host) {
				addOpen(h, func(input object) object {
					if m.breaks(input) {
						return object{}
					}
					return object{"text": textOf(input)}
				})
				listsLastFirst(h)
			}))
	}
	return append(broken, repeats()...)
}

func texts(breaks func(text string) bool) func(input object) bool {
	return func(input object) bool {
		found := false
		changeFromLeaves(nil, input, func(_, value any) any {
			text, isText := value.(string)
			found = found || isText && breaks(text)
			return value
		})
		return found
	}
}

func numbers(breaks func(n float64) bool) func(input object) bool {
	return func(input object) bool {
		number, _ := input["number"].(json.Number)
		n, err := strconv.ParseFloat(string(number), 64)
		return err == nil && breaks(n)
	}
}

func textOf(input object) string {
	text, _ := input["text"].(string)
	return text
}

// addOpen registers a capability whose schema limits nothing and that returns the text of its input.
func addOpen(h *caphost.Host, run func(input object) object) {
	text := object{"type": "string"}
	c, err := victim(h).Remake(func(manifest map[string]any) {
		manifest["capability_id"], manifest["name"] = "text.echo", "Echo"
		manifest["description"] = "Returns a text."
		manifest["input_schema"] = object{"type": "object", "properties": object{
			"text": text, "number": object{"type": "number"}, "items": object{"type": "array", "items": text},
			"value": object{"description": "Any value."},
		}}
		manifest["output_schema"] = object{"type": "object", "properties": object{"text": text}, "required": []any{"text"}}
	})
	if err != nil {
		panic(err) // the schemas are those above
	}
	c.Sample = nil
	c.Run = func(_ context.Context, _ *caphost.Host, input map[string]any) (any, error) { return run(input), nil }
	h.Add(c)
	valid := h.Check
	h.Check = func(of *caphost.Capability, output any) error {
		if of.Ref == c.Ref {
			return nil
		}
		return valid(of, output)
	}
}

// listsLastFirst lists the last capability first: a run tries each kind of input on a few capabilities.
func listsLastFirst(h *caphost.Host) {
	catalogue := h.Catalogue
	h.Catalogue = func() []*caphost.Capability {
		all := catalogue()
		return append([]*caphost.Capability{all[len(all)-1]}, all[:len(all)-1]...)
	}
}

// repeats returns hosts that answer wrongly when an invalid input is repeated or spaced, or
// concurrently.
func repeats() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("repeated-invalid-accepted", "CAP-INV-02", "Accepts an invalid input that it refused before.",
			func(h *caphost.Host) {
				var seen sync.Map
				admitsInvalid(func(c *caphost.Capability, input any) bool {
					if isFixture(c) {
						return false // a fixture is invoked again only to count executions
					}
					_, again := seen.LoadOrStore(c.ID+c.Version+string(rpc.Append(nil, input)), true)
					return again
				})(h)
			}),
		newMutant("trims-before-pattern", "CAP-INV-02", "Ignores spaces around a string that must match a pattern.",
			admitsInvalid(func(c *caphost.Capability, input any) bool {
				return c.ID == "calendar.find_weekday" && c.Input.Check(changeFromLeaves(c.Sample, input, func(_, value any) any {
					if text, isString := value.(string); isString {
						return strings.TrimSpace(text)
					}
					return value
				})) == nil
			})),
		newMutant("concurrent-without-duration", "CAP-INV-01",
			"Omits duration_ms in a result while another invocation of the capability is in progress.", func(h *caphost.Host) {
				listsVictimLast(h)
				target, running, met := victim(h).Ref, new(atomic.Int64), new(atomic.Int64)
				perform := h.Perform
				h.Perform = func(ctx context.Context, c *caphost.Capability, input any) caphost.Outcome {
					if c.Ref != target {
						return perform(ctx, c, input)
					}
					running.Add(1)
					defer running.Add(-1)
					wait(ctx)
					if running.Load() > 1 {
						met.Add(1)
					}
					return perform(ctx, c, input)
				}
				changesResult(h, func(c *caphost.Capability) bool {
					return c != nil && c.Ref == target && met.Load() > 0 && met.Add(-1) >= 0
				},
					func(_ caphost.Outcome, result map[string]any) any {
						delete(result, "duration_ms")
						return result
					})
			}),
		newMutant("ordinary-callers-crossed", "CAP-INV-05",
			"Returns to two concurrent callers of an ordinary capability each other's result.", func(h *caphost.Host) {
				addOpen(h, func(input object) object { return object{"text": textOf(input)} })
				swapsAnswers(h, "text.echo")
			}),
	}
}

// listsVictimLast lists the victim last: some inputs are sent to the last capability only.
func listsVictimLast(h *caphost.Host) {
	target, catalogue := victim(h).Ref, h.Catalogue
	h.Catalogue = func() []*caphost.Capability {
		var others, last []*caphost.Capability
		for _, c := range catalogue() {
			if c.Ref == target {
				last = append(last, c)
			} else {
				others = append(others, c)
			}
		}
		return append(others, last...)
	}
}
