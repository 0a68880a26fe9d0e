package verification

import (
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/spec"
)

// selectingOptions are the flags that make a run partial.
var selectingOptions = []string{"--requirement", "--tags", "--without", "--shard"}

// contradictions lists where a report contradicts itself: where a member does not follow from the
// members that determine it.
func contradictions(r *reports.Report) []string {
	var all []string
	for i := range r.Suites {
		s := &r.Suites[i]
		for j := range s.Requirements {
			if fault := contradictionOf(&s.Requirements[j]); fault != "" {
				all = append(all, s.Requirements[j].ID+": "+fault)
			}
		}
		all = append(all, countFaults(s)...)
	}
	all = append(all, optionFaults(r)...)
	all = append(all, partFaults(r)...)
	return append(all, verdictFaults(r)...)
}

// contradictionOf returns why the status of a requirement does not follow from its scenarios.
func contradictionOf(q *reports.Requirement) string {
	if len(q.Scenarios) == 0 {
		return ""
	}
	statuses := make([]reports.Status, 0, len(q.Scenarios))
	for _, sc := range q.Scenarios {
		statuses = append(statuses, sc.Status)
		if (sc.Status == reports.Failed || sc.Status == reports.Error) != (sc.Failure != nil) {
			return fmt.Sprintf("the scenario %q is %s, but its failure says otherwise", sc.Name, sc.Status)
		}
		if (sc.Status == reports.Error) != (sc.Fault != "") {
			return fmt.Sprintf("the scenario %q is %s, but its fault says otherwise", sc.Name, sc.Status)
		}
	}
	worst := reports.Worst(statuses...)
	if q.Status != worst && !(q.Status == reports.Provided && worst == reports.Passed) {
		return fmt.Sprintf("it is %s, but the worst of its scenarios is %s", q.Status, worst)
	}
	if q.Status != reports.Passed && q.Status != reports.Provided {
		if sc := q.Deciding(); sc != nil && q.Reason != sc.Reason {
			return "its reason is not that of the scenario that decided"
		}
	}
	return ""
}

// countFaults lists where the numbers of a suite differ from its lists.
func countFaults(s *reports.Suite) []string {
	var all []string
	want := reports.Tally(s.Requirements)
	for _, row := range []struct {
		name      string
		got, want reports.Count
	}{
		{"must", s.Counts.Must, want.Must}, {"should", s.Counts.Should, want.Should}, {"may", s.Counts.May, want.May},
	} {
		for _, status := range reports.Statuses() {
			if got, n := row.got.Of(status), row.want.Of(status); got != n {
				all = append(
					all,
					fmt.Sprintf("%s: the counts say %d %s %s, the requirements say %d", s.Suite, got, row.name, status, n),
				)
			}
		}
		if got, n := row.got.NotObserved, row.want.NotObserved; got != n {
			all = append(
				all,
				fmt.Sprintf("%s: the counts say %d %s not observed, the requirements say %d", s.Suite, got, row.name, n),
			)
		}
	}
	executed := 0
	for _, q := range s.Requirements {
		executed += len(q.Scenarios)
	}
	if executed != s.Plan.Executed {
		all = append(all, fmt.Sprintf("%s: the plan says that %d scenarios were executed, but %d have an outcome", s.Suite,
			s.Plan.Executed, executed))
	}
	if s.Plan.Executed > s.Plan.Planned {
		all = append(all, fmt.Sprintf("%s: %d scenarios were executed, but only %d were planned", s.Suite, s.Plan.Executed,
			s.Plan.Planned))
	}
	if !slices.EqualFunc(s.RootCauses, reports.RootCauses(s.Requirements), func(a, b reports.RootCause) bool {
		return a.Message == b.Message && slices.Equal(a.Requirements, b.Requirements)
	}) {
		all = append(all, s.Suite+": the root causes do not follow from the requirements")
	}
	return all
}

// hasResult reports whether a report has a result of the suite that a flag named: of a folder, of any text of one's
// own.
func hasResult(r *reports.Report, named string) bool {
	if strings.Contains(named, "/") {
		return slices.ContainsFunc(r.Suites, func(s reports.Suite) bool { return s.TextDigest != "" })
	}
	return suiteOf(r, strings.ToLower(named)) != nil
}

// optionFaults lists where the run contradicts its options.
func optionFaults(r *reports.Report) []string {
	var all []string
	if id, err := uuid.Parse(r.Run.ID); err != nil || id == uuid.Nil {
		all = append(all, "the run has no id")
	}
	strict, selects := false, ""
	for _, option := range r.Run.Options {
		name, value, _ := strings.Cut(option, " ")
		strict = strict || name == "--strict"
		whole := name == "--shard" && value == "1/1" || name == "--level" && value == "may"
		if (slices.Contains(selectingOptions, name) || name == "--level") && !whole {
			selects = option
		}
		if name == "--suite" && !hasResult(r, value) && !r.Run.Interrupted && r.Run.Stopped == nil {
			all = append(all, "the run was given "+option+", but has no result of it")
		}
		if !strings.Contains(r.Run.Command, option) {
			all = append(all, "the option "+option+" is not in the command")
		}
	}
	if strict != r.Run.Strict {
		all = append(all, fmt.Sprintf("the run says strict: %v, but its options say otherwise", r.Run.Strict))
	}
	if s := r.Run.Shard; s != nil && optionOf(r, "--shard") != fmt.Sprintf("--shard %d/%d", s.Index, s.Count) {
		all = append(all, "the run says which part it is, but its options say otherwise")
	}
	if r.Run.Shard != nil && !r.Run.Partial {
		all = append(all, "the run is one of several parts, but claims to be complete")
	}
	if !r.Run.Partial && cutShort(r) {
		all = append(all, "--fail-fast ended the run, but it claims to be complete")
	}
	if selects != "" && !r.Run.Partial {
		all = append(all, "the run was given "+selects+", but claims to be complete")
	}
	return all
}

