package verification

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/secure-systems-lab/go-securesystemslib/dsse"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reports"
)

// forge signs any bytes with the right key, like Sign without its checks.
func forge(t *testing.T, document []byte, key ed25519.PrivateKey) []byte {
	t.Helper()
	var r reports.Report
	require.NoError(t, json.Unmarshal(document, &r))
	payload, err := json.Marshal(statementOf(&r, document))
	require.NoError(t, err)
	by, err := dsse.NewEnvelopeSigner(signer{key})
	require.NoError(t, err)
	envelope, err := by.SignPayload(context.Background(), payloadType, payload)
	require.NoError(t, err)
	line, err := encodeEnvelope(envelope)
	require.NoError(t, err)
	return line
}

// certificate is a report for which Verify must not return exit status 0, whoever signed it.
type certificate struct {
	edit func(*reports.Report)        // before it is written; may be nil
	text func(document []byte) []byte // after it was written and before it is signed; may be nil
	want string                       // a fault, a limit, or the verdict
}

// unplan removes the scenarios of a requirement from a report.
func unplan(s *reports.Suite, q *reports.Requirement, status reports.Status, reason string) {
	s.Plan.Planned -= len(q.Scenarios)
	s.Plan.Executed -= len(q.Scenarios)
	q.Status, q.Reason, q.Scenarios = status, reason, nil
}

// leaveOut removes an actor from a suite, like actors: in a target file.
func leaveOut(r *reports.Report, actor string) {
	s := &r.Suites[0]
	c, _ := liveCanon(s.Suite)
	for i := range s.Requirements {
		q := &s.Requirements[i]
		if about, _ := c.catalogue.Lookup(q.ID); about.Actor == actor && c.examines(about) {
			unplan(s, q, reports.NotApplicable, reports.ActorLeftOut(actor))
		}
	}
	s.Actors = slices.DeleteFunc(s.Actors, func(a string) bool { return a == actor })
	s.LeftOut = append(s.LeftOut, actor)
	c.recomputeSums(s)
	r.Settle()
}

// decide changes the outcome of the first requirement, and everything that depends on it.
func decide(r *reports.Report, status reports.Status, reason string) {
	q := firstPlayed(r)
	q.Status, q.Reason = status, reason
	q.Scenarios[0].Status, q.Scenarios[0].Reason = status, reason
	c, _ := liveCanon(r.Suites[0].Suite)
	c.recomputeSums(&r.Suites[0])
	r.Settle()
}

// provide makes two thirds of the requirements provided by a mapping.
func provide(r *reports.Report) {
	s := &r.Suites[0]
	s.Mappings = []reports.Mapping{{Operation: "acp.message", Request: "POST /x", Response: "{}"}}
	for i := range s.Requirements {
		if q := &s.Requirements[i]; i%3 > 0 && len(q.Scenarios) > 0 {
			q.Status, q.Reason = reports.Provided, "mapping acp.message"
			for n := range q.Scenarios {
				q.Scenarios[n].Status, q.Scenarios[n].Reason = reports.Provided, q.Reason
			}
		}
	}
	c, _ := liveCanon(s.Suite)
	c.recomputeSums(s)
	r.Settle()
}

func replaced(old, by string) func([]byte) []byte {
	return func(document []byte) []byte { return bytes.Replace(document, []byte(old), []byte(by), 1) }
}

// wronglyMerged are certificates of parts that were merged wrongly.
func wronglyMerged() map[string]certificate {
	return map[string]certificate{
		"merged reports of different targets": {edit: func(r *reports.Report) {
			r.Run.Parts = []reports.Part{
				{
					Index:  1,
					RunID:  "01a20015-a80f-7b91-a21e-c38f96e296e7",
					Target: r.Subject.Target,
					SHA256: strings.Repeat("a", 64),
				},
				{
					Index:  2,
					RunID:  "01a20015-a80f-7b91-a21e-c38f96e296e8",
					Target: "http://127.0.0.1:9",
					SHA256: strings.Repeat("b", 64),
				},
			}
			r.Run.ID = mergedID([]string{r.Run.Parts[0].RunID, r.Run.Parts[1].RunID})
		}, want: "part 2 has another target than part 1"},
		"a part listed twice": {edit: func(r *reports.Report) {
			p := reports.Part{
				Index:  1,
				RunID:  "01a20015-a80f-7b91-a21e-c38f96e296e7",
				Target: r.Subject.Target,
				SHA256: strings.Repeat("a", 64),
			}
			r.Run.Parts = []reports.Part{p, {Index: 2, RunID: p.RunID, Target: p.Target, SHA256: p.SHA256}}
			r.Run.ID = mergedID([]string{p.RunID, p.RunID})
		}, want: "part 2 is listed twice"},
		"a missing part": {edit: func(r *reports.Report) {
			r.Run.Parts = []reports.Part{
				{Index: 2, RunID: r.Run.ID, Target: r.Subject.Target, SHA256: strings.Repeat("a", 64)},
			}
			r.Run.ID = mergedID([]string{r.Run.ID})
		}, want: "part 2 is listed in place of part 1"},
		"parts of another run": {edit: func(r *reports.Report) {
			r.Run.Parts = []reports.Part{
				{
					Index:  1,
					RunID:  "01a20015-a80f-7b91-a21e-c38f96e296e8",
					Target: r.Subject.Target,
					SHA256: strings.Repeat("a", 64),
				},
			}
		}, want: "the id of the run does not follow from those of its parts"},
		"a single part": {edit: func(r *reports.Report) {
			r.Run.Shard, r.Run.Partial = &reports.Shard{Index: 1, Count: 2}, true
			giveOption(r, "--shard 1/2")
			r.Settle()
		}, want: "the run is partial"},
	}
}

