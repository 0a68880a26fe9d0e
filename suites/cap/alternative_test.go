package capsuite

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites/cap/history"
)

// A capability that accepts only one alternative of a union that it declares breaks CAP-ERR-02, and everything else
// is examined with the accepted alternative.
func TestOneAcceptedAlternativeIsEnough(t *testing.T) {
	for _, word := range []any{
		map[string]any{"type": []any{"boolean", "string"}},
		map[string]any{"anyOf": []any{map[string]any{"type": "string"}, map[string]any{"type": "boolean"}}},
	} {
		s := newSource(t)
		s.manifests = s.manifests[1:2]
		s.manifests[0][history.MemberInput] = map[string]any{
			"type": "object", "required": []any{"word"}, "additionalProperties": false,
			"properties": map[string]any{"word": word},
		}
		s.invoke = func(c asking) map[string]any {
			if _, taken := c.input["word"].(bool); !taken {
				return failing(history.InvalidInput, "not a boolean")
			}
			return validInvoke(c)
		}
		got := map[string]reports.Status{}
		for _, q := range examined(t, s).Suites[0].Requirements {
			got[q.ID] = q.Status
		}
		want := map[string]reports.Status{
			"CAP-ERR-02": reports.Failed, "CAP-INV-01": reports.Passed, "CAP-INV-02": reports.Passed,
			"CAP-INV-03": reports.Passed,
			"CAP-INV-04": reports.Passed, "CAP-INV-05": reports.Passed, "CAP-REF-01": reports.Passed,
		}
		for id := range got {
			if _, wanted := want[id]; !wanted {
				delete(got, id)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%v (-want +got):\n%s", word, diff)
		}
	}
}
