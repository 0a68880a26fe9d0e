package reports

import (
	"fmt"
	"strings"

	"github.com/capconform/capconform/reports/display"
)

// Change is the difference between two reports in one requirement.
type Change struct {
	Suite, ID, Level, Summary string     // of the requirement, from the newer report
	From, To                  Status     // empty if only one report contains it
	Kind                      ChangeKind // what it means
	Cause                     string     // why it is not met now, or was not before
}

// ChangeKind is what a change means for the reader.
type ChangeKind string

// The kinds, in the order in which they are shown.
const (
	Regressed ChangeKind = "regression"       // it fails now and did not, or it is new and fails
	Lost      ChangeKind = "no longer judged" // it was met, and now it is not judged
	Gone      ChangeKind = "gone"             // the new report does not contain it
	Altered   ChangeKind = "fails differently"
	Fixed     ChangeKind = "fixed"
	Gained    ChangeKind = "now judged" // it was not judged, and is met now
	Added     ChangeKind = "new"
)

func changeKinds() []ChangeKind {
	return []ChangeKind{Regressed, Lost, Gone, Altered, Fixed, Gained, Added}
}

// Difference contains what changed between two reports.
type Difference struct {
	Old, New *Report  // the reports that were compared
	Changes  []Change // by kind; within one kind, in the order of the new report
	Notes    []string // why the two are not fully comparable
}

// Compare returns what changed from an old report to a new one.
func Compare(old, new *Report) Difference {
	return compare(old, new, "old", "new")
}

// compare compares two reports. The notes use these names for them.
func compare(old, new *Report, first, second string) Difference {
	d := Difference{Old: old, New: new, Notes: comparisonNotes(old, new, first, second)}
	before, after := RequirementsOf(old), RequirementsOf(new)
	was := map[string]Placed{}
	for _, l := range before {
		was[l.Requirement.ID] = l
	}
	is := map[string]bool{}
	byKind := map[ChangeKind][]Change{}
	for _, l := range after {
		is[l.Requirement.ID] = true
		c := Change{
			Suite:   l.Suite,
			ID:      l.Requirement.ID,
			Level:   l.Requirement.Level,
			Summary: l.Requirement.Summary,
			To:      l.Requirement.Status,
		}
		if l.Requirement.Status != Passed {
			c.Cause = l.Requirement.Cause()
		}
		if p, known := was[l.Requirement.ID]; known {
			c.From = p.Requirement.Status
			c.Kind = changeKind(p.Requirement, l.Requirement)
			if c.Kind == Fixed {
				c.Cause = p.Requirement.Cause()
			}
		} else if c.Kind = Added; l.Requirement.Status == Failed {
			c.Kind = Regressed
		}
		if c.Kind != "" {
			byKind[c.Kind] = append(byKind[c.Kind], c)
		}
	}
	for _, l := range before {
		if !is[l.Requirement.ID] {
			byKind[Gone] = append(
				byKind[Gone],
				Change{Suite: l.Suite, ID: l.Requirement.ID, Level: l.Requirement.Level, Summary: l.Requirement.Summary,
					From: l.Requirement.Status, Kind: Gone},
			)
		}
	}
	for _, kind := range changeKinds() {
		d.Changes = append(d.Changes, byKind[kind]...)
	}
	return d
}

// Placed is a requirement with its suite.
type Placed struct {
	Suite       string       // its name
	Requirement *Requirement // in the report itself, not a copy
}

// RequirementsOf returns the requirements of every suite, in the order of the report.
func RequirementsOf(r *Report) []Placed {
	var all []Placed
	for i := range r.Suites {
		for j := range r.Suites[i].Requirements {
			all = append(all, Placed{r.Suites[i].Suite, &r.Suites[i].Requirements[j]})
		}
	}
	return all
}

