package format

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/console"
	"github.com/capconform/capconform/reports/reporttest"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// everyOutput writes a report in every format.
func everyOutput(t *testing.T, r *reports.Report) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	for _, f := range Formats() {
		var buf bytes.Buffer
		err := f.Write(&buf, r, Options{})
		if f.Whole && r.Run.Partial {
			require.ErrorIs(t, err, reports.ErrPartial)
			continue
		}
		if f.Name == "cucumber" && errors.Is(err, reports.ErrFeatures) {
			continue // the scenarios are made by hand: see TestCucumber
		}
		require.NoError(t, err)
		out[f.Name] = buf.Bytes()
	}
	consoles := map[string]console.Options{"console": {}, "console-verbose": {Verbose: true}}
	for name, o := range consoles {
		var buf bytes.Buffer
		require.NoError(t, console.Write(&buf, r, o))
		out[name] = buf.Bytes()
	}
	var buf bytes.Buffer
	_, err := Findings(&buf, r, false)
	require.NoError(t, err)
	out["findings"] = buf.Bytes()
	return out
}

// goldenOnly names the reports with golden files for an output that is long, or not intended for every report.
var goldenOnly = map[string][]string{
	"findings": {"documents", "hostile"},
	"ctrf":     {"nonconformant", "hostile"},
	"sarif":    {"documents", "hostile"},
	"intoto":   {"nonconformant", "conformant"},
	"github":   {"nonconformant", "hostile"},
	"html":     {},
	"cucumber": {},
}

func TestGolden(t *testing.T) {
	extensions := map[string]string{"console": ".txt", "console-verbose": ".verbose.txt", "findings": ".findings.txt"}
	for _, f := range Formats() {
		extensions[f.Name] = f.Extension
	}
	for name, r := range reporttest.All() {
		for output, got := range everyOutput(t, r) {
			if only, some := goldenOnly[output]; some && !slices.Contains(only, name) {
				continue
			}
			path := filepath.Join("testdata", name+extensions[output])
			if *update {
				require.NoError(t, os.WriteFile(path, got, 0o644))
				continue
			}
			want, err := os.ReadFile(path)
			require.NoError(t, err)
			if diff := cmp.Diff(string(want), string(got)); diff != "" {
				t.Errorf("%s (-want +got)\n%s", path, diff)
			}
		}
	}
}

func TestFindingCount(t *testing.T) {
	for _, c := range []struct {
		strict bool
		want   FindingCount
	}{
		{false, FindingCount{Errors: 3, Warnings: 1, Advice: 1, Unjudged: 1}},
		{true, FindingCount{Errors: 4, Advice: 1, Unjudged: 1}},
	} {
		got, err := Findings(&bytes.Buffer{}, reporttest.Documents(), c.strict)
		require.NoError(t, err)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("strict %v (-want +got)\n%s", c.strict, diff)
		}
	}
}
