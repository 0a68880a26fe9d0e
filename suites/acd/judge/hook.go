package judge

import (
	"fmt"
	"slices"

	"github.com/capconform/capconform/suites/acd/history"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

// hookSentences are the sentences of the judgements in this file.
var hookSentences = []verdict.Sentence[records]{
	verdict.SayOf(
		`each (pre_invoke|post_invoke|on_error) hook runs once for each call and at the right time`,
		records.HooksRun),
}

// kinds are the kinds of hooks, and the statements about them.
var kinds = map[string]struct {
	stimulus, message, want string
	misplaced               func(main, hook int) bool
	failing                 bool // the hooks run only after a failure
}{
	"pre_invoke": {
		history.HooksBefore, "a hook does not run before the invocation", "each hook of pre_invoke before the capability",
		func(main, hook int) bool { return hook > main }, false,
	},
	"post_invoke": {
		history.HooksAfter, "a hook does not run after the invocation", "each hook of post_invoke after the capability",
		func(main, hook int) bool { return hook < main }, false,
	},
	"on_error": {
		history.HooksOnError, "a hook on an error does not run after a failure", "each hook of on_error after the capability",
		func(main, hook int) bool { return hook < main }, true,
	},
}

// HooksRun judges the hooks of a kind by the log of executions: each hook of a copy runs once for each call, and at
// the right time.
func (j records) HooksRun(kind string) verdict.Verdict {
	k := kinds[kind]
	r := &verdict.Verdict{}
	for _, s := range j.States() {
		hooks := jsonvalue.Texts(history.Member(s.Given, "lifecycle.hooks."+kind))
		if len(hooks) == 0 || !j.isEffective(s) || !j.mayRun(s, hooks) {
			continue
		}
		if base, log, known := j.logsOf(s); known {
			j.hooksOf(r, s, kind, span{base, log})
		}
	}
	j.hooksTaken(r, kind)
	switch {
	case j.engine() != nil:
		r.Open = j.engine()
	case len(r.Breaches) == 0 && r.Judged == 0:
		r.Open = j.unperformed(k.stimulus)
	}
	return *r
}

// span are the logs of executions before and after the calls of a state.
type span struct{ before, after *history.Call }

// logsOf returns the last log before a state, which may be nil, and the last one during it. They are not known if
// another call of the copy lies between the first log and the state, or after the second log.
func (j records) logsOf(s *history.State) (before, after *history.Call, known bool) {
	if before, after = j.logsAround(s); after == nil {
		return nil, nil, false
	}
	known = !slices.ContainsFunc(j.Invocations(), func(i *history.Invocation) bool {
		late := j.During(s, i.Call) && i.Entry > after.Entry
		between := i.Entry < s.Change.Entry && (before == nil || i.Entry > before.Entry)
		return i.ID == s.ID && (late || between)
	})
	return before, after, known
}

// mayRun reports whether the hooks of a copy are copies that its callers may run.
func (j records) mayRun(s *history.State, hooks []string) bool {
	for _, i := range j.callsOf(s) {
		for _, id := range hooks {
			hook := j.StateAt(id, i.Call)
			if hook == nil || hook.Given == nil || !history.Enabled(hook.Given) || lacks(hook.Given, i.Held) {
				return false
			}
		}
	}
	return true
}

// hooksOf judges the hooks of one state.
func (j records) hooksOf(r *verdict.Verdict, s *history.State, kind string, logs span) {
	k := kinds[kind]
	calls := j.callsOf(s)
	at := []record.Tick{s.Change.Entry, logs.after.Entry}
	main := places(logs, s.ID)
	succeeded := len(calls) > 0 && !slices.ContainsFunc(calls, func(i *history.Invocation) bool { return !i.Accepted() })
	failed := len(calls) > 0 &&
		!slices.ContainsFunc(calls, func(i *history.Invocation) bool { return !i.Refused() || !j.isPermitted(i) })
	if !succeeded && !failed || len(main) == 0 || len(main)%len(calls) != 0 {
		return // the log does not contain the calls
	}
	each := len(main) / len(calls) // ACD-SDK2-03 judges more than one
	for _, id := range jsonvalue.Texts(history.Member(s.Given, "lifecycle.hooks."+kind)) {
		ran := places(logs, id)
		if k.failing && succeeded && len(ran) > 0 {
			r.AddBreach(at, "a hook of on_error runs after a success", "no hook of on_error after a success",
				placed(main[0], ran[0]))
		}
		if k.failing != failed {
			continue
		}
		r.Judged++
		if len(ran) == 0 {
			r.AddBreach(at, k.message, k.want, history.Object{"capability": main[0], "hook": "did not run"})
			continue
		}
		for n, hook := range ran[:min(len(ran), len(calls))] {
			if place := main[n*each]; k.misplaced(place, hook) {
				r.AddBreach(at, k.message, k.want, placed(place, hook))
				break
			}
		}
		if len(ran) != len(calls) {
			r.AddBreach(at, "a hook does not run once for each call",
				fmt.Sprint(len(calls), " entries of the hook in the log of executions"), fmt.Sprint(len(ran)))
		}
	}
}

// places returns the positions of an id in the later log, without the entries of the earlier log.
func places(logs span, id string) []int {
	var all []int
	for at, one := range logs.after.Items {
		if one.ID == id {
			all = append(all, at)
		}
	}
	if logs.before == nil {
		return all
	}
	return all[min(len(all), logs.before.Runs(id)):]
}

func placed(main, hook int) history.Object { return history.Object{"capability": main, "hook": hook} }

// hooksTaken judges whether the registry accepts a descriptor with hooks if it accepts one without.
func (j records) hooksTaken(r *verdict.Verdict, kind string) {
	all := j.Of(history.OpCreate)
	for at, c := range all {
		hooks := jsonvalue.Texts(history.Member(c.Params, "descriptor.lifecycle.hooks."+kind))
		descriptor, _ := c.Params["descriptor"].(history.Object)
		others := len(hooksOf(descriptor)) > len(hooks) // the registry may refuse these
		if c.Stimulus != kinds[kind].stimulus || len(hooks) == 0 || others || !c.Refused() || at+1 == len(all) {
			continue
		}
		if next := all[at+1]; next.Stimulus == c.Stimulus && next.Accepted() {
			r.AddBreach([]record.Tick{c.Entry}, "a descriptor with hooks is refused",
				"the registry creates it, as it does without hooks", c.Got())
		}
	}
}
