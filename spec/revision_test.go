package spec

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var release = flag.String("release", "", "with -update, the release of the revisions that have none")

// editions returns the catalogues of all editions of this program.
func editions(t *testing.T) []*Catalogue {
	t.Helper()
	var all []*Catalogue
	for _, name := range Names() {
		c, err := Load(name)
		require.NoError(t, err)
		all = append(all, c)
	}
	folders, err := filepath.Glob("../suites/*/*/catalogue.yaml")
	require.NoError(t, err)
	require.NotEmpty(t, folders)
	for _, file := range folders {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		c, err := Parse(file, "", data)
		require.NoError(t, err)
		all = append(all, c)
	}
	return all
}

// whole returns what decides whom a requirement obliges, and where.
func whole(r Requirement) string {
	return fmt.Sprintf("%q %q %q %q %q %q %q %q %q %q\n", r.ID, r.Level, r.Section, r.Actor, r.Summary, r.Check, r.When, r.SumOf,
		r.YieldsTo, r.Fingerprint)
}

// entryOf returns the line of a revision in the file.
func entryOf(r Revision) string {
	return fmt.Sprintf("%s %s %d %s %s %s\n", r.Suite, r.Edition, r.Number, cmp.Or(r.Release, unreleased), r.Set, r.Whole)
}

func digestOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// now returns the revision that a catalogue has if the known ones are the last ones, and what must be done for it.
func now(known []Revision, c *Catalogue) (Revision, string) {
	var all strings.Builder
	for _, r := range c.Requirements {
		all.WriteString(whole(r))
	}
	is := Revision{Suite: c.Suite, Edition: c.Edition, Number: 1, Set: SetDigest(c.Requirements), Whole: digestOf(all.String())}
	var last Revision
	for _, r := range known {
		if r.Suite == c.Suite && r.Edition == c.Edition {
			last = r
		}
	}
	switch {
	case last.Set == is.Set && last.Whole == is.Whole:
		return last, ""
	case last.Number == 0:
		return is, "it has no revision: run go test ./spec -update"
	case last.Release == "":
		is.Number = last.Number
		return is, "its requirements changed: if this is intended, run go test ./spec -update"
	}
	is.Number = last.Number + 1
	return is, fmt.Sprintf("the requirements of revision %d, which %s has, changed: raise the revision by go test ./spec -update",
		last.Number, last.Release)
}

func TestSetsOfEditionsAreFrozen(t *testing.T) {
	known := Revisions()
	for _, c := range editions(t) {
		is, problem := now(known, c)
		if problem == "" {
			continue
		}
		if !*update {
			t.Errorf("%s %s: %s", c.Suite, c.Edition, problem)
			continue
		}
		at := slices.IndexFunc(known, func(r Revision) bool { return r.Suite == is.Suite && r.Edition == is.Edition && r.Number == is.Number })
		if at >= 0 {
			known[at] = is
		} else {
			known = append(known, is)
		}
	}
	if !*update {
		return
	}
	comment := revisions[:strings.LastIndex("\n"+revisions, "\n#")]
	comment += strings.SplitAfterN(revisions[len(comment):], "\n", 2)[0]
	for i := range known {
		if known[i].Release == "" {
			known[i].Release = *release
		}
		comment += entryOf(known[i])
	}
	require.NoError(t, os.WriteFile("revisions.txt", []byte(comment), 0o600))
}

func TestAReleasedSetIsNotChanged(t *testing.T) {
	c := &Catalogue{Suite: "pp", Edition: "1", Requirements: []Requirement{{ID: "PP-1-01", Level: Must}, {ID: "PP-1-02", Level: May}}}
	first, problem := now(nil, c)
	assert.Equal(t, 1, first.Number)
	assert.Contains(t, problem, "no revision")
	changes := map[string]func(*Requirement){
		"level": func(r *Requirement) { r.Level = Should }, "actor": func(r *Requirement) { r.Actor = "depot" },
		"check": func(r *Requirement) { r.Check = Live }, "when": func(r *Requirement) { r.When = "x" },
		"yields_to": func(r *Requirement) { r.YieldsTo = []string{"PP-1-02"} }, "summary": func(r *Requirement) { r.Summary = "x" },
		"section": func(r *Requirement) { r.Section = "2" }, "fingerprint": func(r *Requirement) { r.Fingerprint = []string{"x"} },
		"id": func(r *Requirement) { r.ID = "PP-1-03" }, "sum_of": func(r *Requirement) { r.SumOf = []string{"PP-1-02"} },
	}
	for name, change := range changes {
		other := *c
		other.Requirements = slices.Clone(c.Requirements)
		change(&other.Requirements[0])
		same, problem := now([]Revision{first}, c)
		assert.Equal(t, first, same)
		assert.Empty(t, problem)
		again, problem := now([]Revision{first}, &other)
		assert.Equal(t, 1, again.Number, name)
		assert.Contains(t, problem, "if this is intended", name)
		released := first
		released.Release = "v1.0.0"
		next, problem := now([]Revision{released}, &other)
		assert.Equal(t, 2, next.Number, name)
		assert.Contains(t, problem, "raise the revision", name)
		same, problem = now([]Revision{released, next}, &other)
		assert.Equal(t, next, same)
		assert.Empty(t, problem)
	}
	other := *c
	other.Requirements = slices.Clone(c.Requirements)
	other.Requirements[0].Satisfy, other.Requirements[0].Resolution = "x", "y"
	_, problem = now([]Revision{first}, &other)
	assert.Empty(t, problem)
}
