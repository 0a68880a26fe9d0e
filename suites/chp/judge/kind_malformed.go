package judge

import (
	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/rule"
	"github.com/capconform/capconform/suites/verdict"
)

// malformed is a message that is not an envelope, and its answer.
type malformed struct {
	*history.MalformedEnvelope
	in *evidence
}

func malformedEnvelopes() *rule.Kind {
	k := rule.NewKind("malformed_envelope", (*evidence).malformed,
		func(m malformed) []record.Tick { return []record.Tick{m.Entry} },
		rule.Text("form", func(m malformed) string { return m.About[history.AboutForm] }),
		rule.Flag("may_name_a_capability", malformed.mayNameCapability),
		rule.Value("outcome", func(m malformed) any { return m.Result["outcome"] }).InAnswer(),
		rule.Number("status", func(m malformed) int { return m.Status }).InAnswer(),
		rule.Text("answer", func(m malformed) string { return m.Got() }),
	)
	return rule.Losing(k, malformed.lost)
}

func (j *evidence) malformed() []malformed {
	var all []malformed
	for _, m := range j.MalformedEnvelopes() {
		all = append(all, malformed{m, j})
	}
	return all
}

// mayNameCapability reports whether the host may process the message as an invocation of an unknown capability, whose
// id is empty.
func (m malformed) mayNameCapability() bool {
	return m.About[history.AboutForm] == history.EmptyCapability
}

// lost returns the gap of a message without an answer. A host that closes the connection shows neither that it
// refuses the message nor that it executes it.
func (m malformed) lost() *rule.Gap {
	switch {
	case m.Lost == nil:
		return nil
	case m.in.ClosedInsteadOfAnswer(&m.Call):
		return &rule.Gap{Blocks: true, Reason: &verdict.Inconclusive{
			Reason: "the host closes the connection instead of answering a message that is not an envelope: " +
				m.About[history.AboutForm],
			Supply: "answer it, for example by an error of the transport",
		}}
	}
	return m.in.lostGap(&m.Call)
}
