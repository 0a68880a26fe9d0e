package acpvariant

import (
	"context"
	"slices"
	"strings"

	"github.com/capconform/capconform/reference/acphost"
	"github.com/capconform/capconform/reference/rpc"
	"github.com/capconform/capconform/reference/variant"
)

// registries returns registries that store and return publications in other ways.
func registries() []variant.Variant {
	written := func(change func(record object)) style {
		return func(h *acphost.Host) {
			record, event := h.RecordOf, h.EventsOf
			h.RecordOf = func(t *acphost.Transaction) map[string]any {
				members := record(t)
				change(members)
				return members
			}
			h.EventsOf = func(t *acphost.Transaction) []map[string]any {
				events := event(t)
				for _, members := range events {
					change(members)
				}
				return events
			}
		}
	}
	return []variant.Variant{
		newVariant("records-more", "Stores and returns additional members with the four values.",
			written(variant.AddUndefinedMembers),
			"ACP-CHAIN-01", "ACP-CHAIN-06"),
		newVariant("records-hash-in-capitals", "Writes hashes in upper case.", written(func(record object) {
			hash, _ := record["sha256"].(string)
			record["sha256"] = strings.ToUpper(hash)
		}), "ACP-CHAIN-05", "ACP-CHAIN-09"),
		newVariant("records-hash-prefixed", "Writes hashes with the prefix 0x.", written(func(record object) {
			hash, _ := record["sha256"].(string)
			record["sha256"] = "0x" + hash
		}), "ACP-CHAIN-05", "ACP-CHAIN-09"),
		newVariant("records-cid-rebased", "Writes CIDs in base 58.", written(func(record object) {
			cid, _ := record["cid"].(string)
			record["cid"] = acphost.InBase58(cid)
		}), "ACP-CHAIN-04", "ACP-CHAIN-08"),
		newVariant("records-without-author", "Does not return the author.",
			written(func(record object) { delete(record, "author") }), "ACP-CHAIN-01"),
		newVariant("version-again", "Accepts a version that is already published.", removesCheck("version"), "ACP-CHAIN-02"),
		newVariant("hashes-unread", "Does not compare the CID with the hash.", removesCheck("hash"), "ACP-CHAIN-10"),
		newVariant("publish-tells-more", "Returns the position of a publication on the chain.",
			changesResult(acphost.OpPublish, func(any) any {
				return object{"tx": "0xabc", "block": 12}
			}), "ACP-PUB-02"),
	}
}

// events returns registries that emit other events beside those of publications, or in another form.
func events() []variant.Variant {
	return []variant.Variant{
		newVariant("events-of-names", "Emits an event that a name is in use with the event of each publication.",
			func(h *acphost.Host) {
				event := h.EventsOf
				h.EventsOf = func(t *acphost.Transaction) []map[string]any {
					own := event(t)
					return append([]map[string]any{{"kind": "name", "cap_uri": own[0]["cap_uri"], "author": own[0]["author"]}}, own...)
				}
			}, "ACP-CHAIN-02", "ACP-CHAIN-06"),
		newVariant("events-in-envelopes", "Emits each event in an envelope with its type.", func(h *acphost.Host) {
			event := h.EventsOf
			h.EventsOf = func(t *acphost.Transaction) []map[string]any {
				var all []map[string]any
				for _, members := range event(t) {
					all = append(all, object{"type": "CapabilityPublished", "data": members})
				}
				return all
			}
		}, "ACP-CHAIN-02", "ACP-CHAIN-06", "ACP-CHAIN-07", "ACP-CHAIN-08", "ACP-CHAIN-09"),
		newVariant("events-of-refusals", "Emits an event that a publication was refused.", func(h *acphost.Host) {
			h.RefusalEvents = func(t *acphost.Transaction) []map[string]any {
				refused := h.RecordOf(t)
				refused["status"] = "rejected"
				return []map[string]any{refused}
			}
		}, "ACP-CHAIN-10"),
	}
}

// removesCheck removes a check of the registry.
func removesCheck(name string) style {
	return func(h *acphost.Host) {
		h.Checks = slices.DeleteFunc(slices.Clone(h.Checks), func(g acphost.TransactionCheck) bool { return g.Name == name })
	}
}

