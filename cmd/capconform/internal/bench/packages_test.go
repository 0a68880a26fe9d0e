//go:build linux || darwin

package bench

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites"
	acpsuite "github.com/capconform/capconform/suites/acp"
	"github.com/capconform/capconform/suites/document"
)

// BenchmarkPackages lints folders of 100 and of 1,000 packages. It reports files per second, and the factor by which
// the time grows when the folder grows tenfold (ten is linear).
func BenchmarkPackages(b *testing.B) {
	suite, err := suites.New(acpsuite.Definition())
	fail(b, err)
	hundred, thousand := packages(b, 100), packages(b, 1_000)
	var few, many float64
	for b.Loop() {
		before := processorTime(b)
		lintFolder(b, suite, hundred)
		between := processorTime(b)
		lintFolder(b, suite, thousand)
		few += (between - before).Seconds()
		many += (processorTime(b) - between).Seconds()
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(1_000*float64(b.N)/many, "files/cpu-s")
	b.ReportMetric(many/few, "cpu-growth")
}

// lintFolder reads and judges the documents of a folder, as the command does.
func lintFolder(b *testing.B, suite *suites.Suite, folder string) {
	b.Helper()
	found, err := document.Collect(b.Context(), []string{folder})
	fail(b, err)
	subject := &suites.Subject{Name: folder}
	for _, source := range found.Sources {
		file, err := document.Load(b.Context(), source.Path, document.Limits{})
		fail(b, err)
		subject.Documents = append(subject.Documents, *file)
	}
	report, err := suites.Lint(b.Context(), []*suites.Suite{suite}, subject, suites.Options{Explicit: true})
	fail(b, err)
	if exit := reports.ExitStatus(report, reports.Policy{}); exit == reports.ExitNonconformant ||
		exit == reports.ExitHarness {
		b.Fatalf("linting %s ended with %s", folder, exit)
	}
}

// packages writes valid drafts, each with its own name.
func packages(b *testing.B, number int) string {
	b.Helper()
	folder := b.TempDir()
	for n := range number {
		text := fmt.Sprintf(`metadata:
  id: did:nuwa:cap:bench%d@1.0.0
  name: Bench
  triggers: [{type: regex, value: "bench|measure %d"}]
  permissions: {require: [state.create]}
schema: |
  {"$schema": "https://json-schema.org/draft/2020-12/schema",
   "$id": "did:nuwa:state:bench%d#v1",
   "type": "object",
   "properties": {"id": {"type": "string"}, "body": {"type": "string", "x-crdt": "rga_text"}, "tags": {"type": "array", "items": {"type": "string"}}},
   "required": ["id"]}
prompt: |
  Measure what you are told.
tools:
  - type: function
    function:
      name: state.create
      parameters: {type: object, properties: {object: {$ref: "#/schema"}}, required: [object]}
  - type: function
    function:
      name: fetch
      parameters: {type: object, properties: {url: {type: string}}, required: [url]}
tool_bindings:
  fetch: {type: http_get, url: "https://example.org/{url}"}
`, n, n, n)
		fail(b, os.WriteFile(filepath.Join(folder, fmt.Sprintf("bench%d.acp.yaml", n)), []byte(text), 0o600))
	}
	return folder
}
