package reports

import (
	"fmt"
	"strings"
	"time"
)

// The hand-made reports that the golden files show.
func goldenReports() map[string]*Report {
	return map[string]*Report{
		"conformant":    conformantReport(),
		"nonconformant": nonconformantReport(),
		"incomplete":    incompleteReport(),
		"interrupted":   interruptedReport(),
		"partial":       partialReport(),
		"nullhost":      nullHostReport(),
		"unreachable":   unreachableReport(),
		"hostile":       hostileReport(),
		"documents":     documentsReport(),
	}
}

func baseReport(suites ...Suite) *Report {
	return &Report{
		Harness: Harness{Name: "capconform", Version: "0.1.0", Commit: "0123abc", CatalogueDigest: "sha256:11",
			FeaturesDigest: "sha256:22"},
		Subject: Subject{Name: "acme-host", Version: "1.4.2", Driver: "http", Target: "http://127.0.0.1:8899"},
		Run: Run{
			ID: "run-1", StartedAt: time.Date(2026, 8, 1, 9, 30, 0, 123456789, time.FixedZone("", 7200)), DurationMS: 1234,
			Seed:    7,
			Command: "capconform run http://127.0.0.1:8899", Options: []string{"--suite", "cap"},
		},
		Suites: suites,
	}
}

func capSuite(reqs ...Requirement) Suite {
	n := 0
	for _, q := range reqs {
		n += len(q.Scenarios)
	}
	return Suite{
		Suite: "cap", SpecVersion: "0.1.0-draft", Edition: "0.1.0-draft", Actors: []string{"source"},
		Binding: "JSON-RPC 2.0 over HTTP",
		Plan:    Plan{Planned: n, Executed: n}, Requirements: reqs,
	}
}

func settled(r *Report) *Report {
	r.Settle()
	return r
}

// numbered makes n requirements of one level and status, with one scenario each.
func numbered(section, level string, status Status, n int) []Requirement {
	var out []Requirement
	for i := range n {
		q := Requirement{
			ID: fmt.Sprintf("CAP-%s-%02d", section, i+1), Level: level, Section: section, Status: status,
			Summary:   "A manifest names what it describes, in member " + fmt.Sprint(i+1),
			Scenarios: []Scenario{{Name: "The member is there", Status: status, DurationMS: 2}},
		}
		if status == NotApplicable || status == Excluded {
			q.Scenarios, q.Reason = nil, "outside of the plan: the subject plays no router"
		}
		out = append(out, q)
	}
	return out
}

func conformantReport() *Report {
	reqs := append(numbered("4.1", "MUST", Passed, 4), numbered("4.2", "SHOULD", Passed, 2)...)
	reqs = append(reqs, numbered("4.3", "MAY", NotApplicable, 1)...)
	provided := numbered("5", "DECLARED", Provided, 1)
	provided[0].Reason = "kept by the mapping of capability.list"
	excluded := numbered("9", "MUST", Excluded, 1)
	s := capSuite(append(append(reqs, provided...), excluded...)...)
	s.Mappings = []Mapping{{Operation: "capability.list", Request: "GET /v1/tools", Response: ".body.tools"}}
	r := baseReport(s)
	r.NotSpoken = []string{"chp", "acp", "acd"}
	return settled(r)
}

func failing(id, level, section, summary string, f Failure) Requirement {
	f.Repeat = "capconform run http://127.0.0.1:8899 --suite cap --requirement " + id + " --header 'Authorization: Bearer ${ACME_TOKEN}'"
	return Requirement{
		ID: id, Level: level, Section: section, Summary: summary, Status: Failed, Reason: f.Message,
		Scenarios: []Scenario{
			{Name: "A sound input is accepted", Status: Passed, DurationMS: 3},
			{Name: "An unsound input is refused", Status: Failed, DurationMS: 12, Failure: &f},
		},
	}
}

