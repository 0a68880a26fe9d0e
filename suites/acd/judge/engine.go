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
	verdict.Say(`each call runs once, on its substrate`, executions.RunsWhereItShould),
	verdict.Say(`each capability with granted_by_default accepts callers without permissions`, executions.Grants),
}

// RunsAsDeclared judges whether what ran in one mode runs in each that it declares, and
// whether each call gets what its own input makes.
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
			continue // what never ran may just fail
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

// answersWellFormed judges the answers to invocations that nothing bars. Those of the shell are ACD-SDK4-01, and those
// to calls that must be refused belong to the reason.
func (j executions) answersWellFormed(r *verdict.Verdict) {
	for _, i := range j.Invocations() {
		if !i.Malformed() || i.ID == j.Shell {
			continue
		}
		entry := j.entry(i.ID)
		if entry != nil && len(j.refusalReasons(nil, entry.Members, i)) == 0 || entry == nil && j.free(i) {
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
		Got: i.ID + " in the mode " + i.Mode + ": " + i.Got, Entries: []record.Tick{i.Entry},
	}
	j.confirm(r, history.RunAgain, about, b, func(look history.Confirmation) bool {
		var refused, ran bool
		for _, c := range look {
			if history.Text(c.Params, "mode") == i.Mode {
				refused = c.Refused()
			} else {
				ran = c.Accepted()
			}
		}
		return refused && ran && j.declaresStill(i.ID, i.Mode)
	})
}

// declaresStill reports whether an entry declares a mode each time that it is shown.
func (j executions) declaresStill(id, mode string) bool {
	return !slices.ContainsFunc(j.Registries(), func(c *history.Call) bool {
		i := c.EntryOf(id)
		return c.Listed && (i == nil || !slices.Contains(i.Modes(), mode))
	})
}

// answeredForThemselves judges the outputs of the capability with the role echo, and of its copies: each gives
// back its own message. Another capability than that of the adapter page has to be seen to
// echo before that.
func (j executions) answeredForThemselves(r *verdict.Verdict) {
	if j.Echo == "" || j.Echo != history.EchoID && !j.echoes() {
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
		case says(history.Member(i.Value, "output"), own):
		case j.mixedUp(i):
			r.Broken([]record.Tick{i.Entry}, "a call returns the output for the input of another call",
				own+" in the output of "+i.ID, i.Got)
		default:
			r.Broken([]record.Tick{i.Entry}, "a call does not return the output for its own input",
				own+" in the output of "+i.ID, i.Got)
		}
	}
}

// runsEcho reports whether an invocation is one of the capability with the role echo, or of a copy with its execution.
func (j executions) runsEcho(i *history.Invocation) bool {
	if i.ID == j.Echo {
		return true
	}
	s, entry := j.StateAt(i.ID, i.Call), j.entry(j.Echo)
	if s == nil || s.Given == nil || entry == nil || !j.stands(s) || s.By != history.OpCreate && s.By != history.OpUpdate {
		return false
	}
	first := s
	for first.Before != nil {
		first = first.Before
	}
	return first.Change.About[history.AboutCopyOf] == j.Echo &&
		jsonvalue.Equal(s.Given["execution"], entry.Members["execution"])
}

// echoes reports whether the first answer held each text of its input.
func (j executions) echoes() bool {
	t := j.TrialOf(j.Echo)
	if t == nil || t.Answers["direct"] == nil {
		return false
	}
	members, _ := t.Input.(history.Object)
	for _, value := range members {
		if text, isText := value.(string); !isText || len(text) < 2 || !says(t.Answers["direct"].Value, text) {
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
			text != textOf(i.Input) && says(i.Value, text)
	})
}

func textOf(input any) string {
	name := history.TextMember(input)
	if name == "" {
		return ""
	}
	return history.Text(input, name)
}

// says reports whether a string anywhere in a value contains a text, or is JSON in which a string contains it.
func says(v any, part string) bool {
	switch v := v.(type) {
	case string:
		return strings.Contains(v, part) || strings.Contains(v, escaped(part)) || says(jsonIn(v), part)
	case []any:
		return slices.ContainsFunc(v, func(item any) bool { return says(item, part) })
	case history.Object:
		for _, item := range v {
			if says(item, part) {
				return true
			}
		}
	}
	return false
}

