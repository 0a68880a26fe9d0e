package capmutant

import (
	"context"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/capconform/capconform/reference/caphost"
	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/rpc"
)

// listPages list only some capabilities (CAP-DIS-01).
func listPages() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("list-first-page", "CAP-DIS-01", "Lists the first three capabilities and offers no way to the others.",
			listsPage(func(page []any) any { return page })).WithRole("echo"),
		newMutant("list-paged", "CAP-DIS-01", "Lists the first three capabilities with a cursor for the others.",
			listsPage(func(page []any) any {
				return map[string]any{"capabilities": page, "next_cursor": "3"}
			})).WithRole("echo"),
		newMutant("list-paged-inside", "CAP-DIS-01",
			"Lists the first three capabilities with a cursor for the others in an object beside them.",
			listsPage(func(page []any) any {
				return map[string]any{"pagination": map[string]any{"next_cursor": "3"}, "capabilities": page}
			})).WithRole("echo"),
	}
}

// lists returns hosts that break the result of list and its completeness (CAP-DIS-01), and the
// presence of operations (CAP-DIS-03).
func lists() []mutant.Mutant {
	broken := []mutant.Mutant{
		newMutant("list-hides-one", "CAP-DIS-01", "Omits from the list one capability that it describes and invokes.",
			listing(func(c *caphost.Capability) bool {
				return c.ID != "conformance.restricted"
			})).WithRole("restricted"),
		newMutant("list-one-version", "CAP-DIS-01", "Lists only the first version of each id.",
			listsFirstVersions).WithRole("echo"),
		newMutant("list-hides-invoked", "CAP-DIS-01", "Invokes versions that it neither lists nor describes.",
			showsFirstVersions),
		newMutant("no-list", "CAP-DIS-03", "Does not provide list.", func(h *caphost.Host) { h.List = nil }),
		newMutant("no-describe", "CAP-DIS-03", "Does not provide describe.", func(h *caphost.Host) { h.Describe = nil }),
		newMutant("no-invoke", "CAP-DIS-03", "Does not provide invoke.", func(h *caphost.Host) { h.Invoke = nil }),
		newMutant("describe-crashes", "CAP-DIS-02", "Answers every describe with an internal error.",
			func(h *caphost.Host) {
				h.Describe = func(context.Context, map[string]any) (any, error) {
					return nil,
						mutant.ProtocolError("internal error")
				}
			}),
	}
	for _, m := range []struct {
		name, summary string
		listing       func(manifests []any) any
	}{
		{"wrappers", "Lists Capability objects that contain the manifest instead of manifests.", each(wrap)},
		{"refs", "Lists references instead of manifests.", each(func(manifest map[string]any) any {
			return map[string]any{"capability_id": manifest["capability_id"], "version": manifest["version"]}
		})},
		{"ids", "Lists ids instead of manifests.",
			each(func(manifest map[string]any) any { return manifest["capability_id"] })},
		{"map", "Lists manifests as an object with id@version as names.", func(manifests []any) any {
			listing := map[string]any{}
			for _, element := range manifests {
				manifest := decoded(element)
				id, _ := manifest["capability_id"].(string)
				version, _ := manifest["version"].(string)
				listing[id+"@"+version] = manifest
			}
			return listing
		}},
		{"nested", "Lists manifests two members deep.", func(manifests []any) any {
			return map[string]any{"data": map[string]any{"items": manifests}}
		}},
		{"grouped", "Lists arrays of manifests, one for each id.", grouped},
		{"text", "Lists manifests as JSON in a string.",
			func(manifests []any) any { return string(rpc.Append(nil, manifests)) }},
		{"null", "Lists null.", func([]any) any { return nil }},
	} {
		broken = append(broken, newMutant("list-"+m.name, "CAP-DIS-01", m.summary,
			func(h *caphost.Host) { h.Listing = m.listing }))
	}
	return broken
}

// decoded returns a published manifest as decoded JSON.
func decoded(published any) map[string]any {
	value, err := rpc.Decode(rpc.Append(nil, published))
	if err != nil {
		return map[string]any{}
	}
	manifest, _ := value.(map[string]any)
	return manifest
}

