package acpvariant

import (
	"context"
	"fmt"
	"sync"

	"github.com/capconform/capconform/reference/acphost"
	"github.com/capconform/capconform/reference/rpc"
	"github.com/capconform/capconform/reference/variant"
)

// resultForms returns runtimes whose tool results have another form.
func resultForms() []variant.Variant {
	said := func(change func(r acphost.Result, original string) string) style {
		return func(h *acphost.Host) {
			original := h.FormatResult
			h.FormatResult = func(r acphost.Result) string { return change(r, original(r)) }
		}
	}
	text := func(value any) string { return string(rpc.Append(nil, value)) }
	return []variant.Variant{
		newVariant("results-wrapped", "Returns results inside another object.",
			said(func(r acphost.Result, original string) string {
				if r.Fault != "" {
					return text(object{"success": false, "error": r.Fault})
				}
				return text(object{"success": true, "data": rpc.Raw(asJSON(original)), "meta": object{"took_ms": 3}})
			}), "ACP-STATE-01"),
		newVariant("results-as-content", "Returns results in the form of an MCP service.",
			said(func(r acphost.Result, original string) string {
				return text(object{"content": []any{object{"type": "text", "text": original}}, "isError": r.Fault != ""})
			}), "ACP-STATE-01"),
		newVariant("results-in-words", "Returns results in words, followed by the JSON.",
			said(func(r acphost.Result, original string) string {
				if r.Fault != "" {
					return "Error: " + r.Fault
				}
				return "The tool gave:\n```json\n" + original + "\n```"
			}), "ACP-STATE-01"),
		newVariant("faults-with-details", "Reports faults in words, followed by details as JSON.",
			said(func(r acphost.Result, original string) string {
				if r.Fault != "" {
					return "invalid: " + text([]any{r.Fault})
				}
				return original
			}), "ACP-EXEC-04", "ACP-EXEC-07", "ACP-FIELD-15"),
		newVariant("faults-in-german", "Reports faults in German, in another member.",
			said(func(r acphost.Result, original string) string {
				if r.Fault != "" {
					return text(object{"meldung": "Das geht leider nicht."})
				}
				return original
			}), "ACP-BIND-05", "ACP-EXEC-07", "ACP-FIELD-15"),
		newVariant("faults-end-turns", "Ends a turn with an error if a tool cannot be executed.", func(h *acphost.Host) {
			h.RunUnbound = func(*acphost.Package, string) (acphost.Result, error) { return acphost.Result{}, acphost.ErrTurn }
			h.RunUnknownType = func(acphost.Binding) (acphost.Result, error) { return acphost.Result{}, acphost.ErrTurn }
		}, "ACP-EXEC-07", "ACP-BIND-05"),
		newVariant("faults-for-users",
			"Tells the user which tool cannot be executed, and tells the model only that it did so.",
			func(h *acphost.Host) {
				h.RunUnbound = func(_ *acphost.Package, name string) (acphost.Result, error) {
					return acphost.Result{Text: "The tool " + name + " is not available."}, nil
				}
			}, "ACP-EXEC-07"),
	}
}

// asJSON returns JSON unchanged, and any other text as a JSON string.
func asJSON(said string) []byte {
	if _, err := rpc.Decode([]byte(said)); err != nil {
		return rpc.Append(nil, said)
	}
	return []byte(said)
}

// pageForms returns runtimes whose query results have another form.
func pageForms() []variant.Variant {
	pages := func(join func(objects []any, cursor string) any) style {
		return func(h *acphost.Host) { h.FormatPage = join }
	}
	return []variant.Variant{
		newVariant("pages-small", "Returns at most two objects in a page.", func(h *acphost.Host) {
			h.PageSize = func(limit int) int {
				if limit <= 0 {
					return 2
				}
				return min(limit, 2)
			}
		}, "ACP-STATE-05"),
		newVariant("pages-all", "Returns all objects at once, whatever the limit is.", func(h *acphost.Host) {
			h.PageSize = func(int) int { return 1_000_000 }
		}, "ACP-STATE-05"),
		newVariant("pages-named-cursor", "Names the cursor of a further page cursor, which is null on the last page.",
			pages(func(objects []any, cursor string) any {
				page := object{"items": objects, "count": len(objects), "cursor": nil}
				if cursor != "" {
					page["cursor"] = cursor
				}
				return page
			}), "ACP-STATE-05"),
		newVariant("pages-camel", "Names the cursor of a further page nextCursor, and reports whether one exists.",
			pages(func(objects []any, cursor string) any {
				return object{"results": objects, "nextCursor": cursor, "hasMore": cursor != ""}
			}), "ACP-STATE-05"),
		newVariant("pages-with-token", "Names the cursor of a further page page_token.",
			pages(func(objects []any, cursor string) any {
				return object{"rows": objects, "page_token": cursor}
			}), "ACP-STATE-05"),
		newVariant("pages-in-rows", "Wraps each object in a row with its position and its version.", func(h *acphost.Host) {
			original := h.FormatPage
			h.FormatPage = func(objects []any, cursor string) any {
				rows := make([]any, len(objects))
				for i, one := range objects {
					rows[i] = object{"row": i, "rev": fmt.Sprint(i + 1), "value": one}
				}
				return original(rows, cursor)
			}
		}, "ACP-STATE-01", "ACP-STATE-04"),
	}
}