// narrowed are certificates of hosts that were examined only in part.
func narrowed() map[string]certificate {
	suite := func(r *reports.Report) *reports.Suite { return &r.Suites[0] }
	return map[string]certificate{
		"a mapped host": {edit: provide, want: "incomplete"},
		"an unlisted mapping": {
			edit: func(r *reports.Report) { provide(r); suite(r).Mappings = []reports.Mapping{} },
			want: "but the suite lists no such mapping",
		},
		"narrowed actors": {edit: func(r *reports.Report) { r.Run.Partial = true; leaveOut(r, "router") },
			want: "the run is partial"},
		"narrowed actors, declared complete": {edit: func(r *reports.Report) { leaveOut(r, "router") },
			want: "actors were left out, but the run claims to be complete"},
		"narrowed actors, not listed": {
			edit: func(r *reports.Report) { leaveOut(r, "router"); suite(r).LeftOut = nil; r.Settle() },
			want: "it says that the actor router is left out, but the suite does not say so",
		},
		"hidden instruments": {edit: func(r *reports.Report) { decide(r, reports.Inconclusive, "acp.state is not served") },
			want: "incomplete"},
		"a deadline": {edit: func(r *reports.Report) { r.Run.Interrupted = true; r.Settle() },
			want: "the run did not finish"},
		"a selection": {edit: func(r *reports.Report) {
			r.Run.Partial = true
			giveOption(r,
				"--level must")
			r.Settle()
		}, want: "the run is partial"},
		"a selection, declared complete": {edit: func(r *reports.Report) { giveOption(r, "--tags @x") },
			want: "was given --tags @x, but claims to be complete"},
		"--fail-fast, declared complete": {
			edit: func(r *reports.Report) { decide(r, reports.NotApplicable, reports.ReasonFailFast) },
			want: "--fail-fast ended the run, but it claims to be complete",
		},
		"a baseline": {
			edit: func(r *reports.Report) { r.Run.Baseline = &reports.BaselineUse{Tolerated: []string{}}; r.Settle() },
			want: "the run was given a baseline",
		},
		"another version": {edit: func(r *reports.Report) { r.Harness.Version = "9.9.9" },
			want: "its version is unknown here"},
		"an older version": {edit: func(r *reports.Report) { r.Harness.Version = "0.9.0" },
			want: "acp: its requirements are those of revision 1 of the edition 2025-05-18"},
		"a newer version": {edit: func(r *reports.Report) { r.Harness.Version, suite(r).Requirements[0].Level = "9.9.9", "MAY" },
			want: "its requirements are those of no revision"},
	}
}

