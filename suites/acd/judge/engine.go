package judge

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites/acd/history"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

// engineSentences are the sentences of the judgements in this file.
var engineSentences = []verdict.Sentence[executions]{
	verdict.Say(`each capability runs in each mode that it declares`, executions.RunsAsDeclared),
	verdict.Say(`each capability with granted_by_default accepts callers without permissions`, executions.Grants),
}

// RunsAsDeclared judges whether a capability that ran in one mode runs in each mode that it declares, and whether
// each call returns the output for its own input.
func (j executions) RunsAsDeclared() verdict.Verdict {
	r := &verdict.Verdict{}
	for _, i := range j.Invocations() {
		if !i.Served() {
			return j.demanded(i.Call)
		}
	}
	j.answersWellFormed(r)
	if r.Open = j.engine(); r.Open != nil {
		return *r
	}
	for _, t := range j.Trials() {
		entry := j.entry(t.ID)
		if len(t.Ran()) == 0 || entry == nil {
			continue // a capability that never ran may fail for another reason
		}
		for _, mode := range slices.Compact(slices.Sorted(slices.Values(entry.Modes()))) {
			if i := t.Answers[mode]; i != nil {
				r.Judged++
				j.runsIn(r, i)
			}
		}
	}
	j.answeredForThemselves(r)
	return *r
}

// answersWellFormed judges the answers to permitted invocations. ACD-SDK4-01 judges the invocations of the shell, and
// the requirement for each reason judges those that must be refused.
func (j executions) answersWellFormed(r *verdict.Verdict) {
	for _, i := range j.Invocations() {
		if !i.Malformed() || i.ID == j.Shell {
			continue
		}
		entry := j.entry(i.ID)
		if entry != nil && len(j.refusalReasons(nil, entry.Members, i)) == 0 || entry == nil && j.isPermitted(i) {
			j.notAResponse(r, i.Call)
		}
	}
}

// runsIn judges a refusal in a mode that an entry declares.
func (j executions) runsIn(r *verdict.Verdict, i *history.Invocation) {
	if !i.Refused() {
		return
	}
	about := map[string]string{history.AboutID: i.ID, history.AboutMode: i.Mode}
	b := verdict.Breach{
		Message: "a capability is refused in a mode that it declares", Want: "an output, as in its other modes",
		Got: i.ID + " in the mode " + i.Mode + ": " + i.Got(), Entries: []record.Tick{i.Entry},
	}
	j.confirm(r, history.RunAgain, about, b, func(answers history.Confirmation) bool {
		var refused, ran bool
		for _, c := range answers {
			if history.Text(c.Params, "mode") == i.Mode {
				refused = c.Refused()
			} else {
				ran = c.Accepted()
			}
		}
		return refused && ran && j.declaresStill(i.ID, i.Mode)
	})
}

// declaresStill reports whether an entry declares a mode in each list of the registry.
func (j executions) declaresStill(id, mode string) bool {
	return !slices.ContainsFunc(j.Registries(), func(c *history.Call) bool {
		i := c.EntryOf(id)
		return c.Listed && (i == nil || !slices.Contains(i.Modes(), mode))
	})
}

// answeredForThemselves judges the outputs of the capability with the role echo and of its copies: each contains its
// own message. A capability other than conformance.echo counts only if its first output contained its input.
func (j executions) answeredForThemselves(r *verdict.Verdict) {
	if j.Echo == "" || j.Echo != history.EchoID && !j.echoReturnsInput() {
		return
	}
	for _, i := range j.Invocations() {
		if !j.runsEcho(i) || !i.Accepted() {
			continue
		}
		own := textOf(i.Input)
		if own == "" {
			continue
		}
		r.Judged++
		switch {
		case containsString(history.Member(i.Value, "output"), own):
		case j.mixedUp(i):
			r.AddBreach([]record.Tick{i.Entry}, "a call returns the output for the input of another call",
				own+" in the output of "+i.ID, i.Got())
		default:
			r.AddBreach([]record.Tick{i.Entry}, "a call does not return the output for its own input",
				own+" in the output of "+i.ID, i.Got())
		}
	}
}

// runsEcho reports whether an invocation is one of the capability with the role echo, or of a copy with its execution.
func (j executions) runsEcho(i *history.Invocation) bool {
	if i.ID == j.Echo {
		return true
	}
	s, entry := j.StateAt(i.ID, i.Call), j.entry(j.Echo)
	if s == nil || s.Given == nil || entry == nil || !j.isEffective(s) || s.By != history.OpCreate &&
		s.By != history.OpUpdate {
		return false
	}
	first := s
	for first.Before != nil {
		first = first.Before
	}
	return first.Change.About[history.AboutCopyOf] == j.Echo &&
		jsonvalue.Equal(s.Given["execution"], entry.Members["execution"])
}