// states returns runtimes that store objects in other ways, or return other results.
func states() []variant.Variant {
	return []variant.Variant{
		newVariant("told-little", "Reports only that a change was made.", func(h *acphost.Host) {
			h.FormatChange = func(_, id string, _ any) any { return object{"ok": true, "id": id} }
		}, "ACP-STATE-01", "ACP-STATE-02", "ACP-STATE-06"),
		newVariant("told-with-more", "Returns additional members with an object.", func(h *acphost.Host) {
			original := h.FormatChange
			h.FormatChange = func(verb, id string, value any) any {
				result, _ := original(verb, id, value).(object)
				result["op"], result["clock"] = verb, object{"node": "a", "tick": 7}
				return result
			}
		}, "ACP-STATE-01"),
		newVariant("deletes-hard", "Deletes permanently, whatever the mode is.", func(h *acphost.Host) {
			original := h.Verbs[acphost.Delete]
			h.Verbs[acphost.Delete] = func(ctx context.Context, p *acphost.Package, arguments object) (any, error) {
				hard := clone(arguments)
				hard["mode"] = "hard"
				return original(ctx, p, hard)
			}
		}, "ACP-STATE-06", "ACP-STATE-07"),
		newVariant("verbs-ignored", "Ignores a call of an undeclared tool.", func(h *acphost.Host) {
			permits := h.CheckPermission
			h.CheckPermission = func(*acphost.Package, string) error { return nil }
			for name, verb := range h.Verbs {
				h.Verbs[name] = func(ctx context.Context, p *acphost.Package, arguments object) (any, error) {
					if permits(p, name) != nil {
						return object{}, nil
					}
					return verb(ctx, p, arguments)
				}
			}
		}, "ACP-MOT-04"),
		newVariant("others-empty", "Finds nothing under the schema URI of another package, without an error.",
			func(h *acphost.Host) {
				original := h.CheckSchemaURI
				h.CheckSchemaURI = func(p *acphost.Package, verb, uri string) error {
					if verb == acphost.Query {
						return nil
					}
					return original(p, verb, uri)
				}
			}, "ACP-SEC-03", "ACP-FIELD-15"),
		newVariant("sets-grow", "Merges grow-only lists.", setsGrow, "ACP-STATE-03"),
	}
}

// setsGrow keeps all elements of lists with the policy grow_only_set.
func setsGrow(h *acphost.Host) {
	original := h.Patch
	h.Patch = func(p *acphost.Package, document, patch []byte) ([]byte, error) {
		after, err := original(p, document, patch)
		if err != nil {
			return nil, err
		}
		was, err := rpc.Decode(document)
		if err != nil {
			return nil, err
		}
		is, err := rpc.Decode(after)
		if err != nil {
			return nil, err
		}
		before, _ := was.(object)
		changed, _ := is.(object)
		properties, _ := p.Schema["properties"].(object)
		for name, schema := range properties {
			policy, _ := schema.(object)
			old, _ := before[name].([]any)
			if policy["x-crdt"] == "grow_only_set" && len(old) > 0 {
				young, _ := changed[name].([]any)
				changed[name] = union(old, young)
			}
		}
		return rpc.Append(nil, changed), nil
	}
}

func union(old, added []any) []any {
	seen := map[string]bool{}
	var all []any
	for _, element := range append(append([]any{}, old...), added...) {
		text := string(rpc.Append(nil, element))
		if !seen[text] {
			all = append(all, element)
		}
		seen[text] = true
	}
	return all
}

// fileCache is a cache of files.
type fileCache struct {
	mutex sync.Mutex
	files map[string][]byte
}

func newFileCache() *fileCache { return &fileCache{files: map[string][]byte{}} }

func (k *fileCache) put(cid string, content []byte) {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	k.files[cid] = content
}

func (k *fileCache) get(cid string) []byte {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	return k.files[cid]
}
