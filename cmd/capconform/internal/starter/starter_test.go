package starter

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

func TestTargetFileIsYAML(t *testing.T) {
	facts := Facts{
		Name: "a \"host\": #1\n", Version: "1\u2028", Driver: "http", URL: "http://127.0.0.1:1/?q={}&a=<b>", Target: "t.yaml",
		Headers: []Header{{"X-Key", "${A} and ${B}"}, {"X-Other", "${A}"}},
		Suites:  []Suite{{Name: "cap", Vacant: []Role{{Name: "echo", Capability: "conformance.echo", Purpose: "gives back", Candidates: []Candidate{{"my.echo", "tried: no", false}}}}}},
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
		t.Error("the last line has no line break")
	}
}

// hostile are texts that a target may return as its name, its version or an id.
var hostile = []string{
	"echo\nrestart: [sh, -c, touch owned]\nheaders: {X: \"${SECRET}\"}", "echo}\n---\ncommand: [sh]", "echo # ${SECRET}",
	"echo\r\nrestart: [a]", "echo\u2028restart: [a]", "echo\u0085restart: [a]", "echo: !!binary x", "&a echo", "*a", "echo\x00\x1b[31m",
	"\"echo", "'echo", "${{ secrets.echo }}", "%YAML 1.1 echo", "echo\t- x", "\ufeffecho", "echo\\", "<<: echo",
}

// TestTargetTextsAreEscaped: any text of a target about itself is a string in the files, or is omitted.
func TestTargetTextsAreEscaped(t *testing.T) {
	for _, text := range hostile {
		t.Run(text, func(t *testing.T) {
			facts := Facts{
				Name: text, Version: text, Driver: "http", URL: "http://127.0.0.1:1", Target: "t.yaml", Release: "v1",
				Suites: []Suite{{Name: "cap", Vacant: []Role{{
					Name: "echo", Capability: "conformance.echo", Purpose: "gives back", Candidates: refused(Candidates("echo", "x.echo", false, []string{text, "my.echo"}), "tried: no"),
				}}}},
			}
			file, err := facts.TargetFile()
			require.NoError(t, err)
			got, err := parsed(file)
			require.NoError(t, err)
			want := map[string]any{
				"name": text, "version": text, "suites": []any{"cap"}, "driver": "http", "url": "http://127.0.0.1:1",
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("the target file (-want +got)\n%s\n%s", diff, file)
			}
			_, after, found := strings.Cut(string(file), "# roles:\n")
			require.True(t, found)
			roles, _, _ := strings.Cut(after, "\n\n")
			got, err = parsed([]byte(strings.ReplaceAll("\n"+roles, "\n#", "\n")))
			require.NoError(t, err)
			want = map[string]any{"cap": map[string]any{"echo": map[string]any{"capability": "ID"}}}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("the uncommented roles (-want +got)\n%s", diff)
			}
		})
	}
}

// refused returns candidates that do not play their role.
func refused(ids []string, why string) []Candidate {
	var all []Candidate
	for _, id := range ids {
		all = append(all, Candidate{ID: id, Why: why})
	}
	return all
}

// TestObservedRolesAreProposed: a candidate that showed the behaviour is proposed; for the others a comment gives the
// reason.
func TestObservedRolesAreProposed(t *testing.T) {
	facts := Facts{
		Name: "a", Driver: "http", URL: "http://127.0.0.1:1", Target: "t.yaml",
		Suites: []Suite{{Name: "chp", Vacant: []Role{
			{Name: "echo", Capability: "conformance.echo", Purpose: "gives back", Candidates: []Candidate{{"my.no_echo", "tried: no", false}, {"my.echo", "", false}}},
			{Name: "fails", Capability: "conformance.fail", Purpose: "fails", Candidates: []Candidate{{"my.delete_fail", "not tried, because x", false}}},
		}}},
	}
	file, err := facts.TargetFile()
	require.NoError(t, err)
	got, err := parsed(file)
	require.NoError(t, err)
	if diff := cmp.Diff(map[string]any{"chp": map[string]any{"echo": map[string]any{"capability": "my.echo"}}}, got["roles"]); diff != "" {
		t.Errorf("roles (-want +got)\n%s\n%s", diff, file)
	}
	for _, line := range []string{"# chp:\n", "#   # my.delete_fail was not tried, because x\n", "#   fails: {capability: ID} # one that fails\n"} {
		if !strings.Contains(string(file), line) {
			t.Errorf("want the line %q in\n%s", line, file)
		}
	}
	if strings.Contains(string(file), "no_echo") || facts.Vacant() != 1 {
		t.Errorf("%d roles are vacant\n%s", facts.Vacant(), file)
	}
}

