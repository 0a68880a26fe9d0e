package verification

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/display"
)

// Types of the statement. Their values are those of the in-toto attestation framework.
const (
	statementType = "https://in-toto.io/Statement/v1"
	predicateType = "https://in-toto.io/attestation/test-result/v0.1"
)

// statement is an in-toto statement with a test result as its predicate. Its subject is the report
// document, identified by the digest of its bytes.
type statement struct {
	Type          string              `json:"_type"`         // statementType
	Subject       []descriptor        `json:"subject"`       // one: the report document
	PredicateType string              `json:"predicateType"` // predicateType
	Predicate     testResultPredicate `json:"predicate"`
}

// descriptor is a resource descriptor of the framework.
type descriptor struct {
	Name        string            `json:"name"`
	Digest      map[string]string `json:"digest"`                // in hex, by the name of the algorithm
	Annotations any               `json:"annotations,omitempty"` // a reading; only for the subject
}

// testResultPredicate has fewer statuses than a report. The annotations of the subject contain the
// inconclusive requirements and what else is open.
type testResultPredicate struct {
	Result        string       `json:"result"`        // PASSED, WARNED or FAILED
	Configuration []descriptor `json:"configuration"` // catalogue, features and record, by digest
	PassedTests   []string     `json:"passedTests"`   // ids; with those that are provided
	WarnedTests   []string     `json:"warnedTests"`   // ids
	FailedTests   []string     `json:"failedTests"`   // ids; with errors and known failures
}

// reading contains the statements of the report about its subject that the predicate cannot
// express.
type reading struct {
	reports.Outcome
	Examined     string   `json:"examined"`     // Subject.Name
	Version      string   `json:"version"`      // Subject.Version
	Harness      string   `json:"harness"`      // name, version and commit
	RunID        string   `json:"runId"`        // Run.ID
	Inconclusive []string `json:"inconclusive"` // ids
	Baseline     bool     `json:"baseline"`     // known failures were tolerated
}

// documentName is the name of a report in a statement.
const documentName = "conformance-report.json"

// WriteStatement writes the statement that `report sign` signs. The error is that of w or
// ErrPartial.
func WriteStatement(w io.Writer, r *reports.Report) error {
	if err := r.Whole("intoto"); err != nil {
		return err
	}
	var document bytes.Buffer
	if err := reports.WriteJSON(&document, r); err != nil {
		return err
	}
	return reports.WriteDocument(w, "intoto", statementOf(r, document.Bytes()))
}

// statementOf returns the statement about a report whose document has these bytes. It is PASSED only for
// a conformant subject: an incomplete run does not prove conformance, and the predicate has no word
// for that.
func statementOf(r *reports.Report, document []byte) statement {
	result := testResultPredicate{
		Result: "FAILED", PassedTests: []string{}, WarnedTests: []string{}, FailedTests: []string{},
		Configuration: []descriptor{
			{Name: "catalogue", Digest: map[string]string{"sha256": r.Harness.CatalogueDigest}},
			{Name: "features", Digest: map[string]string{"sha256": r.Harness.FeaturesDigest}},
		},
	}
	if r.Run.RecordDigest != "" {
		result.Configuration = append(result.Configuration, descriptor{Name: "record",
			Digest: map[string]string{"sha256": r.Run.RecordDigest}})
	}
	read := reading{
		Outcome: r.Outcome(), Examined: display.LinesText(r.Subject.Name), Version: display.LinesText(r.Subject.Version),
		Harness: display.LinesText(
			display.Join(" ", r.Harness.Name, r.Harness.Version, r.Harness.Commit),
		), RunID: display.LinesText(r.Run.ID),
		Baseline:     r.Run.Baseline != nil,
		Inconclusive: []string{},
	}
	for i := range r.Suites {
		s := &r.Suites[i]
		for j := range s.Requirements {
			q := &s.Requirements[j]
			switch reports.MarkOf(q, r.Run.Strict).Word {
			case "passed", "provided":
				result.PassedTests = append(result.PassedTests, q.ID)
			case "warning", "advice":
				result.WarnedTests = append(result.WarnedTests, q.ID)
			case "failed", "error", "known failure":
				result.FailedTests = append(result.FailedTests, q.ID)
			case "inconclusive":
				read.Inconclusive = append(read.Inconclusive, q.ID)
			}
		}
	}
	if r.Verdict == reports.Conformant {
		result.Result = "PASSED"
		if len(result.WarnedTests) > 0 {
			result.Result = "WARNED"
		}
	}
	sum := sha256.Sum256(document)
	return statement{
		Type: statementType, PredicateType: predicateType, Predicate: result,
		Subject: []descriptor{{Name: documentName, Digest: map[string]string{"sha256": hex.EncodeToString(sum[:])},
			Annotations: read}},
	}
}
