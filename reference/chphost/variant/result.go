package chpvariant

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"sync"
	"time"
	"unicode/utf16"

	"github.com/capconform/capconform/reference/chphost"
	"github.com/capconform/capconform/reference/rpc"
	"github.com/capconform/capconform/reference/variant"
)

// stamps writes the times of a host's objects in another form.
func stamps(change func(at time.Time) string) style {
	restamp := func(members object, names ...string) {
		for _, name := range names {
			text, _ := members[name].(string)
			if at, err := time.Parse(time.RFC3339, text); err == nil {
				members[name] = change(at)
			}
		}
	}
	return combined(
		answered(func(result object) { restamp(result, "started_at", "completed_at") }),
		recorded(func(event object) { restamp(event, "timestamp") }),
		replayed(func(_ chphost.Query, result object, _ int) { restamp(result, "replayed_at") }))
}

// withDataAsText wraps the data of a success as a tool of MCP does.
func withDataAsText(result object) {
	if result["outcome"] == "success" {
		result["data"] = object{"content": []any{object{"type": "text", "text": escaped(result["data"])}}}
	}
}

// escaped returns the JSON text of a value in ASCII.
func escaped(value any) string {
	var text strings.Builder
	for _, unit := range utf16.Encode([]rune(string(rpc.Append(nil, value)))) {
		if unit < 0x80 {
			text.WriteByte(byte(unit))
			continue
		}
		fmt.Fprintf(&text, `\u%04x`, unit)
	}
	return text.String()
}

// resultStyles returns hosts that write the same result in other ways.
func resultStyles() []variant.Variant {
	half := time.FixedZone("", 5*3600+1800)
	return []variant.Variant{
		newVariant("results-more-members",
			"Adds members that no text defines to results, denials, events and replays.",
			combined(answered(moreMembers), recorded(variant.AddUndefinedMembers),
				replayed(inReplays(variant.AddUndefinedMembers))),
			"CHP-8-14", "CHP-6-18", "CHP-10-12"),
		newVariant("nulls-left-out", "Omits members of results and events that would be null.",
			combined(answered(dropNulls), recorded(dropNulls)), "CHP-8-14", "CHP-6-18"),
		newVariant("nulls-given", "Writes optional members of events and replays as null.", combined(
			recorded(writeNulls("error", "denial", "execution_id", "content_hash", "prev_hash", "admission")),
			replayed(inReplays(writeNulls("partial", "missing_hosts")))), "CHP-6-18", "CHP-10-12"),
		newVariant("result-sparse",
			"Omits members from a result that the prose does not mention.", answered(func(result object) {
				for _, name := range []string{"capability_id", "capability_version", "evidence_ids", "started_at", "completed_at"} {
					delete(result, name)
				}
			}), "CHP-6-02", "CHP-8-14", "CHP-5-01"),
		newVariant("evidence-ids-last", "Lists only the last event in a result.", answered(func(result object) {
			if ids, _ := result["evidence_ids"].([]any); len(ids) > 0 {
				result["evidence_ids"] = ids[len(ids)-1:]
			}
		}), "CHP-6-02"),
		newVariant("evidence-ids-empty", "Lists no event in a result.",
			answered(func(result object) { result["evidence_ids"] = []any{} }), "CHP-6-02"),
		newVariant("replayed-flag", "States in every result that it is not replayed.",
			answered(func(result object) { result["replayed"] = false }), "CHP-8-14"),
		newVariant("idempotent",
			"Answers a repeated invocation id with the stored result, with replayed true.", idempotent, "CHP-5-01"),
		newVariant("indeterminate",
			"Answers for one capability that the outcome is indeterminate.", indeterminate, "CHP-8-01"),
		newVariant("data-as-text", "Writes the data of a success as a string that contains JSON with escapes.",
			answered(withDataAsText), "CHP-8-04").Ignoring("CHP-3-18"),
		newVariant("error-beside-denial", "Returns an error in addition to every denial.", answered(func(result object) {
			if denial, denied := result["denial"].(object); denied {
				result["error"] = object{"type": "denied", "message": denial["message"]}
			}
		}), "CHP-9-01"),
		newVariant("failure-with-trace", "Adds members to the error of a failure.", answered(func(result object) {
			if fault, failed := result["error"].(object); failed {
				fault["retryable"], fault["trace"] = false, []any{"handler", "boundary"}
			}
		}), "CHP-9-01"),
		newVariant("times-with-offset",
			"Writes times with an offset and twelve digits of a second.", stamps(func(at time.Time) string {
				return at.In(half).Format("2006-01-02T15:04:05.000000000") + "000+05:30"
			}), "CHP-6-08", "CHP-10-09"),
		newVariant("times-in-seconds",
			"Writes times in whole seconds, with lower-case letters.", stamps(func(at time.Time) string {
				return strings.ToLower(at.Truncate(time.Second).Format(time.RFC3339))
			}), "CHP-6-08", "CHP-10-09"),
		newVariant("environment", "Adds environment, baggage and nulls to every correlation.", environment,
			"CHP-7-06", "CHP-7-08"),
		newVariant("asynchronous",
			"Runs every handler asynchronously and answers in order of completion.", slowly, "CHP-7-05"),
	}
}