// changesResults changes the form of search results.
func changesResults(join func(results []any) any) style {
	return changesResult(acphost.OpSearch, func(result any) any {
		members, _ := result.(object)
		results, _ := members["list_of_results"].([]any)
		return join(results)
	})
}

// nameStyles returns indexes whose results use other names than the examples of the text.
func nameStyles() []variant.Variant {
	return []variant.Variant{
		newVariant("resolve-other-names", "Uses other names than the examples for the members of a resolved capability.",
			changesResult(acphost.OpResolve, renameMembers),
			"ACP-INDEX-01", "ACP-INDEX-05", "ACP-INDEX-09"),
		newVariant("latest-by-word", "Resolves the word latest as a version, and refuses a capability URI without a version.",
			onURIWithoutVersion(func(resolve rpc.Operation, ctx context.Context, name string) (any, error) {
				return resolve(ctx, object{"cap_uri": name})
			}), "ACP-INDEX-05"),
		newVariant("latest-refused", "Resolves only capability URIs with a version.",
			onURIWithoutVersion(func(rpc.Operation, context.Context, string) (any, error) {
				return nil, rpc.Refuse("NOT_FOUND", "a version is required")
			}), "ACP-INDEX-05"),
		newVariant("search-other-names", "Uses other names than the examples for the members of search results.",
			changesResults(func(results []any) any {
				items := []any{}
				for _, one := range results {
					items = append(items, renameMembers(one))
				}
				return object{"items": items, "total": len(items)}
			}), "ACP-INDEX-02"),
		newVariant("search-without-cid", "Returns search results with metadata alone.",
			changesResults(func(results []any) any {
				for _, one := range results {
					members, _ := one.(object)
					delete(members, "ipfs_cid")
				}
				return object{"list_of_results": results}
			}), "ACP-INDEX-02"),
	}
}

// verifiesSignatures lists only files that their author signed.
func verifiesSignatures(h *acphost.Host) {
	learn := h.Learn
	h.Learn = func(ctx context.Context, event map[string]any) (*acphost.Entry, error) {
		e, err := learn(ctx, event)
		if err != nil {
			return nil, err
		}
		file, err := h.Fetch(ctx, e.CID)
		if err != nil {
			return nil, err
		}
		p, err := acphost.ReadPackage(file)
		if err != nil {
			return nil, err
		}
		p.CID = e.CID
		author, err := h.AuthorOf(ctx, p)
		if err != nil {
			return nil, acphost.ErrInvalid
		}
		keys, err := h.KeysOf(ctx, author)
		if err != nil || h.Verify(p, keys) != nil {
			return nil, acphost.ErrInvalid
		}
		return e, nil
	}
}

// indexes returns indexes that resolve and search in other forms.
func indexes() []variant.Variant {
	return []variant.Variant{
		newVariant("index-verifies", "Lists only what its author signed as JSON in the form of RFC 8785.",
			func(h *acphost.Host) {
				h.Profile = acphost.Canonical
				verifiesSignatures(h)
			}, "ACP-REG-04", "ACP-INDEX-01", "ACP-INDEX-02"),
		newVariant("search-results", "Names the list of search results results.", changesResults(func(results []any) any {
			return object{"results": results, "total": len(results), "page": 1}
		}), "ACP-INDEX-02"),
		newVariant("search-bare", "Returns the list of search results without an object around it.",
			changesResults(func(results []any) any { return results }), "ACP-INDEX-02"),
		newVariant("search-by-rank", "Returns search results in reverse order, with a rank.",
			changesResults(func(results []any) any {
				slices.Reverse(results)
				for i, one := range results {
					members, _ := one.(object)
					members["score"] = 1.0 / float64(i+1)
				}
				return object{"list_of_results": results}
			}), "ACP-INDEX-02"),
		newVariant("resolve-more", "Returns more about a capability than metadata and CID.", func(h *acphost.Host) {
			original := h.FormatEntry
			h.FormatEntry = func(e *acphost.Entry) map[string]any {
				members := original(e)
				variant.AddUndefinedMembers(members)
				return members
			}
		}, "ACP-INDEX-01"),
		newVariant("resolve-cid-in-uri", "Returns CIDs in URIs of IPFS.", func(h *acphost.Host) {
			original := h.FormatEntry
			h.FormatEntry = func(e *acphost.Entry) map[string]any {
				members := original(e)
				members["ipfs_cid"] = "ipfs://" + e.CID
				return members
			}
		}, "ACP-INDEX-09"),
		newVariant("resolve-cid-rebased", "Returns CIDs in base 58.", func(h *acphost.Host) {
			original := h.FormatEntry
			h.FormatEntry = func(e *acphost.Entry) map[string]any {
				members := original(e)
				members["ipfs_cid"] = acphost.InBase58(e.CID)
				return members
			}
		}, "ACP-INDEX-09"),
	}
}

