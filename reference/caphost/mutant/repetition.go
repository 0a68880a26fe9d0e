package capmutant

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/capconform/capconform/reference/caphost"
	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/rpc"
)

// repetitions answer well at first, and another time from what they remember, or forgot.
func repetitions() []mutant.Mutant {
	type turn = func(result object) any
	var broken []mutant.Mutant
	for _, m := range []struct {
		name, requirement, summary string
		turn                       turn
	}{
		{"without-duration", "CAP-INV-01", "Leaves duration_ms out of a result that it gives once more.",
			func(result object) any {
				delete(result, "duration_ms")
				return result
			}},
		{"bare-output", "CAP-INV-01", "Gives the bare output where it gives a result once more.",
			func(result object) any { return result["output"] }},
		{"other-output", "CAP-INV-04", "Gives an output of another shape where it gives it once more.",
			mutant.With("output", object{"cached": true})},
		{"promise", "CAP-INV-05", "Promises a result where it was asked for it before.",
			func(object) any { return object{"status": "queued", "ticket": 3} }},
		{"invalid", "CAP-ERR-02", "Refuses as unsound what it took before.", func(object) any {
			return caphost.Outcome{Failure: &caphost.Failure{Code: caphost.InvalidInput, Message: "seen before"}}.JSON()
		}},
	} {
		broken = append(broken, newMutant("remembers-"+m.name, m.requirement, m.summary, func(h *caphost.Host) {
			target := victim(h).Ref
			repeated(h, func(ref caphost.Ref, result object) any {
				if ref != target || result["ok"] != true {
					return result
				}
				return m.turn(result)
			})
		}))
	}
	return append(broken, inputDefects()...)
}

// inputDefects are wrong for unusual inputs, or from the second time on.
func inputDefects() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("describe-forgets", "CAP-DIS-02", "Does not know a listed pair when it is described once more.",
			describesOnce(func() (any, error) {
				return nil, rpc.Refuse(caphost.NotFound, "no such capability")
			})),
		newMutant("describe-stops", "CAP-DIS-02", "Describes six times and knows nothing then of what it began with.",
			func(h *caphost.Host) {
				began, sound, described := h.Capabilities(), h.Describe, new(atomic.Int64)
				h.Describe = func(ctx context.Context, params map[string]any) (any, error) {
					ref, _ := caphost.ReadRef(params)
					known := slices.ContainsFunc(began, func(c *caphost.Capability) bool { return c.Ref == ref })
					if known && described.Add(1) > 6 {
						return nil, rpc.Refuse(caphost.NotFound, "no such capability")
					}
					return sound(ctx, params)
				}
			}),
		newMutant("describe-null-again", "CAP-DIS-02", "Describes a listed pair as null when it is described once more.",
			describesOnce(func() (any, error) { return nil, nil })),
		newMutant("failure-forgotten", "CAP-ERR-04", "Gives a failure as ok when it comes once more.", func(h *caphost.Host) {
			repeated(h, func(ref caphost.Ref, result object) any {
				if ref.ID == "conformance.fail" && object(result)["ok"] == false && codeOf(result) == caphost.ExecutionFailed {
					return caphost.Outcome{Output: object{}}.JSON()
				}
				return result
			})
		}).WithRole("fails"),
		newMutant("counter-without-duration", "CAP-INV-01", "Leaves duration_ms out of the result of an instrument.",
			func(h *caphost.Host) {
				turnsResult(h, func(c *caphost.Capability) bool { return c != nil && c.Instrument },
					func(_ caphost.Outcome, result map[string]any) any {
						delete(result, "duration_ms")
						return result
					})
			}).WithRole("counter"),
		newMutant("failing-unvalidated", "CAP-INV-03", "Does not validate what a capability takes that fails.",
			runsUnvalidated("conformance.fail")).WithRole("fails"),
		newMutant("malformed-unvalidated", "CAP-INV-03",
			"Does not validate what a capability takes whose output is malformed.",
			runsUnvalidated("conformance.malformed")).WithRole("malformed"),
		newMutant("refuses-line-break", "CAP-ERR-02", "Refuses a string with a line break in it.",
			refusesTexts(func(text string) bool { return strings.Contains(text, "\n") })),
		newMutant("refuses-negative", "CAP-ERR-02", "Refuses a negative number where any is taken.", refusesNumbers("-")),
		newMutant("refuses-fraction", "CAP-ERR-02", "Refuses a fraction where any number is taken.", refusesNumbers(".")),
		newMutant("id-a-list", "CAP-FC-01", "Gives a capability a new id with every list and forgets the one before.",
			func(h *caphost.Host) {
				target, sound, lists := victim(h), h.Catalogue, new(atomic.Int64)
				h.Catalogue = func() []*caphost.Capability {
					next := target.Edit(setsMember("capability_id", "colour.compute_mix."+strings.Repeat("x", int(lists.Add(1)))))
					h.Replace(target.Ref, next)
					target = next
					return sound()
				}
			}),
		newMutant("list-hides-tool", "CAP-DIS-01", "Leaves a tool out of the list that a skill is reduced to.",
			hidesTool).WithRole("skill"),
	}
}

