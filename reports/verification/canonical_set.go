package verification

import (
	"fmt"
	"slices"

	messages "github.com/cucumber/messages/go/v21"

	"github.com/capconform/capconform/features"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/spec"
)

// canonicalSet contains what this build knows about one suite: the set that a complete run examines.
type canonicalSet struct {
	catalogue *spec.Catalogue
	features  string              // digest
	scenarios map[string][]string // names by requirement, in the order of a report
	documents bool
}

// canonicalSetOf returns the set for documents, or for a live target. The suite is one of this build, or one of the
// texts.
func canonicalSetOf(suite string, documents bool, texts ...Text) (*canonicalSet, error) {
	c := &canonicalSet{scenarios: map[string][]string{}, documents: documents}
	var text *reports.FeatureSet
	var err error
	if at := slices.IndexFunc(texts, func(t Text) bool { return t.Catalogue.Suite == suite }); at >= 0 {
		c.catalogue, c.features = texts[at].Catalogue, texts[at].Digest
		text, err = reports.FeatureSetOf(texts[at].Features, &messages.Incrementing{})
	} else {
		if c.catalogue, err = spec.Load(suite); err != nil {
			return nil, fmt.Errorf("reports: %w", err)
		}
		if text, err = reports.ReadFeatureSet(suite, &messages.Incrementing{}); err == nil {
			c.features = features.Digest(text.Sources)
		}
	}
	if err != nil {
		return nil, err
	}
	for requirement, pickles := range text.ScenariosByRequirement(documents) {
		for _, p := range pickles {
			c.scenarios[requirement] = append(c.scenarios[requirement], p.Name)
		}
	}
	return c, nil
}

// examines reports whether a run of this kind examines the requirement.
func (c *canonicalSet) examines(r spec.Requirement) bool {
	if c.documents {
		return r.Check.Covers(spec.Document)
	}
	return r.Check.Covers(spec.Live)
}

// faults lists where a suite of a report differs from the complete set. A partial run may omit
// scenarios, but not add any.
func (c *canonicalSet) faults(s *reports.Suite, partial bool) []string {
	var all []string
	if s.SpecVersion != c.catalogue.Version {
		all = append(all, fmt.Sprintf("%s: the version of the text is %q, but the catalogue is of %q", s.Suite, s.SpecVersion,
			c.catalogue.Version))
	}
	all = append(all, c.orderFaults(s)...)
	all = append(all, c.actorFaults(s, partial)...)
	for i := range s.Requirements {
		q := &s.Requirements[i]
		about, ok := c.catalogue.Lookup(q.ID)
		if !ok {
			continue // reported above
		}
		if q.Level != string(about.Level) || q.Section != about.Section || q.Summary != about.Summary {
			all = append(all, q.ID+": level, section or summary differs from the catalogue")
		}
		if fault := c.scenarioFault(s, q, about, partial); fault != "" {
			all = append(all, q.ID+": "+fault)
		}
	}
	return append(all, c.sumFaults(s)...)
}

// orderFaults compares the list of requirements with that of the catalogue.
func (c *canonicalSet) orderFaults(s *reports.Suite) []string {
	var want, got, all []string
	for _, r := range c.catalogue.Requirements {
		want = append(want, r.ID)
	}
	for _, q := range s.Requirements {
		got = append(got, q.ID)
	}
	for _, id := range want {
		if !slices.Contains(got, id) {
			all = append(all, id+" is missing")
		}
	}
	for i, id := range got {
		switch {
		case !slices.Contains(want, id):
			all = append(all, id+" is not a requirement of the catalogue")
		case slices.Contains(got[:i], id):
			all = append(all, id+" is listed twice")
		}
	}
	if len(all) == 0 && !slices.Equal(want, got) {
		all = append(all, s.Suite+": the requirements are not in the order of the catalogue")
	}
	return all
}

