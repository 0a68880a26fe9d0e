package suites

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"github.com/capconform/capconform/features"
	"github.com/capconform/capconform/spec"
	"github.com/capconform/capconform/suites/driver"
)

// Editions are those of a suite for which the target itself says which versions of the text it speaks. Each is examined
// in the edition that the target prefers, unless the user fixed one.
type Editions struct {
	Others []string // the versions of the texts of the other editions, the newest first
	// Further are the names of editions that only the user chooses: a target says of both that it speaks one version.
	Further []string
	// Routes are those of the HTTP bindings of the other editions.
	Routes []driver.Route
	Load   func(edition string) (Definition, error)
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

// In returns the edition of a suite with this name, and the suite itself if it has no such edition.
func (s *Suite) In(edition string) (*Suite, error) {
	e := s.Editions
	if e == nil || s.Catalogue.Edition == edition || !slices.Contains(slices.Concat(e.Others, e.Further), edition) {
		return s, nil
	}
	other, err := e.Load(edition)
	if err != nil {
		return nil, err
	}
	return New(other)
}

// InFolder returns the definition of an edition that is the suite with the catalogue of a folder and with further
// features.
func (d *Definition) InFolder(root fs.FS) (Definition, error) {
	of := *d
	data, err := fs.ReadFile(root, "catalogue.yaml")
	if err != nil {
		return of, fmt.Errorf("suites: %w", err)
	}
	of.Source = &Source{Place: d.Name}
	if of.Source.Catalogue, err = spec.Parse("catalogue.yaml", d.Name, data); err != nil {
		return of, fmt.Errorf("suites: %w", err)
	}
	shared, err := features.Suite(d.Name)
	if err != nil {
		return of, fmt.Errorf("suites: %w", err)
	}
	further, err := features.In(root, "features", d.Name)
	of.Source.Features = append(shared, further...)
	sum := sha256.Sum256([]byte(of.Source.Catalogue.Digest() + features.Digest(of.Source.Features)))
	of.Source.Digest = hex.EncodeToString(sum[:])
	return of, err
}

// InEditions returns the suites, each in the edition that the function returns for its name.
func InEditions(all []*Suite, edition func(suite string) string) ([]*Suite, error) {
	those := slices.Clone(all)
	for i, s := range all {
		var err error
		if those[i], err = s.In(edition(s.Name)); err != nil {
			return nil, err
		}
	}
	return those, nil
}

// preferred returns the edition of a suite in which a target is examined that speaks these versions: that of the first,
// if there is one, otherwise the newest. It is "" for the suite itself. The error is an *EditionError.
func (s *Suite) preferred(spoken []string) (string, error) {
	own, e := s.Catalogue.Version, s.Editions
	known := append(slices.Clone(e.Others), own)
	slices.Sort(known)
	slices.Reverse(known)
	at := slices.IndexFunc(known, func(version string) bool { return slices.Contains(spoken, version) })
	switch {
	case len(spoken) == 0, e.fixed && slices.Contains(spoken, own):
		return "", nil
	case e.fixed:
		return "", &EditionError{fmt.Sprintf("%s: the target speaks %s %s", s.Name, shownVersions(spoken), own)}
	case slices.Contains(known, spoken[0]):
		at = slices.Index(known, spoken[0])
	}
	if at < 0 || known[at] == own {
		return "", nil
	}
	return known[at], nil
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
	editions := map[string]string{}
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
			if editions[s.Name], err = s.preferred(s.Editions.Spoken(one.answer.Result)); err != nil {
				return nil, err
			}
		}
	}
	those, err := InEditions(all, func(name string) string { return editions[name] })
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
