package verification

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/reporttest"
	"github.com/capconform/capconform/spec"
)

// A report of an older version must have the requirements of a revision; those of a newer version need not be known here.
func TestRequirementsOfOtherVersions(t *testing.T) {
	for version, faulty := range map[string]bool{"0.9.0": true, "v0.9.0": true, "9.9.9": false, "devel": false} {
		r := canonical(t, "acp")
		r.Harness.Version, r.Harness.Commit = version, "other"
		require.Empty(t, verify(document(t, r), nil).Faults, version)
		r.Suites[0].Requirements[0].Summary = "Another demand."
		const none = "acp: its requirements are those of no revision of the edition 2025-05-18 that is known here"
		v := verify(document(t, r), nil)
		require.Equal(t, faulty, slices.Contains(v.Faults, none), version)
		require.Equal(t, !faulty, slices.Contains(v.Limits, none), version)
	}
}

var testBuild = reports.Harness{Version: "1.0.0", Commit: "0123abc"}

// canons are the sets of live targets by suite. They do not change, so the tests share them.
var canons sync.Map

func liveCanon(suite string) (*canonicalSet, error) {
	read, _ := canons.LoadOrStore(suite, sync.OnceValues(func() (*canonicalSet,
		error) {
		return canonicalSetOf(suite, false)
	}))
	return read.(func() (*canonicalSet, error))()
}

// canonical returns a whole report of a live target that meets every requirement.
func canonical(t *testing.T, names ...string) *reports.Report {
	t.Helper()
	r := reporttest.Base()
	r.Run.ID, r.Run.Command, r.Run.Options = "01a20015-a80f-7b91-a21e-c38f96e296e7", "capconform run --seed 7 http://127.0.0.1:8899", []string{
		"--seed 7",
	}
	r.Harness = reports.Harness{Name: "capconform", Version: testBuild.Version, Commit: testBuild.Commit}
	var catalogues, scripts []string
	for _, name := range names {
		c, err := liveCanon(name)
		require.NoError(t, err)
		catalogues, scripts = append(catalogues, c.catalogue.Digest()), append(scripts, c.features)
		s := reports.Suite{Suite: name, SpecVersion: c.catalogue.Version, Edition: c.catalogue.Edition,
			Binding: "JSON-RPC 2.0 over HTTP"}
		for _, about := range c.catalogue.Requirements {
			q := c.kept(about)
			s.Plan.Planned += len(q.Scenarios)
			if c.examines(about) && !slices.Contains(s.Actors, about.Actor) {
				s.Actors = append(s.Actors, about.Actor)
			}
			s.Requirements = append(s.Requirements, q)
		}
		s.Plan.Executed = s.Plan.Planned
		r.Suites = append(r.Suites, s)
	}
	r.Harness.CatalogueDigest, r.Harness.FeaturesDigest = reports.JoinDigests(catalogues), reports.JoinDigests(scripts)
	for i := range r.Suites {
		c, _ := liveCanon(r.Suites[i].Suite)
		c.recomputeSums(&r.Suites[i])
	}
	return reporttest.Settled(r)
}

// kept returns a requirement that a whole run found to be met.
func (c *canonicalSet) kept(about spec.Requirement) reports.Requirement {
	q := reports.Requirement{ID: about.ID, Level: string(about.Level), Section: about.Section, Summary: about.Summary,
		Status: reports.Passed}
	switch {
	case about.Check == spec.Excluded:
		q.Status, q.Reason = reports.Excluded, about.Excluded
	case !c.examines(about):
		q.Status, q.Reason = reports.NotApplicable, "seen elsewhere"
	case len(about.SumOf) > 0:
		q.Reason = reports.ReasonOfSum
	case len(c.scenarios[q.ID]) == 0:
		q.Status, q.Reason = reports.NotApplicable, "obliges the actor "+about.Actor+", which the subject does not play"
	}
	if q.Status == reports.Passed && q.Reason == "" {
		for _, name := range c.scenarios[q.ID] {
			q.Scenarios = append(q.Scenarios, reports.Scenario{Name: name, Status: reports.Passed})
		}
	}
	return q
}

