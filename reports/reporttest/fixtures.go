// Package reporttest contains reports for the tests of packages that read reports.
package reporttest

import (
	"fmt"
	"strings"
	"time"

	"github.com/capconform/capconform/reports"
)

// All returns the reports of the golden files, by name.
func All() map[string]*reports.Report {
	return map[string]*reports.Report{
		"conformant":    Conformant(),
		"nonconformant": Nonconformant(),
		"incomplete":    Incomplete(),
		"interrupted":   Interrupted(),
		"partial":       Partial(),
		"nullhost":      NullHost(),
		"unreachable":   Unreachable(),
		"hostile":       HostileHost(),
		"documents":     Documents(),
	}
}

// Base returns a report of these suites, before it is settled.
func Base(suites ...reports.Suite) *reports.Report {
	return &reports.Report{
		Harness: reports.Harness{Name: "capconform", Version: "0.1.0", Commit: "0123abc", CatalogueDigest: "sha256:11",
			FeaturesDigest: "sha256:22"},
		Subject: reports.Subject{Name: "acme-host", Version: "1.4.2", Driver: "http", Target: "http://127.0.0.1:8899"},
		Run: reports.Run{
			ID: "run-1", StartedAt: time.Date(2026, 8, 1, 9, 30, 0, 123456789, time.FixedZone("", 7200)), DurationMS: 1234,
			Seed:    7,
			Command: "capconform run http://127.0.0.1:8899", Options: []string{"--suite", "cap"},
		},
		Suites: suites,
	}
}

// CAP returns a suite in which every scenario of the requirements ran.
func CAP(reqs ...reports.Requirement) reports.Suite {
	n := 0
	for _, q := range reqs {
		n += len(q.Scenarios)
	}
	return reports.Suite{
		Suite: "cap", SpecVersion: "0.1.0-draft", Edition: "0.1.0-draft", Actors: []string{"source"},
		Binding: "JSON-RPC 2.0 over HTTP",
		Plan:    reports.Plan{Planned: n, Executed: n}, Requirements: reqs,
	}
}

// Settled settles a report and returns it.
func Settled(r *reports.Report) *reports.Report {
	r.Settle()
	return r
}

// Numbered returns n requirements with one level and status, with one scenario each.
func Numbered(section, level string, status reports.Status, n int) []reports.Requirement {
	var out []reports.Requirement
	for i := range n {
		q := reports.Requirement{
			ID: fmt.Sprintf("CAP-%s-%02d", section, i+1), Level: level, Section: section, Status: status,
			Summary:   "A manifest names what it describes, in member " + fmt.Sprint(i+1),
			Scenarios: []reports.Scenario{{Name: "The member is there", Status: status, DurationMS: 2}},
		}
		if status == reports.NotApplicable || status == reports.Excluded {
			q.Scenarios, q.Reason = nil, "outside of the plan: the subject plays no router"
		}
		out = append(out, q)
	}
	return out
}

// Conformant returns a report in which every MUST is met.
func Conformant() *reports.Report {
	reqs := append(Numbered("4.1", "MUST", reports.Passed, 4), Numbered("4.2", "SHOULD", reports.Passed, 2)...)
	reqs = append(reqs, Numbered("4.3", "MAY", reports.NotApplicable, 1)...)
	provided := Numbered("5", "DECLARED", reports.Provided, 1)
	provided[0].Reason = "kept by the mapping of capability.list"
	excluded := Numbered("9", "MUST", reports.Excluded, 1)
	s := CAP(append(append(reqs, provided...), excluded...)...)
	s.Mappings = []reports.Mapping{{Operation: "capability.list", Request: "GET /v1/tools", Response: ".body.tools"}}
	r := Base(s)
	r.NotSpoken = []string{"chp", "acp", "acd"}
	return Settled(r)
}

