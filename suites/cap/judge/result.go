package judge

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites/cap/history"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

var resultSentences = []verdict.Sentence[invocations]{
	verdict.Say(`no valid input is refused as INVALID_INPUT`, invocations.ValidAccepted),
	verdict.Say(`some input that breaks a keyword is refused`, invocations.SomeInvalidRefused),
	verdict.Say(`each error has one of the codes of the text`, invocations.CodesClosed),
	verdict.Say(`each invocation is answered with an InvokeResult`, invocations.ResultsGiven),
	verdict.Say(`no input that breaks its schema is accepted`, invocations.NoneAccepted),
	verdict.Say(`each refusal of an input that breaks its schema has the code INVALID_INPUT`,
		invocations.RefusalsInvalidInput),
	verdict.Say(`each output satisfies the declared output schema`, invocations.OutputsValid),
	verdict.Say(`each answer is final`, invocations.ResultsFinal),
	verdict.Say(`no invocation is refused because it lacks a value that only a custom member announces`,
		invocations.NothingCustomWanted),
}

// afterFailure reports whether an answer came after a capability had failed. The requirement on
// that failure judges such an answer.
func afterFailure(a *history.Attempt) bool {
	return slices.Contains([]string{history.StepServes, history.StepFails, history.StepWaits}, a.About[history.AboutStep])
}

// ResultsGiven judges CAP-INV-01: each invocation is answered with an InvokeResult. CAP-INV-05
// judges a handle in place of a result, and CAP-DIS-03 judges an operation that is not provided. The
// source may answer in any way if the params have further members or the input is not an object.
func (j invocations) ResultsGiven() verdict.Verdict {
	r := j.newVerdict()
	all := j.Attempts()
	for _, a := range all {
		if afterFailure(a) || a.JudgedElsewhere() || a.More || a.OutsideContract() && !a.Succeeded() {
			continue
		}
		r.Judged++
		switch wrong := a.Defects(); {
		case a.Lost != nil || !a.Returned:
			r.addNoResult(a)
		case a.Flaw != nil:
			r.AddBreach([]record.Tick{a.Entry}, "the InvokeResult is malformed: "+a.Flaw.Error(), "one JSON object", a.Got)
		case len(wrong) > 0:
			b := verdict.Breach{
				Message: "the InvokeResult has a wrong shape: " + strings.Join(wrong, "; "),
				Want:    "ok, output, error and duration_ms as the text prints them", Got: a.Got, Entries: []record.Tick{a.Entry},
			}
			b.Worse = len(history.WorstShapes) - slices.Index(append(slices.Clone(history.WorstShapes), wrong[0]), wrong[0])
			r.Breaches = append(r.Breaches, b)
		}
	}
	if err := firstLost(all); err != nil {
		r.open = err
	}
	return r.conclude(j.noSuccess())
}

// addNoResult adds an answer that is not an InvokeResult, unless a limit explains it.
func (r *pendingVerdict) addNoResult(a *history.Attempt) {
	b := verdict.Breach{
		Message: "an invocation is answered without an InvokeResult", Want: "an InvokeResult, whatever the outcome",
		Got:     a.Got,
		Hint:    "the error of an invocation travels inside the result: ok false and error.code",
		Entries: []record.Tick{a.Entry}, Worse: 9,
	}
	if a.Settles() || a.MayBeLimit() && !r.unexplainedByLimit(b, a, (*history.Attempt).HasResult) {
		return
	}
	r.Breaches = append(r.Breaches, b)
}

// ResultsFinal judges CAP-INV-05: each answer is final.
func (j invocations) ResultsFinal() verdict.Verdict {
	r := j.newVerdict()
	for _, a := range j.Attempts() {
		switch {
		case a.Lost == nil && a.Pending():
			r.AddBreach([]record.Tick{a.Entry}, "a promise is returned instead of a result",
				"the final InvokeResult in the one reply", a.Got)
		case a.HasResult():
			r.Judged++
		}
	}
	return r.conclude(j.noSuccess())
}

// CodesClosed judges CAP-ERR-06: each error has one of the codes of the text.
func (j invocations) CodesClosed() verdict.Verdict {
	r := j.newVerdict()
	for _, a := range j.Attempts() {
		if !a.Failed() {
			continue
		}
		r.Judged++
		if code := a.BareCode(); code != nil && !slices.Contains(history.Codes(), a.Result.Code()) {
			r.AddBreach([]record.Tick{a.Entry}, "an error has a code that the text does not define",
				"one of "+strings.Join(history.Codes(), ", "), a.Got)
		}
	}
	return r.conclude(verdict.Undecided("no invocation failed, so no code was seen"))
}