// breakOne makes the first requirement with a scenario fail, as a run would.
func breakOne(r *reports.Report) *reports.Report {
	q := firstPlayed(r)
	q.Status, q.Reason = reports.Failed, "it is broken"
	q.Scenarios[0].Status, q.Scenarios[0].Reason = reports.Failed, "it is broken"
	q.Scenarios[0].Failure = &reports.Failure{Message: "it is broken", Want: "this", Got: "that"}
	for i := range r.Suites {
		c, _ := liveCanon(r.Suites[i].Suite)
		c.recomputeSums(&r.Suites[i])
	}
	return reporttest.Settled(r)
}

func firstPlayed(r *reports.Report) *reports.Requirement {
	at := slices.IndexFunc(r.Suites[0].Requirements,
		func(q reports.Requirement) bool { return len(q.Scenarios) > 0 && q.Level == "MUST" })
	return &r.Suites[0].Requirements[at]
}

func document(t *testing.T, r *reports.Report) []byte {
	t.Helper()
	var text bytes.Buffer
	require.NoError(t, reports.WriteJSON(&text, r))
	return text.Bytes()
}

// inToto returns the statement about a report.
func inToto(t *testing.T, r *reports.Report) []byte {
	t.Helper()
	var text bytes.Buffer
	require.NoError(t, WriteStatement(&text, r))
	return text.Bytes()
}

func verify(doc, envelope []byte, keys ...ed25519.PublicKey) Verification {
	return Verify(context.Background(), Proof{Document: doc, Envelope: envelope, Keys: keys, Build: testBuild})
}

func TestVerifyAcceptsReportsOfRuns(t *testing.T) {
	for _, name := range spec.Names() {
		if _, err := liveCanon(name); errors.Is(err, reports.ErrFeatures) {
			continue // its features are not complete
		}
		for what, r := range map[string]*reports.Report{"conformant": canonical(t, name),
			"nonconformant": breakOne(canonical(t, name))} {
			v := verify(document(t, r), nil)
			if len(v.Faults)+len(v.Limits) > 0 || v.Word() != "consistent, not authenticated" ||
				v.Exit() != reports.ExitIncomplete {
				t.Errorf("%s, %s: %s %v %v", name, what, v.Word(), v.Faults, v.Limits)
			}
		}
	}
}

// reportEdit is a change that no run makes, with the reason that Verify returns.
type reportEdit struct {
	edit func(*reports.Report)
	want string
}

