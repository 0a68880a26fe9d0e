package proof

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	chpmutant "github.com/capconform/capconform/reference/chphost/mutant"
	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

// rolesOfRows are the capabilities of the words of rows.
var rolesOfRows = map[string]string{"victim": "colour.compute_mix", "echo": "conformance.echo",
	"fails":   "conformance.fail",
	"guarded": "conformance.guarded", "disabled": "conformance.disabled", "observe": "conformance.observe"}

// TestRowsBreakRecords: each defect that is data breaks its requirement also if it is applied to the answers of the
// recorded run of the reference.
func TestRowsBreakRecords(t *testing.T) {
	all, err := chpmutant.Rows()
	require.NoError(t, err)
	require.Greater(t, len(all), 150)
	for _, def := range corpora() {
		if def.Name != "chp" {
			continue
		}
		suite := suiteOf(t, def)
		r := readRun(t, suite, "fixtures")
		known := map[string]bool{}
		for _, e := range r.entries {
			for _, c := range elementsOf(answerOf(e)["capabilities"]) {
				id, _ := c["id"].(string)
				known[id] = true
			}
		}
		for i, row := range all {
			if row.Whole || testing.Short() && i%8 != 0 {
				continue // it depends on what an answer does not show, or make check judges it
			}
			t.Run(row.Name, func(t *testing.T) {
				t.Parallel()
				var edited []record.Entry
				for _, e := range r.entries {
					if changed, is := appliedRow(row, e, known, rolesOfRows); is {
						edited = append(edited, changed)
					}
				}
				require.NotEmpty(t, edited)
				found := map[string]bool{} // a doubt needs a further call, which only a run can make
				opts := suites.Options{Explicit: true, Concurrency: 1, Strict: row.Strict,
					Doubt:  func(id string, _ verdict.Doubt) { found[id] = true },
					Breach: func(id string, _ verdict.Breach) { found[id] = true }}
				_, err := suites.Judge(t.Context(), []*suites.Suite{suite}, r.record.With(edited), opts)
				require.NoError(t, err)
				assert.Truef(t, found[row.Requirement], "%s is not broken", row.Requirement)
			})
		}
	}
}

func answerOf(e record.Entry) map[string]any {
	if e.Outcome != record.Returned || e.Received == nil {
		return nil
	}
	text, err := e.Received.Text()
	if err != nil {
		return nil
	}
	return schemas.ReadObject(text)
}

func elementsOf(v any) []map[string]any {
	list, _ := v.([]any)
	var all []map[string]any
	for _, one := range list {
		if members, is := one.(map[string]any); is {
			all = append(all, members)
		}
	}
	return all
}

// appliedRow returns an entry with the defect, if the defect concerns it.
func appliedRow(row chpmutant.Row, e record.Entry, known map[string]bool, roles map[string]string) (record.Entry, bool) {
	answer := answerOf(e)
	if answer == nil {
		return e, false
	}
	changed := false
	var whole any = answer
	concerns := func(id any, foreign bool) bool {
		name, _ := id.(string)
		switch row.Of {
		case "unknown":
			return !known[name]
		case "foreign-mode":
			return known[name] && foreign
		}
		return name == roles[row.Of] && !foreign
	}
	switch {
	case row.In == "host" && e.Operation == "chp.host":
		whole, changed = row.Edit(answer), true
	case row.In == "descriptor" && (e.Operation == "chp.host" || e.Operation == "chp.capabilities"):
		for _, c := range elementsOf(answer["capabilities"]) {
			if c["id"] == roles[row.Of] {
				row.Edit(c)
				changed = true
			}
		}
	case row.In == "result" && e.Operation == "chp.invoke" && answer["outcome"] != nil:
		sent, _ := e.Sent.Text()
		envelope := schemas.ReadObject(sent)
		if concerns(envelope["capability_id"], envelope["mode"] != "sync") && (!row.Successes ||
			answer["outcome"] == "success") {
			whole, changed = row.Edit(answer), true
		}
	case row.In == "replay" && e.Operation == "chp.replay":
		if events := elementsOf(answer["events"]); len(events) > 0 && events[0]["capability_id"] == roles["victim"] {
			whole, changed = row.Edit(answer), true
		}
	case row.In == "event" && strings.HasPrefix(e.Operation, "chp.replay"):
		var kept []any
		for _, ev := range elementsOf(answer["events"]) {
			denial, _ := ev["denial"].(map[string]any)
			foreign := denial["code"] == "unsupported_mode"
			if (row.Type == "" || ev["event_type"] == row.Type) && concerns(ev["capability_id"], foreign) {
				changed = true
				if row.Edit(ev) == nil {
					continue
				}
			}
			kept = append(kept, ev)
		}
		answer["events"], answer["event_count"] = append([]any{}, kept...), len(kept)
	}
	e.Received = record.JSONBody(jsonvalue.Encode(whole))
	return e, changed
}
