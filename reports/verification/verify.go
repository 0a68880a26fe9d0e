// Package verification decides whether a run of this build can have written a report, signs such
// reports, and merges the parts of one run.
package verification

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"fmt"
	"strings"

	"golang.org/x/mod/semver"

	"github.com/capconform/capconform/features"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/display"
	"github.com/capconform/capconform/spec"
)

// Proof is a report with the evidence of its origin.
type Proof struct {
	Document []byte              // the report
	Envelope []byte              // its signature; nil if there is none
	Keys     []ed25519.PublicKey // any of them may have signed; if there are none, the signature is not checked
	Build    reports.Harness     // version and commit of this build: the canonical set is that of this version
	Texts    []Text              // the texts of one's own that the report may be about
}

// Text is a text of one's own: what its folder contains.
type Text struct {
	Catalogue *spec.Catalogue
	Features  []features.File
	Digest    string // of the folder
}

// develVersion is the version of a build that is not a release; its commit identifies it.
const develVersion = "devel"

// isFromBuild reports whether a report was made by the version of this build.
func isFromBuild(h reports.Harness, build reports.Harness) bool {
	return h.Version == build.Version && (h.Version != develVersion || h.Commit == build.Commit)
}

// Verification is the result of Verify.
type Verification struct {
	Report   *reports.Report // nil if there is no document
	Faults   []string        // each proves that no run wrote the report, or that it is not the signed one
	Limits   []string        // why it makes no statement about the whole subject, or cannot be verified completely here
	SignedBy string          // id of the key; empty if no key was given, or none of them signed
}

// Verify checks a report that another person made: its schema, its digests, the canonical set of
// its version, whether verdicts and counts follow from the results, and its signature. It shows who
// signed the report, but never who ran the harness or whether the subject was honest.
func Verify(ctx context.Context, p Proof) Verification {
	var v Verification
	r, err := reports.Read(bytes.NewReader(p.Document))
	if err != nil {
		v.Faults = []string{strings.TrimPrefix(err.Error(), "reports: ")}
		return v
	}
	v.Report = r
	v.Faults, v.Limits = faultsOf(r, p)
	if r.Run.Partial {
		v.Limits = append(v.Limits, "the run is partial: it does not speak for its subject as a whole")
	}
	if r.Run.Baseline != nil {
		v.Limits = append(v.Limits, "the run was given a baseline: its exit status tolerated known failures")
	}
	if r.Run.Interrupted || r.Run.Stopped != nil {
		v.Limits = append(v.Limits, "the run did not finish")
	}
	v.authenticate(ctx, p)
	return v
}

// faultsOf lists why no run can have written the report, and why that cannot be checked completely
// here.
func faultsOf(r *reports.Report, p Proof) (faults, limits []string) {
	build := p.Build
	faults = contradictions(r)
	if r.Harness.Name != "capconform" {
		faults = append(faults, fmt.Sprintf("it was written by %q", r.Harness.Name))
	}
	if isFromBuild(r.Harness, build) {
		return append(faults, canonicalFaults(r, p.Texts)...), nil
	}
	limits = []string{fmt.Sprintf("its version is unknown here: it was made by capconform %s, but this is %s",
		display.Join(" ", r.Harness.Version, r.Harness.Commit), display.Join(" ", build.Version, build.Commit))}
	for i := range r.Suites {
		was, is := "v"+strings.TrimPrefix(r.Harness.Version, "v"), "v"+strings.TrimPrefix(build.Version, "v")
		fault, limit := revisionOf(&r.Suites[i], semver.IsValid(was) && semver.Compare(was, is) < 0)
		faults, limits = append(faults, fault...), append(limits, limit...)
	}
	return faults, limits
}

// revisionOf looks up the requirements of a suite of another build. A build knows each set that was released before it.
func revisionOf(s *reports.Suite, older bool) (faults, limits []string) {
	var shown []spec.Requirement
	for _, q := range s.Requirements {
		shown = append(shown, spec.Requirement{ID: q.ID, Level: spec.Level(q.Level), Section: q.Section, Summary: q.Summary})
	}
	revision, known, found := spec.RevisionOf(s.Suite, s.Edition, shown)
	const none = "%s: its requirements are those of no revision of the edition %s that is known here"
	switch {
	case found:
		return nil, []string{fmt.Sprintf("%s: its requirements are those of revision %d of the edition %s", s.Suite, revision.Number,
			s.Edition)}
	case known && older:
		return []string{fmt.Sprintf(none, s.Suite, s.Edition)}, nil
	case known:
		return nil, []string{fmt.Sprintf(none, s.Suite, s.Edition)}
	}
	return nil, nil
}

// authenticate checks the signature. Even without a key, the signature must be of this report.
func (v *Verification) authenticate(ctx context.Context, p Proof) {
	if p.Envelope == nil {
		if len(p.Keys) > 0 {
			v.Faults = append(v.Faults, "there is no signature")
		}
		return
	}
	envelope, faults := decodeEnvelope(v.Report, p.Document, p.Envelope)
	v.Faults = append(v.Faults, faults...)
	if envelope == nil || len(p.Keys) == 0 {
		return
	}
	id, fault := signedBy(ctx, envelope, p.Keys)
	if fault != "" {
		v.Faults = append(v.Faults, fault)
		return
	}
	v.SignedBy = id
}

// Word returns the outcome in words.
func (v *Verification) Word() string {
	switch {
	case len(v.Faults) > 0:
		return "not verified"
	case v.SignedBy == "":
		return "consistent, not authenticated"
	default:
		return "authentic"
	}
}

// Exit returns the exit status: that of the verdict if the report is authentic and makes a
// statement about its whole subject, ExitNonconformant if it is not verified, and ExitIncomplete if
// too little is known.
func (v *Verification) Exit() reports.Exit {
	switch {
	case len(v.Faults) > 0:
		return reports.ExitNonconformant
	case v.SignedBy == "" || len(v.Limits) > 0:
		return reports.ExitIncomplete
	case v.Report.Verdict == reports.Conformant:
		return reports.ExitConformant
	case v.Report.Verdict == reports.Nonconformant:
		return reports.ExitNonconformant
	default:
		return reports.ExitIncomplete
	}
}
