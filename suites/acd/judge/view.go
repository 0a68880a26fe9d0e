package judge

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/acd/history"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

// viewSentences are the sentences of the judgements in this file.
var viewSentences = []verdict.Sentence[views]{
	verdict.SayOf(`(/list[A-Za-z]+) lists the capabilities that match its query`, views.OldList),
	verdict.SayOf(
		`each query by (kind|execution|invocation|exposure|enabled|several) returns the entries that match`,
		views.QueriedBy),
}

// QueriedBy judges every query by one filter or, for the name several, those by more than one.
func (j views) QueriedBy(filter string) verdict.Verdict {
	r, usable := j.registry()
	if !usable {
		return *r
	}
	queries := j.Of(history.OpQuery)
	none := len(queries) > 0 && !queries[0].Served()
	if none && filter != "kind" && filter != several { // FR-SDK-1 does not name the kind
		if len(j.queriesBy(filter)) == 0 {
			return j.demanded(queries[0])
		}
	}
	result := false
	for _, v := range j.queriesBy(filter) {
		if !v.ByPath || none {
			result = j.judgeView(r, v, "a query by "+strings.Join(slices.Sorted(maps.Keys(v.Filters)), " and ")) || result
			j.copiesIn(r, v)
			if filter == "kind" {
				j.compositesIn(r, v, "a query by kind")
			}
		}
	}
	switch {
	case r.Judged == 0 && none:
		r.Open = queries[0].Missing()
	case r.Judged == 0 && filter == several:
		r.Open = j.unperformed(history.BySeveral)
	case r.Judged == 0:
		r.Open = j.unperformed(history.ByOne)
	case !result && filter != several:
		r.Open = verdict.Undecided("all entries have the same %s, so a filter shows nothing", filter)
	}
	return *r
}

// several stands for queries by more than one filter.
const several = "several"

// queriesBy returns the queries by only one filter, or those by several.
func (j views) queriesBy(filter string) []*history.View {
	return slices.DeleteFunc(slices.Clone(j.queries()), func(v *history.View) bool {
		if filter == several {
			return len(v.Filters) < 2
		}
		return len(v.Filters) != 1 || v.Filters[filter] == nil
	})
}

// OldList judges an old list, and the path that replaces it.
func (j views) OldList(endpoint string) verdict.Verdict {
	r, usable := j.registry()
	if !usable {
		return *r
	}
	at := slices.IndexFunc(history.Legacies, func(l history.Legacy) bool { return l.Endpoint == endpoint })
	l := history.Legacies[at]
	result, served := false, false
	for _, v := range j.oldLists() {
		if v.Endpoint == endpoint {
			served = true
			result = j.judgeView(r, v, endpoint) || result
			result = j.copiesFollow(r, v) || result
			j.compositesIn(r, v, endpoint)
		}
	}
	for _, v := range j.queriesBy(l.Filter) {
		if v.ByPath && (v.Filters[l.Filter] == l.Value || !j.someHave(l.Filter, v.Filters[l.Filter])) {
			j.judgeView(r, v, "/listCapabilities?"+l.Filter+"="+fmt.Sprint(v.Filters[l.Filter]))
		}
	}
	switch {
	case !served:
		r.Open = &verdict.Inconclusive{
			Reason: "neither " + endpoint + " nor " + history.OpLegacy + " is served",
			Supply: "serve one (suites/acd/ADAPTER.md)",
		}
	case !result:
		r.Open = verdict.Undecided(
			"either no entry or every entry belongs to %s, and no copy enters it, so the list shows nothing", endpoint)
	}
	return *r
}

// someHave reports whether an entry or a copy ever had a value.
func (j views) someHave(filter string, value any) bool {
	fits := func(i *history.Item) bool { return history.Fits(i.Members, filter, value) }
	return slices.ContainsFunc(j.Descriptors(), fits) ||
		slices.ContainsFunc(j.States(), func(s *history.State) bool {
			return s.Given != nil && history.Fits(s.Given, filter, value)
		})
}

