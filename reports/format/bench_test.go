package format

import (
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/reporttest"
)

// benchmarked returns a report of about 5,000 results, a tenth of them failures.
func benchmarked() *reports.Report {
	var reqs []reports.Requirement
	for _, q := range reporttest.Nonconformant().Suites[0].Requirements {
		if len(q.Scenarios) > 0 {
			reqs = append(reqs, q)
		}
	}
	var all []reports.Requirement
	for len(all) < 5000 {
		all = append(all, reqs...)
	}
	return reporttest.Settled(reporttest.Base(reporttest.CAP(all...)))
}

// BenchmarkFormats writes a report of 5,000 results in each format.
func BenchmarkFormats(b *testing.B) {
	r := benchmarked()
	for _, f := range Formats() {
		if f.Name == "cucumber" {
			continue // only for scenarios of the features
		}
		b.Run(f.Name, func(b *testing.B) {
			for b.Loop() {
				require.NoError(b, f.Write(io.Discard, r, Options{}))
			}
		})
	}
}
