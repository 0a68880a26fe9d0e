package suites

import "testing"

func TestInvokePolicy(t *testing.T) {
	object := func(name string, v any) map[string]any { return map[string]any{name: v} }
	for _, tt := range []struct {
		name   string
		policy InvokePolicy
		c      Candidate
		allows bool
	}{
		{"plain", InvokeSafe, Candidate{ID: "text.measure", Texts: map[string]string{"description": "Counts the letters of a text."}}, true},
		{"none", InvokeNone, Candidate{ID: "conformance.echo"}, false},
		{"all", InvokeAll, Candidate{ID: "delete_everything", Texts: map[string]string{"id": "delete_everything"}}, true},
		{"fixture", InvokeSafe, Candidate{ID: "conformance.replace", Texts: map[string]string{"id": "conformance.replace"}}, true},
		{"named", InvokeSafe, Candidate{ID: "send", Named: true, Texts: map[string]string{"id": "send"}}, true},
		{"verb in a snake-case name", InvokeSafe, Candidate{Texts: map[string]string{"name": "file_delete"}}, false},
		{"verb in a camel-case name", InvokeSafe, Candidate{Texts: map[string]string{"name": "deleteFile"}}, false},
		{"verb in a description", InvokeSafe, Candidate{Texts: map[string]string{"description": "Deletes a file."}}, false},
		{"word that holds a verb", InvokeSafe, Candidate{Texts: map[string]string{"description": "The offset of a payload."}}, true},
		{"add in a name", InvokeSafe, Candidate{Texts: map[string]string{"id": "add_observations"}}, false},
		{"add in a description", InvokeSafe, Candidate{Texts: map[string]string{"description": "Add two numbers."}}, true},
		{"read-only", InvokeSafe, Candidate{Members: object("annotations", object("readOnlyHint", true)), Texts: map[string]string{"id": "run"}}, true},
		{"destructive", InvokeSafe, Candidate{Members: object("annotations", object("destructiveHint", true))}, false},
		{"open world", InvokeSafe, Candidate{Members: object("annotations", object("openWorldHint", true))}, false},
		{"low risk", InvokeSafe, Candidate{Members: object("risk", "low")}, true},
		{"high risk", InvokeSafe, Candidate{Members: object("risk", "high")}, false},
		{"no side effects", InvokeSafe, Candidate{Members: object("side_effects", []any{})}, true},
		{"side effects", InvokeSafe, Candidate{Members: object("side_effects", []any{"disk"})}, false},
	} {
		if why := tt.policy.Against(tt.c); (why == "") != tt.allows {
			t.Errorf("%s: Against = %q, want allowed %v", tt.name, why, tt.allows)
		}
	}
}