// resultEdits are changes of results and counts.
func resultEdits() map[string]reportEdit {
	suite := func(r *reports.Report) *reports.Suite { return &r.Suites[0] }
	return map[string]reportEdit{
		"verdict": {func(r *reports.Report) { r.Verdict = reports.Conformant },
			"the verdict is conformant, but nonconformant follows from the suites"},
		"verdict of a suite": {
			func(r *reports.Report) { suite(r).Verdict = reports.Conformant },
			"cap: the verdict is conformant",
		},
		"status": {func(r *reports.Report) { firstPlayed(r).Status = reports.Passed },
			"it is passed, but the worst of its scenarios is failed"},
		"status of scenario": {func(r *reports.Report) { firstPlayed(r).Scenarios[0].Status = reports.Passed },
			"its failure says otherwise|not a report document"},
		"failure removed": {func(r *reports.Report) {
			sc := &firstPlayed(r).Scenarios[0]
			sc.Status, sc.Failure = reports.Passed, nil
		},
			"the worst of its scenarios is passed"},
		"status and counts": {func(r *reports.Report) { firstPlayed(r).Status = reports.Passed; r.Settle() },
			"the worst of its scenarios is failed"},
		"requirement omitted": {func(r *reports.Report) {
			s := suite(r)
			id := firstPlayed(r).ID
			s.Requirements = slices.DeleteFunc(s.Requirements, func(q reports.Requirement) bool { return q.ID == id })
			s.Plan.Planned--
			s.Plan.Executed--
			r.Settle()
		}, " is missing"},
		"requirement added": {func(r *reports.Report) {
			s := suite(r)
			q := s.Requirements[0]
			q.ID = "CAP-NEW-01"
			s.Requirements = append(s.Requirements, q)
			r.Settle()
		}, "CAP-NEW-01 is not a requirement of the catalogue"},
		"requirement twice": {func(r *reports.Report) {
			s := suite(r)
			s.Requirements = append(s.Requirements, s.Requirements[0])
			r.Settle()
		}, "is listed twice"},
		"order": {func(r *reports.Report) {
			s := suite(r)
			s.Requirements[0], s.Requirements[1] = s.Requirements[1], s.Requirements[0]
			r.Settle()
		}, "order of the catalogue"},
		"counts": {func(r *reports.Report) { suite(r).Counts.Must.Failed = 0 },
			"the counts say 0 must failed, the requirements say 1"},
		"counts of another": {func(r *reports.Report) { suite(r).Counts.May.Passed += 3 }, "may passed"},
		"counts of observed": {func(r *reports.Report) { suite(r).Counts.Must.NotObserved++ },
			"must not observed, the requirements say 0"},
		"root causes": {
			func(r *reports.Report) { suite(r).RootCauses = []reports.RootCause{} },
			"the root causes do not follow",
		},
	}
}

// runEdits are changes of the catalogue, the plan and the run.
func runEdits() map[string]reportEdit {
	suite := func(r *reports.Report) *reports.Suite { return &r.Suites[0] }
	return map[string]reportEdit{
		"catalogue": {func(r *reports.Report) { r.Harness.CatalogueDigest = strings.Repeat("0", 64) },
			"the digest of the catalogue is not that of this version"},
		"features": {func(r *reports.Report) { r.Harness.FeaturesDigest = strings.Repeat("0", 64) },
			"the digest of the features"},
		"level": {func(r *reports.Report) { firstPlayed(r).Level = "SHOULD"; r.Settle() },
			"level, section or summary differs from the catalogue"},
		"summary": {func(r *reports.Report) { firstPlayed(r).Summary = "Nothing is asked" },
			"level, section or summary differs from the catalogue"},
		"version of the text": {func(r *reports.Report) { suite(r).SpecVersion = "9.9" }, "the version of the text is"},
		"suite":               {func(r *reports.Report) { suite(r).Suite = "xyz" }, "xyz: there is no such suite"},
		"suite omitted": {func(r *reports.Report) { r.Suites = r.Suites[:0]; r.NotSpoken = []string{"chp"}; r.Settle() },
			"the digest of the catalogue"},
		"plan": {func(r *reports.Report) { suite(r).Plan.Executed--; r.Settle() }, "scenarios were executed, but"},
		"scenario omitted": {func(r *reports.Report) {
			q := firstPlayed(r)
			q.Status, q.Reason, q.Scenarios = reports.NotApplicable, "an excuse", nil
			suite(r).Plan.Executed--
			r.Settle()
		}, "a planned scenario has no outcome, but nothing ended the run early"},
		"not selected": {func(r *reports.Report) {
			q := firstPlayed(r)
			n := len(q.Scenarios)
			q.Status, q.Reason, q.Scenarios = reports.NotApplicable, reports.NotSelected, nil
			suite(r).Plan.Executed -= n
			suite(r).Plan.Planned -= n
			r.Settle()
		}, "it was not selected, but the run claims to be complete"},
		"actor not played": {func(r *reports.Report) {
			q := firstPlayed(r)
			n := len(q.Scenarios)
			about, _ := catalogueOf(spec.Load("cap")).Lookup(q.ID)
			q.Status, q.Reason, q.Scenarios = reports.NotApplicable, "obliges the actor "+about.Actor+", which the subject does not play", nil
			suite(r).Plan.Executed -= n
			suite(r).Plan.Planned -= n
			r.Settle()
		}, "but the suite says that it does"},
		"excluded": {func(r *reports.Report) {
			q := firstPlayed(r)
			n := len(q.Scenarios)
			q.Status, q.Reason, q.Scenarios = reports.Excluded, "an excuse", nil
			suite(r).Plan.Executed -= n
			suite(r).Plan.Planned -= n
			r.Settle()
		}, "it is excluded, but the catalogue does not say so"},
		"scenario of another": {func(r *reports.Report) { firstPlayed(r).Scenarios[0].Name = "Nothing happens" },
			"its scenarios are not those of the features"},
		"partial": {func(r *reports.Report) {
			r.Run.Options = append(r.Run.Options, "--level must")
			r.Run.Command += " --level must"
		}, "was given --level must, but claims to be complete"},
		"option": {func(r *reports.Report) { r.Run.Options = nil; r.Run.Options = []string{"--seed 8"} },
			"is not in the command"},
		"strict":  {func(r *reports.Report) { r.Run.Strict = true; r.Settle() }, "the run says strict: true"},
		"harness": {func(r *reports.Report) { r.Harness.Name = "other" }, `it was written by "other"`},
		"reason": {
			func(r *reports.Report) { firstPlayed(r).Reason = "nothing much" },
			"its reason is not that of the scenario",
		},
	}
}

