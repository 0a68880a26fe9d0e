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

// repetitions returns hosts that answer correctly at first, and wrongly when a request is
// repeated.
func repetitions() []mutant.Mutant {
	type turn = func(result object) any
	var broken []mutant.Mutant
	for _, m := range []struct {
		name, requirement, summary string
		turn                       turn
	}{
		{"without-duration", "CAP-INV-01", "Omits duration_ms in a repeated result.",
			func(result object) any {
				delete(result, "duration_ms")
				return result
			}},
		{"bare-output", "CAP-INV-01", "Returns the bare output instead of a repeated result.",
			func(result object) any { return result["output"] }},
		{"other-output", "CAP-INV-04", "Returns an output of another shape in a repeated result.",
			mutant.With("output", object{"cached": true})},
		{"promise", "CAP-INV-05", "Answers a repeated invoke with a ticket.",
			func(object) any { return object{"status": "queued", "ticket": 3} }},
		{"invalid", "CAP-ERR-02", "Refuses as invalid an input that it accepted before.", func(object) any {
			return caphost.Outcome{Failure: &caphost.Failure{Code: caphost.InvalidInput, Message: "seen before"}}.JSON()
		}},
	} {
		broken = append(broken, newMutant("remembers-"+m.name, m.requirement, m.summary, func(h *caphost.Host) {
			target := victim(h).Ref
			changesRepeated(h, func(ref caphost.Ref, result object) any {
				if ref != target || result["ok"] != true {
					return result
				}
				return m.turn(result)
			})
		}))
	}
	return slices.Concat(broken, inputDefects(), answersInSequence())
}

// inputDefects returns hosts with faults for unusual inputs, or from the second request on.
func inputDefects() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("describe-forgets", "CAP-DIS-02", "Answers the second describe of a listed pair with NOT_FOUND.",
			describesOnce(func() (any, error) {
				return nil, rpc.Refuse(caphost.NotFound, "no such capability")
			})),
		newMutant("describe-stops", "CAP-DIS-02", "Answers NOT_FOUND for all its initial capabilities after six describes.",
			describesSixTimes),
		newMutant("describe-null-again", "CAP-DIS-02", "Answers the second describe of a listed pair with null.",
			describesOnce(func() (any, error) { return nil, nil })),
		newMutant("failure-forgotten", "CAP-ERR-04", "Returns a repeated failure as ok.", func(h *caphost.Host) {
			changesRepeated(h, func(ref caphost.Ref, result object) any {
				if ref.ID == "conformance.fail" && object(result)["ok"] == false && codeOf(result) == caphost.ExecutionFailed {
					return caphost.Outcome{Output: object{}}.JSON()
				}
				return result
			})
		}).WithRole("fails"),
		newMutant("counter-without-duration", "CAP-INV-01", "Omits duration_ms in the result of an instrument.",
			func(h *caphost.Host) {
				changesResult(h, func(c *caphost.Capability) bool { return c != nil && c.Instrument },
					func(_ caphost.Outcome, result map[string]any) any {
						delete(result, "duration_ms")
						return result
					})
			}).WithRole("counter"),
		newMutant("failing-unvalidated", "CAP-INV-03", "Does not validate the input of a capability that fails.",
			runsUnvalidated("conformance.fail")).WithRole("fails"),
		newMutant("malformed-unvalidated", "CAP-INV-03",
			"Does not validate the input of a capability whose output is malformed.",
			runsUnvalidated("conformance.malformed")).WithRole("malformed"),
		newMutant("refuses-line-break", "CAP-ERR-02", "Refuses a string that contains a line break.",
			refusesTexts(func(text string) bool { return strings.Contains(text, "\n") })),
		newMutant("refuses-negative", "CAP-ERR-02", "Refuses a negative number where any number is permitted.",
			refusesNumbers("-")),
		newMutant("refuses-fraction", "CAP-ERR-02", "Refuses a fraction where any number is permitted.",
			refusesNumbers(".")),
		newMutant("id-a-list", "CAP-FC-01", "Gives a capability a new id with every list and forgets the previous id.",
			func(h *caphost.Host) {
				target, original, lists := victim(h), h.Catalogue, new(atomic.Int64)
				h.Catalogue = func() []*caphost.Capability {
					next := target.Edit(setsMember("capability_id", "colour.compute_mix."+strings.Repeat("x", int(lists.Add(1)))))
					h.Replace(target.Ref, next)
					target = next
					return original()
				}
			}),
		newMutant("list-hides-tool", "CAP-DIS-01", "Omits from the list a tool to which a skill is reduced.",
			hidesTool).WithRole("skill"),
	}
}

