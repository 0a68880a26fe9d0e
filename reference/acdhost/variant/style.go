// Package acdvariant lists ACD agents in other styles that the text permits.
package acdvariant

import (
	"context"
	"slices"
	"sync/atomic"
	"time"

	"github.com/capconform/capconform/reference"
	"github.com/capconform/capconform/reference/acdhost"
	"github.com/capconform/capconform/reference/caphost"
	"github.com/capconform/capconform/reference/rpc"
	"github.com/capconform/capconform/reference/variant"
)

type object = map[string]any

// style changes an agent.
type style func(h *acdhost.Host)

func newVariant(name, summary string, apply style, allows ...string) variant.Variant {
	return variant.Variant{Name: "acd-" + name, Suite: "acd", Summary: summary, Allows: allows,
		Apply: reference.OfACD(apply)}
}

// everyEntry changes every descriptor.
func everyEntry(change func(descriptor object)) style {
	return func(h *acdhost.Host) {
		for _, entry := range h.Entries() {
			change(entry)
			h.Put(entry)
		}
	}
}

// changedOperation changes an operation.
func changedOperation(operation string, change func(original rpc.Operation) rpc.Operation) style {
	return func(h *acdhost.Host) { h.Wrap[operation] = change }
}

// changedResult changes the result of an operation.
func changedResult(operation string, change func(params object, result any) any) style {
	return changedOperation(operation, func(original rpc.Operation) rpc.Operation {
		return func(ctx context.Context, params map[string]any) (any, error) {
			result, err := original(ctx, params)
			if err != nil {
				return nil, err
			}
			return change(params, result), nil
		}
	})
}

// withoutOperations removes operations.
func withoutOperations(operations ...string) style {
	return func(h *acdhost.Host) {
		for _, operation := range operations {
			h.Wrap[operation] = func(rpc.Operation) rpc.Operation { return nil }
		}
	}
}

// optional lists members of a descriptor that may be omitted.
var optional = []string{"dependencies", "lifecycle", "delegation", "audit"}

// descriptions returns agents that describe capabilities in other ways.
func descriptions() []variant.Variant {
	lean := func(descriptor object) {
		for _, name := range optional {
			delete(descriptor, name)
		}
	}
	return []variant.Variant{
		newVariant("descriptors-more-members", "Adds members that the text does not define to every descriptor.",
			everyEntry(func(d object) {
				d["x_owner"], d["type"] = object{"team": []any{1, nil}}, "harbour"
				acdhost.Set(d, "execution.timeout_s", 30)
			}), "ACD-DESC-01", "ACD-DESC-02"),
		newVariant("descriptors-nulls", "Has null for optional members.", everyEntry(func(d object) {
			for _, name := range optional {
				d[name] = nil
			}
			acdhost.Set(d, "permissions.danger_level", nil)
		}), "ACD-DESC-17"),
		newVariant("descriptors-lean", "Omits optional members.", everyEntry(lean), "ACD-DESC-21"),
		newVariant("own-channels", "Names channels that the text does not print.", everyEntry(func(d object) {
			if d["capability_id"] == "cap.tides" {
				acdhost.Set(d, "exposure.channels", []any{"matrix", "cli"})
			}
		}), "ACD-DESC-13"),
		newVariant("schema-references", "Has references for its output schemas.",
			everyEntry(func(d object) { acdhost.Set(d, "outputs.schema", "schemas/output.json") }), "ACD-DESC-20"),
		newVariant("boolean-schemas", "Has true for its output schemas.",
			everyEntry(func(d object) { acdhost.Set(d, "outputs.schema", true) }), "ACD-DESC-20"),
		newVariant("required-in-schema", "Names required inputs only in the schema.",
			everyEntry(func(d object) { acdhost.Set(d, "inputs.required", []any{}) }), "ACD-DESC-19"),
	}
}