func catalogueOf(c *spec.Catalogue, err error) *spec.Catalogue {
	if err != nil {
		panic(err)
	}
	return c
}

func TestVerifyFindsEveryInconsistentEdit(t *testing.T) {
	all := resultEdits()
	maps.Copy(all, runEdits())
	for name, e := range all {
		t.Run(name, func(t *testing.T) {
			r := breakOne(canonical(t, "cap"))
			e.edit(r)
			v := verify(document(t, r), nil)
			if v.Exit() != reports.ExitNonconformant || v.Word() != "not verified" {
				t.Fatalf("%s, exit %d", v.Word(), v.Exit())
			}
			found := strings.Join(v.Faults, "\n")
			if !slices.ContainsFunc(strings.Split(e.want, "|"),
				func(want string) bool { return strings.Contains(found, want) }) {
				t.Errorf("want a reason with %q, got\n%s", e.want, found)
			}
		})
	}
}

func keys(t *testing.T) (ed25519.PublicKey, ed25519.PrivateKey) {
	t.Helper()
	public, private, err := ed25519.GenerateKey(nil)
	require.NoError(t, err)
	return public, private
}

func TestSignedReports(t *testing.T) {
	public, private := keys(t)
	other, _ := keys(t)
	for _, c := range []struct {
		name string
		edit func(*reports.Report) *reports.Report
		exit reports.Exit
		word string
	}{
		{"conformant", reporttest.Settled, reports.ExitConformant, "authentic"},
		{"nonconformant", breakOne, reports.ExitNonconformant, "authentic"},
		{"interrupted", func(r *reports.Report) *reports.Report { r.Run.Interrupted = true; return reporttest.Settled(r) }, reports.ExitIncomplete, "authentic"},
		{"unknown version", func(r *reports.Report) *reports.Report { r.Harness.Version = "9.9.9"; return r }, reports.ExitIncomplete, "authentic"},
		{"known failures", func(r *reports.Report) *reports.Report {
			r.Run.Baseline = &reports.BaselineUse{}
			return reporttest.Settled(r)
		}, reports.ExitIncomplete,
			"authentic"},
	} {
		doc := document(t, c.edit(canonical(t, "cap")))
		envelope, err := Sign(context.Background(), doc, private)
		require.NoError(t, err)
		v := verify(doc, envelope, other, public)
		if v.Word() != c.word || v.Exit() != c.exit {
			t.Errorf("%s: %s, exit %d, %v", c.name, v.Word(), v.Exit(), v.Faults)
		}
		if v := verify(doc, envelope); v.Word() != "consistent, not authenticated" ||
			v.Exit() != reports.ExitIncomplete {
			t.Errorf("%s without a key: %s, exit %d, %v", c.name, v.Word(), v.Exit(), v.Faults)
		}
		if v := verify(doc, envelope, other); !slices.Contains(v.Faults, "the signature is by another key") {
			t.Errorf("%s, verified with another key: %v", c.name, v.Faults)
		}
		if v := verify(doc, nil, public); !slices.Contains(v.Faults, "there is no signature") {
			t.Errorf("%s, unsigned: %v", c.name, v.Faults)
		}
	}
}

