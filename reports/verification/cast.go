package verification

import (
	"fmt"
	"slices"
	"strings"

	"github.com/capconform/capconform/reports"
)

// cast lists where the actors that a suite names are not those of the catalogue, or do
// not fit the run.
func (c *canon) cast(s *reports.Suite, partial bool) []string {
	var known, all []string
	for _, r := range c.catalogue.Requirements {
		if c.examines(r) && !slices.Contains(known, r.Actor) {
			known = append(known, r.Actor)
		}
	}
	if s.Edition != c.catalogue.Edition {
		const fault = "%s: the edition is %q, and the catalogue is of %q"
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
			all = append(all, fmt.Sprintf("%s: the actor %s is examined and left out", s.Suite, actor))
		}
	}
	if len(s.LeftOut) > 0 && !partial {
		all = append(all, fmt.Sprintf("%s: actors were left out, and the run says that it is whole", s.Suite))
	}
	return append(all, unmappedIn(s)...)
}

// byMapping begins the reason of what a mapping of the target file keeps.
const byMapping = "mapping "

// unmappedIn lists what a mapping is said to keep that the suite does not list.
func unmappedIn(s *reports.Suite) []string {
	var all []string
	for i := range s.Requirements {
		q := &s.Requirements[i]
		operation, mapped := strings.CutPrefix(q.Reason, byMapping)
		if q.Status != reports.Provided || !mapped {
			continue
		}
		if !slices.ContainsFunc(s.Mappings, func(m reports.Mapping) bool { return m.Operation == operation }) {
			const fault = "%s: it is kept by a mapping of %s, and the suite lists none"
			all = append(all, fmt.Sprintf(fault, q.ID, operation))
		}
	}
	return all
}
