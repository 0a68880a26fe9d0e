package chpmutant

import (
	"embed"
	"slices"

	"github.com/capconform/capconform/reference/mutant"
)

//go:embed documents/*.json
var files embed.FS

// Documents returns the valid and the broken documents of CHP.
func Documents() ([]mutant.Document, error) {
	all, err := mutant.ValidDocuments("chp", files, "descriptor", "discovery", "host", "envelope", "replay-query",
		"replay", "result")
	if err != nil {
		return nil, err
	}
	broken, err := mutant.Edited("chp", files, edits())
	if err != nil {
		return nil, err
	}
	strict, err := mutant.Edited("chp", files, closed())
	for i := range strict {
		strict[i].Strict = true
	}
	return slices.Concat(all, broken, strict), err
}

// row is a fault in a table.
type row mutant.Fault

// edits returns edits that break documents of CHP. Each member is broken in two ways: it is missing,
// if it is required, and it has a wrong type.
func edits() []mutant.Edit {
	const started, denied = "events/0/", "events/5/denial/"
	var all []mutant.Edit
	for _, w := range []row{
		{"CHP-3-01", "descriptor", "id", 7}, {"CHP-3-02", "descriptor", "version", 7},
		{"CHP-3-03", "descriptor", "description", 7},
		{"CHP-3-04", "descriptor", "modes", "sync"}, {"CHP-3-06", "descriptor", "emits", "execution_started"},
		{"CHP-4-01", "host", "id", 7}, {"CHP-4-02", "host", "version", 7}, {"CHP-4-03", "host", "protocol_version", "1.0"},
		{"CHP-4-04", "host", "kind", 7},
		{"CHP-4-05", "host", "capabilities", "review.sum"}, {"CHP-4-06", "host", "evidence", "memory"},
		{"CHP-4-07", "host", "evidence/append_only", nil},
		{"CHP-5-02", "envelope", "invocation_id", 7}, {"CHP-5-03", "envelope", "capability_id", 7},
		{"CHP-5-04", "envelope", "mode", 7},
		{"CHP-5-05", "envelope", "correlation", "corr-1"}, {"CHP-5-06", "envelope", "subject", "planner"},
		{"CHP-5-07", "envelope", "payload", "1"},
		{"CHP-5-08", "envelope", "requested_at", true},
		{"CHP-6-03", "replay", started + "event_id", 7}, {"CHP-6-06", "replay", started + "capability_id", 7},
		{"CHP-6-07", "replay", started + "host_id", 7},
		{"CHP-6-08", "replay", started + "timestamp", true}, {"CHP-6-09", "replay", started + "sequence", "1"},
		{"CHP-6-10", "replay", started + "payload", "{}"},
		{"CHP-6-11", "replay", started + "redacted", "yes"}, {"CHP-6-12", "replay", started + "assurance", "S1"},
		{"CHP-7-03", "replay", started + "correlation", "corr-1"},
		{"CHP-7-04", "result", "correlation", "corr-1"}, {"CHP-8-01", "result", "outcome", "done"},
		{"CHP-6-04", "replay", "events/5/event_type", 7}, {"CHP-6-05", "replay", "events/5/invocation_id", 7},
		{"CHP-6-04", "replay", started + "event_type", 7}, {"CHP-6-05", "replay", started + "invocation_id", 7},
		{"CHP-6-14", "replay", "events/1/redacted", "yes"},
		{"CHP-9-08", "replay", denied + "code", 7}, {"CHP-9-09", "replay", denied + "message", 7},
		{"CHP-9-11", "replay", denied + "retryable", "no"},
		{"CHP-9-12", "replay", denied + "details", "none"},
		{"CHP-10-06", "replay", "correlation_id", 7}, {"CHP-10-08", "replay", "event_count", "7"},
		{"CHP-10-09", "replay", "replayed_at", true},
		{"CHP-10-13", "replay-query", "correlation_id", 7},
	} {
		all = append(all, mutant.Fault(w).Edit("missing", "Omits "+w.At+".", mutant.Absent{}),
			mutant.Fault(w).Edit("type", "Uses another type or value for "+w.At+".", w.Value))
	}
	for _, w := range []row{
		{"CHP-3-05", "descriptor", "modes", []any{"async"}}, {"CHP-3-08", "descriptor", "input_schema",
			object{"type": "objekt"}},
		{"CHP-3-09", "descriptor", "output_schema", "none"}, {"CHP-3-10", "descriptor", "invariants", []any{"small"}},
		{"CHP-3-11", "descriptor", "risk", "Low"},
		{"CHP-3-12", "descriptor", "assurance", "S1"}, {"CHP-3-13", "descriptor", "owner", 7},
		{"CHP-3-13", "descriptor", "tags", "sum"},
		{"CHP-3-14", "descriptor", "capability_uri", "review.sum@1.2.0"},
		{"CHP-3-15", "discovery", "capabilities/1/version", "1.2.0"},
		{"CHP-6-13", "replay", "events/1/event_id", "evt-1"},
		{"CHP-8-08", "replay", "events/0/invocation_id", "inv-0"}, {"CHP-8-09", "replay", "events/3/invocation_id", "inv-0"},
		{"CHP-8-02", "result", "success", true}, {"CHP-8-07", "replay", "events/8/invocation_id", "inv-4"},
		{"CHP-8-13", "replay", "events/2/outcome", "failure"}, {"CHP-9-10", "replay", denied + "invariant_id", 7},
		{"CHP-10-02", "replay", "events/1/correlation/correlation_id", "corr-0"},
		{"CHP-10-07", "replay", "events/1", "sum_seen"}, {"CHP-10-08", "replay", "event_count", 5},
		{"CHP-10-10", "replay", "events/5/sequence", 1},
		{"CHP-3-07", "descriptor", "metadata", nil}, {"CHP-4-10", "host", "protocol_version", "0.2"},
	} {
		all = append(all, mutant.Fault(w).Edit("value", "Uses a value for "+w.At+" that is not permitted.", w.Value))
	}
	return append(all, mutant.Fault{Requirement: "CHP-8-02", Base: "result", At: "success"}.
		Edit("word", "Writes true as a word for a denial.", "true"))
}

// closed returns edits that break the closed readings, which are advice and are checked only with
// --strict: the text permits these documents.
func closed() []mutant.Edit {
	var all []mutant.Edit
	for _, w := range []row{
		{"CHP-3-19", "descriptor", "modes/1", "cron"}, {"CHP-3-19", "descriptor", "x_shelf", "B4"},
		{"CHP-3-19", "discovery", "capabilities/0/status", "new"},
		{"CHP-4-11", "host", "x_shelf", "B4"}, {"CHP-4-11", "host", "metadata", "none"},
		{"CHP-5-13", "envelope", "x_shelf", "B4"}, {"CHP-5-13", "envelope", "mode", "cron"},
		{"CHP-6-18", "replay", "events/0/x_shelf", "B4"},
		{"CHP-7-08", "replay", "events/0/correlation/x_shelf", "B4"},
		{"CHP-10-11", "replay-query", "x_shelf", "B4"}, {"CHP-10-11", "replay-query", "limit", "10"},
		{"CHP-4-11", "host", "evidence/append_only", "yes"}, {"CHP-5-13", "envelope", "requested_at", "today"},
		{"CHP-6-18", "replay", "events/0/timestamp", "today"}, {"CHP-10-12", "replay", "replayed_at", 1767225600},
		{"CHP-10-12", "replay", "x_shelf", "B4"},
	} {
		all = append(all, mutant.Fault(w).Closed())
	}
	return all
}