func nonconformantReport() *Report {
	accepted := Failure{
		Message: "an input that breaks the input_schema was accepted",
		Want:    "status error with code INVALID_INPUT",
		Got:     `status ok with output {"message":5,"repeat":1}`,
		Hint:    "Check the input against input_schema before the handler runs, and answer INVALID_INPUT.",
		Step:    `Then the invocation fails with "INVALID_INPUT"`,
		Exchanges: []Exchange{{
			Operation: "capability.invoke", AtMS: 2,
			Sent:     NewPayload([]byte(`{"jsonrpc":"2.0","id":3,"method":"capability.invoke","params":{"input":{"message":5}}}`)),
			Received: NewPayload([]byte(`{"jsonrpc":"2.0","id":3,"result":{"ok":true}}`)),
		}},
	}
	fallback := Failure{
		Message: "an unknown version was answered with another one",
		Want:    "error NOT_FOUND",
		Got: "the manifest of conformance.echo 1.0.0, " + strings.Repeat("with a description that goes on and on, ",
			14) + "and ends",
		Hint: "Look up the pair of id and version, not the id alone.",
	}
	warn := Failure{Message: "the list was made anew for an unchanged registry", Want: "the same order as before",
		Got: "another order"}
	reqs := numbered("4.1", "MUST", Passed, 12)
	reqs = append(reqs,
		failing("CAP-4.3-02", "MUST", "4.3", "An unknown version of a known id is NOT_FOUND", fallback),
		failing("CAP-6.2-01", "MUST", "6.2", "An input that breaks the input_schema is refused before the handler runs",
			accepted),
		failing("CAP-6.2-03", "MUST NOT", "6.2",
			"The handler never sees an input that was not validated against the schema that the manifest declares", accepted),
		failing("CAP-7.1-01", "DECLARED", "7.1", "INVALID_INPUT stands for an input that the schema refuses", accepted),
		failing("CAP-5-04", "SHOULD", "5", "Lists are stable while the registry is", warn),
	)
	reqs = append(reqs, timeoutRequirement(), roleRequirement("CAP-8-01", "slow"))
	reqs = append(reqs, Requirement{
		ID: "CAP-9-01", Level: "MUST", Section: "9", Status: Failed, Summary: "A host keeps all of the above",
		Reason: "a part of it failed: CAP-6.2-01",
	})
	r := baseReport(capSuite(reqs...))
	r.NotSpoken = []string{"chp", "acp", "acd"}
	r.Notes = []string{"2 capabilities were left out, since their names say that they change something: acme.delete, acme.pay"}
	return settled(r)
}

func timeoutRequirement() Requirement {
	return Requirement{
		ID: "CAP-6.4-01", Level: "MUST", Section: "6.4", Summary: "Every invocation ends", Status: Error,
		Reason: "no answer before the deadline",
		Scenarios: []Scenario{{
			Name: "A sound invocation ends", Status: Error, Fault: DeadlineFault, DurationMS: 10000,
			Failure: &Failure{Message: "no answer before the deadline", Want: "an answer within the call timeout",
				Got:    "nothing after 10 s",
				Repeat: "capconform run http://127.0.0.1:8899 --requirement CAP-6.4-01"},
		}},
	}
}

func roleRequirement(id, role string) Requirement {
	reason := "no capability plays the role " + role + "; name one in the target file under roles: cap: " + role + ": {capability: ID}"
	return Requirement{
		ID: id, Level: "MUST", Section: "8", Summary: "A capability that exceeds its deadline ends with TIMEOUT",
		Status:    Inconclusive,
		Reason:    reason,
		Scenarios: []Scenario{{Name: "The deadline is kept", Status: Inconclusive, Reason: reason}},
	}
}

func incompleteReport() *Report {
	reqs := append(numbered("4.1", "MUST", Passed, 5), roleRequirement("CAP-8-01", "slow"),
		roleRequirement("CAP-8-02", "slow"), roleRequirement("CAP-8-03", "fails"))
	chp := Suite{
		Suite: "chp", SpecVersion: "0.1", Binding: "CHP over HTTP", Plan: Plan{1, 1},
		Requirements: []Requirement{{ID: "CHP-7-01", Level: "MUST", Section: "7", Status: Passed,
			Summary:   "A denial is an InvocationResult",
			Scenarios: []Scenario{{Name: "A denial", Status: Passed, DurationMS: 1}}}},
	}
	return settled(baseReport(capSuite(reqs...), chp))
}

