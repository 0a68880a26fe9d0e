package capvariant

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/capconform/capconform/reference/caphost"
	"github.com/capconform/capconform/reference/rpc"
	"github.com/capconform/capconform/reference/variant"
)

// concurrentChanges are sources that change during the run: their owners register,
// release, rewrite and retire capabilities, and other callers use them. The text
// demands that a source describes what it has, and that a pair stays one pair; it
// does not demand that the set of pairs stays the same (the readings of
// CAP-CAP-02, CAP-DIS-07 and CAP-FC-01). What is listed can be described and invoked
// at that moment, and is NOT_FOUND once it is gone.
func concurrentChanges() []variant.Variant {
	plainRef := caphost.Ref{ID: "colour.compute_mix", Version: "1.0.0"}
	return []variant.Variant{
		newVariant("restless-visitor",
			"Has another additional capability in every second list, and removes it with the next.",
			visitedBy(func(n int64) string { return fmt.Sprintf("colour.visit.%d", n) }), "CAP-CAP-02", "CAP-FC-01"),
		newVariant("restless-returning", "Registers one capability with every second list and removes it with the next.",
			visitedBy(func(int64) string { return "colour.visit" }), "CAP-CAP-02", "CAP-FC-01"),
		newVariant("restless-releases", "Registers a further version of a capability with every eleventh call.",
			everyCalls(11, func(h *caphost.Host, n int64) {
				for _, version := range []string{fmt.Sprintf("1.%d.0", n), fmt.Sprintf("%d.0.0", n+1)} {
					renewed(h, plainRef, true, func(manifest map[string]any) { manifest["version"] = version })
				}
			}), "CAP-CAP-05", "CAP-DIS-01", "CAP-DIS-04"),
		newVariant("restless-upgrade", "Puts a new version of a capability in the place of the one it had.",
			onceAt(12, func(h *caphost.Host) {
				renewed(h, plainRef, false, sets("version", "1.0.1"))
			}), "CAP-CAP-02", "CAP-FC-01"),
		newVariant("restless-retirement", "Takes a capability out.", onceAt(12, func(h *caphost.Host) { h.Remove(plainRef) }),
			"CAP-CAP-02", "CAP-FC-01"),
		newVariant("restless-rewriting", "Rewrites the manifest of a capability with every thirtieth call.",
			everyCalls(30, func(h *caphost.Host, n int64) {
				renewed(h, plainRef, false, sets("description", fmt.Sprintf("Mixes two colours, edition %d.", n)))
			}), "CAP-DIS-07"),
		newVariant("restless-contract", "Demands a further member of the input of a capability.",
			onceAt(12, func(h *caphost.Host) {
				renewed(h, plainRef, false, func(manifest map[string]any) {
					input(map[string]any{"tone": map[string]any{"type": "string"}})(manifest)
					schema, _ := manifest["input_schema"].(map[string]any)
					schema["required"] = []any{"first", "second", "tone"}
				})
			}), "CAP-DIS-05", "CAP-DIS-06", "CAP-DIS-07"),
		newVariant("restless-description", "Writes into the description of a capability how often it was shown.",
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
		newVariant("restless-callers", "Is invoked by others too, several times in a row and then not for a long time.",
			everyCalls(131, func(h *caphost.Host, _ int64) {
				for range 5 {
					if c := h.Lookup(plainRef); c != nil {
						h.Perform(context.Background(), c, c.Sample)
					}
				}
			}), "CAP-INV-03"),
	}
}

// everyCalls does something before every so manieth call, and tells how often it did.
func everyCalls(calls int64, do func(h *caphost.Host, n int64)) style {
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

// onceAt does something before the call of that number.
func onceAt(call int64, do func(h *caphost.Host)) style {
	return everyCalls(call, func(h *caphost.Host, n int64) {
		if n == 1 {
			do(h)
		}
	})
}

// renewed registers a capability anew with another manifest, beside the old one or in
// its place. It does nothing where the pair is not there.
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

// visitedBy registers a copy of the plain tool with every second list and takes it out
// with the next.
func visitedBy(id func(n int64) string) style {
	return func(h *caphost.Host) {
		sound, lists := h.Catalogue, new(atomic.Int64)
		h.Catalogue = func() []*caphost.Capability {
			n := lists.Add(1)
			if n%2 == 1 {
				adds(sets("capability_id", id(n)))(h)
			} else {
				h.Remove(caphost.Ref{ID: id(n - 1), Version: "1.0.0"})
			}
			return sound()
		}
	}
}
