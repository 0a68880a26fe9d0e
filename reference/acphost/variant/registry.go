package acpvariant

import (
	"context"
	"slices"
	"strings"

	"github.com/capconform/capconform/reference/acphost"
	"github.com/capconform/capconform/reference/rpc"
	"github.com/capconform/capconform/reference/variant"
)

// registries keep and tell publications in other ways.
func registries() []variant.Variant {
	written := func(change func(record object)) style {
		return func(h *acphost.Host) {
			record, event := h.Record, h.Event
			h.Record = func(t *acphost.Transaction) map[string]any {
				members := record(t)
				change(members)
				return members
			}
			h.Event = func(t *acphost.Transaction) []map[string]any {
				events := event(t)
				for _, members := range events {
					change(members)
				}
				return events
			}
		}
	}
	ungated := func(name string) style {
		return func(h *acphost.Host) {
			h.Gates = slices.DeleteFunc(slices.Clone(h.Gates), func(g acphost.Gate) bool { return g.Name == name })
		}
	}
	return []variant.Variant{
		newVariant("records-more", "Keeps and returns additional members beside the four values.", written(variant.Extended), "ACP-CHAIN-01", "ACP-CHAIN-06"),
		newVariant("records-hash-in-capitals", "Writes hashes in capitals.", written(func(record object) {
			hash, _ := record["sha256"].(string)
			record["sha256"] = strings.ToUpper(hash)
		}), "ACP-CHAIN-05", "ACP-CHAIN-09"),
		newVariant("records-hash-prefixed", "Writes hashes with 0x before them.", written(func(record object) {
			hash, _ := record["sha256"].(string)
			record["sha256"] = "0x" + hash
		}), "ACP-CHAIN-05", "ACP-CHAIN-09"),
		newVariant("records-cid-rebased", "Writes CIDs in base 58.", written(func(record object) {
			cid, _ := record["cid"].(string)
			record["cid"] = acphost.Rebase(cid)
		}), "ACP-CHAIN-04", "ACP-CHAIN-08"),
		newVariant("records-without-author", "Does not tell who published.", written(func(record object) { delete(record, "author") }), "ACP-CHAIN-01"),
		newVariant("events-of-names", "Emits an event that a name is in use beside that of each publication.", func(h *acphost.Host) {
			event := h.Event
			h.Event = func(t *acphost.Transaction) []map[string]any {
				own := event(t)
				return append([]map[string]any{{"kind": "name", "cap_uri": own[0]["cap_uri"], "author": own[0]["author"]}}, own...)
			}
		}, "ACP-CHAIN-02", "ACP-CHAIN-06"),
		newVariant("events-of-refusals", "Emits an event that a publication was refused.", func(h *acphost.Host) {
			h.Refused = func(t *acphost.Transaction) []map[string]any {
				refused := h.Record(t)
				refused["status"] = "rejected"
				return []map[string]any{refused}
			}
		}, "ACP-CHAIN-10"),
		newVariant("version-again", "Takes a version that is published already.", ungated("version"), "ACP-CHAIN-02"),
		newVariant("hashes-unread", "Leaves it to others whether CID and hash are of one file.", ungated("hash"), "ACP-CHAIN-10"),
		newVariant("publish-tells-more", "Tells of a publication where it stands on the chain.", given(acphost.OpPublish, func(any) any {
			return object{"tx": "0xabc", "block": 12}
		}), "ACP-PUB-02"),
	}
}

// relisted gives what a search found in another form.
func relisted(join func(results []any) any) style {
	return given(acphost.OpSearch, func(result any) any {
		members, _ := result.(object)
		results, _ := members["list_of_results"].([]any)
		return join(results)
	})
}

// nameStyles give results under names that the examples of the text do not have.
func nameStyles() []variant.Variant {
	return []variant.Variant{
		newVariant("resolve-other-names", "Names the members of what it resolves otherwise than the examples.",
			given(acphost.OpResolve, otherNames),
			"ACP-INDEX-01", "ACP-INDEX-05", "ACP-INDEX-09"),
		newVariant("latest-by-word", "Resolves the word latest for a version, and refuses a capability URI without one.",
			onBare(func(resolve rpc.Operation, ctx context.Context, name string) (any, error) {
				return resolve(ctx, object{"cap_uri": name})
			}), "ACP-INDEX-05"),
		newVariant("latest-refused", "Resolves capability URIs with a version alone.",
			onBare(func(rpc.Operation, context.Context, string) (any, error) {
				return nil, rpc.Refuse("NOT_FOUND", "a version is wanted")
			}), "ACP-INDEX-05"),
		newVariant("search-other-names", "Names the members of what it found otherwise than the examples.",
			relisted(func(results []any) any {
				items := []any{}
				for _, one := range results {
					items = append(items, otherNames(one))
				}
				return object{"items": items, "total": len(items)}
			}), "ACP-INDEX-02"),
		newVariant("search-without-cid", "Gives the metadata alone of what it found.", relisted(func(results []any) any {
			for _, one := range results {
				members, _ := one.(object)
				delete(members, "ipfs_cid")
			}
			return object{"list_of_results": results}
		}), "ACP-INDEX-02"),
	}
}