func TestPartialRunsAreNotSigned(t *testing.T) {
	_, private := keys(t)
	r := canonical(t, "cap")
	r.Run.Partial = true
	_, err := Sign(context.Background(), document(t, reporttest.Settled(r)), private)
	require.ErrorIs(t, err, reports.ErrPartial)
}

// TestEveryEditOfASignedReportFails changes bytes of the report and of the envelope, and makes edits that leave the
// report consistent.
func TestEveryEditOfASignedReportFails(t *testing.T) {
	public, private := keys(t)
	_, other := keys(t)
	doc := document(t, breakOne(canonical(t, "cap")))
	envelope, err := Sign(context.Background(), doc, private)
	require.NoError(t, err)
	check := func(name string, doc, envelope []byte) {
		t.Helper()
		v := verify(doc, envelope, public)
		if v.SignedBy != "" && len(v.Faults) == 0 || len(v.Faults) == 0 || v.Exit() != reports.ExitNonconformant {
			t.Errorf("%s: %s, exit %d", name, v.Word(), v.Exit())
		}
	}
	for i := 0; i < len(doc); i += 1 + len(doc)/40 {
		edited := bytes.Clone(doc)
		edited[i] ^= 1
		check("a byte of the report", edited, envelope)
	}
	for i := 0; i < len(envelope); i += 1 + len(envelope)/60 {
		edited := bytes.Clone(envelope)
		edited[i] ^= 1
		check("a byte of the envelope", doc, edited)
	}
	check("white space in the report", append(bytes.Clone(doc), '\n'), envelope)
	check("white space in the envelope", doc, append(bytes.Clone(envelope), '\n'))
	later := breakOne(canonical(t, "cap"))
	later.Run.StartedAt = later.Run.StartedAt.AddDate(0, 0, 1)
	check("the date", document(t, later), envelope)
	better := canonical(t, "cap")
	check("all edits", document(t, better), envelope)
	forged, err := Sign(context.Background(), document(t, better), other)
	require.NoError(t, err)
	check("all edits, signed with another key", document(t, better), forged)

	// The right key, but for a statement that does not match the report.
	var sealedBy map[string]any
	require.NoError(t, json.Unmarshal(envelope, &sealedBy))
	sealedBy["payloadType"] = "text/plain"
	text, err := json.Marshal(sealedBy)
	require.NoError(t, err)
	check("the type of the payload", doc, append(text, '\n'))
	check("another format", doc, inToto(t, canonical(t, "cap")))
}

func TestKeys(t *testing.T) {
	private := "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIHcHbQpzGKV9PBbBclGyZkXfTC+H68CZKrF3+6UduSwq\n-----END PRIVATE KEY-----\n"
	key, err := ParsePrivateKey([]byte(private))
	require.NoError(t, err)
	public, ok := key.Public().(ed25519.PublicKey)
	require.True(t, ok)
	for name, text := range map[string]string{"nothing": "", "text": "secret words",
		"damaged":     strings.ReplaceAll(private, "MC4C", "MC5C"),
		"certificate": strings.ReplaceAll(private, "PRIVATE KEY", "CERTIFICATE")[:60]} {
		_, err := ParsePrivateKey([]byte(text))
		if err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := ParsePublicKey([]byte(text)); err == nil {
			t.Errorf("%s was accepted as a public key", name)
		}
	}
	if diff := cmp.Diff(ed25519.PublicKeySize, len(public)); diff != "" {
		t.Error(diff)
	}
}