func codeOf(result object) any {
	failure, _ := result["error"].(map[string]any)
	return failure["code"]
}

// repeated changes the result of an invoke that was asked for in the same words before.
func repeated(h *caphost.Host, turn func(ref caphost.Ref, result object) any) {
	var asked sync.Map
	sound := h.Invoke
	h.Invoke = func(ctx context.Context, params map[string]any) (any, error) {
		_, again := asked.LoadOrStore(string(rpc.Append(nil, params)), true)
		result, err := sound(ctx, params)
		members, isObject := result.(map[string]any)
		if !again || !isObject {
			return result, err
		}
		return turn(refOf(params), members), err
	}
}

// describesOnce answers the second describe of the victim in another way.
func describesOnce(answer func() (any, error)) defect {
	return func(h *caphost.Host) {
		target, sound, asked := victim(h).Ref, h.Describe, new(atomic.Int64)
		h.Describe = func(ctx context.Context, params map[string]any) (any, error) {
			if ref, _ := caphost.ReadRef(params); ref == target && asked.Add(1) > 1 {
				return answer()
			}
			return sound(ctx, params)
		}
	}
}

// runsUnvalidated runs the handler of a capability whatever its input is.
func runsUnvalidated(id string) defect {
	return func(h *caphost.Host) {
		sound := h.Validate
		h.Validate = func(c *caphost.Capability, input any) error {
			if c.ID == id {
				return nil
			}
			return sound(c, input)
		}
	}
}

// refusesTexts refuses an input of which any string is refused.
func refusesTexts(refuses func(text string) bool) defect {
	return func(h *caphost.Host) {
		sound := h.Validate
		h.Validate = func(c *caphost.Capability, input any) error {
			found := false
			alongside(nil, input, func(_, value any) any {
				text, isString := value.(string)
				found = found || (isString && refuses(text))
				return value
			})
			if found {
				return errors.New("input is not wanted")
			}
			return sound(c, input)
		}
	}
}

// refusesNumbers refuses numbers with a sign in them, in lists of any numbers.
func refusesNumbers(sign string) defect {
	return func(h *caphost.Host) {
		sound := h.Validate
		h.Validate = func(c *caphost.Capability, input any) error {
			members, _ := input.(map[string]any)
			numbers, _ := members["numbers"].([]any)
			for _, n := range numbers {
				if c.ID == "list.sort" && strings.Contains(string(rpc.Append(nil, n)), sign) {
					return errors.New("input is not wanted")
				}
			}
			return sound(c, input)
		}
	}
}

// hidesTool reduces the skill to a tool that the list leaves out.
func hidesTool(h *caphost.Host) {
	c := skill(h)
	if c == nil {
		return
	}
	hidden := victim(h).Edit(setsMember("capability_id", "colour.inner"))
	h.Add(hidden)
	h.Replace(c.Ref, c.Edit(func(manifest map[string]any) {
		reduction, _ := manifest["conformance.reduction"].(map[string]any)
		reduction["tools"] = []any{hidden.JSON()}
	}))
	listing(func(c *caphost.Capability) bool { return c.Ref != hidden.Ref })(h)
}
