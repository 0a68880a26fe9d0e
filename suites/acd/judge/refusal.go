package judge

import (
	"cmp"
	"slices"

	"github.com/capconform/capconform/suites/acd/history"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

// refusalSentences are the sentences of the judgements in this file.
var refusalSentences = []verdict.Sentence[refusing]{
	verdict.SayOf(
		`each call (by a caller who lacks a required permission|in a mode that is not listed|`+
			`of a disabled capability|of an unknown id) is refused`,
		refusing.Refuses),
	verdict.Say(
		`each call of a capability without granted_by_default requires its permissions`,
		func(j refusing) verdict.Verdict { return j.Refuses(PermissionAbsent) }),
}

// refusal is a statement that calls are refused for a reason.
type refusal struct {
	reason, stimulus, message string
	// control reports whether a call proves that the engine runs permitted calls. lacking is the message if there is
	// none.
	control func(*history.Invocation) bool
	lacking string
}

func anyCopy(*history.Invocation) bool { return true }

func hasPermissions(i *history.Invocation) bool {
	return len(i.Held) > 0
}

// refusals are the statements, by reason.
var refusals = map[string]refusal{
	Disabled: {Disabled, history.Disabled, "a disabled capability is not refused", anyCopy,
		"no enabled copy runs"},
	OtherMode: {OtherMode, history.OtherModes, "a call in a mode that the descriptor does not list is not refused",
		anyCopy, "no copy runs in the mode that it declares"},
	Permission: {Permission, history.Permissions,
		"a caller who lacks a required permission is not refused", hasPermissions, noneAllowed},
	PermissionAbsent: {PermissionAbsent, history.PermissionAbsent,
		"a caller who lacks a required permission is not refused", hasPermissions, noneAllowed},
}

const noneAllowed = "no copy runs for a caller who has the required permissions"

// Refuses judges whether the calls that must be refused for a reason are refused.
func (j refusing) Refuses(reason string) verdict.Verdict {
	if reason == Unknown {
		return j.unknownRefused()
	}
	f := refusals[reason]
	r := &verdict.Verdict{}
	ran, missing := false, error(nil)
	for _, i := range j.Invocations() {
		if i.Accepted() && i.Stimulus == f.stimulus && history.IsCopyID(i.ID) && j.isPermitted(i) && f.control(i) {
			ran = true
		}
		if !j.isOnlyReason(i, reason) {
			continue
		}
		if err := i.Missing(); err != nil {
			missing = err
			continue
		}
		r.Judged++
		switch {
		case i.Malformed():
			j.notAResponse(r, i.Call)
		case i.Accepted() && reason == PermissionAbsent && j.onlyOpenIn(i.Mode): // ACD-SDK2-02
		case i.Accepted():
			r.AddBreach([]record.Tick{i.Entry}, f.message, "an error", i.Got())
		}
	}
	j.neverRan(r, reason, f.message)
	j.entriesRefuse(r, reason, f.message)
	return j.openUnlessRan(r, missing, f.stimulus, ran, f.lacking)
}

// onlyOpenIn reports whether the engine checks no permissions in a mode, but does so in the mode of the template.
func (j refusing) onlyOpenIn(mode string) bool {
	t := j.Template()
	return t != nil && j.openIn(mode) && !j.openIn(t.Mode)
}

// openIn reports whether a caller who lacks a permission that is not granted by default was accepted in a mode.
func (j refusing) openIn(mode string) bool {
	return slices.ContainsFunc(j.Invocations(), func(i *history.Invocation) bool {
		return i.Mode == mode && i.Accepted() && j.isOnlyReason(i, Permission)
	})
}

// attempts returns the calls that may have run a capability: calls of it, and calls of a copy that has it as a hook.
func (j refusing) attempts(id string) []attempt {
	return memoized(j.evidence, func(m *conclusions) *cache[string, []attempt] { return &m.attempts }, id,
		func() []attempt { return j.ways(id) })
}

func (j refusing) ways(id string) []attempt {
	var all []attempt
	for _, i := range j.Invocations() {
		if i.ID == id {
			reasons, known := j.reasons(i)
			all = append(all, attempt{reasons, i, known})
			continue
		}
		s := j.StateAt(i.ID, i.Call)
		if s == nil || !slices.Contains(hooksOf(s.Given), id) {
			continue
		}
		hook := j.StateAt(id, i.Call)
		if hook == nil {
			all = append(all, attempt{call: i})
			continue
		}
		if hook.Given == nil {
			all = append(all, attempt{call: i, reasons: []string{Deleted}, known: j.WasApplied(hook)})
			continue
		}
		one := attempt{call: i, known: j.isEffective(hook)}
		if !history.Enabled(hook.Given) {
			one.reasons = append(one.reasons, Disabled)
		}
		if lacks(hook.Given, i.Held) {
			one.reasons = append(one.reasons, lacking(hook, hook.Given))
		}
		all = append(all, one)
	}
	return all
}

// hooksOf returns all hooks of a descriptor.
func hooksOf(d history.Object) []string {
	hooks, _ := history.Member(d, "lifecycle.hooks").(history.Object)
	if len(hooks) == 0 {
		return nil
	}
	var all []string
	for _, kind := range []string{"pre_invoke", "post_invoke", "on_error"} {
		all = append(all, jsonvalue.Texts(hooks[kind])...)
	}
	return all
}

// neverRan judges by the log of executions: a capability of which each call had to be refused for the reason must not
// be in the log.
func (j refusing) neverRan(r *verdict.Verdict, reason, message string) {
	blamed := map[string]bool{}
	for _, log := range j.Of(history.OpExecLog) {
		if !log.Accepted() {
			continue
		}
		seen := map[string]bool{}
		for _, one := range log.Items {
			nameless := one.ID == "" && one.Members["capability_id"] != "" // the log does not name the capability
			if nameless || seen[one.ID] || blamed[one.ID] || !history.IsCopyID(one.ID) && j.listed(one.ID) {
				continue
			}
			seen[one.ID] = true
			if last := refusedBefore(log, one.ID, j.attempts(one.ID), reason); last != nil {
				blamed[one.ID] = true
				r.AddBreach([]record.Tick{last.Entry, log.Entry}, message, "an error, and nothing that ran",
					"an entry of "+one.ID+" in the log of executions")
			}
		}
	}
}

// refusedBefore returns the last of the attempts to run a capability before its log was read. It returns nil unless
// each of them had to be refused for the reason, and at least one only for this reason.
func refusedBefore(log *history.Call, id string, all []attempt, reason string) (last *history.Invocation) {
	alone := false
	for _, a := range all {
		if a.call.Entry > log.Entry {
			continue
		}
		if !a.known || !slices.Contains(a.reasons, reason) || a.call.Accepted() && a.call.ID == id {
			return nil
		}
		last, alone = a.call, alone || len(a.reasons) == 1
	}
	if !alone {
		return nil
	}
	return last
}

// entriesRefuse judges calls of entries. Other callers may change them, so a call is repeated between two readings of
// the entry.
func (j refusing) entriesRefuse(r *verdict.Verdict, reason, message string) {
	if reason != OtherMode && reason != Permission && reason != Disabled {
		return
	}
	seen := map[string]bool{}
	for _, i := range j.Invocations() {
		entry := j.entry(i.ID)
		if entry == nil || i.IsConfirmation() || i.Channel != "" || !j.isOnlyReasonInEntry(entry.Members, i, reason) {
			continue
		}
		r.Judged++
		about := map[string]string{history.AboutID: i.ID, history.AboutMode: i.Mode, history.AboutHeld: history.HeldAll}
		if reason == Permission {
			about[history.AboutHeld] = history.HeldNone
		}
		key := string(jsonvalue.Encode(about))
		if !i.Accepted() || seen[key] {
			continue
		}
		seen[key] = true
		b := verdict.Breach{Message: message, Want: "an error", Got: i.Got(), Entries: []record.Tick{i.Entry}}
		j.confirm(r, history.RefuseAgain, about, b, func(answers history.Confirmation) bool {
			return answers[1].Accepted() && showsSteadily(answers, i.ID,
				func(now history.Object) bool { return j.isOnlyReasonInEntry(now, i, reason) })
		})
	}
}

// isOnlyReasonInEntry reports whether a reason is the only one in the descriptor of an entry.
func (j refusing) isOnlyReasonInEntry(d history.Object, i *history.Invocation, reason string) bool {
	all := j.refusalReasons(nil, d, i)
	return len(all) == 1 && all[0] == reason
}

// unknownRefused judges calls of unknown ids.
func (j refusing) unknownRefused() verdict.Verdict {
	const message, want = "an unknown id is not refused", "an error, and nothing that ran"
	r, missing := &verdict.Verdict{}, error(nil)
	for _, i := range j.Invocations() {
		if !j.isOnlyReason(i, Unknown) {
			continue
		}
		if err := i.Missing(); err != nil {
			missing = err
			continue
		}
		r.Judged++
		if i.Accepted() || i.Malformed() {
			r.AddBreach([]record.Tick{i.Entry}, message, want, i.Got())
		}
	}
	j.neverRan(r, Unknown, message)
	if r.Open = cmp.Or(j.engine(), missing); r.Open == nil {
		return r.OpenUnlessJudged(j.unperformed(history.UnknownID))
	}
	return *r
}