// Failing returns a requirement that one scenario found to be broken.
func Failing(id, level, section, summary string, f reports.Failure) reports.Requirement {
	f.Repeat = "capconform run http://127.0.0.1:8899 --suite cap --requirement " + id +
		" --header 'Authorization: Bearer ${ACME_TOKEN}'"
	return reports.Requirement{
		ID: id, Level: level, Section: section, Summary: summary, Status: reports.Failed, Reason: f.Message,
		Scenarios: []reports.Scenario{
			{Name: "A sound input is accepted", Status: reports.Passed, DurationMS: 3},
			{Name: "An unsound input is refused", Status: reports.Failed, DurationMS: 12, Failure: &f},
		},
	}
}

// Nonconformant returns a report with failures of several levels and causes.
func Nonconformant() *reports.Report {
	accepted := reports.Failure{
		Message: "an input that breaks the input_schema was accepted",
		Want:    "status error with code INVALID_INPUT",
		Got:     `status ok with output {"message":5,"repeat":1}`,
		Hint:    "Check the input against input_schema before the handler runs, and answer INVALID_INPUT.",
		Step:    `Then the invocation fails with "INVALID_INPUT"`,
		Exchanges: []reports.Exchange{{
			Operation: "capability.invoke", AtMS: 2,
			Sent: reports.NewPayload(
				[]byte(`{"jsonrpc":"2.0","id":3,"method":"capability.invoke","params":{"input":{"message":5}}}`),
			),
			Received: reports.NewPayload([]byte(`{"jsonrpc":"2.0","id":3,"result":{"ok":true}}`)),
		}},
	}
	fallback := reports.Failure{
		Message: "an unknown version was answered with another one",
		Want:    "error NOT_FOUND",
		Got: "the manifest of conformance.echo 1.0.0, " + strings.Repeat("with a description that goes on and on, ",
			14) + "and ends",
		Hint: "Look up the pair of id and version, not the id alone.",
	}
	warn := reports.Failure{Message: "the list was made anew for an unchanged registry", Want: "the same order as before",
		Got: "another order"}
	reqs := Numbered("4.1", "MUST", reports.Passed, 12)
	reqs = append(reqs,
		Failing("CAP-4.3-02", "MUST", "4.3", "An unknown version of a known id is NOT_FOUND", fallback),
		Failing("CAP-6.2-01", "MUST", "6.2", "An input that breaks the input_schema is refused before the handler runs",
			accepted),
		Failing("CAP-6.2-03", "MUST NOT", "6.2",
			"The handler never sees an input that was not validated against the schema that the manifest declares", accepted),
		Failing("CAP-7.1-01", "DECLARED", "7.1", "INVALID_INPUT stands for an input that the schema refuses", accepted),
		Failing("CAP-5-04", "SHOULD", "5", "Lists are stable while the registry is", warn),
	)
	reqs = append(reqs, timeoutRequirement(), roleRequirement("CAP-8-01", "slow"))
	reqs = append(reqs, reports.Requirement{
		ID: "CAP-9-01", Level: "MUST", Section: "9", Status: reports.Failed, Summary: "A host keeps all of the above",
		Reason: reports.ReasonOfSum + ": CAP-6.2-01 failed",
	})
	r := Base(CAP(reqs...))
	r.NotSpoken = []string{"chp", "acp", "acd"}
	r.Notes = []string{
		"2 capabilities were left out, since their names say that they change something: acme.delete, acme.pay",
	}
	return Settled(r)
}

func timeoutRequirement() reports.Requirement {
	return reports.Requirement{
		ID: "CAP-6.4-01", Level: "MUST", Section: "6.4", Summary: "Every invocation ends", Status: reports.Error,
		Reason: "no answer before the deadline",
		Scenarios: []reports.Scenario{{
			Name: "A sound invocation ends", Status: reports.Error, Fault: reports.DeadlineFault, DurationMS: 10000,
			Failure: &reports.Failure{Message: "no answer before the deadline", Want: "an answer within the call timeout",
				Got:    "nothing after 10 s",
				Repeat: "capconform run http://127.0.0.1:8899 --requirement CAP-6.4-01"},
		}},
	}
}

func roleRequirement(id, role string) reports.Requirement {
	reason := "no capability plays the role " + role + "; name one in the target file under roles: cap: " + role +
		": {capability: ID}"
	return reports.Requirement{
		ID: id, Level: "MUST", Section: "8", Summary: "A capability that exceeds its deadline ends with TIMEOUT",
		Status:    reports.Inconclusive,
		Reason:    reason,
		Scenarios: []reports.Scenario{{Name: "The deadline is kept", Status: reports.Inconclusive, Reason: reason}},
	}
}

