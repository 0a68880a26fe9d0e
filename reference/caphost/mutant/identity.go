package capmutant

import (
	"github.com/capconform/capconform/reference/caphost"
	"github.com/capconform/capconform/reference/mutant"
)

// identities returns hosts that break the identity of capabilities (CAP-CAP).
func identities() []mutant.Mutant {
	broken := []mutant.Mutant{
		newMutant("pair-twice", "CAP-CAP-02", "Lists one pair twice, with the same manifest.", listsTwice(nil)),
		newMutant("pair-twice-other-schema", "CAP-CAP-02", "Lists one pair twice, with different input schemas.",
			listsTwice(func(manifest map[string]any) { manifest["input_schema"] = map[string]any{"type": "object"} })),
		newMutant("kind-missing", "CAP-CAP-04", "Omits kind in a manifest.", drops("kind")),
		newMutant("describe-by-id", "CAP-CAP-05",
			"Describes the first version of an id whatever existing version is requested.",
			describesByID),
		newMutant("describe-by-id-relabelled", "CAP-CAP-05",
			"Describes the first version of an id under the version that is requested.", relabels),
	}
	for name, version := range map[string]string{
		"v": "v2", "major-only": "2", "word": "latest", "two-parts": "1.0", "four-parts": "1.0.0.0",
		"leading-zero": "01.0.0", "date": "2026-06-19",
	} {
		broken = append(broken, newMutant("version-"+name, "CAP-CAP-03", "Lists a capability with the version "+version+".",
			sets("version", version)))
	}
	for name, kind := range map[string]any{"title-case": "Tool", "prompt": "prompt", "null": nil, "number": 1} {
		broken = append(broken, newMutant("kind-"+name, "CAP-CAP-04",
			"Lists a capability of a kind that is neither tool nor skill.", sets("kind", kind)))
	}
	return mutant.ByName(broken)
}

func listsTwice(change func(manifest map[string]any)) defect {
	return func(h *caphost.Host) {
		original := h.Catalogue
		h.Catalogue = func() []*caphost.Capability {
			again := victim(h)
			if change != nil {
				again = again.Edit(change)
			}
			return append(original(), again)
		}
	}
}

// firstOf returns the first registered version of an id.
func firstOf(h *caphost.Host, id string) *caphost.Capability {
	for _, c := range h.Capabilities() {
		if c.ID == id {
			return c
		}
	}
	return nil
}

func describesByID(h *caphost.Host) {
	original := h.Resolve
	h.Resolve = func(operation string, ref caphost.Ref) *caphost.Capability {
		c := original(operation, ref)
		if c == nil || operation != caphost.OpDescribe {
			return c
		}
		return firstOf(h, ref.ID)
	}
}

func relabels(h *caphost.Host) {
	original := h.Resolve
	h.Resolve = func(operation string, ref caphost.Ref) *caphost.Capability {
		c := original(operation, ref)
		if c == nil || operation != caphost.OpDescribe {
			return c
		}
		return firstOf(h, ref.ID).Edit(func(manifest map[string]any) { manifest["version"] = ref.Version })
	}
}