func parsed(text []byte) (map[string]any, error) {
	var got map[string]any
	err := yaml.Unmarshal(text, &got)
	return got, err
}

// TestCheckRefusesOtherContent: a text with more, less or different content than intended is refused.
func TestCheckRefusesOtherContent(t *testing.T) {
	meant := mapping{{key: "name", value: "a"}, {key: "command", value: texts{"b"}}}
	require.NoError(t, check([]byte("name: a\ncommand: [b]\n"), meant))
	for _, text := range []string{
		"name: a\n", "name: a\ncommand: [b]\nrestart: [c]\n", "name: b\ncommand: [b]\n", "name: a\ncommand: [b]\n---\n{}\n", "name: [", "",
		"name: a\ncommand: b\n",
	} {
		if err := check([]byte(text), meant); !errors.Is(err, ErrContentDiffers) {
			t.Errorf("%q: want ErrNotMeant, got %v", text, err)
		}
	}
	if _, err := write(mapping{{key: "a", value: 1.5}}, "", ""); !errors.Is(err, ErrContentDiffers) {
		t.Errorf("an unknown type of value: want ErrNotMeant, got %v", err)
	}
}

func TestWorkflowRefusesExpressionInPath(t *testing.T) {
	if _, err := (Facts{URL: "http://127.0.0.1:1", Target: "${{ secrets.KEY }}.yaml"}).Workflow(); err == nil {
		t.Error("a path that a runner evaluates was accepted")
	}
}

func TestCandidates(t *testing.T) {
	got := Candidates("fails", "conformance.fail", false, []string{"acme.Failing", "acme.echo", "acme.Failing"})
	if diff := cmp.Diff([]string{"acme.Failing"}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	got = Candidates("typed", "conformance.typed", true, []string{"acme.echo", "$(touch owned)", "acme.typed_echo"})
	if diff := cmp.Diff([]string{"acme.typed_echo", "acme.echo"}, got); diff != "" {
		t.Errorf("listed (-want +got)\n%s", diff)
	}
}

func TestWorkflowIsYAML(t *testing.T) {
	type step struct {
		Name, Uses, Run string
		With, Env       map[string]string
	}
	for release, want := range map[string]step{
		"v1.0.0": {Uses: "capconform/capconform@v1.0.0", With: map[string]string{"target": "t.yaml", "wait": "30s"},
			Env: map[string]string{"KEY": "${{ secrets.KEY }}"}},
		"": {Name: "Examine the host", Run: `capconform run --wait 30s --report html=capconform.html "$CAPCONFORM_TARGET_FILE"`,
			Env: map[string]string{"KEY": "${{ secrets.KEY }}", "CAPCONFORM_TARGET_FILE": "t.yaml"}},
	} {
		facts := Facts{URL: "http://127.0.0.1:1", Target: "t.yaml", Release: release, Headers: []Header{{"K", "${KEY}"}}}
		text, err := facts.Workflow()
		require.NoError(t, err)
		var got struct {
			Jobs map[string]struct{ Steps []step }
		}
		require.NoError(t, yaml.Unmarshal(text, &got))
		steps := got.Jobs["capconform"].Steps
		require.Len(t, steps, 3)
		require.Equal(t, "Build the host", steps[1].Name)
		require.Equal(t, want, steps[2])
	}
}