// answersInSequence answer wrongly after another request, or for another input of a role.
func answersInSequence() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("describe-after-unknown", "CAP-DIS-02", "Describes an ordinary pair as null after an unknown pair.",
			func(h *caphost.Host) {
				var unknown atomic.Bool
				original := h.Describe
				h.Describe = func(ctx context.Context, params map[string]any) (any, error) {
					ref, _ := caphost.ReadRef(params)
					c := h.Lookup(ref)
					if unknown.Swap(c == nil) && c != nil && !isFixture(c) {
						return nil, nil
					}
					return original(ctx, params)
				}
			}),
		newMutant("malformed-accepted-again", "CAP-INV-04",
			"Returns a repeated output that breaks its schema as a success.", func(h *caphost.Host) {
				changesRepeated(h, func(ref caphost.Ref, result object) any {
					if ref.ID == "conformance.malformed" && codeOf(result) == caphost.ExecutionFailed {
						return caphost.Outcome{Output: object{}}.JSON()
					}
					return result
				})
			}).WithRole("malformed"),
		newMutant("fails-for-empty-input-alone", "CAP-ERR-04",
			"Returns ok from a capability that always fails if its input is not empty.", func(h *caphost.Host) {
				perform := h.Perform
				h.Perform = func(ctx context.Context, c *caphost.Capability, input any) caphost.Outcome {
					members, _ := input.(map[string]any)
					if c.ID == "conformance.fail" && len(members) > 0 && h.Validate(c, input) == nil {
						return caphost.Outcome{Output: object{}}
					}
					return perform(ctx, c, input)
				}
			}).WithRole("fails"),
	}
}

func describesSixTimes(h *caphost.Host) {
	initial, original, described := h.Capabilities(), h.Describe, new(atomic.Int64)
	h.Describe = func(ctx context.Context, params map[string]any) (any, error) {
		ref, _ := caphost.ReadRef(params)
		known := slices.ContainsFunc(initial, func(c *caphost.Capability) bool { return c.Ref == ref })
		if known && described.Add(1) > 6 {
			return nil, rpc.Refuse(caphost.NotFound, "no such capability")
		}
		return original(ctx, params)
	}
}

func codeOf(result object) any {
	failure, _ := result["error"].(map[string]any)
	return failure["code"]
}

// changesRepeated changes the result of an invoke that repeats an earlier request.
func changesRepeated(h *caphost.Host, change func(ref caphost.Ref, result object) any) {
	var asked sync.Map
	original := h.Invoke
	h.Invoke = func(ctx context.Context, params map[string]any) (any, error) {
		_, again := asked.LoadOrStore(string(rpc.Append(nil, params)), true)
		result, err := original(ctx, params)
		members, isObject := result.(map[string]any)
		if !again || !isObject {
			return result, err
		}
		return change(refOf(params), members), err
	}
}

// describesOnce answers the second and later describes of the victim in another way.
func describesOnce(answer func() (any, error)) defect {
	return func(h *caphost.Host) {
		target, original, asked := victim(h).Ref, h.Describe, new(atomic.Int64)
		h.Describe = func(ctx context.Context, params map[string]any) (any, error) {
			if ref, _ := caphost.ReadRef(params); ref == target && asked.Add(1) > 1 {
				return answer()
			}
			return original(ctx, params)
		}
	}
}

// runsUnvalidated executes a capability for every input, valid or not.
func runsUnvalidated(id string) defect {
	return func(h *caphost.Host) {
		original := h.Validate
		h.Validate = func(c *caphost.Capability, input any) error {
			if c.ID == id {
				return nil
			}
			return original(c, input)
		}
	}
}

// refusesTexts refuses an input if refuses returns true for any string in it.
func refusesTexts(refuses func(text string) bool) defect {
	return func(h *caphost.Host) {
		original := h.Validate
		h.Validate = func(c *caphost.Capability, input any) error {
			found := false
			changeFromLeaves(nil, input, func(_, value any) any {
				text, isString := value.(string)
				found = found || (isString && refuses(text))
				return value
			})
			if found {
				return errors.New("input is not wanted")
			}
			return original(c, input)
		}
	}
}

// refusesNumbers refuses numbers that contain a sign, in lists of numbers.
func refusesNumbers(sign string) defect {
	return func(h *caphost.Host) {
		original := h.Validate
		h.Validate = func(c *caphost.Capability, input any) error {
			members, _ := input.(map[string]any)
			numbers, _ := members["numbers"].([]any)
			for _, n := range numbers {
				if c.ID == "list.sort" && strings.Contains(string(rpc.Append(nil, n)), sign) {
					return errors.New("input is not wanted")
				}
			}
			return original(c, input)
		}
	}
}

// hidesTool reduces the skill to a tool that the list omits.
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
