package suites

import (
	"slices"

	"github.com/capconform/capconform/spec"
)

// Selection narrows a run. The zero value selects everything.
type Selection struct {
	Requirements []string // ids
	Tags         string   // a tag expression
	Level        string   // must, should or may: selects this level and those above it
	Without      []string // groups of the catalogue
	Shard        Shard
}

// Shard is one of several parts of a run, divided by requirement.
type Shard struct{ Index, Count int } // Index is 1-based; if Count is 0, the run is not divided

// Partial reports whether the selection omits any requirement or scenario.
func (s Selection) Partial() bool {
	return len(s.Requirements) > 0 || s.Tags != "" || (s.Level != "" && s.Level != "may") ||
		len(s.Without) > 0 || s.Shard.Count > 1
}

// Check returns a *UsageError if the selection is malformed or names something that no suite
// defines.
func (s Selection) Check(all []*Suite) error {
	for _, id := range s.Requirements {
		if !slices.ContainsFunc(all, func(u *Suite) bool { _, ok := u.Catalogue.Lookup(id); return ok }) {
			return usage("--requirement: no requirement %q in the examined suites (capconform list requirements shows them)", id)
		}
	}
	if s.Level != "" && levelRank[s.Level] == 0 {
		return usage("--level: %q is not must, should or may", s.Level)
	}
	for _, g := range s.Without {
		if !slices.ContainsFunc(all, func(u *Suite) bool { return u.hasGroup(g) }) {
			return usage("--without: no requirement is in group %q", g)
		}
	}
	if s.Tags != "" {
		if _, err := s.expression(all); err != nil {
			return err
		}
	}
	return nil
}

var levelRank = map[string]int{"must": 1, "should": 2, "may": 3}

func (s Selection) expression(all []*Suite) (tagExpression, error) {
	if s.Tags == "" {
		return func(map[string]bool) bool { return true }, nil
	}
	known := map[string]bool{}
	for _, u := range all {
		for _, c := range u.Scenarios() {
			for _, t := range c.Tags {
				known[t] = true
			}
		}
	}
	return parseTags(s.Tags, func(tag string) bool { return known[tag] })
}

// withParts returns the selection with the parts of each selected requirement that is the sum of
// others.
func (s Selection) withParts(c *spec.Catalogue) Selection {
	chosen := slices.Clone(s.Requirements)
	for _, id := range s.Requirements {
		if r, known := c.Lookup(id); known {
			chosen = append(chosen, r.SumOf...)
		}
	}
	s.Requirements = chosen
	return s
}

// takes reports whether a requirement is selected. n is its index in its catalogue.
func (s Selection) takes(r spec.Requirement, n int) bool {
	if len(s.Requirements) > 0 && !slices.Contains(s.Requirements, r.ID) {
		return false
	}
	if s.Level != "" && levelRank[r.Level.Class()] > levelRank[s.Level] {
		return false
	}
	if r.Group != "" && slices.Contains(s.Without, r.Group) {
		return false
	}
	return s.Shard.Count <= 1 || n%s.Shard.Count == s.Shard.Index-1
}

func (s *Suite) hasGroup(group string) bool {
	return slices.ContainsFunc(s.Catalogue.Requirements, func(r spec.Requirement) bool { return r.Group == group })
}
