package format

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/console"
	"github.com/capconform/capconform/reports/reporttest"
)

func TestDiffAndMatrixSurviveHostileText(t *testing.T) {
	bad, good := reporttest.HostileHost(), reporttest.Conformant()
	outputs := map[string]bytes.Buffer{}
	d, m := reports.Compare(good, bad), NewMatrix([]*reports.Report{good, bad})
	for name, write := range map[string]func(*bytes.Buffer) error{
		"text":     func(b *bytes.Buffer) error { return console.WriteDifference(b, d) },
		"markdown": func(b *bytes.Buffer) error { return WriteDifference(b, d) },
		"matrix":   func(b *bytes.Buffer) error { return m.WriteMarkdown(b) },
		"html":     func(b *bytes.Buffer) error { return m.WriteHTML(b) },
	} {
		var buf bytes.Buffer
		require.NoError(t, write(&buf))
		outputs[name] = buf
		for line := range strings.Lines(buf.String()) {
			if strings.HasPrefix(strings.TrimSpace(line), "::") || strings.ContainsAny(line, "\x1b\x00") {
				t.Errorf("%s: %q", name, line)
			}
		}
		if strings.Contains(buf.String(), "<script") && name != "text" {
			t.Errorf("%s: contains markup", name)
		}
	}
	for name, begin := range map[string]string{"text": "", "markdown": "## "} {
		if buf := outputs[name]; !strings.HasPrefix(buf.String(), begin+d.Conclusion()+"\n") {
			t.Errorf("%s does not begin with the conclusion", name)
		}
	}
}

func TestMatrixRows(t *testing.T) {
	m := NewMatrix(
		[]*reports.Report{
			reporttest.Single("MUST", reports.Passed, ""),
			reporttest.Single("MUST", reports.Failed, "a"),
			reporttest.None(),
		},
	)
	if len(m.Rows) != 1 || !m.Rows[0].differs() || m.Rows[0].Cells[2] != nil {
		t.Fatalf("%+v", m.Rows)
	}
	var words []string
	for n := range m.Reports {
		words = append(words, m.mark(m.Rows[0], n).Word)
	}
	if want := []string{"passed", "failed", "absent"}; !slices.Equal(want, words) {
		t.Errorf("%v, want %v", words, want)
	}
	if NewMatrix([]*reports.Report{reporttest.Single("MUST", reports.Passed, ""),
		reporttest.Single("MUST", reports.Passed, "")}).Rows[0].differs() {
		t.Error("two equal reports have a row")
	}
}