// moreMembers adds members to a result and to its denial record.
func moreMembers(result object) {
	variant.AddUndefinedMembers(result)
	if denial, denied := result["denial"].(object); denied {
		variant.AddUndefinedMembers(denial)
	}
}

// inReplays applies a change to every replay result.
func inReplays(change func(object)) func(chphost.Query, object, int) {
	return func(_ chphost.Query, result object, _ int) { change(result) }
}

// environment adds environment, baggage and nulls to every correlation.
func environment(h *chphost.Host) {
	original := h.Correlate
	h.Correlate = func(given map[string]any) map[string]any {
		correlation := original(given)
		writeNulls("causation_id", "parent_correlation_id", "trace_id")(correlation)
		if correlation["baggage"] == nil {
			correlation["baggage"] = object{}
		}
		correlation["environment"] = "test"
		return correlation
	}
}

// idempotent stores results by invocation id.
func idempotent(h *chphost.Host) {
	var mutex sync.Mutex
	results, original := map[string]object{}, h.Invoke
	h.Invoke = func(ctx context.Context, params map[string]any) (any, error) {
		id, _ := params["invocation_id"].(string)
		mutex.Lock()
		recorded := results[id]
		mutex.Unlock()
		if recorded != nil {
			return recorded, nil
		}
		answer, err := original(ctx, params)
		if result, isResult := answer.(object); isResult {
			kept := object{"replayed": true}
			maps.Copy(kept, result)
			mutex.Lock()
			defer mutex.Unlock()
			results[id] = kept
		}
		return answer, err
	}
}

// indeterminate starts colour.compute_mix and ends it with an unknown outcome.
func indeterminate(h *chphost.Host) {
	original := h.Perform
	h.Perform = func(ctx context.Context, inv *chphost.Invocation) (chphost.Outcome, error) {
		if inv.CapabilityID != "colour.compute_mix" || inv.Capability == nil || !inv.Capability.Supports(inv.Mode) {
			return original(ctx, inv)
		}
		inv.StartedAt = h.Now()
		if err := h.Emit(inv, object{"event_type": chphost.EventStarted}); err != nil {
			return chphost.Outcome{}, err
		}
		return chphost.Outcome{Kind: "indeterminate"}, h.Emit(inv,
			object{"event_type": "execution_indeterminate", "outcome": "indeterminate"})
	}
}

// slowly delays handlers, later ones less, so that answers overtake each other.
func slowly(h *chphost.Host) {
	original := h.Execute
	var mutex sync.Mutex
	n := 0
	h.Execute = func(ctx context.Context, inv *chphost.Invocation) (any, error) {
		mutex.Lock()
		n++
		wait := time.Duration(4-n%4) * 200 * time.Microsecond
		mutex.Unlock()
		type done struct {
			data any
			err  error
		}
		finished := make(chan done, 1)
		time.AfterFunc(wait, func() {
			data, err := original(ctx, inv)
			finished <- done{data, err}
		})
		result := <-finished
		return result.data, result.err
	}
}
