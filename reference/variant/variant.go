// Package variant lists hosts that are as right as the reference and do
// something in another lawful style. A suite that fails or warns on a variant
// accuses wrongly.
package variant

import (
	"slices"

	"github.com/capconform/capconform/reference"
	"github.com/capconform/capconform/reference/caphost"
)

// Variant is the reference in another lawful style.
type Variant struct {
	Name    string // unique, of the form cap-unit-words
	Suite   string
	Allows  []string // the permissions it uses, or the requirements whose reading tolerates it
	Summary string   // what it does, in one sentence
	// Actors are whom alone the subject is said to play, where no other has a part
	// in the style; empty is what it shows.
	Actors []string
	// Hinted lists the advice that it does not follow, which is lawful.
	Hinted []string
	// Apply puts the style into the parts of a host. A variant may be applied to many hosts.
	Apply func(parts *reference.Parts)
}

// All gives every variant.
func All() []Variant {
	return slices.Concat(manifests(), skills(), lists(), populations(), schemas(), results(), faults(), conducts(), replies(), restlessSources(), attachments(), capabilityHosts(), capabilityRouters(), agents())
}

// Find gives the variant of that name.
func Find(name string) (Variant, bool) {
	all := All()
	at := slices.IndexFunc(all, func(v Variant) bool { return v.Name == name })
	if at < 0 {
		return Variant{}, false
	}
	return all[at], true
}

// style changes a capability source.
type style func(h *caphost.Host)

func capVariant(name, summary string, apply style, allows ...string) Variant {
	return Variant{Name: "cap-" + name, Suite: "cap", Summary: summary, Allows: allows, Apply: reference.OfCAP(apply)}
}

// hints names advice that it does not follow.
func (v Variant) hints(ids ...string) Variant {
	v.Hinted = append(slices.Clone(v.Hinted), ids...)
	return v
}

// chosen tells capabilities apart.
type chosen func(c *caphost.Capability) bool

func all(*caphost.Capability) bool { return true }

func isSkill(c *caphost.Capability) bool { return c.Manifest()["kind"] == "skill" }

func isTool(c *caphost.Capability) bool { return !isSkill(c) }

// plain is a tool that nothing else in the source refers to.
func plain(c *caphost.Capability) bool { return c.ID == "colour.compute_mix" }

// remakes changes the manifests of the chosen capabilities, and what the host goes by with them.
func remakes(which chosen, change func(manifest map[string]any)) style {
	return func(h *caphost.Host) {
		for _, c := range h.Capabilities() {
			if !which(c) {
				continue
			}
			// A manifest that no longer compiles stays as it was; the tests
			// notice, since the variant then answers like the reference.
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
		at := slices.IndexFunc(all, plain)
		if at < 0 {
			return
		}
		if added, err := all[at].Remake(change); err == nil {
			h.Add(added)
		}
	}
}

// keeps leaves out every capability that is not kept.
func keeps(which chosen) style {
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
