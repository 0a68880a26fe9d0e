package chphost

import (
	"encoding/json"
	"math"
)

// maxLimit is the highest limit of a query.
const maxLimit = 10_000

// Query is a ReplayQuery.
type Query struct {
	CorrelationID string
	Limit         int   // 0 means all
	Since         int64 // only events after this sequence; -1 means from the start
	Payloads      bool  // whether event payloads are included
}

// readQuery reads a query. Null is the same as a missing member.
func readQuery(members map[string]any) (Query, error) {
	q := Query{Since: -1, Payloads: true}
	var isString bool
	if q.CorrelationID, isString = members["correlation_id"].(string); !isString || q.CorrelationID == "" {
		return q, Refuse("correlation_id must be a string that is not empty")
	}
	if value := members["limit"]; value != nil {
		limit, isInteger := integer(value)
		if !isInteger || limit < 1 || limit > maxLimit {
			return q, Refuse("limit must be an integer from 1 to %d", maxLimit)
		}
		q.Limit = int(limit)
	}
	if value := members["since_sequence"]; value != nil {
		since, isInteger := integer(value)
		if !isInteger || since < 0 {
			return q, Refuse("since_sequence must be an integer and not negative")
		}
		q.Since = since
	}
	if value := members["include_payloads"]; value != nil {
		if q.Payloads, isString = value.(bool); !isString {
			return q, Refuse("include_payloads must be a boolean")
		}
	}
	return q, nil
}

// integer reads an integer. It accepts 3.0 as 3, as JSON does.
func integer(value any) (int64, bool) {
	number, isNumber := value.(json.Number)
	if !isNumber {
		return 0, false
	}
	if n, err := number.Int64(); err == nil {
		return n, true
	}
	f, err := number.Float64()
	if err != nil || f != math.Trunc(f) || math.Abs(f) > 1<<53 {
		return 0, false
	}
	return int64(f), true
}