// cutShort reports whether a scenario did not run because of --fail-fast.
func cutShort(r *reports.Report) bool {
	return slices.ContainsFunc(r.Suites, func(s reports.Suite) bool {
		return slices.ContainsFunc(s.Requirements, func(q reports.Requirement) bool { return q.EndedByFailFast() })
	})
}

// verdictFaults lists where a verdict does not follow from the statuses.
func verdictFaults(r *reports.Report) []string {
	var all []string
	again := *r
	again.Suites = slices.Clone(r.Suites)
	again.Settle()
	for i := range r.Suites {
		if got, want := r.Suites[i].Verdict, again.Suites[i].Verdict; got != want {
			all = append(all, fmt.Sprintf("%s: the verdict is %s, but %s follows from its requirements",
				r.Suites[i].Suite, got, want))
		}
	}
	if r.Lost() {
		all = append(all, "a planned scenario has no outcome, but nothing ended the run early")
	}
	if r.Verdict != again.Verdict {
		all = append(all, fmt.Sprintf("the verdict is %s, but %s follows from the suites", r.Verdict, again.Verdict))
	}
	return all
}

// textFault returns why a suite of a report is neither one of this build nor one of the texts, "" if it is.
func textFault(s *reports.Suite, texts []Text) string {
	known := slices.Contains(spec.Names(), s.Suite)
	at := slices.IndexFunc(texts, func(t Text) bool { return t.Catalogue.Suite == s.Suite })
	same := func(t Text) bool { return t.Catalogue.Suite == s.Suite && t.Digest == s.TextDigest }
	switch {
	case known && s.TextDigest == "", slices.ContainsFunc(texts, same):
		return ""
	case known:
		return "it is a suite of capconform, but the report names a folder"
	case s.TextDigest == "":
		return "there is no such suite"
	case at < 0:
		return "it is a text of one's own; to verify it, name its folder by --suite"
	default:
		return "the folder is not that of the report, which has the digest " + s.TextDigest
	}
}

// textsOf returns one text for each suite: of the editions of a suite, that of the report, otherwise the first.
func textsOf(r *reports.Report, texts []Text) []Text {
	var those []Text
	for _, t := range texts {
		s := suiteOf(r, t.Catalogue.Suite)
		if slices.Contains(spec.Names(), t.Catalogue.Suite) && (s == nil || s.TextDigest != t.Digest) {
			continue // the report is about the edition that is no folder
		}
		at := slices.IndexFunc(those, func(other Text) bool { return other.Catalogue.Suite == t.Catalogue.Suite })
		if at < 0 {
			those = append(those, t)
		} else if s != nil && s.SpecVersion == t.Catalogue.Version {
			those[at] = t
		}
	}
	return those
}

// canonicalFaults lists where the report differs from the sets of this build.
func canonicalFaults(r *reports.Report, texts []Text) []string {
	texts = textsOf(r, texts)
	var all, catalogues, scripts []string
	examined, absent := map[string]*reports.Suite{}, map[string]bool{}
	for _, name := range r.NotSpoken {
		absent[name] = true
	}
	for i := range r.Suites {
		name := r.Suites[i].Suite
		if examined[name] != nil || absent[name] {
			all = append(all, name+": it is examined, but listed again")
		}
		if fault := textFault(&r.Suites[i], texts); fault != "" {
			all = append(all, name+": "+fault)
		}
		examined[name] = &r.Suites[i]
	}
	if len(examined)+len(absent) == 0 {
		return all // a run that did not begin names no suite
	}
	names := spec.Names()
	for _, t := range texts {
		if !slices.Contains(names, t.Catalogue.Suite) {
			names = append(names, t.Catalogue.Suite)
		}
	}
	for _, name := range names {
		if examined[name] == nil && !absent[name] {
			continue
		}
		c, err := canonicalSetOf(name, r.Subject.Driver == "documents", texts...)
		if err != nil {
			return append(all, err.Error())
		}
		catalogues, scripts = append(catalogues, c.catalogue.Digest()), append(scripts, c.features)
		if s := examined[name]; s != nil {
			all = append(all, c.faults(s, r.Run.Partial)...)
		}
	}
	if r.Harness.CatalogueDigest != reports.JoinDigests(catalogues) {
		all = append(all, "the digest of the catalogue is not that of this version")
	}
	if r.Harness.FeaturesDigest != reports.JoinDigests(scripts) {
		all = append(all, "the digest of the features is not that of this version")
	}
	return all
}
