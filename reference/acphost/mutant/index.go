package acpmutant

import (
	"context"
	"fmt"
	"strings"

	"github.com/Masterminds/semver/v3"

	"github.com/capconform/capconform/reference/acphost"
	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/rpc"
)

// indexes returns indexes that learn or resolve wrongly.
func indexes() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("index-without-search", "ACP-REG-05", "Offers no search over MCP.",
			func(h *acphost.Host) { delete(h.Provided, acphost.OpSearch) }).
			OverDriver("mcp-http"),
		newMutant("index-without-resolve", "ACP-REG-05", "Offers no resolution over MCP.",
			func(h *acphost.Host) { delete(h.Provided, acphost.OpResolve) }).
			OverDriver("mcp-stdio"),
		newMutant("index-stands-still", "ACP-REG-04", "Reads the events once and never again.",
			readsEventsOnce).WithShortWait(),
		newMutant("resolve-latest", "ACP-INDEX-01", "Resolves every capability URI to the latest version.",
			onCall(acphost.OpResolve,
				func(original rpc.Operation, ctx context.Context, params object) (any, error) {
					uri, _ := params["cap_uri"].(string)
					exact, err := original(ctx, params)
					if name, _, versioned := strings.Cut(uri, "@"); versioned && err == nil {
						return original(ctx, object{"cap_uri": name})
					}
					return exact, err
				})),
		newMutant("resolve-first", "ACP-INDEX-01", "Resolves every capability URI to the first known version.",
			resolvesFirst),
	}
}

// comparesBy replaces the comparison that decides which of two versions is later.
func comparesBy(which func(a, b *semver.Version) bool) defect {
	return func(h *acphost.Host) { h.Newer = which }
}

// resolutionDefects returns indexes that resolve to wrong versions.
func resolutionDefects() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("latest-by-text", "ACP-INDEX-05", "Compares versions as texts.",
			comparesBy(func(a, b *semver.Version) bool { return a.Original() > b.Original() })),
		newMutant("latest-by-patch-text", "ACP-INDEX-05", "Compares the last part of two versions as texts.",
			comparesBy(func(a, b *semver.Version) bool {
				if a.Major() == b.Major() && a.Minor() == b.Minor() {
					return fmt.Sprint(a.Patch()) > fmt.Sprint(b.Patch())
				}
				return a.GreaterThan(b)
			})),
		newMutant("latest-by-time", "ACP-INDEX-05", "Treats the version that was published last as the latest.",
			comparesBy(func(*semver.Version, *semver.Version) bool { return true })),
		newMutant("latest-first", "ACP-INDEX-05", "Treats the lowest version as the latest.",
			comparesBy(func(a, b *semver.Version) bool { return a.LessThan(b) })),
		newMutant("unknown-version-latest", "ACP-INDEX-06", "Resolves an unpublished version to the latest.",
			onCall(acphost.OpResolve,
				func(original rpc.Operation, ctx context.Context, params object) (any, error) {
					uri, _ := params["cap_uri"].(string)
					name, _, _ := strings.Cut(uri, "@")
					result, err := original(ctx, params)
					if err != nil {
						return original(ctx, object{"cap_uri": name})
					}
					return result, nil
				})),
	}
}

// searches returns indexes that search wrongly, or resolve by the beginning of a name.
func searches() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("search-all", "ACP-INDEX-02", "Finds everything by every known word.",
			func(h *acphost.Host) {
				onCall(acphost.OpSearch, func(original rpc.Operation, ctx context.Context, params object) (any, error) {
					found, err := original(ctx, params)
					members, _ := found.(object)
					if results, _ := members["list_of_results"].([]any); err != nil || len(results) == 0 {
						return found, err
					}
					all := clone(params)
					all["query_string"] = ""
					return original(ctx, all)
				})(h)
			}),
		newMutant("miss-gives-all", "ACP-INDEX-08", "Returns everything for a search without a match.",
			onCall(acphost.OpSearch,
				func(original rpc.Operation, ctx context.Context, params object) (any, error) {
					found, err := original(ctx, params)
					members, _ := found.(object)
					if results, _ := members["list_of_results"].([]any); err == nil && len(results) == 0 {
						all := clone(params)
						all["query_string"] = ""
						return original(ctx, all)
					}
					return found, err
				})),
		newMutant("latest-by-beginning", "ACP-INDEX-05",
			"Resolves a capability whose name begins with the requested one.",
			onCall(acphost.OpResolve, func(original rpc.Operation, ctx context.Context, params object) (any, error) {
				uri, _ := params["cap_uri"].(string)
				if !strings.Contains(uri, "@") {
					if result, err := original(ctx, object{"cap_uri": uri + "x"}); err == nil {
						return result, nil
					}
				}
				return original(ctx, params)
			})),
	}
}

// readsEventsOnce reads the events only at the first request.
func readsEventsOnce(h *acphost.Host) {
	h.AsksForEvents = func(since int) bool { return since == 0 }
}

func resolvesFirst(h *acphost.Host) {
	onCall(acphost.OpResolve, func(original rpc.Operation, ctx context.Context, params object) (any, error) {
		uri, _ := params["cap_uri"].(string)
		resolved, err := original(ctx, params)
		if err != nil || !strings.Contains(uri, "@") {
			return resolved, err
		}
		found, err := h.Provided[acphost.OpSearch](ctx, object{"query_string": ""})
		members, _ := found.(object)
		if results, _ := members["list_of_results"].([]any); err == nil && len(results) > 0 {
			return results[0], nil
		}
		return resolved, err
	})(h)
}
