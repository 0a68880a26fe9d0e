package judge_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/capconform/capconform/suites/acp/history"
	"github.com/capconform/capconform/suites/acp/judge"
)

func TestChanged(t *testing.T) {
	const given = "metadata:\n  id: did:nuwa:cap:note@1.0.0\n  triggers: [{type: regex, value: a}]\nprompt: |\n  Be a note.\ntools: []\n"
	for name, test := range map[string]struct{ stored, want string }{
		"no change":      {given, ""},
		"signed":         {"metadata:\n  signature: zA\n" + given[len("metadata:\n"):], ""},
		"published":      {"metadata:\n  published_at: 2025-01-01\n  author: {did: x}\n" + given[len("metadata:\n"):], ""},
		"rewritten":      {"# new\n{prompt: 'Be a note.', tools: [], metadata: {triggers: [{value: a, type: regex}], id: 'did:nuwa:cap:note@1.0.0'}}", ""},
		"another prompt": {"metadata: {id: did:nuwa:cap:note@1.0.0, triggers: [{type: regex, value: a}]}\nprompt: Be two.\ntools: []\n", "prompt"},
		"no triggers":    {"metadata: {id: did:nuwa:cap:note@1.0.0}\nprompt: Be a note.\ntools: []\n", "metadata.triggers"},
	} {
		if diff := cmp.Diff(test.want, judge.FirstChange(history.ParseFile([]byte(given)),
			history.ParseFile([]byte(test.stored)))); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
	}
	if judge.FirstChange(history.ParseFile([]byte(given)), history.ParseFile([]byte("- a list\n"))) == "" {
		t.Error("a list is accepted as the package")
	}
}
