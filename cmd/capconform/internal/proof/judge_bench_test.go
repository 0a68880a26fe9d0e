package proof

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites"
)

// BenchmarkJudge judges the recorded run of each suite with one edited answer.
func BenchmarkJudge(b *testing.B) {
	for _, definition := range corpora() {
		b.Run(definition.Name, func(b *testing.B) {
			suite, err := suites.New(definition)
			require.NoError(b, err)
			r := readRun(b, suite, "fixtures")
			for b.Loop() {
				_, err := suites.Judge(
					b.Context(),
					[]*suites.Suite{suite},
					r.record.With(r.entries[40:41]),
					suites.Options{Explicit: true, Concurrency: 1},
				)
				require.NoError(b, err)
			}
		})
	}
}
