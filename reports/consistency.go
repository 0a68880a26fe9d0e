package reports

import (
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/capconform/capconform/spec"
)

// selecting are the flags that make a run partial.
var selecting = []string{"--requirement", "--tags", "--without", "--shard"}

// contradictions lists where a report contradicts itself: what follows from
// something else in it, and does not.
func (r *Report) contradictions() []string {
	var all []string
	for i := range r.Suites {
		s := &r.Suites[i]
		for j := range s.Requirements {
			if fault := s.Requirements[j].contradiction(); fault != "" {
				all = append(all, s.Requirements[j].ID+": "+fault)
			}
		}
		all = append(all, s.miscounted()...)
	}
	all = append(all, r.misflagged()...)
	all = append(all, r.misparted()...)
	return append(all, r.misjudged()...)
}

// contradiction says where the status of a requirement does not follow from its
// scenarios.
func (q *Requirement) contradiction() string {
	if len(q.Scenarios) == 0 {
		return ""
	}
	statuses := make([]Status, 0, len(q.Scenarios))
	for _, sc := range q.Scenarios {
		statuses = append(statuses, sc.Status)
		if (sc.Status == Failed || sc.Status == Error) != (sc.Failure != nil) {
			return fmt.Sprintf("the scenario %q is %s, and its failure says otherwise", sc.Name, sc.Status)
		}
		if (sc.Status == Error) != (sc.Fault != "") {
			return fmt.Sprintf("the scenario %q is %s, and its fault says otherwise", sc.Name, sc.Status)
		}
	}
	worst := Worst(statuses...)
	if q.Status != worst && !(q.Status == Provided && worst == Passed) {
		return fmt.Sprintf("it is %s, and the worst of its scenarios is %s", q.Status, worst)
	}
	if q.Status != Passed && q.Status != Provided {
		if sc := q.deciding(); sc != nil && q.Reason != sc.Reason {
			return "its reason is not that of the scenario that decided"
		}
	}
	return ""
}

// miscounted says where the numbers of a suite are not those of its lists.
func (s *Suite) miscounted() []string {
	var all []string
	want := Tally(s.Requirements)
	for k, name := range []string{"must", "should", "may"} {
		for _, status := range Statuses() {
			got, n := s.Counts.row(class(k)).Of(status), want.row(class(k)).Of(status)
			if got != n {
				all = append(all, fmt.Sprintf("%s: the counts say %d %s %s, the requirements %d", s.Suite, got, name, status, n))
			}
		}
		if got, n := s.Counts.row(class(k)).NotObserved, want.row(class(k)).NotObserved; got != n {
			all = append(all, fmt.Sprintf("%s: the counts say %d %s not observed, the requirements %d", s.Suite, got, name, n))
		}
	}
	executed := 0
	for _, q := range s.Requirements {
		executed += len(q.Scenarios)
	}
	if executed != s.Plan.Executed {
		all = append(all, fmt.Sprintf("%s: %d scenarios are said to be executed, %d have an outcome", s.Suite,
			s.Plan.Executed, executed))
	}
	if s.Plan.Executed > s.Plan.Planned {
		all = append(all, fmt.Sprintf("%s: %d scenarios were executed, and %d planned", s.Suite, s.Plan.Executed,
			s.Plan.Planned))
	}
	if !slices.EqualFunc(s.RootCauses, rootCauses(s.Requirements), func(a, b RootCause) bool {
		return a.Message == b.Message && slices.Equal(a.Requirements, b.Requirements)
	}) {
		all = append(all, s.Suite+": the root causes do not follow from the requirements")
	}
	return all
}

// misflagged says where the run is not what its options make of it.
func (r *Report) misflagged() []string {
	var all []string
	if id, err := uuid.Parse(r.Run.ID); err != nil || id == uuid.Nil {
		all = append(all, "the run has no id")
	}
	strict, selects := false, ""
	for _, option := range r.Run.Options {
		name, value, _ := strings.Cut(option, " ")
		strict = strict || name == "--strict"
		whole := name == "--shard" && value == "1/1" || name == "--level" && value == "may"
		if (slices.Contains(selecting, name) || name == "--level") && !whole {
			selects = option
		}
		if !strings.Contains(r.Run.Command, option) {
			all = append(all, "the option "+option+" does not stand in the command")
		}
	}
	if strict != r.Run.Strict {
		all = append(all, fmt.Sprintf("the run says strict: %v, and its options say otherwise", r.Run.Strict))
	}
	if s := r.Run.Shard; s != nil && r.option("--shard") != fmt.Sprintf("--shard %d/%d", s.Index, s.Count) {
		all = append(all, "the run says which part it is, and its options say otherwise")
	}
	if r.Run.Shard != nil && !r.Run.Partial {
		all = append(all, "the run is one of several parts, and says that it is whole")
	}
	if !r.Run.Partial && r.cutShort() {
		all = append(all, "--fail-fast ended the run, and it says that it is whole")
	}
	if selects != "" && !r.Run.Partial {
		all = append(all, "the run was given "+selects+", and says that it is whole")
	}
	return all
}

// cutShort reports whether --fail-fast left a scenario out.
func (r *Report) cutShort() bool {
	return slices.ContainsFunc(r.Suites, func(s Suite) bool {
		return slices.ContainsFunc(s.Requirements, func(q Requirement) bool { return q.cutShort() })
	})
}

// misjudged says where a verdict does not follow from the statuses.
func (r *Report) misjudged() []string {
	var all []string
	again := *r
	again.Suites = slices.Clone(r.Suites)
	again.Settle()
	for i := range r.Suites {
		if got, want := r.Suites[i].Verdict, again.Suites[i].Verdict; got != want {
			all = append(all, fmt.Sprintf("%s: the verdict is %s, and what follows from its requirements is %s",
				r.Suites[i].Suite, got, want))
		}
	}
	if r.lost() {
		all = append(all, "a planned scenario has no outcome, and nothing cut the run short")
	}
	if r.Verdict != again.Verdict {
		all = append(all, fmt.Sprintf("the verdict is %s, and what follows from the suites is %s", r.Verdict, again.Verdict))
	}
	return all
}

// uncanonical lists where the report is not of the sets of this build.
func (r *Report) uncanonical() []string {
	var all, catalogues, scripts []string
	examined, absent := map[string]*Suite{}, map[string]bool{}
	for _, name := range r.NotSpoken {
		absent[name] = true
	}
	for i := range r.Suites {
		name := r.Suites[i].Suite
		if examined[name] != nil || absent[name] {
			all = append(all, name+": it is examined, and named again")
		}
		if !slices.Contains(spec.Names(), name) {
			all = append(all, name+": there is no such suite")
		}
		examined[name] = &r.Suites[i]
	}
	if len(examined)+len(absent) == 0 {
		return all // a run that did not begin names no suite
	}
	for _, name := range spec.Names() {
		if examined[name] == nil && !absent[name] {
			continue
		}
		c, err := canonOf(name, r.Subject.Driver == "documents")
		if err != nil {
			return append(all, err.Error())
		}
		catalogues, scripts = append(catalogues, c.catalogue.Digest()), append(scripts, c.features)
		if s := examined[name]; s != nil {
			all = append(all, c.faults(s, r.Run.Partial)...)
		}
	}
	if r.Harness.CatalogueDigest != JoinDigests(catalogues) {
		all = append(all, "the digest of the catalogue is not that of this version")
	}
	if r.Harness.FeaturesDigest != JoinDigests(scripts) {
		all = append(all, "the digest of the features is not that of this version")
	}
	return all
}