// noMatches returns indexes with other answers for an unknown capability URI and for a search without a
// match.
func noMatches() []variant.Variant {
	return []variant.Variant{
		newVariant("unknown-other-code", "Refuses an unpublished capability URI with a private code.", func(h *acphost.Host) {
			h.AnswerUnknown = func(string) (any, error) { return nil, rpc.Refuse("UNKNOWN_CAPABILITY", "there is none") }
		}, "ACP-INDEX-06"),
		newVariant("unknown-empty", "Returns an empty object for an unpublished capability URI.", answersUnknown(object{}),
			"ACP-INDEX-06"),
		newVariant("unknown-nulls", "Returns nulls for an unpublished capability URI.",
			answersUnknown(object{"acp_metadata": nil, "ipfs_cid": nil}), "ACP-INDEX-06"),
		newVariant("unknown-in-band", "Returns an ordinary result with a code for an unpublished capability URI.",
			answersUnknown(object{"code": 404, "message": "not found", "data": nil}), "ACP-INDEX-06"),
		newVariant("unknown-says-error",
			"Returns a result with a member error, and repeats the URI, for an unpublished capability URI.",
			answersUnknown(object{"error": object{"code": "NOT_FOUND"}, "acp_metadata": object{"id": "?"}}), "ACP-INDEX-06"),
		newVariant("miss-refused", "Answers a search without a match with an error.", answersNoMatch(func() (any, error) {
			return nil, rpc.Refuse("NOT_FOUND", "nothing was found")
		}), "ACP-INDEX-08"),
		newVariant("miss-says-error", "Answers a search without a match with a result that has a member error.",
			answersNoMatch(func() (any, error) {
				return object{"error": "nothing was found"}, nil
			}), "ACP-INDEX-08"),
		newVariant("miss-null", "Answers a search without a match with null for the list.",
			answersNoMatch(func() (any, error) {
				return object{"list_of_results": nil}, nil
			}), "ACP-INDEX-08"),
	}
}

// onURIWithoutVersion refuses a capability URI without a version, and calls latest for the version
// latest.
func onURIWithoutVersion(latest func(resolve rpc.Operation, ctx context.Context, name string) (any, error)) style {
	return func(h *acphost.Host) {
		resolve := h.Provided[acphost.OpResolve]
		h.Provided[acphost.OpResolve] = func(ctx context.Context, params object) (any, error) {
			uri, _ := params["cap_uri"].(string)
			name, version, versioned := strings.Cut(uri, "@")
			switch {
			case !versioned:
				return nil, rpc.Refuse("INVALID", "this is not a capability URI")
			case version == "latest":
				return latest(resolve, ctx, name)
			}
			return resolve(ctx, params)
		}
	}
}

// renameMembers renames the members of a result.
func renameMembers(result any) any {
	members, _ := result.(object)
	return object{"manifest": members["acp_metadata"], "content": object{"address": members["ipfs_cid"]}}
}

// answersUnknown returns a result for an unpublished capability URI.
func answersUnknown(result object) style {
	return func(h *acphost.Host) {
		h.AnswerUnknown = func(string) (any, error) { return clone(result), nil }
	}
}

// answersNoMatch answers a search without a match in another way.
func answersNoMatch(answer func() (any, error)) style {
	return func(h *acphost.Host) {
		search := h.Provided[acphost.OpSearch]
		h.Provided[acphost.OpSearch] = func(ctx context.Context, params object) (any, error) {
			result, err := search(ctx, params)
			members, _ := result.(object)
			if results, _ := members["list_of_results"].([]any); err == nil && len(results) == 0 {
				return answer()
			}
			return result, err
		}
	}
}
