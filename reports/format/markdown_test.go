package format

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/reporttest"
)

// TestMarkdownIsTruncated: a summary beyond the limit is truncated between two causes.
func TestMarkdownIsTruncated(t *testing.T) {
	var reqs []reports.Requirement
	for i := range 400 {
		q := reporttest.Failing("CAP-5-01", "MUST", "5", "The list is an array", reports.Failure{
			Message: "cause " + strings.Repeat("x", i) + ".", Want: strings.Repeat("w", 5000), Got: strings.Repeat("`", 5000),
		})
		reqs = append(reqs, q)
	}
	var buf bytes.Buffer
	require.NoError(t, writeMarkdown(&buf, reporttest.Settled(reporttest.Base(reporttest.CAP(reqs...))), Options{}))
	if buf.Len() > 1024<<10 || buf.Len() < 800<<10 {
		t.Errorf("%d bytes", buf.Len())
	}
	if n := strings.Count(buf.String(), "_Cut here: "); n != 1 ||
		!strings.HasSuffix(buf.String(), "contains everything._\n") {
		t.Errorf("truncated %d times, ends with %q", n, buf.String()[buf.Len()-80:])
	}
}

func TestFormats(t *testing.T) {
	for _, f := range Formats() {
		got, ok := Find(f.Name)
		if !ok || got.Extension != f.Extension || f.Description == "" || !strings.HasPrefix(f.Extension, ".") {
			t.Errorf("%s: found %v, %+v", f.Name, ok, got)
		}
	}
	if _, ok := Find("pdf"); ok {
		t.Error("Find returned the unknown format pdf")
	}
}
