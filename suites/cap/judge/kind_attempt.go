package judge

import (
	"errors"
	"slices"
	"strings"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites/cap/history"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/rule"
)

// attempt is an invocation and its answer. Its fields and methods are its members in rules.
type attempt struct {
	*history.Attempt
	in *evidence
}

// Entries returns the invocation and, if its input was chosen, the valid input that the same capability accepted.
func (a attempt) Entries() []record.Tick {
	if a.BrokenKeyword() == "" && a.About[history.AboutEdge] == "" {
		return []record.Tick{a.Entry}
	}
	return append([]record.Tick{a.Entry}, a.in.controlOf(a.Attempt)...)
}

// Step is the part of the stimulus.
func (a attempt) Step() string { return a.About[history.AboutStep] }

// InvalidInput returns the input and how it breaks its schema, for messages.
func (a attempt) InvalidInput() string {
	return jsonvalue.Clip(string(a.Input)) + " (invalid: " + a.About[history.AboutWhy] + ")"
}

// Edge is the limit of the schema at which a valid input is, for messages.
func (a attempt) Edge() string {
	if edge := a.About[history.AboutEdge]; edge != "" {
		return ": " + edge
	}
	return ""
}

// IsInvalid reports whether the input breaks a keyword on purpose.
func (a attempt) IsInvalid() bool { return a.in.invalid(a.Attempt) }

// IsValid reports whether a source must accept the input, as far as the harness knows. Other requirements judge
// a refusal of inputs for a replaced or an attached capability.
func (a attempt) IsValid() bool {
	return a.Valid() && a.IsListed() && !a.MustFail() && a.Stimulus != history.Replaced && !a.Settles() &&
		!attaching(&a.Call) && !a.in.plays(a.Asked, roleAttach, roleReplace, roleCounter)
}

// FollowsFailure reports whether the answer came after a capability had failed. The requirement on that failure
// judges it.
func (a attempt) FollowsFailure() bool {
	return slices.Contains([]string{history.StepServes, history.StepFails, history.StepWaits}, a.Step())
}

// The keywords by the severity of accepting an input that breaks them, the most severe last.
var severity = []string{"unevaluatedProperties", "additionalProperties", "propertyNames", "", "const", "enum",
	"required", "type"}

// Severity is that of accepting the invalid input.
func (a attempt) Severity() int {
	keyword := a.BrokenKeyword()
	if !slices.Contains(severity, keyword) {
		keyword = ""
	}
	return slices.Index(severity, keyword)
}

// UnlistedForm returns how the reference differs from the listed ones.
func (a attempt) UnlistedForm() string { form, _ := unlistedForm(&a.Call); return form }

// NamesUnlistedPair reports whether the harness knows that no capability has the reference.
func (a attempt) NamesUnlistedPair() any {
	switch {
	case a.Stimulus != history.UnlistedInvoked && a.Stimulus != history.Hidden:
		return false
	case firstLost([]*history.Attempt{a.Attempt}) != nil && !a.Throttled:
		return blocked(a.Lost)
	}
	return a.UnlistedForm() != "" && !a.JudgedElsewhere() && a.in.unlistedAround(a.Asked, &a.Call)
}

// IsReturned reports whether the answer is a result of any form, unless a limit explains that it is not.
func (a attempt) IsReturned() any {
	switch {
	case a.Lost == nil && a.Returned || a.Settles():
		return true
	case a.MayBeLimit():
		return not(a.in.unexplainedByLimit(a.Attempt, (*history.Attempt).HasResult))
	}
	return false
}

// Failure returns the code of a failure.
func (a attempt) Failure() string {
	if a.Failed() {
		return a.Result.Code()
	}
	return ""
}

// ShapeFlaws are those of a result: an answer that is none has no shape.
func (a attempt) ShapeFlaws() []string {
	if a.Lost != nil || !a.Returned {
		return nil
	}
	return a.Defects()
}

// ShapeSeverity is that of the first of the flaws.
func (a attempt) ShapeSeverity() int {
	wrong := append(a.ShapeFlaws(), "")
	return len(history.WorstShapes) - slices.Index(append(slices.Clone(history.WorstShapes), wrong[0]), wrong[0])
}

// Hint states that a plain MCP server, and not the adapter, is examined.
func (a attempt) Hint() string {
	if !a.in.Adapted {
		return ""
	}
	return "the adapter passes every input on to the server, valid or not, so the server gave this answer"
}

// manifest returns what was listed under the reference before, nil if nothing was.
func (a attempt) manifest() *history.RawManifest { return a.in.rawManifest(a.Asked, a.Entry) }

// IsListed reports whether the reference is in the list before the invocation.
func (a attempt) IsListed() bool { return a.manifest() != nil }

// IsListedAfterwards reports whether the reference is in the list after the invocation.
func (a attempt) IsListedAfterwards() bool {
	after := a.in.after(a.Done)
	return after != nil && after.Find(a.Asked) != nil
}

// IsSkill reports whether the reference is that of a skill.
func (a attempt) IsSkill() bool { return a.IsListed() && a.manifest().Kind == history.KindSkill }

// IsDescribed reports whether describe knows the reference.
func (a attempt) IsDescribed() bool {
	return slices.ContainsFunc(a.in.Lookups(), func(l *history.Lookup) bool { return l.Asked == a.Asked && l.Own() })
}

