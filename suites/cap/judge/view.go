package judge

import (
	"slices"
	"strings"
	"sync"

	"github.com/capconform/capconform/suites/cap/history"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/rule"
	"github.com/capconform/capconform/suites/verdict"
)

// Vocabulary returns what the rules of CAP can be about. It costs nothing until a rule is used.
var Vocabulary = sync.OnceValue(func() *rule.Vocabulary {
	ofAttempt := rule.One("attempt", "attempt", func(t trial) (attempt, bool) { return t.attempt, true })
	kinds := []*rule.Kind{
		rule.KindOf(rule.Run, func(j *evidence) []*evidence { return []*evidence{j} }),
		rule.KindOf("attached_skill", (*evidence).attachedSkills), rule.KindOf("attached_tool", (*evidence).attachedTools),
		rule.KindOf("attempt", func(j *evidence) []attempt {
			return each(j.Attempts(), func(a *history.Attempt) attempt { return attempt{a, j} })
		}),
		rule.KindOf("call", (*evidence).calls), rule.KindOf("comparison", (*evidence).comparisons),
		rule.KindOf("count", (*evidence).counts), rule.KindOf("description", (*evidence).descriptions),
		rule.KindOf("disclosure", (*evidence).disclosures), rule.KindOf("element", (*evidence).elements),
		rule.KindOf("list", func(j *evidence) []listing {
			return each(j.Lists(), func(l *history.Listing) listing { return listing{l, j} })
		}),
		rule.KindOf("manifest", (*evidence).manifests), rule.KindOf("pair_before_restart", (*evidence).survivors),
		rule.KindOf("part", (*evidence).parts), rule.KindOf("reference", (*evidence).references),
		rule.KindOf("request", (*evidence).requests), rule.KindOf("sequel", (*evidence).sequels),
		rule.KindOf("skill_member", (*evidence).skillMembers), rule.KindOf("trial", (*evidence).trials, ofAttempt),
	}
	return rule.NewVocabulary(kinds, append(manifestFunctions(), rule.FunctionOfTwo("stands", stands),
		rule.FunctionOfTwo("shows_code", showsCode), rule.FunctionOf("is_known", isKnown))...)
})

// each returns what is made of each element of a list.
func each[T, U any](all []T, of func(T) U) []U {
	var made []U
	for _, one := range all {
		made = append(made, of(one))
	}
	return made
}

// Entries returns nothing: what concerns the whole run belongs to no entry.
func (j *evidence) Entries() []record.Tick { return nil }

// View returns the history as it is now, for rules.
func (j *Judge) View() *rule.View {
	if size := j.History.Size(); j.view == nil || size != j.viewed {
		j.view, j.viewed = rule.NewView(Vocabulary(), j.evidence, &j.History.Reading, j.unseen), size
	}
	return j.view
}

// AnswersEachOperation is true if list, describe and invoke were each answered as the text requires.
func (j *evidence) AnswersEachOperation() any {
	switch {
	case j.listed() != nil:
		return blocked(j.listed())
	case !j.Describes():
		return blocked(j.noDescription())
	case !slices.ContainsFunc(j.Attempts(), (*history.Attempt).HasResult):
		return blocked(firstOf(firstLost(j.Attempts()),
			verdict.Undecided("no invocation was answered with an InvokeResult: see CAP-INV-01")))
	}
	return true
}

// Serves reports whether some invocation succeeded.
func (j *evidence) Serves() bool { return j.someSuccess() != nil }

// AnswersInvocations is true unless an invocation has no answer.
func (j *evidence) AnswersInvocations() any {
	if err := firstLost(j.Attempts()); err != nil {
		return blocked(err)
	}
	return true
}

// withoutList are the kinds of objects that need not be missing because no capability is listed.
var withoutList = []string{"attempt", "call", "count", "pair_before_restart", "sequel", "trial"}

// unseen returns the reason why a rule was judged on nothing.
func (j *evidence) unseen(n rule.Need) error {
	kind, role, _ := strings.Cut(n.Needs, " ")
	var err error
	switch {
	case n.Kind == "attached_tool":
		err = j.unattached(history.AttachedTools)
	case n.Kind == "attached_skill":
		err = j.unattached(history.AttachedSkills)
	case role != "" && kind != "output":
		_, err = j.inRole(role)
	case kind == "list" || !slices.Contains(withoutList, n.Kind):
		err = j.listed()
	}
	if err == nil && n.Stimulus != "" {
		err = firstOf(j.Conclusion(n.Stimulus), firstLost(j.Of(n.Stimulus)), lostLists(j.ListsOf(n.Stimulus)))
	}
	if err != nil {
		return err
	}
	switch {
	case n.NotObserved != "":
		return verdict.NotObserved("%s", n.NotObserved)
	case kind == "success":
		return j.noSuccess()
	case kind == "role":
		return j.MissingRole(role)
	case kind == "description":
		return j.noDescription()
	case kind == "refusal":
		return j.noRefusal()
	case kind == "output":
		return j.noOutput()
	}
	return nil
}

// noOutput returns the reason why no output of a capability that declares an output schema was seen.
func (j *evidence) noOutput() error {
	declares := func(s *history.RawManifest) bool { return s.Manifest()[history.MemberOutput] != nil }
	if !slices.ContainsFunc(j.First().Capabilities, declares) {
		return firstOf(j.listed(), verdict.Inapplicable("no capability declares an output schema"))
	}
	return firstOf(j.NotReady(), firstLost(j.Of(history.Valid)))
}

// blocked is a gap that leaves a requirement undecided.
func blocked(why error) *rule.Gap { return &rule.Gap{Reason: why, Blocks: true} }

// settledBy is a gap that a stimulus about an entry closes.
func settledBy(stimulus string, of record.Tick) *rule.Gap {
	return &rule.Gap{Reason: verdict.Undecided("nothing in the record settles it"),
		Settle: verdict.Settle{Stimulus: stimulus, Of: of}}
}
