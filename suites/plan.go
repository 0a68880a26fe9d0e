package suites

import (
	"errors"
	"maps"
	"slices"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/spec"
	"github.com/capconform/capconform/suites/tag"
	"github.com/capconform/capconform/suites/verdict"
)

// plan is the plan of one suite for one subject. Each requirement has either a standing that is
// known before the run, or scenarios.
type plan struct {
	standings map[string]standing
	cases     []*Case
	silent    []*Case            // not selected; they determine to which requirement a breach belongs
	settled   map[*Case]standing // scenarios with a condition that the subject does not meet
	actors    []string           // the actors that are examined
	leftOut   []string           // the actors that the subject shows and the target file omits
}

type standing struct {
	status reports.Status
	reason string
}

// makePlan returns the plan of a suite. Every requirement gets a standing or scenarios.
func makePlan(s *Suite, mode Mode, sel Selection, tags tag.Expression, exam Examination) *plan {
	p := &plan{standings: map[string]standing{}, settled: map[*Case]standing{}}
	profile := exam.Profile()
	p.actors, p.leftOut = scope(s.Catalogue, mode, profile)
	byRequirement := map[string][]*Case{}
	for _, f := range s.features {
		for _, c := range f.cases {
			if c.Mode == mode {
				byRequirement[c.Requirement] = append(byRequirement[c.Requirement], c)
			}
		}
	}
	sel = sel.withParts(s.Catalogue)
	outside := map[string]bool{}
	for n, r := range s.Catalogue.Requirements {
		if st, is := outsidePlan(r, mode, profile); is {
			p.standings[r.ID], outside[r.ID] = st, true
			continue
		}
		chosen := byRequirement[r.ID]
		if !sel.takes(r, n) {
			chosen = nil
		}
		chosen = slices.DeleteFunc(slices.Clone(chosen), func(c *Case) bool { return !tags(tagSet(c)) })
		if len(chosen) == 0 && len(r.SumOf) == 0 {
			p.standings[r.ID] = standing{reports.NotApplicable, "not selected for this run"}
			continue
		}
		p.cases = append(p.cases, chosen...)
	}
	maps.DeleteFunc(byRequirement, func(id string, _ []*Case) bool { return outside[id] })
	p.silent = yieldedTo(s, p, byRequirement)
	for _, c := range slices.Concat(p.cases, p.silent) {
		if st, lacks := lacking(c, exam); lacks {
			p.settled[c] = st
		}
	}
	return p
}

// yieldedTo returns the universal scenarios of the requirements to which the selected requirements
// yield. A requirement outside the plan, such as one on an actor that the target file omits, is
// never reported, so nothing is attributed to it and byRequirement must not contain it.
func yieldedTo(s *Suite, p *plan, byRequirement map[string][]*Case) []*Case {
	var silent []*Case
	seen := map[string]bool{}
	var visit func(id string)
	visit = func(id string) {
		if seen[id] {
			return
		}
		seen[id] = true
		req, _ := s.Catalogue.Lookup(id)
		for _, other := range req.YieldsTo {
			for _, c := range byRequirement[other] {
				if c.Universal && !slices.Contains(p.cases, c) && !slices.Contains(silent, c) {
					silent = append(silent, c)
				}
			}
			visit(other)
		}
	}
	for _, c := range p.cases {
		visit(c.Requirement)
	}
	return silent
}

func outsidePlan(r spec.Requirement, mode Mode, profile Profile) (standing, bool) {
	switch {
	case r.Check == spec.Excluded:
		return standing{reports.Excluded, r.Excluded}, true
	case r.Check == spec.None:
		return standing{reports.NotApplicable, "a permission requires nothing"}, true
	case r.Check == spec.Document && mode == Live:
		return standing{reports.NotApplicable, "seen on documents alone: capconform lint"}, true
	case r.Check == spec.Live && mode == Documents:
		return standing{reports.NotApplicable, "seen on a live target alone: capconform run"}, true
	case !slices.Contains(profile.Actors, r.Actor) && slices.Contains(profile.Shown, r.Actor):
		return standing{reports.NotApplicable, reports.ActorLeftOut(r.Actor)}, true
	case !slices.Contains(profile.Actors, r.Actor):
		return standing{reports.NotApplicable, reports.ActorNotPlayed(r.Actor)}, true
	case profile.Beyond[r.ID] != "":
		return standing{reports.NotApplicable, profile.Beyond[r.ID]}, true
	}
	return standing{}, false
}

// lacking returns the standing of the first condition that the subject does not meet, and whether
// there is one. The status is not applicable if the error of the condition is a
// *verdict.NotApplicable, and inconclusive otherwise.
func lacking(c *Case, exam Examination) (standing, bool) {
	if c.Todo {
		return standing{reports.Inconclusive, "nobody has written yet how to see this: its scenario is marked @todo"}, true
	}
	for _, cond := range c.Conditions {
		err := exam.Condition(cond.Kind, cond.Name)
		if err == nil {
			continue
		}
		var not *verdict.NotApplicable
		if errors.As(err, &not) {
			return standing{reports.NotApplicable, err.Error()}, true
		}
		return standing{reports.Inconclusive, err.Error()}, true
	}
	return standing{}, false
}

func tagSet(c *Case) map[string]bool {
	set := make(map[string]bool, len(c.Tags))
	for _, t := range c.Tags {
		set[t] = true
	}
	return set
}

// judgesEachCapability reports whether a planned scenario of a requirement is about each capability.
func (p *plan) judgesEachCapability(id string) bool {
	return slices.ContainsFunc(p.cases, func(c *Case) bool { return c.Requirement == id && c.Each })
}

// scope returns the actors that a plan examines, and the actors that the subject shows and the
// target file omits, both in the order of the catalogue.
func scope(c *spec.Catalogue, mode Mode, profile Profile) (examined, leftOut []string) {
	kind := spec.Live
	if mode == Documents {
		kind = spec.Document
	}
	for _, r := range c.Requirements {
		switch {
		case !r.Check.Covers(kind):
		case slices.Contains(profile.Actors, r.Actor):
			examined = appendNew(examined, r.Actor)
		case slices.Contains(profile.Shown, r.Actor):
			leftOut = appendNew(leftOut, r.Actor)
		}
	}
	return examined, leftOut
}

// The bounds on the declared versions in a report. The subject chooses their number and length.
const (
	maxDeclared      = 8
	maxVersionLength = 40 // characters
)

// declared returns the versions for a report: without duplicates, and bounded in number and length.
func declared(versions []string) []string {
	var all []string
	for _, version := range versions {
		if text := []rune(version); len(text) > maxVersionLength {
			version = string(text[:maxVersionLength]) + "…"
		}
		if version != "" && len(all) < maxDeclared {
			all = appendNew(all, version)
		}
	}
	return all
}

func appendNew(all []string, word string) []string {
	if slices.Contains(all, word) {
		return all
	}
	return append(all, word)
}
