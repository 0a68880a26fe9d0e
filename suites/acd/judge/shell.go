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
