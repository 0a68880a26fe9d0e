// Package capvariant lists capability sources of CAP in other styles that the text permits.
package capvariant

import (
	"slices"

	"github.com/capconform/capconform/reference"
	"github.com/capconform/capconform/reference/caphost"
	"github.com/capconform/capconform/reference/variant"
)

// style changes a capability source.
type style func(h *caphost.Host)

func newVariant(name, summary string, apply style, allows ...string) variant.Variant {
	return variant.Variant{Name: "cap-" + name, Suite: "cap", Summary: summary, Allows: allows,
		Apply: reference.OfCAP(apply)}
}

// selector reports whether a style applies to a capability.
type selector func(c *caphost.Capability) bool

func all(*caphost.Capability) bool { return true }

func isSkill(c *caphost.Capability) bool { return c.Manifest()["kind"] == "skill" }

func isTool(c *caphost.Capability) bool { return !isSkill(c) }

// isPlainTool reports whether a capability is the tool to which nothing else in the source refers.
func isPlainTool(c *caphost.Capability) bool { return c.ID == "colour.compute_mix" }

// remakes changes the manifests of the chosen capabilities, and the contracts that the host
// makes from them.
func remakes(which selector, change func(manifest map[string]any)) style {
	return func(h *caphost.Host) {
		for _, c := range h.Capabilities() {
			if !which(c) {
				continue
			}
			// A manifest that does not compile stays unchanged; the tests detect this,
			// since the variant then answers like the reference.
			if remade, err := c.Remake(change); err == nil {
				h.Replace(c.Ref, remade)
			}
		}
	}
}

// adds registers a copy of the plain tool with another manifest.
func adds(change func(manifest map[string]any)) style {
	return func(h *caphost.Host) {
		all := h.Capabilities()
		at := slices.IndexFunc(all, isPlainTool)
		if at < 0 {
			return
		}
		if added, err := all[at].Remake(change); err == nil {
			h.Add(added)
		}
	}
}

// keeps removes every capability for which which returns false.
func keeps(which selector) style {
	return func(h *caphost.Host) {
		for _, c := range h.Capabilities() {
			if !which(c) {
				h.Remove(c.Ref)
			}
		}
	}
}

func sets(member string, value any) func(map[string]any) {
	return func(manifest map[string]any) { manifest[member] = value }
}