// jsonIn returns the object or list of which a string is the JSON text, nil if it is not such a text. Some agents return
// their outputs as text.
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

// escaped returns a text as it stands in a JSON string in which each character outside ASCII is escaped.
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

// Grants judges calls of copies that grant their permissions by default, and of those that
// an update lets grant them no longer.
func (j executions) Grants() verdict.Verdict {
	const message = "a caller is refused although the permissions are granted by default"
	r, ran := &verdict.Verdict{}, false
	for _, i := range j.Invocations() {
		s := j.StateAt(i.ID, i.Call)
		if s == nil || s.Given == nil || !history.Flag(s.Given, "permissions.granted_by_default", false) || i.IsConfirmation() {
			continue
		}
		bare := slices.ContainsFunc(history.RequiredBy(s.Given), func(p string) bool { return !slices.Contains(i.Held, p) })
		ran = ran || i.Accepted() && !bare
		if !bare || !j.free(i) {
			continue
		}
		r.Judged++
		if i.Refused() && j.refusedAgain(i) {
			r.Broken([]record.Tick{i.Entry}, message, "an output in the mode "+i.Mode, i.Got)
		}
	}
	for _, i := range j.Invocations() {
		if j.sole(i, Revoked) && i.Accepted() && !j.letsAllPass() { // else ACD-SDK2-02
			r.Broken([]record.Tick{i.Entry}, "permissions are still granted by default after an update", "an error", i.Got)
		}
	}
	switch {
	case j.engine() != nil:
		r.Open = j.engine()
	case r.Judged == 0:
		r.Open = j.unperformed(history.Granted)
	case !ran:
		r.Open = verdict.Undecided("%s", noneAllowed)
	}
	return *r
}

// letsAllPass reports whether a copy that grants nothing runs for a caller without any
// permission.
func (j executions) letsAllPass() bool {
	return slices.ContainsFunc(j.Invocations(), func(i *history.Invocation) bool {
		return i.Accepted() && len(i.Held) == 0 && j.sole(i, Permission)
	})
}

// RunsWhereItShould judges what the log of executions shows of each call: one entry, with the
// substrate of the descriptor.
func (j executions) RunsWhereItShould() verdict.Verdict {
	r := &verdict.Verdict{}
	seen := map[string]bool{}
	for _, t := range j.Trials() {
		if len(t.Ran()) > 0 && j.entry(t.ID) != nil {
			j.entryRuns(r, t, seen)
		}
	}
	j.copiesRun(r)
	moved := false
	for _, s := range j.States() {
		if s.Given != nil && j.stands(s) {
			moved = j.copyRuns(r, s) || moved
		}
	}
	switch {
	case j.engine() != nil:
		r.Open = j.engine()
	case len(r.Breaches) == 0 && len(r.Doubts) == 0 && len(seen) < 2 && !moved:
		r.Open = verdict.Undecided("only capabilities of one substrate could be invoked, so routing cannot be observed")
	}
	return *r
}

const elsewhere = "a call runs on another substrate than the descriptor names"

// entryRuns judges what logs show of an entry. Others may move it, and run it, so that it is
// invoked again between two readings.
func (j executions) entryRuns(r *verdict.Verdict, t *history.Trial, seen map[string]bool) {
	substrate := history.Substrate(j.entry(t.ID).Members)
	for _, log := range j.Of(history.OpExecLog) {
		if !log.Accepted() || log.IsConfirmation() {
			continue
		}
		for _, one := range log.Items {
			if one.ID != t.ID {
				continue
			}
			r.Judged++
			seen[substrate] = true
			if one.Members["substrate"] == substrate {
				continue
			}
			b := verdict.Breach{
				Message: elsewhere, Want: substrate + " for " + t.ID, Got: jsonvalue.Print(one.Members),
				Entries: []record.Tick{log.Entry},
			}
			j.confirm(r, history.WhereAgain, map[string]string{history.AboutID: t.ID}, b, func(look history.Confirmation) bool {
				return ranElsewhere(look, t.ID)
			})
			return
		}
	}
}

