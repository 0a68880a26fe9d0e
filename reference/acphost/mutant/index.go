package acpmutant

import (
	"context"
	"fmt"
	"strings"
	"sync"

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
		newMutant("resolve-without-metadata", "ACP-INDEX-01", "Returns no metadata of what it resolves.",
			changesResolution(mutant.Without("acp_metadata"))),
		newMutant("resolve-wrong-id", "ACP-INDEX-01", "Returns metadata without the id.",
			changesMetadata(mutant.Without("id"))),
	}
}

// comparesBy replaces the comparison that decides which of two versions is later.
func comparesBy(which func(a, b *semver.Version) bool) defect {
	return func(h *acphost.Host) { h.Newer = which }
}

// answersUnknown replaces the answer for an unpublished capability URI.
func answersUnknown(answer func(uri string) any) defect {
	return func(h *acphost.Host) {
		h.AnswerUnknown = func(uri string) (any, error) { return answer(uri), nil }
	}
}

// resolutionDefects returns indexes that resolve to wrong versions.
func resolutionDefects() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("metadata-cut", "ACP-INDEX-04", "Returns metadata without the triggers.",
			changesMetadata(mutant.Without("triggers"))),
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
		newMutant("unknown-invented", "ACP-INDEX-06", "Invents metadata for an unpublished capability URI.",
			answersUnknown(func(uri string) any {
				return object{"acp_metadata": object{"id": uri, "name": "Unknown"}, "ipfs_cid": nil}
			})),
		newMutant("unknown-cid", "ACP-INDEX-06", "Returns a CID for an unpublished capability URI.",
			answersUnknown(func(string) any {
				return object{"acp_metadata": nil, "ipfs_cid": "bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku"}
			})),
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
		newMutant("resolve-without-cid", "ACP-INDEX-09", "Returns no CID of what it resolves.",
			changesResolution(mutant.Without("ipfs_cid"))),
		newMutant("resolve-other-cid", "ACP-INDEX-09", "Returns the CID of another file.",
			changesResolution(mutant.With("ipfs_cid", "bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku"))),
	}
}

// changesResolution changes the results of resolve_capability.
func changesResolution(change func(object) any) defect {
	return onResult(acphost.OpResolve, func(_, result object) any { return change(result) })
}

// changesMetadata changes the metadata of an entry.
func changesMetadata(change func(object) any) defect {
	return func(h *acphost.Host) {
		original := h.FormatEntry
		h.FormatEntry = func(e *acphost.Entry) map[string]any {
			result := original(e)
			metadata, _ := result["acp_metadata"].(object)
			result["acp_metadata"] = change(clone(metadata))
			return result
		}
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

// searches returns indexes that search wrongly.
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
		newMutant("search-other-cid", "ACP-INDEX-02", "Returns search results with the CID of another file.",
			onResult(acphost.OpSearch, func(_, result object) any {
				found, _ := rpc.Clone(result).(object)
				hits, _ := found["list_of_results"].([]any)
				for _, hit := range hits {
					members, _ := hit.(object)
					members["ipfs_cid"] = "bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku"
				}
				return found
			})),
		newMutant("search-without-results", "ACP-INDEX-02", "Finds nothing.", func(h *acphost.Host) {
			h.MatchesQuery = func(*acphost.Entry, string) bool { return false }
		}),
		newMutant("search-counts", "ACP-INDEX-02", "Returns the number of search results.",
			onResult(acphost.OpSearch, func(_, result object) any {
				results, _ := result["list_of_results"].([]any)
				if len(results) == 0 {
					return result
				}
				return object{"count": len(results)}
			})),
	}
}

// laterRequests returns indexes that answer the first request correctly.
func laterRequests() []mutant.Mutant {
	const other = "bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku"
	return []mutant.Mutant{
		newMutant("resolve-metadata-once", "ACP-INDEX-01",
			"Returns the metadata of a version only at the first two requests for it.",
			changesFromThird(acphost.OpResolve, mutant.Without("acp_metadata"))),
		newMutant("resolve-cid-once", "ACP-INDEX-09",
			"Returns the CID of a version only at the first two requests for it.",
			changesFromThird(acphost.OpResolve, mutant.Without("ipfs_cid"))),
		newMutant("latest-remembered", "ACP-INDEX-05",
			"Resolves a capability URI without a version to the version that was the latest at the first request.",
			func(h *acphost.Host) {
				var mutex sync.Mutex
				known := map[string]any{}
				onCall(acphost.OpResolve, func(original rpc.Operation, ctx context.Context, params object) (any, error) {
					result, err := original(ctx, params)
					uri, _ := params["cap_uri"].(string)
					mutex.Lock()
					defer mutex.Unlock()
					if known[uri] == nil && err == nil {
						known[uri] = result
					}
					if err == nil {
						return known[uri], nil
					}
					return result, err
				})(h)
			}),
		newMutant("search-filtered-cid", "ACP-INDEX-02",
			"Returns the CID of another file in the results of a search with a map of filters.",
			onResult(acphost.OpSearch, func(params, result object) any {
				found, _ := rpc.Clone(result).(object)
				hits, _ := found["list_of_results"].([]any)
				for _, hit := range hits {
					if members, _ := hit.(object); params["filters"] != nil {
						members["ipfs_cid"] = other
					}
				}
				return found
			})),
	}
}

// changesFromThird changes the result of an operation for the same params, from the third call on.
func changesFromThird(operation string, change func(object) any) defect {
	return func(h *acphost.Host) {
		var mutex sync.Mutex
		asked := map[string]int{}
		onResult(operation, func(params, result object) any {
			mutex.Lock()
			defer mutex.Unlock()
			uri, _ := params["cap_uri"].(string)
			if asked[uri]++; asked[uri] > 2 {
				return change(clone(result))
			}
			return result
		})(h)
	}
}

// filterDefects returns indexes that handle filters or a search without a match wrongly.
func filterDefects() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("filters-refused", "ACP-INDEX-07", "Refuses a search with an empty map of filters.",
			onCall(acphost.OpSearch,
				func(original rpc.Operation, ctx context.Context, params object) (any, error) {
					if params["filters"] != nil {
						return nil, rpc.Refuse("INVALID", "unknown parameter filters")
					}
					return original(ctx, params)
				})),
		newMutant("filters-empty", "ACP-INDEX-07", "Finds nothing with an empty map of filters.", func(h *acphost.Host) {
			original := h.MatchesFilters
			h.MatchesFilters = func(e *acphost.Entry, filters map[string]any) bool {
				return filters == nil &&
					original(e, filters)
			}
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
	}
}

// searchesMembers searches only some members of the metadata.
func searchesMembers(names ...string) defect {
	return func(h *acphost.Host) {
		original := h.MatchesQuery
		h.MatchesQuery = func(e *acphost.Entry, query string) bool {
			seen := *e
			seen.Metadata = map[string]any{}
			for _, name := range names {
				seen.Metadata[name] = e.Metadata[name]
			}
			return original(&seen, query)
		}
	}
}

// nameComparisons returns indexes that compare only a part of a name, or search only one member.
func nameComparisons() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("search-of-names", "ACP-INDEX-02", "Searches only the names of capabilities.",
			searchesMembers("name", "id")),
		newMutant("search-of-descriptions", "ACP-INDEX-02", "Searches only the descriptions of capabilities.",
			searchesMembers("description")),
		newMutant("search-without-triggers", "ACP-INDEX-02", "Searches everything except the triggers of capabilities.",
			searchesMembers("name", "id", "description", "author")),
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
