package verification

import (
	"fmt"
	"slices"
	"strings"

	"github.com/capconform/capconform/reports"
)

// actorFaults lists where the actors of a suite differ from those of the catalogue, or contradict the run.
func (c *canonicalSet) actorFaults(s *reports.Suite, partial bool) []string {
	var known, all []string
	for _, r := range c.catalogue.Requirements {
		if c.examines(r) && !slices.Contains(known, r.Actor) {
			known = append(known, r.Actor)
		}
	}
	if s.Edition != c.catalogue.Edition {
		const fault = "%s: the edition is %q, but the catalogue is of %q"
		all = append(all, fmt.Sprintf(fault, s.Suite, s.Edition, c.catalogue.Edition))
	}
	for _, list := range [][]string{s.Actors, s.LeftOut} {
		if !within(list, known) {
			const fault = "%s: the actors %s are not those of the catalogue"
			all = append(all, fmt.Sprintf(fault, s.Suite, strings.Join(list, ", ")))
		}
	}
	for _, actor := range s.LeftOut {
		if slices.Contains(s.Actors, actor) {
			all = append(all, fmt.Sprintf("%s: the actor %s is both examined and left out", s.Suite, actor))
		}
	}
	if len(s.LeftOut) > 0 && !partial {
		all = append(all, fmt.Sprintf("%s: actors were left out, but the run claims to be complete", s.Suite))
	}
	return append(all, mappingFaults(s)...)
}

// byMapping begins the reason of a requirement that a mapping of the target file meets.
const byMapping = "mapping "

// mappingFaults lists the requirements whose mapping the suite does not list.
func mappingFaults(s *reports.Suite) []string {
	var all []string
	for i := range s.Requirements {
		q := &s.Requirements[i]
		operation, mapped := strings.CutPrefix(q.Reason, byMapping)
		if q.Status != reports.Provided || !mapped {
			continue
		}
		if !slices.ContainsFunc(s.Mappings, func(m reports.Mapping) bool { return m.Operation == operation }) {
			const fault = "%s: it is kept by a mapping of %s, but the suite lists no such mapping"
			all = append(all, fmt.Sprintf(fault, q.ID, operation))
		}
	}
	return all
}