// refusals returns agents that refuse in other ways.
func refusals() []variant.Variant {
	return []variant.Variant{
		newVariant("refusal-as-result", "Refuses calls with a result that contains an error.",
			changedOperation(acdhost.OpInvoke, func(original rpc.Operation) rpc.Operation {
				return func(ctx context.Context, params map[string]any) (any, error) {
					result, err := original(ctx, params)
					if err != nil {
						return object{"error": object{"message": err.Error()}, "output": nil}, nil
					}
					return result, nil
				}
			}), "ACD-SDK2-02"),
		newVariant("immutable-silent", "Accepts an update of an immutable capability and changes nothing.",
			changedOperation(acdhost.OpUpdate, func(original rpc.Operation) rpc.Operation {
				return func(ctx context.Context, params map[string]any) (any, error) {
					result, err := original(ctx, params)
					if err != nil {
						return object{}, nil
					}
					return result, nil
				}
			}), "ACD-SDK6-03"),
		newVariant("no-second-registration", "Refuses to register an id again.", func(h *acdhost.Host) {
			changedOperation(acdhost.OpCreate, func(original rpc.Operation) rpc.Operation {
				return func(ctx context.Context, params map[string]any) (any, error) {
					if h.Find(acdhost.Text(params["descriptor"], "capability_id")) != nil {
						return nil, rpc.Refuse("", "the id is taken")
					}
					return original(ctx, params)
				}
			})(h)
		}, "ACD-SDK1-08"),
	}
}

// indexes returns agents with other manifests and channels.
func indexes() []variant.Variant {
	manifest := func(change func(manifest object)) style {
		return changedResult(acdhost.OpManifest, func(_ object, result any) any {
			if members, is := result.(object); is {
				change(members)
			}
			return result
		})
	}
	return []variant.Variant{
		newVariant("manifest-external", "Has an external registry.",
			manifest(func(m object) { acdhost.Set(m, "capabilities.registry", "external") }), "ACD-MAN-06"),
		newVariant("manifest-more", "Adds members that the text does not define to its manifest and to channels.",
			manifest(func(m object) {
				m["homepage"], m["skills"] = "https://example.org/agent", []any{"cap.digest"}
				channels, _ := m["channels"].([]any)
				for _, item := range channels {
					if c, is := item.(object); is {
						c["title"], c["commands"] = "A channel", true
					}
				}
			}), "ACD-MAN-02", "ACD-SDK1-07"),
		newVariant("manifest-no-policies", "Has no policies.", manifest(func(m object) { delete(m, "policies") }),
			"ACD-MAN-10"),
		newVariant("manifest-internal", "Lists internal capabilities in its manifest, too.", func(h *acdhost.Host) {
			manifest(func(m object) {
				list := []any{}
				for _, entry := range h.Query(object{"enabled": true}) {
					list = append(list, entry["capability_id"])
				}
				acdhost.Set(m, "capabilities.list", list)
			})(h)
		}, "ACD-MAN-01"),
		newVariant("manifest-disabled", "Lists disabled capabilities in its manifest, too.",
			func(h *acdhost.Host) {
				manifest(func(m object) {
					list := []any{}
					for _, entry := range h.Entries() {
						list = append(list, entry["capability_id"])
					}
					acdhost.Set(m, "capabilities.list", list)
				})(h)
			}, "ACD-MAN-01"),
		newVariant("rendering-text", "Renders capabilities as text.", func(h *acdhost.Host) {
			h.Render = func(c acdhost.Channel, entry map[string]any) any {
				return c.Widget + " " + acdhost.Text(entry, "name")
			}
		}, "ACD-EX3-01"),
		newVariant("docs-page", "Has an HTML page as documentation.",
			changedResult(acdhost.OpDocs, func(_ object, result any) any {
				return object{"text": "<main><pre>" + acdhost.Text(result, "text") + "</pre></main>", "media_type": "text/html"}
			}), "ACD-EX4-01"),
		newVariant("ordinary-agent", "Does not claim to be the exemplar.",
			func(h *acdhost.Host) { h.AgentID, h.Name = "urn:agent:acme:desk", "Desk" }, "ACD-EX1-01"),
	}
}

// reads returns agents in which members that the text does not define change with each reading.
func reads() []variant.Variant {
	return []variant.Variant{newVariant("etag-a-reading",
		"Gives each descriptor a tag that changes with each reading.", func(h *acdhost.Host) {
			var readings atomic.Int64
			tagged := func(_ object, result any) any {
				members, _ := result.(object)
				entries := []any{result}
				if list, is := members["capabilities"].([]any); is {
					entries = list
				}
				for _, item := range entries {
					if entry, is := item.(object); is && entry["capability_id"] != nil {
						entry["etag"] = readings.Add(1)
					}
				}
				return result
			}
			for _, operation := range []string{acdhost.OpList, acdhost.OpGet} {
				changedResult(operation, tagged)(h)
			}
		}, "ACD-SDK1-09")}
}