// Incomplete returns a report in which some MUSTs could not be judged.
func Incomplete() *reports.Report {
	reqs := append(Numbered("4.1", "MUST", reports.Passed, 5), roleRequirement("CAP-8-01", "slow"),
		roleRequirement("CAP-8-02", "slow"), roleRequirement("CAP-8-03", "fails"))
	chp := reports.Suite{
		Suite: "chp", SpecVersion: "0.1", Binding: "CHP over HTTP", Plan: reports.Plan{Planned: 1, Executed: 1},
		Requirements: []reports.Requirement{{ID: "CHP-7-01", Level: "MUST", Section: "7", Status: reports.Passed,
			Summary:   "A denial is an InvocationResult",
			Scenarios: []reports.Scenario{{Name: "A denial", Status: reports.Passed, DurationMS: 1}}}},
	}
	return Settled(Base(CAP(reqs...), chp))
}

// Interrupted returns a report of a run that a signal ended.
func Interrupted() *reports.Report {
	cut := Numbered("4.2", "MUST", reports.Error, 2)
	for i := range cut {
		cut[i].Reason = "the run was interrupted"
		cut[i].Scenarios[0].Reason, cut[i].Scenarios[0].Fault = cut[i].Reason, reports.InterruptedFault
	}
	s := CAP(append(Numbered("4.1", "MUST", reports.Passed, 3), cut...)...)
	s.Plan.Executed = 3
	r := Base(s)
	r.Run.Interrupted = true
	return Settled(r)
}

// Partial returns a report of a run with a selection.
func Partial() *reports.Report {
	r := Base(CAP(Numbered("4.1", "MUST", reports.Passed, 1)...))
	r.Run.Partial = true
	r.Run.Options = []string{"--requirement", "CAP-4.1-01"}
	return Settled(r)
}

// NullHost returns a report of a host without useful answers: forty failures with one cause.
func NullHost() *reports.Report {
	var reqs []reports.Requirement
	for i := range 40 {
		reqs = append(reqs, Failing(fmt.Sprintf("CAP-5-%02d", i+1), "MUST", "5",
			"The list of capabilities is an array of manifests",
			reports.Failure{Message: "the answer is no response of the binding", Want: "a JSON-RPC 2.0 response",
				Got: "status 404 with the body {}"}))
	}
	return Settled(Base(CAP(reqs...)))
}

// Unreachable returns a report of a target that could not be reached.
func Unreachable() *reports.Report {
	r := Base()
	r.Run.Stopped = &reports.Stop{Fault: reports.TargetFault, Reason: "target unreachable: connection refused"}
	return Settled(r)
}

// HostileHost returns a report that contains Hostile wherever a target can place text.
func HostileHost() *reports.Report {
	f := reports.Failure{
		Message:  "the answer holds " + Hostile,
		Want:     Hostile,
		Got:      strings.Repeat("日本語のテキスト", 60) + Hostile,
		Hint:     Hostile,
		Findings: []reports.Finding{{File: "::error::" + Hostile, Line: 3, Column: 1, Message: Hostile}},
		Exchanges: []reports.Exchange{{Operation: Hostile, Sent: reports.NewPayload([]byte(Hostile)),
			Received: reports.NewPayload([]byte(strings.Repeat(Hostile, 200)))}},
	}
	q := Failing("CAP-5-01", "MUST", Hostile, Hostile, f)
	q.Scenarios[1].Name, q.Scenarios[1].Failure.Repeat = Hostile, "capconform run '"+Hostile+"'"
	i := roleRequirement("CAP-8-01", "slow")
	i.Reason, i.Scenarios[0].Reason = Hostile, Hostile
	e := timeoutRequirement()
	e.Scenarios[0].Reason, e.Scenarios[0].Failure = Hostile, nil
	s := CAP(q, i, e)
	s.Binding, s.Negotiated = Hostile, Hostile
	s.Mappings = []reports.Mapping{{Operation: Hostile, Request: Hostile, Response: Hostile}}
	r := Base(s)
	r.Subject.Name, r.Subject.Version, r.Subject.Target = Hostile, Hostile, "::error::"+Hostile
	r.Notes = []string{"::error::" + Hostile}
	r.Run.Stopped = &reports.Stop{Fault: reports.DeadlineFault, Reason: Hostile}
	return Settled(r)
}

