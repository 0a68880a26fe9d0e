package judge

import (
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