// judgeView compares a list with the whole list. It reports whether some entries match and others do not, so that the
// list proves something.
func (j views) judgeView(r *verdict.Verdict, v *history.View, what string) bool {
	whole := j.Whole(v)
	fitting, all := fitting(whole, v.Filters), len(whole.IDs())
	known := true
	for name, value := range v.Filters {
		known = known && (name == "enabled" || j.someHave(name, value))
	}
	at := []record.Tick{v.Entry}
	switch {
	case v.IsConfirmation():
		return false
	case v.Malformed():
		j.notAResponse(r, v.Call)
		return false
	case !known:
		r.Judged++
		if len(v.IDs()) > 0 {
			r.AddBreach(at, what+" returns entries for a value that no entry has", "an error or an empty list", v.Got())
		}
		return false
	case v.Refused() && len(fitting) == 0:
		return false // no entry matches
	case v.Refused():
		r.AddBreach(at, what+" is refused", "the entries that match", v.Got())
		return false
	case !v.Listed:
		r.AddBreach(at, what+" does not return a list", "{capabilities: [...]}", v.Got())
		return false
	}
	r.Judged++
	missing, more := differing(fitting, v.IDs())
	twice := shownTooOften(whole, v.Call)
	if len(missing)+len(more) > 0 || twice != "" {
		j.confirmDifference(r, v, what, missing, more)
	}
	return len(fitting) > 0 && len(fitting) < all || v.Filters["enabled"] != nil && all > 0
}

// confirmDifference confirms a difference between a list and the whole list: other callers may change the registry.
func (j views) confirmDifference(r *verdict.Verdict, v *history.View, what string, missing, more []string) {
	about := map[string]string{history.AboutView: v.Operation, history.AboutParams: string(jsonvalue.Encode(v.Params))}
	s := verdict.Settle{Stimulus: history.ViewAgain, About: about, Of: v.Entry}
	at, confirmations := []record.Tick{v.Entry}, j.Confirmations(s)
	if len(confirmations) == 0 {
		r.AddDoubt(s, at, what+" does not return the entries that match", jsonvalue.Print(missing), difference(missing, more))
		return
	}
	must, shown, doubled := map[string]int{}, map[string]int{}, map[string]int{}
	may := map[string]bool{}
	full := len(confirmations)
	for _, answers := range confirmations {
		before, after := fitting(answers[0], v.Filters), fitting(answers[2], v.Filters)
		for _, id := range before {
			may[id] = true
			if slices.Contains(after, id) {
				must[id]++
			}
		}
		for _, id := range after {
			may[id] = true
		}
		for _, id := range slices.Compact(slices.Sorted(slices.Values(answers[1].IDs()))) {
			shown[id]++
		}
		if id := shownTooOften(answers[0], answers[1]); id != "" {
			doubled[id]++
		}
	}
	var lacks, has []string
	for id, often := range must {
		if often == full && shown[id] == 0 {
			lacks = append(lacks, id)
		}
	}
	for id, often := range shown {
		if often == full && !may[id] {
			has = append(has, id)
		}
	}
	slices.Sort(lacks)
	slices.Sort(has)
	if len(lacks)+len(has) > 0 {
		want := slices.Sorted(maps.Keys(must))
		r.AddBreach(at, what+" does not return the entries that match", jsonvalue.Print(want), difference(lacks, has))
		return
	}
	for id, often := range doubled {
		if often == full {
			r.AddBreach(at, what+" returns an entry more often than the registry contains it", "each entry once", id)
		}
	}
}

// fitting returns the ids of the entries of a whole list that match filters.
func fitting(whole *history.Call, filters history.Object) []string {
	var all []string
	for _, i := range whole.Items {
		if i.Members != nil && i.ID != "" && !history.IsCopyID(i.ID) && history.FitsAll(i.Members, filters) {
			all = append(all, i.ID)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// differing returns the ids that a list lacks, and those that it must not contain.
func differing(want, got []string) (missing, more []string) {
	for _, id := range want {
		if !slices.Contains(got, id) {
			missing = append(missing, id)
		}
	}
	for _, id := range got {
		if !slices.Contains(want, id) {
			more = append(more, id)
		}
	}
	return missing, more
}

// difference describes the ids that a list lacks, and those that it must not contain.
func difference(missing, more []string) string {
	var parts []string
	if len(missing) > 0 {
		parts = append(parts, "lacks "+jsonvalue.Print(missing))
	}
	if len(more) > 0 {
		parts = append(parts, "has beside them "+jsonvalue.Print(more))
	}
	return strings.Join(parts, ", ")
}

// shownTooOften returns an id that a list shows more often than the whole list, in which an id may have several
// versions.
func shownTooOften(whole, part *history.Call) string {
	has := map[string]int{}
	for _, id := range whole.IDs() {
		has[id]++
	}
	shown := map[string]int{}
	for _, id := range part.IDs() {
		shown[id]++
	}
	for _, id := range slices.Sorted(maps.Keys(shown)) {
		if shown[id] > max(1, has[id]) {
			return id
		}
	}
	return ""
}
