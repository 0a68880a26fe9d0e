package chphost

import (
	"context"
	"sort"
)

func (h *Host) replay(_ context.Context, params map[string]any) (any, error) {
	query, err := h.ReadQuery(params)
	if err != nil {
		return nil, err
	}
	records, total := h.Select(query)
	events := make([]any, 0, len(records))
	for _, record := range records {
		events = append(events, h.Show(query, record))
	}
	return h.ReplayResult(query, events, total), nil
}

func (h *Host) selects(query Query) ([]Record, int) {
	records := After(h.Store.Events(query.CorrelationID), query.Since)
	total := len(records)
	if query.Limit > 0 && total > query.Limit {
		records = records[:query.Limit]
	}
	return records, total
}

// After returns the records after a sequence.
func After(records []Record, sequence int64) []Record {
	at := sort.Search(len(records), func(i int) bool { return records[i].Sequence > sequence })
	return records[at:]
}

func show(query Query, record Record) any {
	if query.Payloads {
		return record.Text
	}
	event := record.Unpack()
	event["payload"], event["redacted"] = map[string]any{}, true
	return event
}

func (h *Host) replayResult(query Query, events []any, total int) any {
	return map[string]any{
		"correlation_id": query.CorrelationID, "events": events, "event_count": len(events),
		"replayed_at": FormatTime(h.Now()), "truncated": len(events) < total,
	}
}
