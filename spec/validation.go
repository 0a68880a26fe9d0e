package spec

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

var (
	idForm          = regexp.MustCompile(`^[A-Z]+-[A-Z0-9]+-[0-9]{2,3}$`)
	fingerprintForm = regexp.MustCompile(`^[0-9a-f]{64}$`)
	actorForm       = regexp.MustCompile(`^[a-z]+(_[a-z]+)*$`)
	labelForm       = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
)

// validation collects all errors in a catalogue.
type validation struct {
	file   string
	prefix string // of the ids
	c      *Catalogue
	errs   []error
}

func (v *validation) reject(line int, format string, args ...any) {
	v.errs = append(v.errs, fmt.Errorf("spec: %s:%d: %s", v.file, line, fmt.Sprintf(format, args...)))
}

func validate(file, suite string, c *Catalogue, at lines) error {
	v := &validation{file: file, prefix: strings.ToUpper(suite), c: c}
	if c.Suite != suite {
		v.reject(1, "suite is %q, the file is for %q", c.Suite, suite)
	}
	if c.Title == "" || c.Version == "" {
		v.reject(1, "title and version are needed")
	}
	if len(c.Requirements) == 0 {
		v.reject(1, "no requirements")
	}
	first := map[string]int{}
	for i, r := range c.Requirements {
		line := at.requirements[i]
		if earlier, twice := first[r.ID]; twice {
			v.reject(line, "%s: the id is taken at line %d", r.ID, earlier)
		} else {
			first[r.ID] = line
		}
		v.identity(line, r)
		v.observation(line, r)
		v.references(line, r)
	}
	v.addresses(at)
	v.waivers(at.waivers)
	return errors.Join(v.errs...)
}

// identity checks the members that identify the requirement.
func (v *validation) identity(line int, r Requirement) {
	if !idForm.MatchString(r.ID) || !strings.HasPrefix(r.ID, v.prefix+"-") {
		v.reject(line, "id %q is not of the form %s-SECTION-ORDINAL, as in %s-INV-03", r.ID, v.prefix, v.prefix)
	}
	if r.Level.Class() == "" {
		v.reject(line, "%s: unknown level %q", r.ID, r.Level)
	}
	for _, member := range []struct{ name, value string }{
		{"section", r.Section}, {"actor", r.Actor}, {"summary", r.Summary},
	} {
		if member.value == "" {
			v.reject(line, "%s: %s is missing", r.ID, member.name)
		}
	}
	if r.Actor != "" && !actorForm.MatchString(r.Actor) {
		v.reject(line, "%s: actor %q is not in lower-case words joined by _", r.ID, r.Actor)
	}
	for _, label := range []string{r.When, r.Group} {
		if label != "" && !labelForm.MatchString(label) {
			v.reject(line, "%s: %q is not in lower-case words joined by -", r.ID, label)
		}
	}
}

// observation checks the members that state how the requirement is observed.
func (v *validation) observation(line int, r Requirement) {
	switch r.Check {
	case Live, Document, Both:
		if r.Testable() && r.Satisfy == "" {
			v.reject(line, "%s: satisfy is missing", r.ID)
		}
	case Excluded:
	case None:
		if r.Level.Class() != "may" {
			v.reject(line, "%s: check none is for permissions, the level is %s", r.ID, r.Level)
		}
	default:
		v.reject(line, "%s: unknown check %q", r.ID, r.Check)
	}
	switch {
	case r.Check == Excluded && r.Excluded == "":
		v.reject(line, "%s: check is excluded without a reason in excluded", r.ID)
	case r.Check != Excluded && r.Excluded != "":
		v.reject(line, "%s: a reason in excluded, but check is %s", r.ID, r.Check)
	}
}

// references checks fingerprints and the parts of a sum.
func (v *validation) references(line int, r Requirement) {
	if len(r.Fingerprint) == 0 {
		v.reject(line, "%s: fingerprint is missing", r.ID)
	}
	for i, fp := range r.Fingerprint {
		if !fingerprintForm.MatchString(fp) {
			v.reject(line, "%s: fingerprint %q is not a SHA-256 in lower-case hexadecimal", r.ID, fp)
		}
		if slices.Contains(r.Fingerprint[:i], fp) {
			v.reject(line, "%s: fingerprint %s is listed twice", r.ID, fp)
		}
	}
	for _, id := range r.SumOf {
		part, ok := v.c.Lookup(id)
		switch {
		case !ok:
			v.reject(line, "%s: sum_of names %q, which is not a requirement", r.ID, id)
		case len(part.SumOf) > 0:
			v.reject(line, "%s: sum_of names %s, which is a sum itself", r.ID, id)
		}
	}
	v.yields(line, r)
}

// rank orders the classes of levels, the binding one first.
var rank = map[string]int{"must": 1, "should": 2, "may": 3}

// yields checks that a requirement yields to others of its suite, never to a lower level and never
// in a cycle.
func (v *validation) yields(line int, r Requirement) {
	for i, id := range r.YieldsTo {
		other, ok := v.c.Lookup(id)
		switch {
		case !ok:
			v.reject(line, "%s: yields_to names %q, which is not a requirement", r.ID, id)
		case slices.Contains(r.YieldsTo[:i], id):
			v.reject(line, "%s: yields_to names %s twice", r.ID, id)
		case rank[other.Level.Class()] > rank[r.Level.Class()]:
			v.reject(line, "%s: yields_to names %s, whose level %s is lower", r.ID, id, other.Level)
		case v.reaches(id, r.ID, map[string]bool{}):
			v.reject(line, "%s: yields_to names %s, which yields to it in turn", r.ID, id)
		}
	}
}

// reaches reports whether a requirement yields to another, directly or through others.
func (v *validation) reaches(from, to string, seen map[string]bool) bool {
	if from == to {
		return true
	}
	if seen[from] {
		return false
	}
	seen[from] = true
	r, _ := v.c.Lookup(from)
	return slices.ContainsFunc(r.YieldsTo, func(id string) bool { return v.reaches(id, to, seen) })
}

// waivers checks that each entry covers one block that no requirement covers.
func (v *validation) waivers(at []int) {
	seen := map[string]string{}
	for _, r := range v.c.Requirements {
		for _, fp := range r.Fingerprint {
			seen[fp] = r.ID
		}
	}
	for i, w := range v.c.NotNormative {
		if !fingerprintForm.MatchString(w.Fingerprint) {
			v.reject(at[i], "not_normative: fingerprint %q is not a SHA-256 in lower-case hexadecimal", w.Fingerprint)
		}
		if w.Why == "" {
			v.reject(at[i], "not_normative: why is missing")
		}
		if owner, taken := seen[w.Fingerprint]; taken {
			v.reject(at[i], "not_normative: fingerprint %s is already covered by %s", w.Fingerprint, owner)
		}
		seen[w.Fingerprint] = "an earlier entry of not_normative"
	}
}