// echoReturnsInput reports whether the first answer contained each text of its input.
func (j executions) echoReturnsInput() bool {
	t := j.TrialOf(j.Echo)
	if t == nil || t.Answers["direct"] == nil {
		return false
	}
	members, _ := t.Input.(history.Object)
	for _, value := range members {
		if text, isText := value.(string); !isText || len(text) < 2 || !containsString(t.Answers["direct"].Value, text) {
			return false
		}
	}
	return len(members) > 0
}

// mixedUp reports whether an answer contains the text of another call that was made at the same time.
func (j executions) mixedUp(i *history.Invocation) bool {
	return slices.ContainsFunc(j.Invocations(), func(other *history.Invocation) bool {
		text := textOf(other.Input)
		return other.Stimulus == history.AtOnce && i.Stimulus == history.AtOnce && text != "" &&
			text != textOf(i.Input) && containsString(i.Value, text)
	})
}

func textOf(input any) string {
	name := history.TextMember(input)
	if name == "" {
		return ""
	}
	return history.Text(input, name)
}

// containsString reports whether a string anywhere in a value contains a text, or is JSON in which a string contains
// it.
func containsString(v any, part string) bool {
	switch v := v.(type) {
	case string:
		return strings.Contains(v, part) || strings.Contains(v, escaped(part)) || containsString(jsonIn(v), part)
	case []any:
		return slices.ContainsFunc(v, func(item any) bool { return containsString(item, part) })
	case history.Object:
		for _, item := range v {
			if containsString(item, part) {
				return true
			}
		}
	}
	return false
}

// jsonIn returns the object or list whose JSON text is a string, nil if the string is not such a text. Some agents
// return their outputs as text.
func jsonIn(s string) any {
	s = strings.TrimSpace(s)
	if !strings.HasPrefix(s, "{") && !strings.HasPrefix(s, "[") {
		return nil
	}
	switch v := schemas.ReadValue([]byte(s)).(type) {
	case history.Object, []any:
		return v
	default:
		return nil
	}
}

// escaped returns a text in the form of a JSON string in which each character outside ASCII is escaped.
func escaped(text string) string {
	var b strings.Builder
	for _, unit := range utf16.Encode([]rune(text)) {
		switch {
		case unit == '"' || unit == '\\':
			b.WriteString("\\" + string(rune(unit)))
		case unit == '\n':
			b.WriteString(`\n`)
		case unit == '\t':
			b.WriteString(`\t`)
		case unit < ' ' || unit > '~':
			fmt.Fprintf(&b, "\\u%04x", unit)
		default:
			b.WriteRune(rune(unit))
		}
	}
	return b.String()
}

// Grants judges calls of copies that grant their permissions by default, and of copies that no longer grant them
// after an update.
func (j executions) Grants() verdict.Verdict {
	const message = "a caller is refused although the permissions are granted by default"
	r, ran, missing := &verdict.Verdict{}, false, error(nil)
	for _, i := range j.Invocations() {
		s := j.StateAt(i.ID, i.Call)
		if s == nil || s.Given == nil || !history.Flag(s.Given, "permissions.granted_by_default",
			false) || i.IsConfirmation() {
			continue
		}
		bare := slices.ContainsFunc(history.RequiredBy(s.Given), func(p string) bool { return !slices.Contains(i.Held, p) })
		ran = ran || i.Accepted() && !bare
		if !bare || !j.isPermitted(i) {
			continue
		}
		if err := i.Missing(); err != nil {
			missing = err
			continue
		}
		r.Judged++
		if i.Refused() && j.refusedAgain(i) {
			r.AddBreach([]record.Tick{i.Entry}, message, "an output in the mode "+i.Mode, i.Got())
		}
	}
	for _, i := range j.Invocations() {
		if j.isOnlyReason(i, Revoked) && i.Accepted() && !j.runsWithoutPermission() { // otherwise ACD-SDK2-02
			r.AddBreach([]record.Tick{i.Entry}, "permissions are still granted by default after an update", "an error", i.Got())
		}
	}
	return j.openUnlessRan(r, missing, history.Granted, ran, noneAllowed)
}

// runsWithoutPermission reports whether a copy that grants nothing runs for a caller without permissions.
func (j executions) runsWithoutPermission() bool {
	return slices.ContainsFunc(j.Invocations(), func(i *history.Invocation) bool {
		return i.Accepted() && len(i.Held) == 0 && j.isOnlyReason(i, Permission)
	})
}
