package judge

import (
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/cap/history"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

var concurrentSentences = []verdict.Sentence[invocations]{
	verdict.Say(`each of several concurrent callers gets the answer to its own input`, invocations.AnswersNotMixedUp),
}

// AnswersNotMixedUp judges CAP-INV-05 for concurrent callers: the output for a caller must not
// contain the text of another caller. It judges capabilities that return the text of their caller.
func (j invocations) AnswersNotMixedUp() verdict.Verdict {
	r := j.newVerdict()
	ofRole := j.Of(history.AtOnce)
	all := slices.Concat(ofRole, j.Of(history.Together))
	for _, a := range all {
		if !a.Succeeded() || a.About[history.AboutStep] != "" || !j.returnsText(a.Asked) {
			continue
		}
		r.Judged++
		output := jsonvalue.Print(a.Output())
		for _, other := range all {
			if other.Asked == a.Asked && other.About[history.AboutStep] == "" &&
				other.About[history.AboutNumber] != a.About[history.AboutNumber] && contains(output, other) {
				r.AddBreach([]record.Tick{a.Entry}, "the answers to concurrent invocations are mixed up",
					"the output that belongs to "+jsonvalue.Clip(string(a.Input)), a.Got)
			}
		}
	}
	if r.Judged == 0 && len(ofRole) > 0 && firstLost(ofRole) == nil {
		r.Judged++ // CAP-INV-01 judges that nothing was returned
	}
	return r.conclude(firstOf(j.Conclusion(history.AtOnce), firstLost(ofRole),
		verdict.NotObserved("concurrent invocations of a capability that returns its input; one may play the role echo")))
}

// returnsText reports whether a capability returns the text of its caller and no other: the role
// echo, and a capability that did so for two callers one after the other.
func (j invocations) returnsText(r history.Ref) bool {
	if j.plays(r, roleEcho) {
		return true
	}
	controls := slices.DeleteFunc(j.Of(history.Together), func(a *history.Attempt) bool {
		return a.Asked != r || a.About[history.AboutStep] != history.StepControl
	})
	for _, a := range controls {
		output := jsonvalue.Print(a.Output())
		for _, other := range controls {
			if !a.Succeeded() || contains(output, other) != (a == other) {
				return false
			}
		}
	}
	return len(controls) > 1
}

// contains reports whether an output contains the text of a caller.
func contains(output string, caller *history.Attempt) bool {
	return strings.Contains(output, history.CallerText(caller.About[history.AboutNumber]))
}