func interruptedReport() *Report {
	cut := numbered("4.2", "MUST", Error, 2)
	for i := range cut {
		cut[i].Reason = "the run was interrupted"
		cut[i].Scenarios[0].Reason, cut[i].Scenarios[0].Fault = cut[i].Reason, InterruptedFault
	}
	s := capSuite(append(numbered("4.1", "MUST", Passed, 3), cut...)...)
	s.Plan.Executed = 3
	r := baseReport(s)
	r.Run.Interrupted = true
	return settled(r)
}

func partialReport() *Report {
	r := baseReport(capSuite(numbered("4.1", "MUST", Passed, 1)...))
	r.Run.Partial = true
	r.Run.Options = []string{"--requirement", "CAP-4.1-01"}
	return settled(r)
}

func nullHostReport() *Report {
	var reqs []Requirement
	for i := range 40 {
		reqs = append(reqs, failing(fmt.Sprintf("CAP-5-%02d", i+1), "MUST", "5",
			"The list of capabilities is an array of manifests",
			Failure{Message: "the answer is no response of the binding", Want: "a JSON-RPC 2.0 response",
				Got: "status 404 with the body {}"}))
	}
	return settled(baseReport(capSuite(reqs...)))
}

func unreachableReport() *Report {
	r := baseReport()
	r.Run.Stopped = &Stop{Fault: TargetFault, Reason: "target unreachable: connection refused"}
	return settled(r)
}

func hostileReport() *Report {
	f := Failure{Message: "the answer holds " + hostile, Want: hostile, Got: strings.Repeat("日本語のテキスト", 60) + hostile,
		Hint:     hostile,
		Findings: []Finding{{File: "::error::" + hostile, Line: 3, Column: 1, Message: hostile}},
		Exchanges: []Exchange{{Operation: hostile, Sent: NewPayload([]byte(hostile)),
			Received: NewPayload([]byte(strings.Repeat(hostile, 200)))}}}
	q := failing("CAP-5-01", "MUST", hostile, hostile, f)
	q.Scenarios[1].Name, q.Scenarios[1].Failure.Repeat = hostile, "capconform run '"+hostile+"'"
	i := roleRequirement("CAP-8-01", "slow")
	i.Reason, i.Scenarios[0].Reason = hostile, hostile
	e := timeoutRequirement()
	e.Scenarios[0].Reason, e.Scenarios[0].Failure = hostile, nil
	s := capSuite(q, i, e)
	s.Binding, s.Negotiated = hostile, hostile
	s.Mappings = []Mapping{{Operation: hostile, Request: hostile, Response: hostile}}
	r := baseReport(s)
	r.Subject.Name, r.Subject.Version, r.Subject.Target = hostile, hostile, "::error::"+hostile
	r.Notes = []string{"::error::" + hostile}
	r.Run.Stopped = &Stop{Fault: DeadlineFault, Reason: hostile}
	return settled(r)
}

func documentsReport() *Report {
	finding := func(id, level, message string, places ...Finding) Requirement {
		return Requirement{ID: id, Level: level, Section: "4", Summary: message, Status: Failed, Scenarios: []Scenario{
			{Name: "The document is sound", Status: Failed, Failure: &Failure{Message: message, Findings: places}},
		}}
	}
	r := baseReport(capSuite(
		finding("CAP-4-01", "MUST", "a reference is no CapabilityRef",
			Finding{File: "b.yaml", Line: 12, Column: 3, Message: "version is missing", EndLine: 12, EndColumn: 10},
			Finding{File: "a.yaml", Line: 7, Column: 5, Message: "capability_id is missing"},
			Finding{File: "a.yaml", Line: 7, Column: 5, Message: "capability_id is missing"}),
		finding("CAP-4-02", "SHOULD", "a description is empty",
			Finding{File: "a.yaml", Line: 3, Column: 1, Message: "description is empty"}),
		finding("CAP-4-03", "ADVICE", "no icon", Finding{File: "a.yaml", Message: "the manifest has no icon"}),
		finding("CAP-4-04", "MUST", "the folder holds two manifests of one id"),
		Requirement{ID: "CAP-4-05", Level: "MUST", Status: Error, Summary: "Schemas are sound",
			Reason: "the schema is nested too deep to be judged",
			Scenarios: []Scenario{{Name: "The schema", Status: Error, Fault: LimitFault,
				Reason: "the schema is nested too deep to be judged"}}},
	))
	r.Subject = Subject{Name: "acme", Driver: "documents", Target: "./manifests"}
	return settled(r)
}
