package judge

import (
	"slices"

	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/rule"
	"github.com/capconform/capconform/suites/verdict"
)

// correlationMembers are the correlation of an attempt (CHP 7): what was sent and what came back.
func correlationMembers() []*rule.Member {
	return []*rule.Member{
		rule.Text("supplied_id", func(a attempt) string { return a.Supplied }), // "" for none
		rule.Flag("omits_id", func(a attempt) bool { return a.Stimulus == history.NoCorrelation && a.Form() != "" }),
		rule.Text("form", func(a attempt) string { return a.Form() }),
		rule.Flag("has_uncommon_id", func(a attempt) bool { return a.HasUncommonID() }),
		rule.Flag("reuses_id", func(a attempt) bool { return a.in.usedBefore(a.Attempt) }),
		rule.Value("sent_context", func(a attempt) any { return objectOrEmpty(a.Correlation) }),
		rule.Value("context", func(a attempt) any { return a.Result["correlation"] }).InAnswer(),
		rule.Value("returned_id", attempt.returnedID).InAnswer(), // "" for none
		rule.Value("generated_id", func(a attempt) any {
			if a.Supplied != "" {
				return ""
			}
			return a.ResultCorrelation()
		}).InAnswer(),
		rule.Value("form_succeeds", func(a attempt) any { return succeededWithForm(a.in.Attempts(), a.Attempt) }).InAnswer(),
		rule.Value("succeeds_when_repeated", attempt.succeedsWhenRepeated).InAnswer(),
		rule.Flag("usually_keeps_id", func(a attempt) bool { return a.in.keptUsually(a.Attempt) }),
		rule.Flag("usually_leaves_evidence", func(a attempt) bool { return a.in.usuallyShown(a.Attempt) }),
	}
}

func objectOrEmpty(v any) history.Object {
	if o, is := v.(history.Object); is {
		return o
	}
	return history.Object{}
}

func (a attempt) returnedID() any {
	context, _ := a.Result["correlation"].(history.Object)
	if id := context["correlation_id"]; id != nil {
		return id
	}
	return ""
}

// succeedsWhenRepeated reports whether the invocation succeeds when it is repeated: a capability that works before and
// after it may have been unavailable for that call.
func (a attempt) succeedsWhenRepeated() any {
	if a.DeniedOrSkipped() && a.ResultCorrelation() != "" { // the id was made, so it is not missed
		return &rule.Gap{Reason: ruledOut("an invocation without a correlation id is not executed", a.Attempt)}
	}
	asked := false
	for _, again := range a.in.Of(history.Again) {
		if again.Confirms(a.Entry) {
			asked = true
			if again.Outcome() == history.Success {
				return true
			}
		}
	}
	if asked {
		return false
	}
	return &rule.Gap{Reason: undecided("the invocation was not repeated"),
		Settle: verdict.Settle{Stimulus: history.Again, Of: a.Entry}}
}

// succeededWithForm reports whether an invocation with the same form of correlation succeeded. A denial of
// another one then has another reason.
func succeededWithForm(all []*history.Attempt, a *history.Attempt) bool {
	return slices.ContainsFunc(all, func(b *history.Attempt) bool {
		return b.Stimulus == a.Stimulus && b.Form() == a.Form() && b.Outcome() == history.Success
	})
}

func sameKindAndOutcome(a, b *history.Attempt) bool {
	same := b.Capability == a.Capability ||
		a.About[history.AboutEnding] == history.Unknown && b.Stimulus == history.Unknown
	return same && b.Outcome() == a.Outcome()
}