// ranElsewhere reports whether the last runs of a look lie on another substrate than the
// readings before and after them name.
func ranElsewhere(look history.Confirmation, id string) bool {
	calls, log := look[1:len(look)-2], look[len(look)-2]
	if !calls[len(calls)-1].Accepted() {
		return false
	}
	before, after := look[0].EntryOf(id), look[len(look)-1].EntryOf(id)
	if before == nil || after == nil {
		return false
	}
	left := len(calls)
	for _, one := range slices.Backward(log.Items) {
		if one.ID == id && left > 0 {
			left--
			at := one.Members["substrate"]
			if at != history.Substrate(before.Members) && at != history.Substrate(after.Members) {
				return true
			}
		}
	}
	return false
}

// copyRuns judges what the last log during a state shows of it. It tells whether a copy ran
// on another substrate than the template.
func (j executions) copyRuns(r *verdict.Verdict, s *history.State) (moved bool) {
	base, log := j.logsAround(s)
	var calls []*history.Invocation
	for _, i := range j.Invocations() {
		switch {
		case i.ID != s.ID || log == nil || i.Entry > log.Entry:
		case j.During(s, i.Call):
			calls = append(calls, i)
		case base == nil || i.Entry > base.Entry:
			return false // it is not known what ran before
		}
	}
	if log == nil || len(calls) == 0 || !calls[len(calls)-1].Accepted() || j.isHook(s.ID) {
		return false
	}
	before := 0
	if base != nil {
		before = base.Runs(s.ID)
	}
	var now []*history.Item
	for _, one := range log.Items {
		if one.ID == s.ID {
			now = append(now, one)
		}
	}
	now = now[min(before, len(now)):]
	substrate := history.Substrate(s.Given)
	for _, one := range now {
		r.Judged++
		if one.Members["substrate"] != substrate {
			r.Broken([]record.Tick{calls[0].Entry, log.Entry}, elsewhere, substrate+" for a copy", one.Members)
			return true
		}
	}
	if len(now) > len(calls) {
		r.Broken([]record.Tick{calls[0].Entry, log.Entry}, "a call runs more than once",
			fmt.Sprint(len(calls), " entries of a copy in the log of executions"), fmt.Sprint(len(now)))
	}
	t := j.Template()
	if t == nil || j.entry(t.ID) == nil {
		return false
	}
	return len(now) > 0 && substrate != history.Substrate(j.entry(t.ID).Members)
}

// copiesRun judges all entries of the log of executions that name a copy with one substrate from its creation on, such
// as hooks and what fails.
func (j executions) copiesRun(r *verdict.Verdict) {
	constant := map[string]string{}
	for _, c := range j.Copies() {
		if s := j.constantSubstrate(c); s != "" {
			constant[c.ID] = s
		}
	}
	blamed := map[string]bool{}
	for _, log := range j.Of(history.OpExecLog) {
		if !log.Accepted() {
			continue
		}
		for _, one := range log.Items {
			want := constant[one.ID]
			if want == "" || one.Members["substrate"] == want || blamed[one.ID] {
				continue
			}
			blamed[one.ID] = true
			r.Broken([]record.Tick{log.Entry}, elsewhere, want+" for a copy", one.Members)
		}
	}
}

// constantSubstrate returns the substrate of a copy, "" if it changed or is not known.
func (j executions) constantSubstrate(c *history.Copy) string {
	substrate := ""
	for _, s := range c.States {
		if s.Given == nil {
			continue
		}
		now := history.Substrate(s.Given)
		if !s.Sure || !j.stands(s) || substrate != "" && substrate != now {
			return ""
		}
		substrate = now
	}
	return substrate
}

// isHook reports whether any copy has an id as a hook.
func (j executions) isHook(id string) bool {
	return slices.ContainsFunc(j.States(), func(s *history.State) bool { return slices.Contains(hooksOf(s.Given), id) })
}
