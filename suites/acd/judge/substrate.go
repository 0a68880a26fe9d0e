package judge

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/capconform/capconform/suites/acd/history"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

// substrateSentences are the sentences of the judgements in this file.
var substrateSentences = []verdict.Sentence[executions]{
	verdict.Say(`each call runs once, on its substrate`, executions.RunsWhereItShould),
}

// RunsWhereItShould judges the entries of each call in the log of executions: one entry, with the substrate of the
// descriptor.
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
		if s.Given != nil && j.isEffective(s) {
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

// entryRuns judges what logs show of an entry. Other callers may move or run it, so it is invoked again between two
// readings.
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
			j.confirm(r, history.WhereAgain, map[string]string{history.AboutID: t.ID}, b,
				func(answers history.Confirmation) bool {
					return ranElsewhere(answers, t.ID)
				})
			return
		}
	}
}

// ranElsewhere reports whether the last runs of a confirmation are on another substrate than the readings before and
// after them name.
func ranElsewhere(answers history.Confirmation, id string) bool {
	calls, log := answers[1:len(answers)-2], answers[len(answers)-2]
	if !calls[len(calls)-1].Accepted() {
		return false
	}
	before, after := answers[0].EntryOf(id), answers[len(answers)-1].EntryOf(id)
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

// copyRuns judges what the last log during a state shows of it. It reports whether a copy ran on another substrate
// than the template.
func (j executions) copyRuns(r *verdict.Verdict, s *history.State) (moved bool) {
	base, log := j.logsAround(s)
	var calls []*history.Invocation
	for _, i := range j.Invocations() {
		switch {
		case i.ID != s.ID || log == nil || i.Entry > log.Entry:
		case j.During(s, i.Call):
			calls = append(calls, i)
		case base == nil || i.Entry > base.Entry:
			return false // the earlier runs are not known
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
			r.AddBreach([]record.Tick{calls[0].Entry, log.Entry}, elsewhere, substrate+" for a copy", one.Members)
			return true
		}
	}
	if len(now) > len(calls) {
		r.AddBreach([]record.Tick{calls[0].Entry, log.Entry}, "a call runs more than once",
			fmt.Sprint(len(calls), " entries of a copy in the log of executions"), fmt.Sprint(len(now)))
	}
	t := j.Template()
	if t == nil || j.entry(t.ID) == nil {
		return false
	}
	return len(now) > 0 && substrate != history.Substrate(j.entry(t.ID).Members)
}

// copiesRun judges all entries of the log of executions that name a copy whose substrate never changed, including
// hooks and calls that failed.
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
			r.AddBreach([]record.Tick{log.Entry}, elsewhere, want+" for a copy", one.Members)
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
		if !s.EffectKnown || !j.isEffective(s) || substrate != "" && substrate != now {
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

// shellSentences are the sentences of the judgements in this file.
var shellSentences = []verdict.Sentence[executions]{
	verdict.Say(`an internal caller can use the shell`, executions.ShellWithin),
	verdict.Say(`the shell refuses each caller without its permission`, executions.ShellAsks),
	verdict.Say(`the shell is restricted by a sandbox`, executions.ShellSandboxed),
	verdict.Say(`two scripts return different exit statuses`, executions.ExitStatuses),
}

// scripts returns the calls of the capability with the role shell with a script, through no channel and with all
// required permissions.
func (j executions) scripts(script string) []*history.Invocation {
	entry := j.entry(j.Shell)
	return slices.DeleteFunc(slices.Clone(j.Invocations()), func(i *history.Invocation) bool {
		return i.Stimulus != history.Scripts || i.ID != j.Shell || history.Text(i.Input, "script") != script || entry == nil
	})
}

// shellRan returns why the shell proves nothing, or nil if it ran a script.
func (j executions) shellRan() error {
	all := j.scripts(history.AliveScript)
	if len(all) == 0 {
		return j.unperformed(history.Scripts)
	}
	if err := all[0].Missing(); err != nil {
		return err
	}
	if !all[0].Accepted() || !containsText(all[0].Value, history.Alive) {
		return verdict.Undecided("the shell does not run a script: %s", all[0].Got())
	}
	return nil
}

// ShellWithin judges whether the shell runs a script directly, without a channel and without
// UMF.
func (j executions) ShellWithin() verdict.Verdict {
	r := &verdict.Verdict{}
	for _, i := range j.scripts(history.AliveScript) {
		if err := i.Missing(); err != nil {
			return notObserved(err)
		}
		r.Judged++
		if !i.Accepted() || !containsText(i.Value, history.Alive) {
			r.AddBreach([]record.Tick{i.Entry}, "an internal caller cannot use the shell",
				history.Alive+" in the output of a direct call with all permissions", i.Got())
		}
	}
	return r.OpenUnlessJudged(j.unperformed(history.Scripts))
}

// ShellAsks judges whether the shell, its copies, and the shell as a hook run only for callers with its permission.
func (j executions) ShellAsks() verdict.Verdict {
	const message = "a shell runs for a caller who lacks its permission"
	r, missing := &verdict.Verdict{}, error(nil)
	for _, i := range j.Invocations() {
		mine := i.ID == j.Shell && i.Stimulus == history.RefusedScripts
		if !mine && !j.isOnlyReason(i, OfShell) {
			continue
		}
		if err := i.Missing(); err != nil {
			missing = err
			continue
		}
		r.Judged++
		if i.Accepted() {
			r.AddBreach([]record.Tick{i.Entry}, message, "an error", i.Got())
		}
	}
	j.neverRan(r, OfShell, message)
	if r.Open = cmp.Or(j.shellRan(), missing); r.Open == nil {
		return r.OpenUnlessJudged(j.unperformed(history.RefusedScripts))
	}
	return *r
}

// ShellSandboxed judges what the shell reached. A shell that reached a file and the network has no restriction at
// all; the text does not define which restrictions a shell must have.
func (j executions) ShellSandboxed() verdict.Verdict {
	r := &verdict.Verdict{}
	if r.Open = j.shellRan(); r.Open != nil {
		return *r
	}
	var tried []record.Tick
	result := false
	for _, i := range j.Invocations() {
		if i.Stimulus == history.Sandbox {
			if err := i.Missing(); err != nil {
				r.Open = err
			}
			tried = append(tried, i.Entry)
			result = result || containsText(history.Member(i.Value, "output"), history.Escaped)
		}
	}
	if len(tried) == 0 || j.Conclusion(history.Sandbox) != nil {
		return notObserved(j.unperformed(history.Sandbox))
	}
	file, connection := j.Escaped(history.OpFile), j.Escaped(history.OpConnection)
	granted := jsonvalue.Texts(history.Member(j.entry(j.Shell).Members, "dependencies.resources"))
	switch {
	case !result && file == 0 || connection == 0:
	case slices.Contains(granted, "filesystem") && slices.Contains(granted, "network"):
		return notObserved(verdict.Undecided("the descriptor of the shell names filesystem and network " +
			"among its resources, so neither shows a sandbox"))
	default:
		r.AddBreach(append(tried, connection), "the shell writes a file outside its sandbox and reaches the network",
			"no file, or no connection", "both")
	}
	return r.Holds()
}

// ExitStatuses judges whether answers contain the exit statuses of scripts.
func (j executions) ExitStatuses() verdict.Verdict {
	r := &verdict.Verdict{}
	if r.Open = j.shellRan(); r.Open != nil {
		return *r
	}
	for _, status := range []int{7, 3} {
		for _, i := range j.scripts(fmt.Sprintf("exit %d", status)) {
			if err := i.Missing(); err != nil {
				return notObserved(err)
			}
			r.Judged++
			if !hasStatus(i.Value, status) {
				r.AddBreach([]record.Tick{i.Entry}, "the exit status of a script is not returned",
					fmt.Sprintf("exit_status %d in the output", status), i.Got())
			}
		}
	}
	return r.OpenUnlessJudged(j.unperformed(history.Scripts))
}

// hasStatus reports whether a value has the exit status in a member exit_status at any depth, or is JSON text of such a
// value.
func hasStatus(v any, status int) bool {
	switch v := v.(type) {
	case string:
		in := jsonIn(v)
		return in != nil && hasStatus(in, status)
	case []any:
		return slices.ContainsFunc(v, func(item any) bool { return hasStatus(item, status) })
	case history.Object:
		if history.Number(v, "exit_status") == status {
			return true
		}
		for _, item := range v {
			if hasStatus(item, status) {
				return true
			}
		}
	}
	return false
}