func each(change func(manifest map[string]any) any) func([]any) any {
	return func(manifests []any) any {
		changed := make([]any, 0, len(manifests))
		for _, element := range manifests {
			changed = append(changed, change(decoded(element)))
		}
		return changed
	}
}

// wrap makes a Capability from a manifest.
func wrap(manifest map[string]any) any {
	return map[string]any{
		"capability_id": manifest["capability_id"], "version": manifest["version"], "kind": manifest["kind"],
		"manifest": manifest,
	}
}

func grouped(manifests []any) any {
	var groups []any
	last := ""
	for _, element := range manifests {
		manifest := decoded(element)
		id, _ := manifest["capability_id"].(string)
		if id == last {
			group, _ := groups[len(groups)-1].([]any)
			groups[len(groups)-1] = append(group, manifest)
			continue
		}
		groups, last = append(groups, []any{manifest}), id
	}
	return groups
}

// listing lists only the capabilities for which keeps returns true.
func listing(keeps selector) defect {
	return func(h *caphost.Host) {
		original := h.Catalogue
		h.Catalogue = func() []*caphost.Capability {
			var kept []*caphost.Capability
			for _, c := range original() {
				if keeps(c) {
					kept = append(kept, c)
				}
			}
			return kept
		}
	}
}

func listsFirstVersions(h *caphost.Host) {
	listing(func(c *caphost.Capability) bool { return firstOf(h, c.ID) == c })(h)
}

// showsFirstVersions lists and describes only the first version of each id, and invokes all.
func showsFirstVersions(h *caphost.Host) {
	listsFirstVersions(h)
	original := h.Resolve
	h.Resolve = func(operation string, ref caphost.Ref) *caphost.Capability {
		if c := original(operation, ref); c != nil && (operation == caphost.OpInvoke || firstOf(h, c.ID) == c) {
			return c
		}
		return nil
	}
}

// listsPage lists only the first three manifests.
func listsPage(listing func(page []any) any) defect {
	return func(h *caphost.Host) {
		h.Listing = func(manifests []any) any { return listing(manifests[:min(3, len(manifests))]) }
	}
}

// stabilities returns hosts that change pairs during the run (CAP-FC-01).
func stabilities() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("list-alternates", "CAP-FC-01", "Omits a capability from every second list.", func(h *caphost.Host) {
			target, original, calls := victim(h).Ref, h.Catalogue, new(atomic.Int64)
			h.Catalogue = func() []*caphost.Capability {
				catalogue := original()
				if calls.Add(1)%2 == 1 {
					return catalogue
				}
				var kept []*caphost.Capability
				for _, c := range catalogue {
					if c.Ref != target {
						kept = append(kept, c)
					}
				}
				return kept
			}
		}),
		newMutant("version-a-list", "CAP-FC-01",
			"Gives a capability a new version with every list; earlier versions remain known.", versionPerList).
			AlsoBreaks("CAP-DIS-01", "earlier versions are known and no longer listed"),
		newMutant("version-a-start", "CAP-FC-01", "Gives a capability a new version whenever it starts.",
			func(h *caphost.Host) {
				target, original := victim(h), h.Restart
				h.Restart = func() {
					original()
					next := target.Edit(setsMember("version", target.Version+"+again"))
					h.Replace(target.Ref, next)
					target = next
				}
			}),
	}
}

func versionPerList(h *caphost.Host) {
	target, catalogue, resolve, calls := victim(h), h.Catalogue, h.Resolve, new(atomic.Int64)
	build := func(n int64) *caphost.Capability {
		if n == 0 {
			return target
		}
		return target.Edit(setsMember("version", "1.0."+strconv.FormatInt(n, 10)))
	}
	h.Catalogue = func() []*caphost.Capability {
		listed := catalogue()
		n := calls.Add(1) - 1
		for i, c := range listed {
			if c.Ref == target.Ref {
				listed[i] = build(n)
			}
		}
		return listed
	}
	h.Resolve = func(operation string, ref caphost.Ref) *caphost.Capability {
		n, err := strconv.ParseInt(strings.TrimPrefix(ref.Version, "1.0."), 10, 64)
		if ref.ID == target.ID && err == nil && n >= 0 && n < calls.Load() {
			return build(n)
		}
		return resolve(operation, ref)
	}
}
