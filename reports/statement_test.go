package reports

import (
	"testing"

	testresult "github.com/in-toto/attestation/go/predicates/test_result/v0"
	attestation "github.com/in-toto/attestation/go/v1"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protojson"
)

// TestStatementIsOfTheFramework: the types of the in-toto attestation framework
// itself read and validate statement and predicate, unknown members refused.
func TestStatementIsOfTheFramework(t *testing.T) {
	for name, r := range goldenReports() {
		if r.Run.Partial {
			continue
		}
		r.Harness.CatalogueDigest, r.Harness.FeaturesDigest = JoinDigests([]string{"a", "b"}), JoinDigests([]string{"c", "d"})
		var s attestation.Statement
		require.NoError(t, protojson.Unmarshal([]byte(write(t, "intoto", r, Options{})), &s), name)
		require.NoError(t, s.Validate(), name)
		raw, err := protojson.Marshal(s.GetPredicate())
		require.NoError(t, err, name)
		var p testresult.TestResult
		require.NoError(t, protojson.Unmarshal(raw, &p), name)
		for _, c := range p.GetConfiguration() {
			require.NoError(t, c.Validate(), name)
		}
		if want := r.Verdict == Conformant; want != (p.GetResult() != "FAILED") {
			t.Errorf("%s: %s is %s", name, r.Verdict, p.GetResult())
		}
	}
}
