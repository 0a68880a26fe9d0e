package chpvariant

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/capconform/capconform/reference/chphost"
	"github.com/capconform/capconform/reference/rpc"
	"github.com/capconform/capconform/reference/variant"
)

// replays returns hosts that interpret a query in other ways where the text is silent.
func replays() []variant.Variant {
	bare := func(change func(event object)) style {
		return func(h *chphost.Host) {
			h.Show = func(query chphost.Query, record chphost.Record) any {
				event := record.Unpack()
				if !query.Payloads {
					change(event)
				}
				return event
			}
		}
	}
	return []variant.Variant{
		newVariant("unknown-replay-404", "Answers the replay of an unused id with an error, over HTTP with status 404.",
			refusesUnknown, "CHP-10-02"),
		newVariant("count-of-all", "Counts all events of a correlation, even if a query omits some.",
			func(h *chphost.Host) {
				replayed(func(query chphost.Query, result object, _ int) {
					result["event_count"] = len(h.Store.Events(query.CorrelationID))
				})(h)
			}, "CHP-10-08"),
		newVariant("since-inclusive", "Includes the event at since_sequence.", func(h *chphost.Host) {
			original := h.ReadQuery
			h.ReadQuery = func(members map[string]any) (chphost.Query, error) {
				query, err := original(members)
				query.Since = max(-1, query.Since-1)
				return query, err
			}
		}, "CHP-10-04"),
		newVariant("sequence-decimal", "Writes sequences as decimals, and accepts since_sequence only as an integer.",
			decimalSequences, "CHP-10-04", "CHP-6-09"),
		newVariant("limit-from-end", "Returns the last events of a correlation for a query with limit.", limitsFromEnd,
			"CHP-10-03"),
		newVariant("limit-clamped", "Clamps limits that it does not allow.", clampsLimit, "CHP-10-03"),
		newVariant("since-beyond-refused", "Refuses a since_sequence after the last event of the store.",
			refusesBeyond, "CHP-10-04"),
		newVariant("since-last-refused", "Refuses a since_sequence that no event of the correlation follows.",
			refusesLast, "CHP-10-04"),
		newVariant("limit-at-most-20", "Refuses a limit above 20.", refusesAbove(20), "CHP-10-03"),
		newVariant("payloads-null", "Writes payloads as null if a query excludes payloads.",
			bare(func(event object) { event["payload"] = nil }), "CHP-10-05"),
		newVariant("payloads-dropped", "Omits the member payload if a query excludes payloads.",
			bare(func(event object) { delete(event, "payload") }), "CHP-10-05"),
		newVariant("payloads-digested",
			"Replaces payloads with digests if a query excludes payloads.", bare(func(event object) {
				event["payload"] = object{"size": strconv.Itoa(len(rpc.Append(nil, event["payload"])))}
			}), "CHP-10-05"),
		newVariant("replay-sparse", "Omits optional members from a replay result.",
			replayed(func(_ chphost.Query, result object, _ int) {
				delete(result, "truncated")
			}), "CHP-10-12"),
	}
}

// pages returns hosts that replay some events at a time, and state that the replay is
// truncated.
func pages() []variant.Variant {
	return []variant.Variant{
		newVariant("replay-in-pages", "Replays three events at a time and states that the replay is truncated.",
			inPages(3), "CHP-10-01", "CHP-10-08"),
		newVariant("replay-in-pairs", "Replays two events at a time and states that the replay is truncated.",
			inPages(2), "CHP-10-01", "CHP-10-05"),
		newVariant("replay-pages-own-words", "Replays three events at a time and states in other words that more follow.",
			combined(inPages(3), replayed(func(_ chphost.Query, result object, _ int) {
				result["has_more"] = result["truncated"]
				delete(result, "truncated")
			})), "CHP-10-01", "CHP-10-08"),
	}
}