// scenarioFault returns what is wrong with the scenarios of one requirement.
func (c *canonicalSet) scenarioFault(s *reports.Suite, q *reports.Requirement, about spec.Requirement,
	partial bool) string {
	var got []string
	for _, sc := range q.Scenarios {
		got = append(got, sc.Name)
	}
	want := c.scenarios[q.ID]
	switch {
	case about.Check == spec.Excluded && (q.Status != reports.Excluded || len(got) > 0):
		return "it can't be observed, but the report says " + string(q.Status)
	case about.Check != spec.Excluded && q.Status == reports.Excluded:
		return "it is excluded, but the catalogue does not say so"
	case !c.examines(about) || len(about.SumOf) > 0:
		if len(got) > 0 {
			return "it has scenarios, but this kind of run does not examine it"
		}
		if len(about.SumOf) == 0 && q.Status != reports.NotApplicable && q.Status != reports.Excluded {
			return "this kind of run does not examine it, but the report says " + string(q.Status)
		}
		return ""
	case len(got) == 0:
		return c.noScenarioFault(s, q, about, partial)
	case !slices.Contains(s.Actors, about.Actor):
		return "it obliges the actor " + about.Actor + ", which is not among the examined actors"
	case partial && within(got, want):
		return ""
	case !slices.Equal(want, got):
		return fmt.Sprintf("its scenarios are not those of the features: it has %d, want %d", len(got), len(want))
	}
	return ""
}

// noScenarioFault returns what is wrong with a requirement that has no scenario.
func (c *canonicalSet) noScenarioFault(s *reports.Suite, q *reports.Requirement, about spec.Requirement,
	partial bool) string {
	examined := slices.Contains(s.Actors, about.Actor)
	switch {
	case q.Status != reports.NotApplicable:
		return "it has no scenario, but the report says " + string(q.Status)
	case q.Reason == reports.NotSelected && !partial:
		return "it was not selected, but the run claims to be complete"
	case q.Reason == reports.NotSelected:
		return ""
	case q.Reason == reports.ActorNotPlayed(about.Actor):
		if examined || slices.Contains(s.LeftOut, about.Actor) {
			return "it says that the subject does not play the actor " + about.Actor + ", but the suite says that it does"
		}
		return ""
	case q.Reason == reports.ActorLeftOut(about.Actor):
		if !slices.Contains(s.LeftOut, about.Actor) {
			return "it says that the actor " + about.Actor + " is left out, but the suite does not say so"
		}
		return ""
	case !examined:
		return "it obliges the actor " + about.Actor + ", which is not examined, but gives another reason"
	case reports.LevelClass(q.Level) == "MAY": // advice is judged only with --strict
		return ""
	case !q.NotExpressible() || s.Counts.Must.Provided == 0:
		return "it obliges an examined actor and was not planned, but no run gives its reason"
	}
	return ""
}

// within reports whether some occurs in the order of all.
func within(some, all []string) bool {
	for _, s := range some {
		at := slices.Index(all, s)
		if at < 0 {
			return false
		}
		all = all[at+1:]
	}
	return true
}

// sumFaults checks that each sum has the worst status of its parts.
func (c *canonicalSet) sumFaults(s *reports.Suite) []string {
	status := map[string]reports.Status{}
	for _, q := range s.Requirements {
		status[q.ID] = q.Status
	}
	var all []string
	for _, q := range s.Requirements {
		about, _ := c.catalogue.Lookup(q.ID)
		if len(about.SumOf) == 0 || !c.examines(about) {
			continue
		}
		var parts []reports.Status
		for _, id := range about.SumOf {
			parts = append(parts, status[id])
		}
		// A sum of an actor that is not played is outside the plan.
		if worst := reports.Worst(parts...); q.Status != worst &&
			(q.Status != reports.NotApplicable || worst == reports.Failed) {
			all = append(all, fmt.Sprintf("%s: it is %s, but the worst of its parts is %s", q.ID, q.Status, worst))
		}
	}
	return all
}

// recomputeSums recomputes the status of sums from the parts that a merged report contains.
func (c *canonicalSet) recomputeSums(s *reports.Suite) {
	status := map[string]reports.Status{}
	for _, q := range s.Requirements {
		status[q.ID] = q.Status
	}
	for i := range s.Requirements {
		q := &s.Requirements[i]
		about, _ := c.catalogue.Lookup(q.ID)
		if len(about.SumOf) > 0 && q.IsSum() {
			q.SumUp(about.SumOf, status)
		}
	}
}
