package capvariant

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/capconform/capconform/reference/caphost"
	"github.com/capconform/capconform/reference/rpc"
	"github.com/capconform/capconform/reference/variant"
)

// concurrentChanges returns sources that change during the run: their owners register,
// release, rewrite and retire capabilities, and other callers use them. The text
// requires that a source describes its capabilities, and that a pair stays one pair; it
// does not require that the set of pairs stays the same (the readings of CAP-CAP-02,
// CAP-DIS-07 and CAP-FC-01). A listed capability can be described and invoked at that
// moment, and is NOT_FOUND once it is gone.
func concurrentChanges() []variant.Variant {
	plainRef := caphost.Ref{ID: "colour.compute_mix", Version: "1.0.0"}
	return []variant.Variant{
		newVariant("restless-visitor",
			"Has an additional capability in every second list, each time another one, and removes it with the next list.",
			visitedBy(func(n int64) string { return fmt.Sprintf("colour.visit.%d", n) }), "CAP-CAP-02", "CAP-FC-01"),
		newVariant("restless-returning",
			"Registers the same capability with every second list and removes it with the next.",
			visitedBy(func(int64) string { return "colour.visit" }), "CAP-CAP-02", "CAP-FC-01"),
		newVariant("restless-releases", "Registers a further version of a capability with every eleventh call.",
			everyNthCall(11, func(h *caphost.Host, n int64) {
				for _, version := range []string{fmt.Sprintf("1.%d.0", n), fmt.Sprintf("%d.0.0", n+1)} {
					renewed(h, plainRef, true, func(manifest map[string]any) { manifest["version"] = version })
				}
			}), "CAP-CAP-05", "CAP-DIS-01", "CAP-DIS-04"),
		newVariant("restless-upgrade", "Replaces a capability with a new version.",
			onceAt(12, func(h *caphost.Host) {
				renewed(h, plainRef, false, sets("version", "1.0.1"))
			}), "CAP-CAP-02", "CAP-FC-01"),
		newVariant("restless-retirement", "Removes a capability.", onceAt(12, func(h *caphost.Host) { h.Remove(plainRef) }),
			"CAP-CAP-02", "CAP-FC-01"),
		newVariant("restless-rewriting", "Rewrites the manifest of a capability with every thirtieth call.",
			everyNthCall(30, func(h *caphost.Host, n int64) {
				renewed(h, plainRef, false, sets("description", fmt.Sprintf("Mixes two colours, edition %d.", n)))
			}), "CAP-DIS-07"),
		newVariant("restless-contract", "Requires an additional member in the input of a capability.",
			onceAt(12, func(h *caphost.Host) {
				renewed(h, plainRef, false, func(manifest map[string]any) {
					input(map[string]any{"tone": map[string]any{"type": "string"}})(manifest)
					schema, _ := manifest["input_schema"].(map[string]any)
					schema["required"] = []any{"first", "second", "tone"}
				})
			}), "CAP-DIS-05", "CAP-DIS-06", "CAP-DIS-07"),
		newVariant("restless-description", "Counts in the description of a capability how often it was shown.",
			func(h *caphost.Host) {
				var told atomic.Int64
				h.Publish = func(_ string, c *caphost.Capability) any {
					manifest := c.Manifest()
					if c.Ref == plainRef {
						manifest["description"] = fmt.Sprintf("Mixes two colours. Told %d times.", told.Add(1))
					}
					return manifest
				}
			}, "CAP-DIS-07"),
		newVariant("restless-callers",
			"Is also invoked by other callers, several times in a row and then not for a long time.",
			everyNthCall(131, func(h *caphost.Host, _ int64) {
				for range 5 {
					if c := h.Lookup(plainRef); c != nil {
						h.Perform(context.Background(), c, c.Sample)
					}
				}
			}), "CAP-INV-03"),
	}
}

// everyNthCall calls do before every n-th call of an operation, with the number of times so far.
func everyNthCall(calls int64, do func(h *caphost.Host, n int64)) style {
	return func(h *caphost.Host) {
		var made atomic.Int64
		ticking := func(operation rpc.Operation) rpc.Operation {
			return func(ctx context.Context, params map[string]any) (any, error) {
				if n := made.Add(1); n%calls == 0 {
					do(h, n/calls)
				}
				return operation(ctx, params)
			}
		}
		h.List, h.Describe, h.Invoke = ticking(h.List), ticking(h.Describe), ticking(h.Invoke)
	}
}

// onceAt calls do once, before the call with the given number.
func onceAt(call int64, do func(h *caphost.Host)) style {
	return everyNthCall(call, func(h *caphost.Host, n int64) {
		if n == 1 {
			do(h)
		}
	})
}

// renewed registers a capability with a changed manifest, beside the old one or in its
// place. It does nothing if the pair is not registered.
func renewed(h *caphost.Host, ref caphost.Ref, beside bool, change func(manifest map[string]any)) {
	c := h.Lookup(ref)
	if c == nil {
		return
	}
	next, err := c.Remake(change)
	switch {
	case err != nil || (beside && h.Lookup(next.Ref) != nil):
	case beside:
		h.Add(next)
	default:
		h.Replace(ref, next)
	}
}

// visitedBy registers a copy of the plain tool with every second list and removes it with
// the next.
func visitedBy(id func(n int64) string) style {
	return func(h *caphost.Host) {
		original, lists := h.Catalogue, new(atomic.Int64)
		h.Catalogue = func() []*caphost.Capability {
			n := lists.Add(1)
			if n%2 == 1 {
				adds(sets("capability_id", id(n)))(h)
			} else {
				h.Remove(caphost.Ref{ID: id(n - 1), Version: "1.0.0"})
			}
			return original()
		}
	}
}