// OutputsValid judges CAP-INV-04: each output satisfies the declared output schema.
func (j invocations) OutputsValid() verdict.Verdict {
	r := j.newVerdict()
	var open error
	for _, a := range j.Attempts() {
		s := j.rawManifest(a.Asked, a.Entry)
		if !a.Succeeded() || s == nil || j.mustNotSucceed(a) || a.More {
			continue
		}
		if _, isObject := a.Output().(map[string]any); !isObject && a.Output() != nil {
			continue // CAP-INV-01 judges it
		}
		declared := s.Manifest()[history.MemberOutput]
		output := j.contractOf(s).output
		if declared == nil || output == nil {
			continue
		}
		err := output.Validate(a.Output())
		var broken *schemas.Invalidity
		switch {
		case errors.As(err, &broken):
			r.addSuspected(suspectedBreach{
				attempt: a, message: "a successful output breaks the declared output schema",
				want: "an output of " + a.Asked.String() + " that satisfies " + jsonvalue.Print(declared) + "; " + broken.Summary(),
			})
		case err != nil:
			open = err
		default:
			r.Judged++
		}
	}
	if open != nil {
		r.open = undecided(open)
	}
	declares := func(s *history.RawManifest) bool { return s.Manifest()[history.MemberOutput] != nil }
	if !slices.ContainsFunc(j.First().Capabilities, declares) {
		return r.conclude(firstOf(j.listed(), verdict.Inapplicable("no capability declares an output schema")))
	}
	if err := j.NotReady(); err != nil {
		return r.conclude(err)
	}
	return r.conclude(firstOf(firstLost(j.Of(history.Valid)),
		verdict.Undecided("no invocation of a capability that declares an output schema succeeded")))
}

// The keywords by the severity of accepting an input that breaks them, the most severe last.
var severity = []string{"unevaluatedProperties", "additionalProperties", "propertyNames", "", "const", "enum",
	"required", "type"}

func severityOf(keyword string) int {
	if i := slices.Index(severity, keyword); i >= 0 {
		return i
	}
	return slices.Index(severity, "")
}

// invalidInput returns an input that breaks its schema, and how it breaks it, for a message.
func invalidInput(a *history.Attempt) string {
	return jsonvalue.Clip(string(a.Input)) + " (invalid: " + a.About[history.AboutWhy] + ")"
}

// NoneAccepted judges CAP-INV-02: no input that breaks its schema is accepted.
func (j invocations) NoneAccepted() verdict.Verdict {
	r := j.newVerdict()
	for _, a := range j.invalidAttempts() {
		switch {
		case a.Succeeded():
			r.addSuspected(suspectedBreach{
				attempt: a, with: j.controlOf(a), message: "an input that breaks " + a.BrokenKeyword() + " is accepted",
				worse: severityOf(a.BrokenKeyword()),
				want:  "a refusal of " + invalidInput(a) + " for " + a.Asked.String(),
			})
		case a.Unsuccessful() && j.distinguishes(a):
			r.Judged++
		}
	}
	return r.conclude(j.noRefusal())
}

// distinguishes reports whether a refusal of an invalid input has a positive control: the capability
// accepted a valid input, or refuses valid inputs with another code. The code of a plain MCP server
// comes from the adapter and proves nothing.
func (j invocations) distinguishes(a *history.Attempt) bool {
	return slices.ContainsFunc(j.Attempts(), func(b *history.Attempt) bool {
		return b.Asked == a.Asked && b.Valid() && b.Lost == nil &&
			(b.Succeeded() || !j.Adapted && b.Failed() && b.Result.Code() != a.Result.Code())
	})
}

// RefusalsInvalidInput judges CAP-INV-03: each refusal of an input that breaks its schema has the
// code INVALID_INPUT.
func (j invocations) RefusalsInvalidInput() verdict.Verdict {
	r := j.newVerdict()
	var unreadable error
	for _, a := range j.invalidAttempts() {
		if a.Succeeded() || a.JudgedElsewhere() || a.OutsideContract() {
			continue
		}
		if a.FailedWith(history.InvalidInput) {
			r.Judged++
			continue
		}
		if a.Misshapen(history.InvalidInput) {
			unreadable = misshapen()
			continue
		}
		if j.Adapted && a.Stimulus == history.FailingInvalid && j.failsForValidToo(a) {
			continue // a state of the plain MCP server may explain both
		}
		worse := 0
		if cmp.Or(a.Result.Code(), "") == "" {
			worse = 1
		}
		r.addSuspected(suspectedBreach{
			attempt: a, with: j.controlOf(a), message: "an input that fails validation is not refused as INVALID_INPUT",
			worse:     worse,
			permitted: func(again *history.Attempt) bool { return again.FailedWith(history.InvalidInput) },
			want:      "ok false and error.code INVALID_INPUT for " + invalidInput(a),
		})
	}
	return r.conclude(firstOf(unreadable, j.noRefusal()))
}

// misshapen returns the reason that an answer shows no code.
func misshapen() error {
	return verdict.Undecided("an invocation is answered with an InvokeResult of a wrong shape: see CAP-INV-01")
}

