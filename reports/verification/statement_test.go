package verification

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	testresult "github.com/in-toto/attestation/go/predicates/test_result/v0"
	attestation "github.com/in-toto/attestation/go/v1"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protojson"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/reporttest"
)

// TestStatementFollowsFramework: the types of the in-toto attestation framework parse and validate the statement and
// the predicate, and refuse unknown members.
func TestStatementFollowsFramework(t *testing.T) {
	for name, r := range reporttest.All() {
		if r.Run.Partial {
			continue
		}
		r.Harness.CatalogueDigest, r.Harness.FeaturesDigest = reports.JoinDigests(
			[]string{"a", "b"},
		), reports.JoinDigests(
			[]string{"c", "d"},
		)
		var s attestation.Statement
		require.NoError(t, protojson.Unmarshal(inToto(t, r), &s), name)
		require.NoError(t, s.Validate(), name)
		raw, err := protojson.Marshal(s.GetPredicate())
		require.NoError(t, err, name)
		var p testresult.TestResult
		require.NoError(t, protojson.Unmarshal(raw, &p), name)
		for _, c := range p.GetConfiguration() {
			require.NoError(t, c.Validate(), name)
		}
		if want := r.Verdict == reports.Conformant; want != (p.GetResult() != "FAILED") {
			t.Errorf("%s: %s is %s", name, r.Verdict, p.GetResult())
		}
	}
}

func TestStatementResult(t *testing.T) {
	warned := reporttest.Conformant()
	warned.Suites[0].Requirements[4].Status = reports.Failed
	warned.Suites[0].Requirements[4].Scenarios[0].Status = reports.Failed
	warned.Settle()
	cases := map[string]struct {
		report                 *reports.Report
		result                 string
		passed, warned, failed int
	}{
		"passed":       {reporttest.Conformant(), "PASSED", 7, 0, 0},
		"warned":       {warned, "WARNED", 6, 1, 0},
		"failed":       {reporttest.Nonconformant(), "FAILED", 12, 1, 6},
		"inconclusive": {reporttest.Incomplete(), "FAILED", 6, 0, 0},
		"interrupted":  {reporttest.Interrupted(), "FAILED", 3, 0, 2},
	}
	for name, c := range cases {
		p := statementOf(c.report, nil).Predicate
		if p.Result != c.result || len(p.PassedTests) != c.passed || len(p.WarnedTests) != c.warned ||
			len(p.FailedTests) != c.failed {
			t.Errorf("%s: %s with %d passed, %d warned, %d failed; want %+v", name, p.Result, len(p.PassedTests),
				len(p.WarnedTests), len(p.FailedTests), c)
		}
	}
}

// TestStatementSubject: the digest is that of the bytes that the JSON format writes.
func TestStatementSubject(t *testing.T) {
	r := reporttest.Conformant()
	var got statement
	require.NoError(t, json.Unmarshal(inToto(t, r), &got))
	want := statementOf(r, document(t, r)).Subject[0].Digest
	if diff := cmp.Diff(want, got.Subject[0].Digest); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