// edited are certificates that were changed before they were signed.
func edited() map[string]certificate {
	suite := func(r *reports.Report) *reports.Suite { return &r.Suites[0] }
	return map[string]certificate{
		"verdict over inconclusive": {edit: func(r *reports.Report) {
			decide(r, reports.Inconclusive, "acp.state is not served")
			r.Verdict, suite(r).Verdict = reports.Conformant, reports.Conformant
		}, want: "the verdict is conformant, but incomplete follows from its requirements"},
		"verdict over provided": {edit: func(r *reports.Report) {
			provide(r)
			r.Verdict, suite(r).Verdict = reports.Conformant, reports.Conformant
		},
			want: "the verdict is conformant, but incomplete follows from its requirements"},
		"provided counts": {edit: func(r *reports.Report) {
			provide(r)
			must := &suite(r).Counts.Must
			must.Passed, must.Provided = must.Passed+must.Provided, 0
		}, want: "the counts say 0 must provided"},
		"actors": {edit: func(r *reports.Report) { suite(r).Actors = suite(r).Actors[1:] },
			want: "which is not among the examined actors"},
		"actors added": {edit: func(r *reports.Report) { suite(r).Actors = append(suite(r).Actors, "host") },
			want: "are not those of the catalogue"},
		"edition": {edit: func(r *reports.Report) { suite(r).Edition = "2030" }, want: `the edition is "2030"`},
		"order of requirements": {edit: func(r *reports.Report) {
			q := suite(r).Requirements
			q[0], q[1] = q[1], q[0]
		}, want: "are not in the order of the catalogue"},
		"plan": {edit: func(r *reports.Report) {
			unplan(suite(r), firstPlayed(r), reports.NotApplicable, "an excuse")
			r.Settle()
		},
			want: "but no run gives its reason"},
		"plan, with an unknown adapter": {edit: func(r *reports.Report) {
			unplan(suite(r), firstPlayed(r), reports.NotApplicable,
				reports.NotExpressible("an excuse"))
			r.Settle()
		},
			want: "but no run gives its reason"},
		"catalogue": {edit: func(r *reports.Report) { r.Harness.CatalogueDigest = strings.Repeat("0", 64) },
			want: "the digest of the catalogue is not that of this version"},
		"features": {edit: func(r *reports.Report) { r.Harness.FeaturesDigest = strings.Repeat("0", 64) },
			want: "the digest of the features is not that of this version"},
		"other suite": {edit: func(r *reports.Report) { suite(r).Suite = "cap" }, want: "is missing"},
		"duplicate key": {text: replaced(`"verdict": "conformant"`,
			`"verdict": "nonconformant", "verdict": "conformant"`), want: "not a report document"},
		"unknown member": {text: replaced(`"verdict": "conformant"`, `"note": "fine", "verdict": "conformant"`),
			want: "not a report document"},
		"member in capitals": {text: replaced(`"partial": false`, `"partial": false, "Partial": false`),
			want: "not a report document"},
		"no run": {edit: func(r *reports.Report) { r.Run.ID = "" }, want: "the run has no id"},
	}
}

// TestNoFalseCertificate: report verify --key never returns exit status 0 for these reports, although each is signed
// with the right key.
func TestNoFalseCertificate(t *testing.T) {
	public, private := keys(t)
	check := func(name string, c certificate) {
		r := canonical(t, "acp")
		if c.edit != nil {
			c.edit(r)
		}
		doc := document(t, r)
		if c.text != nil {
			doc = c.text(doc)
		}
		v := verify(doc, forge(t, doc, private), public)
		reasons := slices.Concat(v.Faults, v.Limits)
		if v.Report != nil && len(reasons) == 0 {
			reasons = []string{string(v.Report.Verdict)}
		}
		if v.Exit() == reports.ExitConformant || !strings.Contains(strings.Join(reasons, "\n"), c.want) {
			t.Errorf("%s: exit %d, want the reason %q, got\n%s", name, v.Exit(), c.want, strings.Join(reasons, "\n"))
		}
	}
	valid := document(t, canonical(t, "acp"))
	if v := verify(valid, forge(t, valid, private), public); v.Exit() != reports.ExitConformant {
		t.Fatalf("the valid report: exit %d, %v %v", v.Exit(), v.Faults, v.Limits)
	}
	for _, certificates := range []map[string]certificate{wronglyMerged(), narrowed(), edited()} {
		for name, c := range certificates {
			check(name, c)
		}
	}
}

// TestNoEditAfterSigning: the signature is over the bytes of the report, so that no change is accepted, including a
// change of members on which no check depends.
func TestNoEditAfterSigning(t *testing.T) {
	public, private := keys(t)
	doc := document(t, canonical(t, "acp"))
	envelope := forge(t, doc, private)
	var members map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(doc, &members))
	reordered, err := json.MarshalIndent(members, "", "  ")
	require.NoError(t, err)
	for name, edited := range map[string][]byte{
		"reordered members": reordered,
		"white space":       append(bytes.Clone(doc), ' '),
		"declared versions": replaced(`"declared": []`, `"declared": ["9"]`)(doc),
		"the target":        replaced(`"target": "http://127.0.0.1:8899"`, `"target": "http://127.0.0.1:8898"`)(doc),
		"the target file": replaced(`"target": "http://127.0.0.1:8899"`,
			`"target": "http://127.0.0.1:8899", "target_file_digest": "`+strings.Repeat("a", 64)+`"`)(doc),
		"the subject": replaced(`"name": "acme-host"`, `"name": "other-host"`)(doc),
		"the date":    replaced(`"started_at": "2026`, `"started_at": "2027`)(doc),
	} {
		if bytes.Equal(edited, doc) {
			t.Errorf("%s: the edit changes nothing", name)
		}
		v := verify(edited, envelope, public)
		if want := "the report is not the one that was signed: its digest differs"; v.Exit() != reports.ExitNonconformant ||
			!slices.Contains(v.Faults, want) {
			t.Errorf("%s: exit %d, %v", name, v.Exit(), v.Faults)
		}
	}
}