// failsForValidToo reports whether a valid input of the capability got the same answer.
func (j invocations) failsForValidToo(a *history.Attempt) bool {
	return slices.ContainsFunc(j.Attempts(), func(b *history.Attempt) bool {
		return b.Asked == a.Asked && b.Valid() && b.Failed() && b.Result.Code() == a.Result.Code() &&
			b.Message() == a.Message()
	})
}

// SomeInvalidRefused judges whether the source validates: the control of requirements on valid inputs.
func (j invocations) SomeInvalidRefused() verdict.Verdict {
	r := j.newVerdict()
	for _, a := range j.Of(history.Invalid) {
		if a.BrokenKeyword() != "" && a.Unsuccessful() {
			r.Judged++
		}
	}
	return r.conclude(verdict.Undecided("no invalid input was refused, so the source shows no validation: see CAP-INV-02"))
}

// ValidAccepted judges CAP-ERR-02: no valid input is refused as INVALID_INPUT. CAP-MAN-06 judges a
// refusal that a custom member causes.
func (j invocations) ValidAccepted() verdict.Verdict {
	r := j.newVerdict()
	for _, a := range j.Attempts() {
		if !a.Valid() || j.rawManifest(a.Asked, a.Entry) == nil || j.mustNotSucceed(a) || a.Stimulus == history.Replaced ||
			a.Settles() || attaching(&a.Call) {
			continue // other requirements judge a refusal of these
		}
		r.Judged++
		if !a.FailedWith(history.InvalidInput) || a.RefusedWithDoubt() || j.attaches(a) {
			continue
		}
		x := suspectedBreach{
			attempt: a, message: "a valid input is refused as INVALID_INPUT",
			want: "no INVALID_INPUT for " + jsonvalue.Clip(string(a.Input)) +
				", which satisfies the input schema of " + a.Asked.String(),
		}
		if edge := a.About[history.AboutEdge]; edge != "" {
			x.want += ": " + edge
			x.with = j.controlOf(a)
		}
		if len(j.rawManifest(a.Asked, a.Entry).Manifest().Custom()) > 0 {
			switch wants, tested := j.wantsCustom(a); {
			case !tested:
				r.addDoubt(verdict.Breach{Message: x.message, Want: x.want, Got: a.Got, Entries: []record.Tick{a.Entry}},
					history.WithCustom)
				continue
			case wants:
				continue
			}
		}
		r.addSuspected(x)
	}
	return r.conclude(j.noSuccess())
}

// attaches reports whether an attempt invokes an instrument.
func (j invocations) attaches(a *history.Attempt) bool {
	return j.plays(a.Asked, roleAttach, roleReplace, roleCounter)
}

// wantsCustom reports whether a custom member of the manifest causes a refusal. This is so if the
// refusal disappears when the members are sent, and reappears without them.
func (j invocations) wantsCustom(a *history.Attempt) (wants, tested bool) {
	with, without := 0, 0
	all := j.customTrials(a)
	for _, t := range all {
		switch {
		case t.About[history.AboutStep] == history.StepWith && t.Succeeded():
			with++
		case t.About[history.AboutStep] == history.StepWithout && t.Succeeded():
			without++
		}
	}
	return with > 1 && without == 0, len(all) > 0
}

// customTrials returns the attempts with custom members for the capability of an attempt.
func (j invocations) customTrials(a *history.Attempt) []*history.Attempt {
	return slices.DeleteFunc(j.Of(history.WithCustom), func(t *history.Attempt) bool { return t.Asked != a.Asked })
}

// NothingCustomWanted judges CAP-MAN-06: no invocation is refused because it lacks a value that only
// a custom member announces.
func (j invocations) NothingCustomWanted() verdict.Verdict {
	r := j.newVerdict()
	for _, a := range j.Of(history.Valid) {
		if j.mustNotSucceed(a) || a.Unanswered() {
			continue
		}
		r.Judged++
		s := j.rawManifest(a.Asked, a.Entry)
		if !a.Unsuccessful() || s == nil {
			continue
		}
		custom := s.Manifest().Custom()
		if len(custom) == 0 {
			continue
		}
		x := suspectedBreach{
			attempt: a, with: []record.Tick{j.before(a.Entry).Entry},
			message: "an invocation that uses only the members of the text is refused",
			want:    fmt.Sprintf("an invocation of %s without what %s announces", a.Asked, strings.Join(custom, ", ")),
		}
		switch wants, tested := j.wantsCustom(a); {
		case !tested:
			r.addDoubt(verdict.Breach{Message: x.message, Want: x.want, Got: a.Got, Entries: []record.Tick{a.Entry}},
				history.WithCustom)
		case wants:
			r.addSuspected(x)
		}
	}
	return r.conclude(j.noSuccess())
}