// MustFail reports whether a valid input must not succeed.
func (a attempt) MustFail() bool { return a.in.mustNotSucceed(a.Attempt) }

// others reports whether a valid input for the same capability got an answer of a kind.
func (a attempt) others(which func(*history.Attempt) bool) bool {
	return slices.ContainsFunc(a.in.Attempts(), func(b *history.Attempt) bool {
		return b.Asked == a.Asked && b.Valid() && b.Lost == nil && which(b)
	})
}

// HasControl reports whether a refusal of an invalid input has a positive control: the capability
// accepted a valid input, or refuses valid inputs with another code. The code of a plain MCP server
// comes from the adapter and proves nothing.
func (a attempt) HasControl() bool {
	return a.others(func(b *history.Attempt) bool {
		return b.Succeeded() || !a.in.Adapted && b.Failed() && b.Result.Code() != a.Result.Code()
	})
}

// FailsForValidToo reports whether a valid input of the capability got the same answer: a state of a plain MCP server
// may explain both.
func (a attempt) FailsForValidToo() bool {
	return a.in.Adapted && a.Stimulus == history.FailingInvalid && a.others(func(b *history.Attempt) bool {
		return b.Failed() && b.Result.Code() == a.Result.Code() && b.Message() == a.Message()
	})
}

// AnyVersionServes reports whether another version of the id accepts the same input, which is none of the listed ones.
func (a attempt) AnyVersionServes() bool {
	return slices.ContainsFunc(a.in.Of(history.Replaced), func(f *history.Attempt) bool {
		return f.About[history.AboutStep] == history.StepForeign && f.Asked.ID == a.Asked.ID && f.Succeeded() &&
			jsonvalue.Equal(history.Value(f.Input), history.Value(a.Input))
	})
}

// OutputSchema returns the schema that the output of a success must satisfy, null if there is none.
func (a attempt) OutputSchema() any {
	s := a.manifest()
	if !a.Succeeded() || s == nil || a.MustFail() || a.More || a.in.contractOf(s).output == nil {
		return nil
	}
	return s.Manifest()[history.MemberOutput]
}

// OutputFlaw returns where the output breaks its schema, "" if it does not. An output that is neither an object nor
// null has a wrong shape.
func (a attempt) OutputFlaw() any {
	if _, isObject := a.Output().(map[string]any); !isObject && a.Output() != nil {
		return &rule.Gap{Reason: misshapen()}
	}
	err := a.in.contractOf(a.manifest()).output.Validate(a.Output())
	if broken, is := errors.AsType[*schemas.Invalidity](err); is {
		return broken.Summary()
	}
	if err != nil {
		return blocked(undecided(err))
	}
	return ""
}

// CustomMembers are the names of those of the manifest.
func (a attempt) CustomMembers() []string {
	if !a.IsListed() {
		return nil
	}
	return a.manifest().Manifest().Custom()
}

// NeedsCustomMember reports whether a custom member of the manifest causes a refusal. This is so if the
// refusal disappears when the members are sent, and reappears without them.
func (a attempt) NeedsCustomMember() any {
	if len(a.CustomMembers()) == 0 {
		return false
	}
	trials := slices.DeleteFunc(a.in.Of(history.WithCustom), func(t *history.Attempt) bool { return t.Asked != a.Asked })
	if len(trials) == 0 {
		return settledBy(history.WithCustom, a.Entry)
	}
	successes := map[string]int{} // by step
	for _, t := range trials {
		if t.Succeeded() {
			successes[t.About[history.AboutStep]]++
		}
	}
	return successes[history.StepWith] > 1 && successes[history.StepWithout] == 0
}

// IsConcurrent reports whether the attempt is one of several at the same time whose answers can be told apart.
func (a attempt) IsConcurrent() bool {
	return a.Stimulus == history.AtOnce || a.Stimulus == history.Together && a.returnsText()
}

// returnsText reports whether a concurrent caller got an output of a capability that returns the text of its caller and
// no other: the role echo, and a capability that did so for two callers one after the other.
func (a attempt) returnsText() bool {
	if !a.Succeeded() || a.Step() != "" {
		return false
	}
	controls := slices.DeleteFunc(a.in.Of(history.Together), func(c *history.Attempt) bool {
		return c.Asked != a.Asked || c.About[history.AboutStep] != history.StepControl
	})
	for _, c := range controls {
		for _, other := range controls {
			if !c.Succeeded() || contains(c, other) != (c == other) {
				controls = nil
			}
		}
	}
	return a.in.plays(a.Asked, roleEcho) || len(controls) > 1
}

// IsMixedUp reports whether the output for a caller contains the text of another caller at the same time.
func (a attempt) IsMixedUp() bool {
	others := a.in.Of(history.AtOnce, history.Together)
	return a.returnsText() && slices.ContainsFunc(others, func(b *history.Attempt) bool {
		return b.Asked == a.Asked && b.About[history.AboutStep] == "" &&
			b.About[history.AboutNumber] != a.About[history.AboutNumber] && contains(a.Attempt, b)
	})
}

// contains reports whether an output contains the text of a caller.
func contains(a, caller *history.Attempt) bool {
	return strings.Contains(jsonvalue.Print(a.Output()), history.CallerText(caller.About[history.AboutNumber]))
}
