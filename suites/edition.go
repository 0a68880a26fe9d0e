package suites

import (
	"fmt"
	"slices"
	"strings"
)

// InRevision returns the suites for a target that speaks a revision of the transport's protocol. Of the editions of one
// suite, which have its name and follow one another from the newest on, it is the one for that revision, or the last.
func InRevision(all []*Suite, revision string) []*Suite {
	var those []*Suite
	for _, s := range all {
		i := slices.IndexFunc(those, func(other *Suite) bool { return other.Name == s.Name })
		switch {
		case i < 0:
			those = append(those, s)
		case those[i].Catalogue.Version != revision:
			those[i] = s
		}
	}
	return those
}

// otherRevisions returns a note for each suite that has several editions, but none for the revision of a target.
func otherRevisions(all []*Suite, revision string) []string {
	if revision == "" {
		return nil // the transport has none
	}
	editions := map[string][]string{}
	for _, s := range all {
		editions[s.Name] = append(editions[s.Name], s.Catalogue.Version)
	}
	var notes []string
	for _, s := range InRevision(all, revision) {
		if known := editions[s.Name]; len(known) > 1 && !slices.Contains(known, revision) {
			notes = append(notes, fmt.Sprintf("the target speaks the revision %s; %s examines %s", revision, s.Name,
				strings.Join(known, " and ")))
		}
	}
	return notes
}
