package capvariant

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/capconform/capconform/reference/caphost"
	"github.com/capconform/capconform/reference/variant"
)

// lists returns sources that write the list in other ways.
func lists() []variant.Variant {
	listing := func(listing func(manifests []any) any) style {
		return func(h *caphost.Host) { h.Listing = listing }
	}
	ordering := func(order func(catalogue []*caphost.Capability)) style {
		return func(h *caphost.Host) {
			original := h.Catalogue
			h.Catalogue = func() []*caphost.Capability {
				catalogue := original()
				order(catalogue)
				return catalogue
			}
		}
	}
	return []variant.Variant{
		newVariant("list-object", "Lists manifests as the member capabilities of an object.",
			listing(func(manifests []any) any {
				return map[string]any{"capabilities": manifests}
			}), "CAP-DIS-01"),
		newVariant("list-object-more", "Lists manifests in an object with further members.",
			listing(func(manifests []any) any {
				return map[string]any{"capabilities": manifests, "total": len(manifests), "next_cursor": nil,
					"_meta": map[string]any{}}
			}), "CAP-DIS-01"),
		newVariant("list-object-one-page", "Lists manifests in an object that describes the only page.",
			listing(func(manifests []any) any {
				return map[string]any{"pagination": map[string]any{"page": 1, "next_cursor": nil, "has_more": false},
					"links": map[string]any{"self": "/capabilities", "next": nil}, "capabilities": manifests}
			}), "CAP-DIS-01"),
		newVariant("list-shuffled", "Lists the capabilities in a different order every time.",
			ordering(func(catalogue []*caphost.Capability) {
				rand.Shuffle(len(catalogue), func(i, j int) { catalogue[i], catalogue[j] = catalogue[j], catalogue[i] })
			}), "CAP-CAP-02"),
		newVariant("list-reversed", "Lists the last capability first.", ordering(slices.Reverse[[]*caphost.Capability]),
			"CAP-CAP-02"),
		newVariant("list-grows", "Has one more capability from the third list on.", grows, "CAP-CAP-02", "CAP-FC-01"),
		newVariant("list-cached", "Answers list from a cache that is emptied when a capability changes.", cached,
			"CAP-DIS-05", "CAP-DIS-06"),
	}
}

func grows(h *caphost.Host) {
	original, calls := h.Catalogue, new(atomic.Int64)
	late := adds(sets("capability_id", "colour.compute_mix.late"))
	h.Catalogue = func() []*caphost.Capability {
		if calls.Add(1) == 3 {
			late(h)
		}
		return original()
	}
}

func cached(h *caphost.Host) {
	type entry struct {
		catalogue []*caphost.Capability
		result    any
	}
	var cache atomic.Pointer[entry]
	original := h.Listing
	h.Listing = func(manifests []any) any {
		current := h.Capabilities()
		if known := cache.Load(); known != nil && slices.Equal(known.catalogue, current) {
			return known.result
		}
		result := original(manifests)
		cache.Store(&entry{catalogue: current, result: result})
		return result
	}
}

// populations returns sources with other capabilities.
func populations() []variant.Variant {
	named := func(id, version string) func(map[string]any) {
		return func(manifest map[string]any) { manifest["capability_id"], manifest["version"] = id, version }
	}
	several := func(changes ...func(map[string]any)) style {
		return func(h *caphost.Host) {
			for _, change := range changes {
				adds(change)(h)
			}
		}
	}
	var many []func(map[string]any)
	for i := range 300 {
		many = append(many, named(fmt.Sprintf("colour.compute_mix.%03d", i), "1.0.0"))
	}
	return []variant.Variant{
		newVariant("tools-only", "Offers no skill.", keeps(isTool), "CAP-MAY-01"),
		newVariant("skills-only", "Offers every capability as a skill.", skillsOnly, "CAP-MAY-02"),
		newVariant("both-kinds", "Offers further skills beside tools.", several(func(manifest map[string]any) {
			named("colour.advice", "1.0.0")(manifest)
			asSkill(manifest)
		}), "CAP-MAY-03"),
		newVariant("one-capability", "Offers one capability.", keeps(isPlainTool), "CAP-MAY-01"),
		newVariant("empty", "Offers nothing.", keeps(func(*caphost.Capability) bool { return false }), "CAP-DIS-01"),
		newVariant("many", "Offers 300 more capabilities.", several(many...), "CAP-DIS-01"),
		newVariant("many-versions", "Offers one id in many versions, including pre-releases and builds.", several(
			named("colour.compute_mix", "0.9.0"), named("colour.compute_mix", "1.0.0-rc.1"),
			named("colour.compute_mix", "1.0.0-alpha.0+exp.sha-5114f85"),
			named("colour.compute_mix", "1.0.0+build.7"), named("colour.compute_mix", "1.9.0"),
			named("colour.compute_mix", "1.10.0"), named("colour.compute_mix", "10.0.0"),
		), "CAP-CAP-03", "CAP-CAP-05"),
		newVariant("ids-odd", "Offers ids with colons, slashes, spaces and quotes.", several(
			named("cap:code-review", "2.1.0"), named("acme/colours/mix", "1.0.0"), named("mix colours", "1.0.0"),
			named(`mix "two"`, "1.0.0"),
			named("https://example.org/ids/mix", "1.0.0"), named("mix@1.0.0", "1.0.0"), named("../mix", "1.0.0"),
			named("0", "1.0.0"),
		), "CAP-REF-01"),
		newVariant("ids-unicode", "Offers ids in other scripts, composed and decomposed.", several(
			named("farbe.mischen.größe", "1.0.0"), named("farbe.mischen.gro\u0308ße", "1.0.0"), named("混色", "1.0.0"),
			named("\U0001F3A8", "1.0.0"),
		), "CAP-REF-01"),
		newVariant("ids-alike", "Offers ids that differ in case, in an ending or in a space.", several(
			named("COLOUR.MIX", "1.0.0"), named("Colour.Mix", "1.0.0"), named("colour", "1.0.0"), named("colour.mi", "1.0.0"),
			named("colour.compute_mix ", "1.0.0"),
		), "CAP-REF-01", "CAP-DIS-04"),
		newVariant("ids-long", "Offers an id and a version of a thousand characters.", several(
			named(strings.Repeat("colour.", 150)+"mix", "1.0.0-"+strings.Repeat("a.", 500)+"a")), "CAP-REF-01"),
	}
}

func asSkill(manifest map[string]any) {
	manifest["kind"], manifest["prompt_template"] = "skill", "Do what the description says."
	manifest["resources"] = []any{}
	if manifest["required_permissions"] == nil {
		manifest["required_permissions"] = []any{}
	}
}

// skillsOnly also removes the tools from reductions, since no tools are left.
func skillsOnly(h *caphost.Host) {
	remakes(isTool, asSkill)(h)
	remakes(isSkill, func(manifest map[string]any) {
		if reduction, isObject := manifest["conformance.reduction"].(map[string]any); isObject {
			reduction["tools"] = []any{}
		}
	})(h)
}