// inPages replays some events at a time.
func inPages(size int) style {
	return func(h *chphost.Host) {
		original := h.ReadQuery
		h.ReadQuery = func(members map[string]any) (chphost.Query, error) {
			query, err := original(members)
			if query.Limit == 0 || query.Limit > size {
				query.Limit = size
			}
			return query, err
		}
	}
}

// refusesBeyond refuses a query since a sequence that the store has not reached.
func refusesBeyond(h *chphost.Host) {
	var newest atomic.Int64
	next, ask := h.Store.Next, h.ReadQuery
	h.Store.Next = func(sequence int64) int64 {
		newest.Store(next(sequence))
		return newest.Load()
	}
	h.ReadQuery = func(members map[string]any) (chphost.Query, error) {
		query, err := ask(members)
		if err == nil && query.Since > newest.Load() {
			return query, chphost.Refuse("since_sequence is after the last event")
		}
		return query, err
	}
}

// refusesLast refuses a query since a sequence that no event of its correlation follows.
func refusesLast(h *chphost.Host) {
	original := h.ReadQuery
	h.ReadQuery = func(members map[string]any) (chphost.Query, error) {
		query, err := original(members)
		if err == nil && query.Since >= 0 && len(chphost.After(h.Store.Events(query.CorrelationID), query.Since)) == 0 {
			return query, chphost.Refuse("no event follows since_sequence")
		}
		return query, err
	}
}

// refusesAbove refuses a query with a greater limit.
func refusesAbove(greatest int) style {
	return func(h *chphost.Host) {
		original := h.ReadQuery
		h.ReadQuery = func(members map[string]any) (chphost.Query, error) {
			query, err := original(members)
			if err == nil && query.Limit > greatest {
				return query, chphost.Refuse("limit must not exceed %d", greatest)
			}
			return query, err
		}
	}
}

func limitsFromEnd(h *chphost.Host) {
	original := h.Select
	h.Select = func(query chphost.Query) ([]chphost.Record, int) {
		limit := query.Limit
		query.Limit = 0
		records, total := original(query)
		if limit > 0 {
			records = records[max(0, len(records)-limit):]
		}
		return records, total
	}
}

func refusesUnknown(h *chphost.Host) {
	const code = "correlation_not_found"
	original := h.ReadQuery
	h.ReadQuery = func(members map[string]any) (chphost.Query, error) {
		query, err := original(members)
		if err == nil && len(h.Store.Events(query.CorrelationID)) == 0 {
			return query, rpc.Refuse(code, "no evidence under this id")
		}
		return query, err
	}
	refused := h.Binding.Refused
	h.Binding.Refused = func(operation string, refusal *rpc.Error) int {
		if refusal.Code == code {
			return http.StatusNotFound
		}
		return refused(operation, refusal)
	}
}

// decimalSequences sends 7.0 in place of 7, which is the same number, and does not accept 7.0.
func decimalSequences(h *chphost.Host) {
	ask := h.ReadQuery
	h.ReadQuery = func(members map[string]any) (chphost.Query, error) {
		if since, ok := members["since_sequence"].(json.Number); ok && strings.Contains(string(since), ".") {
			return chphost.Query{}, chphost.Refuse("since_sequence must be an integer")
		}
		return ask(members)
	}
	h.Show = func(query chphost.Query, record chphost.Record) any {
		event := record.Unpack()
		if !query.Payloads {
			event["payload"], event["redacted"] = object{}, true
		}
		event["sequence"] = json.Number(strconv.FormatInt(record.Sequence, 10) + ".0")
		return event
	}
}

// clampsLimit uses the nearest permitted limit.
func clampsLimit(h *chphost.Host) {
	original := h.ReadQuery
	h.ReadQuery = func(members map[string]any) (chphost.Query, error) {
		query, err := original(members)
		if err == nil || members["limit"] == nil {
			return query, err
		}
		query, err = original(withMembers(members, object{"limit": nil}))
		query.Limit = 1
		return query, err
	}
}
