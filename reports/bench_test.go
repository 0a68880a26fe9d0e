package reports

import (
	"bytes"
	"io"
	"testing"

	"github.com/stretchr/testify/require"
)

// benchmarked is a report of some 5,000 results, a tenth of them failures.
func benchmarked() *Report {
	var reqs []Requirement
	for _, q := range nonconformantReport().Suites[0].Requirements {
		if len(q.Scenarios) > 0 {
			reqs = append(reqs, q)
		}
	}
	var all []Requirement
	for len(all) < 5000 {
		all = append(all, reqs...)
	}
	return settled(baseReport(capSuite(all...)))
}

// BenchmarkFormats writes a report of 5,000 results in each format.
func BenchmarkFormats(b *testing.B) {
	r := benchmarked()
	for _, f := range Formats() {
		if f.Name == "cucumber" {
			continue // of the features' own scenarios alone
		}
		b.Run(f.Name, func(b *testing.B) {
			for b.Loop() {
				require.NoError(b, f.Write(io.Discard, r, Options{}))
			}
		})
	}
}

// BenchmarkVerify verifies a whole report of one suite.
func BenchmarkVerify(b *testing.B) {
	var document bytes.Buffer
	require.NoError(b, writeJSON(&document, conformantReport(), Options{}))
	for b.Loop() {
		if v := verify(document.Bytes(), nil); v.Report == nil {
			b.Fatal(v.Faults)
		}
	}
}