// records returns agents that log more than the text requires.
func records() []variant.Variant {
	return []variant.Variant{
		newVariant("records-more", "Adds a time and nulls to every record.", func(h *acdhost.Host) {
			original := h.Record
			h.Record = func(entry map[string]any, call *acdhost.Call, output any) map[string]any {
				record := original(entry, call, output)
				if record != nil {
					record["at"], record["reason"] = "2026-01-01T00:00:00Z", nil
				}
				return record
			}
		}, "ACD-SDK6-01"),
		newVariant("records-always", "Logs invocations although the descriptor says false.", func(h *acdhost.Host) {
			original := h.Record
			h.Record = func(entry map[string]any, call *acdhost.Call, output any) map[string]any {
				if record := original(entry, call, output); record != nil {
					return record
				}
				return object{"capability_id": call.ID}
			}
		}, "ACD-SDK6-01"),
		newVariant("records-later", "Shows a record 250 milliseconds after the answer.", func(h *acdhost.Host) {
			const while = 250 * time.Millisecond
			original := h.Record
			h.Record = func(entry map[string]any, call *acdhost.Call, output any) map[string]any {
				record := original(entry, call, output)
				if record != nil {
					record["at"] = time.Now().UnixNano()
				}
				return record
			}
			changedResult(acdhost.OpAudit, func(_ object, result any) any {
				members, _ := result.(object)
				list, _ := members["records"].([]any)
				shown := slices.DeleteFunc(slices.Clone(list), func(item any) bool {
					record, _ := item.(object)
					at, _ := record["at"].(int64)
					return time.Since(time.Unix(0, at)) < while
				})
				return object{"records": shown}
			})(h)
		}, "ACD-SDK6-01"),
		newVariant("model-always", "Asks the language model, if there is one, about every descriptor.",
			func(h *acdhost.Host) {
				original := h.Consent
				h.Consent = func(ctx context.Context, descriptor map[string]any) error {
					if descriptor["kind"] == "atomic" {
						_ = h.Ask(ctx, descriptor) // the answer is ignored
					}
					return original(ctx, descriptor)
				}
			}, "ACD-SDK3-03"),
	}
}

// partStyles returns agents that serve fewer or more operations.
func partStyles() []variant.Variant {
	both := variant.Variant{
		Name: "acd-speaks-cap", Suite: "acd", Summary: "Also speaks CAP, and describes its capabilities identically there.",
		Allows: []string{"ACD-DEF-02"},
		Apply: func(parts *reference.Parts) {
			if source, err := caphost.Profile(); err == nil && parts.ACD != nil {
				parts.CAP = source
			}
		},
	}
	return []variant.Variant{
		both,
		newVariant("no-instruments", "Serves no instruments.",
			withoutOperations(acdhost.OpExecLog, acdhost.OpCalls), "ACD-SDK2-03"),
		newVariant("hooks-first", "Runs the hooks before an invocation before it checks the caller.", hooksFirst,
			"ACD-SDK2-02", "ACD-SDK6-02"),
		newVariant("no-model", "Has no language model and no operation to configure one.",
			withoutOperations(acdhost.OpConfigure),
			"ACD-SDK3-03"),
		newVariant("registry-read-only", "Has a registry that callers can only read.",
			withoutOperations(acdhost.OpCreate, acdhost.OpUpdate, acdhost.OpDelete), "ACD-SDK1-08", "ACD-SDK1-11"),
		newVariant("no-get", "Has no operation to read one entry.", withoutOperations(acdhost.OpGet), "ACD-SDK1-09"),
	}
}

// hooksFirst runs hooks of pre_invoke before every gate: the text does not define the
// order.
func hooksFirst(h *acdhost.Host) {
	early := acdhost.Gate{Name: "hooks", Check: func(h *acdhost.Host, call *acdhost.Call) error {
		if call.Entry != nil {
			h.Hooks(context.Background(), call, "pre_invoke")
		}
		return nil
	}}
	h.Gates = append([]acdhost.Gate{early}, h.Gates...)
	h.RunWithHooks = func(ctx context.Context, call *acdhost.Call, run func(context.Context) (any, error)) (any, error) {
		output, err := run(ctx)
		kind := "post_invoke"
		if err != nil {
			kind = "on_error"
		}
		h.Hooks(ctx, call, kind)
		return output, err
	}
}