// Documents returns a report of documents, with the places of their faults.
func Documents() *reports.Report {
	finding := func(id, level, message string, places ...reports.Finding) reports.Requirement {
		return reports.Requirement{
			ID:      id,
			Level:   level,
			Section: "4",
			Summary: message,
			Status:  reports.Failed,
			Scenarios: []reports.Scenario{
				{
					Name:    "The document is sound",
					Status:  reports.Failed,
					Failure: &reports.Failure{Message: message, Findings: places},
				},
			},
		}
	}
	r := Base(CAP(
		finding("CAP-4-01", "MUST", "a reference is not a CapabilityRef",
			reports.Finding{File: "b.yaml", Line: 12, Column: 3, Message: "version is missing", EndLine: 12, EndColumn: 10},
			reports.Finding{File: "a.yaml", Line: 7, Column: 5, Message: "capability_id is missing"},
			reports.Finding{File: "a.yaml", Line: 7, Column: 5, Message: "capability_id is missing"}),
		finding("CAP-4-02", "SHOULD", "a description is empty",
			reports.Finding{File: "a.yaml", Line: 3, Column: 1, Message: "description is empty"}),
		finding("CAP-4-03", "ADVICE", "no icon", reports.Finding{File: "a.yaml", Message: "the manifest has no icon"}),
		finding("CAP-4-04", "MUST", "the folder holds two manifests of one id"),
		reports.Requirement{ID: "CAP-4-05", Level: "MUST", Status: reports.Error, Summary: "Schemas are sound",
			Reason: "the schema is nested too deep to be judged",
			Scenarios: []reports.Scenario{{Name: "The schema", Status: reports.Error, Fault: reports.LimitFault,
				Reason: "the schema is nested too deep to be judged"}}},
	))
	r.Subject = reports.Subject{Name: "acme", Driver: "documents", Target: "./manifests"}
	return Settled(r)
}

// Hostile is text by which a target may attack the readers of a report.
const Hostile = "\x1b[31mred\x00]]>\xff\n::error::owned\r\n  ::warning::x\u202eabc\u009b1m " +
	"<script>alert(1)</script> @octocat | `code` ![x](http://h/i.png) ##[error]y ##vso[task]z\n```\nout"

// Single returns a report of one requirement.
func Single(level string, status reports.Status, message string) *reports.Report {
	q := reports.Requirement{
		ID:      "CAP-1-01",
		Level:   level,
		Section: "1",
		Summary: "It holds",
		Status:  status,
		Reason:  message,
	}
	if status == reports.Failed {
		q.Scenarios = []reports.Scenario{
			{Name: "It holds", Status: reports.Failed, Reason: message, Failure: &reports.Failure{Message: message}},
		}
	}
	return Settled(Base(CAP(q)))
}

// None returns a report without requirements.
func None() *reports.Report { return Settled(Base(CAP())) }

// Through returns the comparison of two reports of one MUST: of the direct run and of the run
// through a gateway.
func Through(level string, direct, through reports.Status) reports.Gateway {
	of := func(status reports.Status) *reports.Report {
		r := Conformant()
		q := r.Suites[0].Requirements[0]
		q.Level, q.Status, q.Reason = level, status, "because"
		q.Scenarios = []reports.Scenario{{Name: "one", Status: status}}
		if status == reports.Failed {
			q.Scenarios[0].Failure = &reports.Failure{Message: "it is broken", Want: "a", Got: "b",
				Repeat: "capconform run --requirement X"}
		}
		r.Suites[0].Requirements = []reports.Requirement{q}
		r.Settle()
		return r
	}
	return reports.NewGateway("edge", of(direct), of(through))
}
