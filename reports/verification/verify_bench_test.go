package verification

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/reporttest"
)

// BenchmarkVerify verifies a whole report of one suite.
func BenchmarkVerify(b *testing.B) {
	var document bytes.Buffer
	require.NoError(b, reports.WriteJSON(&document, reporttest.Conformant()))
	for b.Loop() {
		if v := verify(document.Bytes(), nil); v.Report == nil {
			b.Fatal(v.Faults)
		}
	}
}