// verifiesListed lists what its author signed, and nothing else.
func verifiesListed(h *acphost.Host) {
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
			return nil, acphost.ErrUnsound
		}
		keys, err := h.KeysOf(ctx, author)
		if err != nil || h.Verify(p, keys) != nil {
			return nil, acphost.ErrUnsound
		}
		return e, nil
	}
}

// indexes resolve and search in other forms.
func indexes() []variant.Variant {
	return []variant.Variant{
		newVariant("index-verifies", "Lists what its author signed as JSON in the form of RFC 8785, and nothing else.", func(h *acphost.Host) {
			h.Profile = acphost.Canonical
			verifiesListed(h)
		}, "ACP-REG-04", "ACP-INDEX-01", "ACP-INDEX-02"),
		newVariant("search-results", "Names the list of what it found results.", relisted(func(results []any) any {
			return object{"results": results, "total": len(results), "page": 1}
		}), "ACP-INDEX-02"),
		newVariant("search-bare", "Gives the list of what it found as it is.",
			relisted(func(results []any) any { return results }), "ACP-INDEX-02"),
		newVariant("search-by-rank", "Gives what it found in the opposite order, with a rank.",
			relisted(func(results []any) any {
				slices.Reverse(results)
				for i, one := range results {
					members, _ := one.(object)
					members["score"] = 1.0 / float64(i+1)
				}
				return object{"list_of_results": results}
			}), "ACP-INDEX-02"),
		newVariant("resolve-more", "Tells more of a capability than metadata and CID.", func(h *acphost.Host) {
			sound := h.Shown
			h.Shown = func(e *acphost.Entry) map[string]any {
				members := sound(e)
				variant.Extended(members)
				return members
			}
		}, "ACP-INDEX-01"),
		newVariant("resolve-cid-rebased", "Gives CIDs in base 58.", func(h *acphost.Host) {
			sound := h.Shown
			h.Shown = func(e *acphost.Entry) map[string]any {
				members := sound(e)
				members["ipfs_cid"] = acphost.Rebase(e.CID)
				return members
			}
		}, "ACP-INDEX-09"),
		newVariant("unknown-other-code", "Refuses what nobody published by a private code.", func(h *acphost.Host) {
			h.Missing = func(string) (any, error) { return nil, rpc.Refuse("UNKNOWN_CAPABILITY", "there is none") }
		}, "ACP-INDEX-06"),
		newVariant("unknown-empty", "Answers with an empty object what nobody published.", unknown(object{}), "ACP-INDEX-06"),
		newVariant("unknown-nulls", "Answers with nulls what nobody published.",
			unknown(object{"acp_metadata": nil, "ipfs_cid": nil}), "ACP-INDEX-06"),
		newVariant("unknown-in-band", "Answers with an ordinary result that holds a code what nobody published.",
			unknown(object{"code": 404, "message": "not found", "data": nil}), "ACP-INDEX-06"),
		newVariant("unknown-says-error",
			"Answers with a result that says that it is an error, and repeats the URI, what nobody published.",
			unknown(object{"error": object{"code": "NOT_FOUND"}, "acp_metadata": object{"id": "?"}}), "ACP-INDEX-06"),
		newVariant("miss-refused", "Answers a search without hits with an error.", onMiss(func() (any, error) {
			return nil, rpc.Refuse("NOT_FOUND", "nothing was found")
		}), "ACP-INDEX-08"),
		newVariant("miss-says-error", "Answers a search without hits with a result that says that it is an error.",
			onMiss(func() (any, error) {
				return object{"error": "nothing was found"}, nil
			}), "ACP-INDEX-08"),
		newVariant("miss-null", "Answers a search without hits with null for the list.", onMiss(func() (any, error) {
			return object{"list_of_results": nil}, nil
		}), "ACP-INDEX-08"),
	}
}

// onBare refuses a capability URI without a version, and answers the word latest in its way.
func onBare(latest func(resolve rpc.Operation, ctx context.Context, name string) (any, error)) style {
	return func(h *acphost.Host) {
		resolve := h.Provided[acphost.OpResolve]
		h.Provided[acphost.OpResolve] = func(ctx context.Context, params object) (any, error) {
			uri, _ := params["cap_uri"].(string)
			name, version, versioned := strings.Cut(uri, "@")
			switch {
			case !versioned:
				return nil, rpc.Refuse("INVALID", "this is no capability URI")
			case version == "latest":
				return latest(resolve, ctx, name)
			}
			return resolve(ctx, params)
		}
	}
}

// otherNames gives a result under other names.
func otherNames(result any) any {
	members, _ := result.(object)
	return object{"manifest": members["acp_metadata"], "content": object{"address": members["ipfs_cid"]}}
}

// unknown answers with a result what nobody published.
func unknown(result object) style {
	return func(h *acphost.Host) {
		h.Missing = func(string) (any, error) { return clone(result), nil }
	}
}

// onMiss answers a search without hits in another way.
func onMiss(answer func() (any, error)) style {
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