// changeKind returns the kind of a change, or an empty kind if nothing changed.
func changeKind(old, new *Requirement) ChangeKind {
	kept := func(s Status) bool { return s == Passed || s == Provided }
	switch {
	case old.Status != Failed && new.Status == Failed:
		return Regressed
	case old.Status == Failed && kept(new.Status):
		return Fixed
	case old.Status == Failed && new.Status == Failed && old.Cause() != new.Cause():
		return Altered
	case old.Status == Failed && new.Status != Failed, kept(old.Status) && !kept(new.Status):
		return Lost
	case !kept(old.Status) && kept(new.Status):
		return Gained
	default:
		return ""
	}
}

// suitesOf returns the names of the suites of a report, with their texts.
func suitesOf(r *Report) string {
	var names []string
	for _, s := range r.Suites {
		names = append(names, display.Join(" ", s.Suite, s.Text()))
	}
	return strings.Join(names, ", ")
}

// shortDigest returns the beginning of a digest, which is enough to distinguish two digests.
func shortDigest(digest string) string { return digest[:min(len(digest), 12)] }

// comparisonNotes returns notes about other differences between the reports.
func comparisonNotes(old, new *Report, first, second string) []string {
	var notes []string
	for _, e := range []struct{ what, a, b string }{
		{"the subject differs", old.Subject.Name, new.Subject.Name},
		{"the suites differ", suitesOf(old), suitesOf(new)},
		{"the driver differs", old.Subject.Driver, new.Subject.Driver},
		{"the version of capconform differs", old.Harness.Version, new.Harness.Version},
		{"the catalogue differs", shortDigest(old.Harness.CatalogueDigest), shortDigest(new.Harness.CatalogueDigest)},
		{"the features differ", shortDigest(old.Harness.FeaturesDigest), shortDigest(new.Harness.FeaturesDigest)},
	} {
		if e.a != e.b {
			notes = append(notes, fmt.Sprintf("%s: %s, then %s", e.what, e.a, e.b))
		}
	}
	for _, e := range []struct {
		name string
		r    *Report
	}{{first, old}, {second, new}} {
		if e.r.Run.Partial {
			notes = append(notes, "the "+e.name+" report is of a partial run")
		}
		if e.r.UnfinishedBy() != "" {
			notes = append(notes, "the "+e.name+" run did not finish")
		}
	}
	return notes
}

// Conclusion states in one line what Exit says, the number of changes of each kind, and the verdicts.
func (d Difference) Conclusion() string {
	what := map[Exit]string{
		ExitConformant:    "no binding requirement is worse",
		ExitNonconformant: "a binding requirement fails that did not before",
		ExitIncomplete:    "a binding requirement is no longer judged",
	}[d.Exit()]
	var counts []string
	for _, kind := range changeKinds() {
		n := 0
		for _, c := range d.Changes {
			if c.Kind == kind {
				n++
			}
		}
		switch {
		case n == 0:
		case kind == Regressed: // the only noun
			counts = append(counts, display.Plural(n, string(kind)))
		default:
			counts = append(counts, fmt.Sprintf("%d %s", n, kind))
		}
	}
	if len(counts) == 0 {
		counts = []string{"no requirement changed"}
	}
	verdicts := fmt.Sprintf("%s before, %s now", d.Old.Verdict, d.New.Verdict)
	if d.Old.Verdict == d.New.Verdict {
		verdicts = fmt.Sprintf("%s as before", d.New.Verdict)
	}
	return fmt.Sprintf("%s: %s; %s", what, strings.Join(counts, ", "), verdicts)
}

// Exit returns ExitNonconformant if a binding requirement fails now and did not before,
// ExitIncomplete if a binding requirement is no longer judged, and otherwise ExitConformant. A
// SHOULD is binding if the new run was strict.
func (d Difference) Exit() Exit {
	exit := ExitConformant
	for _, c := range d.Changes {
		if !classOf(c.Level).breaks(d.New.Run.Strict) {
			continue
		}
		switch c.Kind {
		case Regressed:
			return ExitNonconformant
		case Lost, Gone:
			exit = ExitIncomplete
		}
	}
	return exit
}
