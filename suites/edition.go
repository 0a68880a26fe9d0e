package suites

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/driver"
)

// Editions are those of a suite for which the target itself says which versions of the text it speaks. Each is examined
// in the edition that the target prefers, unless the user fixed one.
type Editions struct {
	Others []string // the versions of the texts of the other editions, the newest first
	// Routes are those of the HTTP bindings of the other editions.
	Routes []driver.Route
	Load   func(version string) (Definition, error)
	// Spoken returns the versions that the answer to the first probe names, the preferred one first, and none if it
	// names none.
	Spoken func(answer json.RawMessage) []string
	// HTTPAlone: the text of this edition defines no other binding.
	HTTPAlone bool
	fixed     bool
}

// EditionError reports that a target cannot be examined in the edition that the user fixed.
type EditionError struct{ message string }

// Error returns the message.
func (e *EditionError) Error() string { return e.message }

// Unwrap returns a *UsageError.
func (e *EditionError) Unwrap() error { return &UsageError{e.message} }

// Fix returns the editions of a suite of which the user chose this one.
func (e *Editions) Fix() *Editions {
	fixed := *e
	fixed.fixed = true
	return &fixed
}

// In returns the edition of a suite for a version of the text, and the suite itself if it has no such edition.
func (s *Suite) In(version string) (*Suite, error) {
	if s.Editions == nil || s.Catalogue.Version == version || !slices.Contains(s.Editions.Others, version) {
		return s, nil
	}
	other, err := s.Editions.Load(version)
	if err != nil {
		return nil, err
	}
	return New(other)
}

// InVersions returns the suites, each in the edition for the version that the function returns for its name.
func InVersions(all []*Suite, version func(suite string) string) ([]*Suite, error) {
	those := slices.Clone(all)
	for i, s := range all {
		var err error
		if those[i], err = s.In(version(s.Name)); err != nil {
			return nil, err
		}
	}
	return those, nil
}

// preferred returns the version of a suite in which a target is examined that speaks these: the first, if there is an
// edition for it, otherwise the newest for which there is one. The error is an *EditionError.
func (s *Suite) preferred(spoken []string) (string, error) {
	own, e := s.Catalogue.Version, s.Editions
	known := append(slices.Clone(e.Others), own)
	slices.Sort(known)
	slices.Reverse(known)
	at := slices.IndexFunc(known, func(version string) bool { return slices.Contains(spoken, version) })
	switch {
	case len(spoken) == 0, e.fixed && slices.Contains(spoken, own):
		return own, nil
	case e.fixed:
		return "", &EditionError{fmt.Sprintf("%s: the target speaks %s %s", s.Name, shownVersions(spoken), own)}
	case slices.Contains(known, spoken[0]):
		return spoken[0], nil
	case at >= 0:
		return known[at], nil
	}
	return own, nil
}

// versionForm is what is shown of the versions that a target says it speaks: another text could be a secret that it
// repeats.
var versionForm = regexp.MustCompile(`^[0-9]{1,4}([.-][0-9]{1,4}){0,3}$`)

// shownVersions names the versions that a target speaks; another one follows.
func shownVersions(spoken []string) string {
	var shown []string
	for _, version := range spoken {
		if versionForm.MatchString(version) && !slices.Contains(shown, version) && len(shown) < 4 {
			shown = append(shown, version)
		}
	}
	if len(shown) == 0 {
		return "another version than"
	}
	return "the version " + strings.Join(shown, " and ") + ", not"
}

// inSpoken returns the suites, each in the edition that the target prefers, if the options say so. The editions have a
// binding over HTTP alone.
func (p probeResults) inSpoken(all []*Suite, opts Options) ([]*Suite, error) {
	versions := map[string]string{}
	for _, s := range all {
		if s.Editions == nil || !opts.Preferred {
			continue
		}
		for _, one := range p.answers {
			if one.suite != s || one.operation != s.Probes[0].Name || one.err != nil {
				continue
			}
			if one.answer.Exchange.Status == 0 {
				if s.Editions.HTTPAlone {
					return nil, &EditionError{fmt.Sprintf("%s: the edition %s has a binding over HTTP alone; name the URL of a target",
						s.Name, s.Catalogue.Version)}
				}
				continue
			}
			if !one.returned() {
				continue
			}
			var err error
			if versions[s.Name], err = s.preferred(s.Editions.Spoken(one.answer.Result)); err != nil {
				return nil, err
			}
		}
	}
	those, err := InVersions(all, func(name string) string { return versions[name] })
	if err != nil {
		return nil, err
	}
	return those, opts.Selection.Check(those)
}

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
