package text_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/document"
	"github.com/capconform/capconform/suites/text"
)

// What needs all elements of a file that is not held is an error of a limit, and never a breach.
func TestDocumentsThatAreNotHeld(t *testing.T) {
	const tooLong = "error: the file is too long, or a log"
	long := `{"parts": [{"name": "a"}, {"name": "b"}, {"name": "` + strings.Repeat("c", 80) + `"}], "n": 1}`
	for _, c := range []struct{ name, file, step, want string }{
		{"json", long, "each part has its name", "passed"},
		{"json", long, "each step has its n", "passed"},
		{"json", long, "each step has its parts", "passed"},
		{"json", strings.Replace(long, "1", "true", 1), "each step has its n", "failed: step: n is not an integer 1:142"},
		{"json", strings.Replace(long, `{"name": "b"}`, "\n{}", 1), "each part has its name", "failed: part: name is missing 2:1"},
		{"json", strings.Replace(long, `{"name": "b"}`, `{"name" "b"}`, 1), "each part has its name", "failed: part: it is not an object 1:35"},
		{"json", long[:len(long)-12], "each part has its name", "failed: part: it is not an object 1:132"},
		{"json", long, "each part has a unique name", tooLong},
		{"json", long, "no two parts are equal", tooLong},
		{"json", long, "there are parts", tooLong},
		{"json", long, "the run has parts", tooLong},
		{"json", long, "a part stands alone", tooLong},
		{"json", strings.Replace(long, "cccc", strings.Repeat("c", 200), 1), "each part has its name", "error: :1:42: the value is longer"},
		{"jsonl", "{\"name\": \"a\"}\n{}\n", "each part has its name", "failed: part: name is missing 2:1"},
		{"jsonl", "{\"name\": \"a\"}\n{\"name", "each part has its name", "inconclusive: "},
		{"jsonl", "{\"name\": \"a\"}\n", "each step has its n", "inconclusive: no step was observed"},
	} {
		dir := folder(t, map[string]string{
			"catalogue.yaml": strings.Replace(files()["catalogue.yaml"], "check: live", "check: document", 1),
			"protocol.yaml": strings.Replace(files()["protocol.yaml"], "kinds:",
				"documents:\n  count.next: [\"*.counts.json\", \"*.counts.jsonl\"]\nkinds:", 1) +
				"  part: {of: count.next, each: result.parts}\n",
			"schemas/count.schema.json": `{"type": "object", "required": ["n"], "properties": {"n": {"title": "an integer", "type": "integer"},
				"parts": {"type": "array", "items": {"required": ["name"], "properties": {"name": {"type": "string"}}}}}}`,
			"rules.yaml": `
- {sentence: no two parts are equal, each: [a: part, b: part], must: 'a.value != b.value', message: equal}
- {sentence: there are parts, each: step, must: 'size(step.result.parts) > 9', message: few}
- {sentence: the run has parts, each: step, must: 'size(run.parts) > 9', message: few}
- {sentence: a part stands alone, each: part, must: 'size(part.result.parts) == 1', message: not alone}
`,
			"features/count.feature": "Feature: Counting\n\n  @document @COUNT-1-01\n  Scenario: It is judged\n    Then " + c.step + "\n",
		})
		if !strings.Contains(c.step, "each") {
			rules := strings.Split(readText(t, dir+"/rules.yaml"), "\n")
			for _, rule := range rules {
				if strings.Contains(rule, c.step) {
					require.NoError(t, os.WriteFile(dir+"/rules.yaml", []byte(rule), 0o600))
				}
			}
		} else {
			require.NoError(t, os.Remove(dir+"/rules.yaml"))
		}
		own, err := text.Load(dir, nil)
		require.NoError(t, err)
		s, err := suites.New(own.Definition())
		require.NoError(t, err)
		file := filepath.Join(t.TempDir(), "x.counts."+c.name)
		require.NoError(t, os.WriteFile(file, []byte(c.file), 0o600))
		read, err := document.Load(t.Context(), file, document.Limits{Size: 120})
		require.NoError(t, err, c.file)
		require.NotNil(t, read.Log)
		require.True(t, s.Recognises(read))
		report, err := suites.Lint(t.Context(), []*suites.Suite{s}, &suites.Subject{Documents: []suites.Document{*read}},
			suites.Options{Explicit: true})
		require.NoError(t, err)
		q := report.Suites[0].Requirements[0]
		got := string(q.Status)
		for _, scenario := range q.Scenarios {
			if scenario.Failure != nil {
				for _, f := range scenario.Failure.Findings {
					got += fmt.Sprintf(": %s %d:%d", f.Message, f.Line, f.Column)
				}
			}
		}
		if q.Reason != "" {
			got += ": " + strings.TrimPrefix(strings.TrimPrefix(q.Reason, file), ": ")
		}
		assert.Contains(t, got, c.want, "%s: %s", c.step, c.file)
	}
}

func readText(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	return string(data)
}
