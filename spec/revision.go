package spec

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
)

//go:embed revisions.txt
var revisions string

// Revision is a set of requirements of an edition. A set that was released never changes: a change is a new revision.
type Revision struct {
	Suite, Edition string
	Number         int
	Release        string // the first release that has it; "" before that
	Set            string // SetDigest of its requirements
	Whole          string // the digest of everything that decides which subject they oblige, and where
}

const (
	unreleased = "-"
	columns    = 6
)

// Revisions returns all revisions that this build knows, the older ones of an edition first.
func Revisions() []Revision {
	var all []Revision
	for line := range strings.Lines(revisions) {
		var r Revision
		f := strings.Fields(line)
		if len(f) != columns || strings.HasPrefix(line, "#") {
			continue
		}
		r.Suite, r.Edition, r.Release, r.Set, r.Whole = f[0], f[1], strings.TrimPrefix(f[3], unreleased), f[4], f[5]
		r.Number, _ = strconv.Atoi(f[2])
		all = append(all, r)
	}
	return all
}

// SetDigest returns the hexadecimal SHA-256 of what a report shows of its requirements, in their order.
func SetDigest(shown []Requirement) string {
	h := sha256.New()
	for _, r := range shown {
		fmt.Fprintf(h, "%q %q %q %q\n", r.ID, r.Level, r.Section, r.Summary)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// RevisionOf returns the revision of an edition that has the requirements. It reports whether any revision of the
// edition is known, and whether one has them.
func RevisionOf(suite, edition string, shown []Requirement) (r Revision, known, found bool) {
	set := SetDigest(shown)
	for _, one := range Revisions() {
		if one.Suite == suite && one.Edition == edition {
			known = true
			if one.Set == set {
				return one, true, true
			}
		}
	}
	return r, known, false
}
