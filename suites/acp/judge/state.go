package judge

import (
	"fmt"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/acp/history"
	"github.com/capconform/capconform/suites/acp/sample"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

// stateSentences are the sentences about state objects.
var stateSentences = []verdict.Sentence[installations]{
	decide(`each created object is found by its id`, installations.ObjectsFound),
	decide(`each object is stored unchanged`, installations.ObjectsWhole),
	decide(`each object is the result of its JSON Patches`, installations.PatchesApplied),
	decide(`each query returns the objects that match its filter`, installations.FiltersFit),
	decide(`the pages of each large query contain each object once`, installations.PagesWhole),
	decide(`each deleted object is gone, and no other object is`, installations.DeletionsDelete),
	decide(`no call under a schema URI that no package owns has an effect`, installations.URIsCount),
	decide(`no verb that its package does not declare has an effect`, installations.VerbsDeclared),
	decide(`each object is the same after a restart`, installations.StateKept),
	decide(`no built-in tool is executed by a binding`, installations.BuiltInDirectly),
	decide(`no object that breaks the schema is stored`, installations.SchemaHolds),
	decide(`the permissions and the schema of each package are those of its newest version`, installations.UpgradeCounts),
	decide(`no package reads or changes the state of another memory scope`, installations.ScopesApart),
}

// judgeObservations judges the findings with one of the given causes. The positive control is that a
// created object is found.
func (j installations) judgeObservations(stimulus string, message func(observation) string,
	causes ...cause) verdict.Verdict {
	l := j.ledger()
	v := &verdict.Verdict{}
	if !l.objectFound {
		return j.noObjectFound(stimulus)
	}
	for _, f := range l.observations {
		if !slices.Contains(causes, f.cause) {
			continue
		}
		if !f.broken {
			v.Judged++
			continue
		}
		want := jsonvalue.Print(f.want)
		switch {
		case f.mustNotExist:
			want = "nothing under its id"
		case f.cause == changed && f.patch != nil:
			want = "after the patch " + jsonvalue.Print(f.patch) + ": " + want
		}
		v.AddBreach(f.entries(), message(f), want, f.query.Result.Print())
	}
	return v.OpenUnlessJudged(j.reasonNothingShown(stimulus))
}

// entries returns the entries that show a finding: those of its causes, and those of the query.
func (f observation) entries() []record.Tick {
	return append(slices.Clone(f.causeEntries), f.query.Entries()...)
}

// noObjectFound returns the verdict if no created object is found.
func (j installations) noObjectFound(stimulus string) verdict.Verdict {
	err := j.reasonNothingShown(stimulus)
	if err == nil {
		err = verdict.Undecided("no created object is found by its id: see ACP-ABS-03")
	}
	return verdict.Verdict{Open: err}
}

func constantMessage(message string) func(observation) string {
	return func(observation) string { return message }
}

// ObjectsFound judges whether each created object is found by its id.
func (j installations) ObjectsFound() verdict.Verdict {
	v := &verdict.Verdict{}
	for _, f := range j.ledger().observations {
		switch {
		case f.mustNotExist || f.cause != created && f.cause != otherCreated:
		case f.missing:
			v.AddBreach(f.entries(), "a created object is not found", jsonvalue.Print(f.want), f.query.Result.Print())
		default:
			v.Judged++
		}
	}
	return v.OpenUnlessJudged(j.reasonNothingShown(history.ObjectsStored))
}

// ObjectsWhole judges whether each object is stored unchanged. ACP-ABS-03 covers objects that are not
// found.
func (j installations) ObjectsWhole() verdict.Verdict {
	l := j.ledger()
	if !l.objectFound {
		return j.noObjectFound(history.ObjectsStored)
	}
	v := &verdict.Verdict{}
	for _, f := range l.observations {
		switch {
		case f.cause == recreated && f.broken:
			v.AddBreach(f.entries(), "an object that is created again after its deletion is not stored", jsonvalue.Print(f.want),
				f.query.Result.Print())
		case f.mustNotExist || f.missing || f.cause != created && f.cause != otherCreated:
		case f.broken:
			v.AddBreach(f.entries(), "an object is not stored unchanged", jsonvalue.Print(f.want), f.query.Result.Print())
		default:
			v.Judged++
		}
	}
	return v.OpenUnlessJudged(nil)
}

// requireUnchanged reports whether an object was found unchanged, which is the positive control of
// judgements that depend on single members. If not, it returns the verdict to use.
func (j installations) requireUnchanged(stimulus string) (verdict.Verdict, bool) {
	l := j.ledger()
	switch {
	case !l.objectFound:
		return j.noObjectFound(stimulus), false
	case !l.firstUnchanged:
		return verdict.Verdict{Open: verdict.Undecided("an object is not found unchanged: see ACP-STATE-01")}, false
	}
	return verdict.Verdict{}, true
}

// PatchesApplied judges each object after each JSON Patch: the patched object and the others of its
// package.
func (j installations) PatchesApplied() verdict.Verdict {
	if v, can := j.requireUnchanged(history.ObjectsPatched); !can {
		return v
	}
	return j.judgeObservations(history.ObjectsPatched, func(f observation) string {
		if f.cause == otherChanged {
			return "a patch changes another object"
		}
		return "an object is not the result of its JSON Patch"
	}, changed, otherChanged)
}

// DeletionsDelete judges whether each deleted object is gone, and no other object is.
func (j installations) DeletionsDelete() verdict.Verdict {
	v := j.judgeObservations(history.ObjectsDeleted, func(f observation) string {
		if f.cause == otherDeleted {
			return "an object that was not deleted is gone"
		}
		return "a deleted object is still found"
	}, deleted, otherDeleted)
	if v.Judged == 0 && len(v.Breaches) == 0 {
		return v
	}
	for _, q := range j.ledger().queries {
		for _, t := range q.deleted {
			if len(q.Result.About(t.id)) > 0 {
				v.AddBreach(q.Entries(), "a deleted object is still found by another member than its id",
					"nothing of it", q.Result.Print())
			}
		}
	}
	return v
}

// StateKept judges each object after a restart.
func (j installations) StateKept() verdict.Verdict {
	v := j.judgeObservations(history.SubjectRestarted, func(f observation) string {
		if f.mustNotExist {
			return "a deleted object is back after a restart"
		}
		return "an object differs after the restart"
	}, restarted)
	existed := slices.ContainsFunc(j.ledger().observations, func(f observation) bool {
		return f.cause == restarted &&
			!f.mustNotExist
	})
	if len(v.Breaches) == 0 && v.Open == nil && !existed {
		v.Open = verdict.Undecided("no object existed before the restart: see ACP-STATE-06")
	}
	return v
}

// SchemaHolds judges whether an object that breaks the schema is stored, and whether the model is told
// that it is.
func (j installations) SchemaHolds() verdict.Verdict {
	v := j.judgeObservations(history.InvalidObjects, constantMessage("an object that breaks the schema is stored"),
		history.BreaksSchema)
	j.reportedSuccess(&v, "the model receives a success for an object that breaks the schema", history.BreaksSchema)
	if len(v.Breaches) == 0 && v.Open == nil && !j.ledger().manyKeywordsFound && j.createdManyKeywords() {
		v.Open = verdict.Undecided("the subject stores no object of a schema with many keywords, so a missing object proves nothing")
	}
	return v
}

// createdManyKeywords reports whether the model created an object whose schema has many keywords.
func (j installations) createdManyKeywords() bool {
	return slices.ContainsFunc(j.ledger().ordered, func(t *trackedObject) bool { return t.manyKeywords })
}

// URIsCount judges calls under a schema URI that no package owns.
func (j installations) URIsCount() verdict.Verdict {
	v := j.judgeObservations(history.ForeignURI, func(f observation) string {
		if f.query.Breaks == history.BreaksURI {
			return "a query finds an object under a schema URI that is not the object's"
		}
		return "a call under a schema URI that no package owns has an effect"
	}, history.BreaksURI)
	j.reportedSuccess(&v, "a call that cannot be fulfilled is reported as a success", history.BreaksURI)
	return v
}

// reportedSuccess adds a breach for each creation that breaks a rule and is reported to the model as a
// success.
func (j installations) reportedSuccess(v *verdict.Verdict, message, breaks string) {
	if v.Open != nil {
		return
	}
	for _, d := range j.Actions() {
		if d.About[history.AboutSince] != "" {
			continue
		}
		if d.Verb == sample.Create && d.Breaks == breaks && d.AnsweredModel() &&
			d.Result.Outcome() == history.Success && !j.looksLikeFailure(d.Result) {
			v.AddBreach(d.Entries(), message, "an error for "+jsonvalue.Print(d.Object), d.Result.Print())
		}
	}
}

// VerbsDeclared judges whether a verb that a package did not declare has an effect. The positive control
// is that a declared deletion has one.
func (j installations) VerbsDeclared() verdict.Verdict {
	v := j.judgeObservations(history.UndeclaredVerbs, func(f observation) string {
		if f.query.Breaks == history.BreaksVerb {
			return "a package receives an object from an undeclared query"
		}
		return "an undeclared verb has an effect"
	}, history.BreaksVerb)
	deletes := slices.ContainsFunc(j.ledger().observations,
		func(f observation) bool { return f.cause == deleted && f.mustNotExist && !f.broken })
	if len(v.Breaches) == 0 && v.Open == nil && !deletes {
		v.Open = verdict.Undecided("a declared deletion does not delete either: see ACP-STATE-06")
	}
	return v
}

// ScopesApart judges whether one memory scope reads or changes the state of another.
func (j installations) ScopesApart() verdict.Verdict {
	return j.judgeObservations(history.OtherScope, func(f observation) string {
		if f.query.Breaks == history.BreaksScope {
			return "a package finds an object of another memory scope"
		}
		return "an object is changed, deleted or created from another memory scope"
	}, history.BreaksScope)
}

// UpgradeCounts judges whether the verbs and the schema of a new version replace those of the previous
// one.
func (j installations) UpgradeCounts() verdict.Verdict {
	if v, can := j.requireUnchanged(history.StricterSchema); !can {
		return v
	}
	if v := j.SchemaHolds(); len(v.Breaches) > 0 {
		return verdict.Verdict{Open: verdict.Undecided("an object is stored that both versions forbid: see ACP-EXEC-04")}
	}
	return j.judgeObservations(history.StricterSchema, func(f observation) string {
		if f.mustNotExist {
			return "an object is stored that the schema of the new version forbids"
		}
		return "a verb that the new version declares does not work"
	}, upgraded)
}

// FiltersFit judges whether each query returns the objects that match its filter, and no others.
func (j installations) FiltersFit() verdict.Verdict {
	if v, can := j.requireUnchanged(history.FilteredQueries); !can {
		return v
	}
	v := &verdict.Verdict{}
	for _, q := range j.ledger().queries {
		if q.About[history.AboutPage] != "" {
			continue
		}
		by := ""
		if name := q.About[history.AboutFilter]; name != "" {
			by = ", by " + name
			v.Judged++
		}
		var missing, unexpected []string
		for _, t := range q.matching {
			if by != "" && len(q.Result.About(t.id)) == 0 {
				missing = append(missing, fmt.Sprint(t.want[sample.MemberTitle]))
			}
		}
		for _, t := range q.nonMatching {
			if len(q.Result.About(t.id)) > 0 {
				unexpected = append(unexpected, fmt.Sprint(t.want[sample.MemberTitle]))
			}
		}
		if len(missing)+len(unexpected) > 0 {
			v.AddBreach(q.Entries(), "a query does not return the objects that match its filter"+by, jsonvalue.Print(q.Query),
				"without "+jsonvalue.Print(missing)+", and with "+jsonvalue.Print(unexpected))
		}
	}
	return v.OpenUnlessJudged(j.reasonNothingShown(history.FilteredQueries))
}

// PagesWhole judges whether the pages of a large query contain each object once.
func (j installations) PagesWhole() verdict.Verdict {
	if v, can := j.requireUnchanged(history.PagedQuery); !can {
		return v
	}
	v := &verdict.Verdict{}
	readings := map[string][]judgedQuery{}
	for _, q := range j.ledger().queries {
		if name := q.About[history.AboutPage]; name != "" {
			readings[name] = append(readings[name], q)
		}
	}
	for _, pages := range readings {
		j.judgePages(v, pages)
	}
	return v.OpenUnlessJudged(j.reasonNothingShown(history.PagedQuery))
}

func (j installations) judgePages(v *verdict.Verdict, pages []judgedQuery) {
	last := pages[len(pages)-1]
	if last.Result.Cursor() != nil && len(pages) >= history.MaxPages {
		v.AddBreach(last.Entries(), "the pages of a query do not end", "an end",
			fmt.Sprintf("%d pages and a further cursor", len(pages)))
		return
	}
	for _, t := range pages[0].matching {
		v.Judged++
		var pagesWith []string
		for n, p := range pages {
			if len(p.Result.About(t.id)) > 0 {
				pagesWith = append(pagesWith, fmt.Sprint(n+1))
			}
		}
		if further := last.Result.UnknownCursorName(); len(pagesWith) == 0 && further != "" {
			v.Open = &verdict.Inconclusive{
				Reason: "a page of a query has the member " + jsonvalue.Clip(further) +
					", which the harness does not follow, and some objects are missing",
				Supply: "return the position of a further page in a member cursor, next_cursor or nextCursor",
			}
			return
		}
		if len(pagesWith) != 1 {
			v.AddBreach(last.Entries(), "the pages of a large query do not contain each object once",
				"each object on one page",
				fmt.Sprintf("%v on %d of %d pages", t.want[sample.MemberTitle], len(pagesWith), len(pages)))
			return
		}
	}
	for n, p := range pages {
		for _, t := range p.nonMatching {
			if len(p.Result.About(t.id)) == 0 {
				continue
			}
			if n == 0 || len(j.FiltersFit().Breaches) > 0 {
				v.Open = verdict.Undecided("a query ignores its filter, with or without pages: see ACP-STATE-04")
				return
			}
			v.AddBreach(p.Entries(), "a page of a query contains an object that does not match the filter",
				jsonvalue.Print(p.Query), p.Result.Print())
			return
		}
	}
}

// BuiltInDirectly judges whether a binding of the same name executes a built-in tool.
func (j installations) BuiltInDirectly() verdict.Verdict {
	if !j.ledger().objectFound {
		return j.noObjectFound(history.BoundVerbs)
	}
	v := &verdict.Verdict{}
	for _, a := range j.RequestsTo(record.Service) {
		if u := a.ServiceCall(); u != nil && strings.HasPrefix(u.ServicePath, history.BoundPathPrefix) {
			v.AddBreach([]record.Tick{a.Entry}, "a built-in tool is executed by a binding", "an execution by the runtime itself",
				u.Method+" at the address of the package's binding of built-in tools")
		}
	}
	for _, d := range j.Actions() {
		if d.Stimulus == history.BoundVerbs && d.ID != "" && d.Verb == sample.Query && len(d.Result.About(d.ID)) > 0 {
			v.Judged++
		}
	}
	return v.OpenUnlessJudged(j.reasonNothingShown(history.BoundVerbs))
}
