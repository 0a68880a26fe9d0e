package starter

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

func TestTargetFileIsYAML(t *testing.T) {
	facts := Facts{
		Name: "a \"host\": #1\n", Version: "1\u2028", Driver: "http", URL: "http://127.0.0.1:1/?q={}&a=<b>", Target: "t.yaml",
		Headers: []Header{{"X-Key", "${A} and ${B}"}, {"X-Other", "${A}"}},
		Suites:  []Suite{{Name: "cap", Vacant: []Role{{Name: "echo", Capability: "conformance.echo", Purpose: "gives back", Candidates: []string{"my.echo"}}}}},
	}
	text, err := facts.TargetFile()
	require.NoError(t, err)
	var got map[string]any
	require.NoError(t, yaml.Unmarshal(text, &got))
	want := map[string]any{
		"name": facts.Name, "version": facts.Version, "driver": "http", "url": facts.URL, "suites": []any{"cap"},
		"headers": map[string]any{"X-Key": "${A} and ${B}", "X-Other": "${A}"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if diff := cmp.Diff([]string{"A", "B"}, facts.Variables()); diff != "" {
		t.Errorf("variables (-want +got)\n%s", diff)
	}
	facts.URL, facts.Headers, facts.Command = "", nil, []string{"./host", "--name", "it's"}
	text, err = facts.TargetFile()
	require.NoError(t, err)
	got = nil
	require.NoError(t, yaml.Unmarshal(text, &got))
	if diff := cmp.Diff([]any{"./host", "--name", "it's"}, got["command"]); diff != "" {
		t.Errorf("command (-want +got)\n%s", diff)
	}
	if text[len(text)-1] != '\n' {
		t.Error("the last line has no end")
	}
}

func TestCandidates(t *testing.T) {
	got := Candidates("fails", "conformance.fail", []string{"acme.Failing", "acme.echo", "acme.Failing"})
	if diff := cmp.Diff([]string{"acme.Failing"}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestWorkflowIsYAML(t *testing.T) {
	text, err := Facts{URL: "http://127.0.0.1:1", Target: "t.yaml", Release: "v1", Headers: []Header{{"K", "${KEY}"}}}.Workflow()
	require.NoError(t, err)
	var got struct {
		Jobs map[string]struct {
			Steps []struct {
				Uses string
				With map[string]string
				Env  map[string]string
			}
		}
	}
	require.NoError(t, yaml.Unmarshal(text, &got))
	steps := got.Jobs["capconform"].Steps
	require.Len(t, steps, 2)
	if diff := cmp.Diff(map[string]string{"target": "t.yaml", "wait": "30s"}, steps[1].With); diff != "" {
		t.Errorf("with (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff(map[string]string{"KEY": "${{ secrets.KEY }}"}, steps[1].Env); diff != "" {
		t.Errorf("env (-want +got)\n%s", diff)
	}
}
