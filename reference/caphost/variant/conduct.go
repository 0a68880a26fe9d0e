package capvariant

import (
	"context"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/capconform/capconform/reference/caphost"
	"github.com/capconform/capconform/reference/rpc"
	"github.com/capconform/capconform/reference/variant"
)

// conducts returns sources that act in another order or at another time where the text permits
// it.
func conducts() []variant.Variant {
	return []variant.Variant{
		newVariant("asynchronous", "Runs every handler asynchronously and answers in the order of completion.",
			asynchronous,
			"CAP-INV-06", "CAP-INV-05"),
		newVariant("denies-first", "Checks permissions before it validates the input.", deniesFirst, "CAP-ERR-03"),
		newVariant("counts-instruments", "Counts the executions of its instruments as well.", func(h *caphost.Host) {
			for _, c := range h.Capabilities() {
				if c.Instrument {
					counted := *c
					counted.Instrument = false
					h.Replace(c.Ref, &counted)
				}
			}
		}, "CAP-INV-03"),
		newVariant("describe-cached", "Continues to describe a replaced pair from a cache, but does not invoke it.",
			func(h *caphost.Host) { h.Remember(caphost.OpDescribe) }, "CAP-DIS-05", "CAP-DIS-06"),
		newVariant("malformed-ref-not-found", "Answers an invoke with a malformed reference with the result NOT_FOUND.",
			malformedRef(caphost.NotFound), "CAP-REF-01"),
		newVariant("malformed-ref-invalid", "Answers an invoke with a malformed reference with the result INVALID_INPUT.",
			malformedRef(caphost.InvalidInput), "CAP-REF-01"),
		newVariant("ref-without-version",
			"Uses the first version if a reference lacks one, or has null or an empty string as version.",
			guessesVersion, "CAP-REF-01"),
		newVariant("ref-as-string", "Also accepts a reference in one string, id@version.", takesJoinedRef, "CAP-REF-01"),
		newVariant("input-outside-contract", "Refuses an input that is not an object with the protocol error -32602.",
			refusesNonObjects, "CAP-INV-01", "CAP-INV-03"),
		newVariant("compatible-versions", "Declares that a capability serves every version with the same major number.",
			declaresCompatible("compatibility", map[string]any{"rule": "semver"}), "CAP-OPEN-01", "CAP-DIS-04"),
		newVariant("compatible-range", "Declares the ranges of versions that a capability serves.",
			declaresCompatible("x-compatible-versions", []any{"^1.0.0", "^2.0.0", "1", "2"}), "CAP-OPEN-01", "CAP-DIS-04"),
		newVariant("malformed-as-timeout", "Reports a handler that broke its output schema under another code.",
			func(h *caphost.Host) {
				original := h.Check
				h.Check = func(c *caphost.Capability, output any) error {
					if err := original(c, output); err != nil {
						return &caphost.Failure{Code: caphost.Timeout, Message: "no sound output came in time"}
					}
					return nil
				}
			}, "CAP-INV-04"),
	}
}

// asynchronous delays handlers by up to a millisecond, so that answers overtake each other.
func asynchronous(h *caphost.Host) {
	type done struct {
		output any
		err    error
	}
	original := h.Execute
	h.Execute = func(ctx context.Context, c *caphost.Capability, input any) (any, error) {
		finished := make(chan done, 1)
		time.AfterFunc(rand.N(time.Millisecond), func() {
			output, err := original(ctx, c, input)
			finished <- done{output, err}
		})
		result := <-finished
		return result.output, result.err
	}
}

func deniesFirst(h *caphost.Host) {
	original := h.Perform
	h.Perform = func(ctx context.Context, c *caphost.Capability, input any) caphost.Outcome {
		if err := h.Authorize(c); err != nil {
			return caphost.Failed(caphost.PermissionDenied, err)
		}
		return original(ctx, c, input)
	}
}

func guessesVersion(h *caphost.Host) {
	original := h.Invoke
	h.Invoke = func(ctx context.Context, params map[string]any) (any, error) {
		half, _ := params["ref"].(map[string]any)
		id, named := half["capability_id"].(string)
		first := slices.IndexFunc(h.Capabilities(), func(c *caphost.Capability) bool { return c.ID == id })
		if named && first >= 0 && (half["version"] == nil || half["version"] == "") {
			params = maps.Clone(params)
			params["ref"] = h.Capabilities()[first].JSON()
		}
		return original(ctx, params)
	}
}

func takesJoinedRef(h *caphost.Host) {
	original := h.Invoke
	h.Invoke = func(ctx context.Context, params map[string]any) (any, error) {
		joined, _ := params["ref"].(string)
		if id, version, whole := strings.Cut(joined, "@"); whole {
			params = maps.Clone(params)
			params["ref"] = caphost.Ref{ID: id, Version: version}.JSON()
		}
		return original(ctx, params)
	}
}

func refusesNonObjects(h *caphost.Host) {
	original := h.Invoke
	h.Invoke = func(ctx context.Context, params map[string]any) (any, error) {
		if _, isObject := params["input"].(map[string]any); !isObject {
			return nil, &rpc.Error{Number: rpc.InvalidParams, Message: "input must be an object"}
		}
		return original(ctx, params)
	}
}

// declaresCompatible adds a declaration to every capability, and serves all versions with the
// same major number.
func declaresCompatible(member string, declaration any) style {
	return func(h *caphost.Host) {
		remakes(all, sets(member, declaration))(h)
		original := h.Resolve
		h.Resolve = func(asked string, ref caphost.Ref) *caphost.Capability {
			if c := original(asked, ref); c != nil {
				return c
			}
			for _, c := range h.Capabilities() {
				major, _, _ := strings.Cut(c.Version, ".")
				if c.ID == ref.ID && (ref.Version == major || strings.HasPrefix(ref.Version, major+".")) {
					return c
				}
			}
			return nil
		}
	}
}

func malformedRef(code string) style {
	return func(h *caphost.Host) {
		original := h.Invoke
		h.Invoke = func(ctx context.Context, params map[string]any) (any, error) {
			members, _ := params["ref"].(map[string]any)
			if _, isRef := caphost.ReadRef(members); !isRef {
				return caphost.Outcome{Failure: &caphost.Failure{Code: code, Message: "no reference"}}.JSON(), nil
			}
			return original(ctx, params)
		}
	}
}
