package reports

import (
	"bytes"
	"fmt"
	"io"
)

// Change is what became of one requirement between two reports.
type Change struct {
	Suite, ID, Level, Summary string
	From, To                  Status // empty where it is in one report alone
	Kind                      ChangeKind
	Cause                     string // why it is not kept now, or was not before
}

// ChangeKind says what a change means for the reader.
type ChangeKind string

// The kinds, in the order in which they are shown.
const (
	Regressed ChangeKind = "regression"     // it fails now and did not, or it is new and fails
	Lost      ChangeKind = "no longer seen" // it was kept, and now it is not judged
	Gone      ChangeKind = "gone"           // the new report does not hold it
	Altered   ChangeKind = "fails otherwise"
	Fixed     ChangeKind = "fixed"
	Gained    ChangeKind = "now seen" // it was not judged, and is kept now
	Added     ChangeKind = "new"
)

func changeKinds() []ChangeKind {
	return []ChangeKind{Regressed, Lost, Gone, Altered, Fixed, Gained, Added}
}

// Difference is what changed between two reports.
type Difference struct {
	Old, New *Report
	Changes  []Change // in the order of the kinds, within one in that of the new report
	Notes    []string // why the two are not quite comparable
}

// Compare tells what changed from an old report to a new one.
func Compare(old, new *Report) Difference {
	return compare(old, new, "old", "new")
}

// compare compares two reports, which the notes call by these names.
func compare(old, new *Report, first, second string) Difference {
	d := Difference{Old: old, New: new, Notes: incomparable(old, new, first, second)}
	before, after := requirementsOf(old), requirementsOf(new)
	was := map[string]placed{}
	for _, l := range before {
		was[l.q.ID] = l
	}
	is := map[string]bool{}
	byKind := map[ChangeKind][]Change{}
	for _, l := range after {
		is[l.q.ID] = true
		c := Change{Suite: l.suite, ID: l.q.ID, Level: l.q.Level, Summary: l.q.Summary, To: l.q.Status}
		if l.q.Status != Passed {
			c.Cause = l.q.Cause()
		}
		if p, known := was[l.q.ID]; known {
			c.From = p.q.Status
			c.Kind = between(p.q, l.q)
			if c.Kind == Fixed {
				c.Cause = p.q.Cause()
			}
		} else if c.Kind = Added; l.q.Status == Failed {
			c.Kind = Regressed
		}
		if c.Kind != "" {
			byKind[c.Kind] = append(byKind[c.Kind], c)
		}
	}
	for _, l := range before {
		if !is[l.q.ID] {
			byKind[Gone] = append(byKind[Gone], Change{Suite: l.suite, ID: l.q.ID, Level: l.q.Level, Summary: l.q.Summary,
				From: l.q.Status, Kind: Gone})
		}
	}
	for _, kind := range changeKinds() {
		d.Changes = append(d.Changes, byKind[kind]...)
	}
	return d
}

// placed is a requirement with its suite.
type placed struct {
	suite string
	q     *Requirement
}

func requirementsOf(r *Report) []placed {
	var all []placed
	for i := range r.Suites {
		for j := range r.Suites[i].Requirements {
			all = append(all, placed{r.Suites[i].Suite, &r.Suites[i].Requirements[j]})
		}
	}
	return all
}

// between gives the kind of a change, empty for none.
func between(old, new *Requirement) ChangeKind {
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

// incomparable says what else is different.
func incomparable(old, new *Report, first, second string) []string {
	var notes []string
	for _, e := range []struct{ what, a, b string }{
		{"the subject", old.Subject.Name, new.Subject.Name},
		{"the driver", old.Subject.Driver, new.Subject.Driver},
		{"capconform", old.Harness.Version, new.Harness.Version},
		{"the catalogue", old.Harness.CatalogueDigest, new.Harness.CatalogueDigest},
		{"the features", old.Harness.FeaturesDigest, new.Harness.FeaturesDigest},
	} {
		if e.a != e.b {
			notes = append(notes, fmt.Sprintf("%s is another: %s, then %s", e.what, e.a, e.b))
		}
	}
	for _, e := range []struct {
		name string
		r    *Report
	}{{first, old}, {second, new}} {
		if e.r.Run.Partial {
			notes = append(notes, "the "+e.name+" report is of a partial run")
		}
		if e.r.unfinishedBy() != "" {
			notes = append(notes, "the "+e.name+" run did not come to its end")
		}
	}
	return notes
}

// Exit is ExitNonconformant where what obliges fails now and did not,
// ExitIncomplete where what obliges is no longer seen, else ExitConformant. A
// SHOULD obliges where the new run was strict.
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

// WriteText prints a difference for people, a change a line, and the verdicts. The
// error is that of w.
func (d Difference) WriteText(w io.Writer) error {
	p := &page{width: 100}
	for _, note := range d.Notes {
		p.line("note: %s", TerminalText(note))
	}
	last := ChangeKind("")
	for _, c := range d.Changes {
		if c.Kind != last {
			last = c.Kind
			p.line("%s", last)
		}
		p.line("  %s  %s  %s", TerminalText(c.ID), c.Level, TerminalText(c.step()))
		if c.Cause != "" {
			p.line("      %s", TerminalText(c.Cause))
		}
	}
	if len(d.Changes) == 0 {
		p.line("no requirement changed")
	}
	p.line("%s, then %s", d.Old.Verdict, d.New.Verdict)
	return p.writeTo(w)
}

// step is the change of the status in words.
func (c Change) step() string {
	word := func(s Status) string {
		if s == "" {
			return "not there"
		}
		return statusMarks[s].word
	}
	return word(c.From) + " → " + word(c.To)
}

// WriteMarkdown writes a difference as a table. The error is that of w.
func (d Difference) WriteMarkdown(w io.Writer) error {
	var buf bytes.Buffer
	fmt.Fprintf(&buf, "## %s, then %s\n", d.Old.Verdict, d.New.Verdict)
	for _, note := range d.Notes {
		fmt.Fprintf(&buf, "\n- %s", markdownCell(note))
	}
	if len(d.Notes) > 0 {
		buf.WriteString("\n")
	}
	if len(d.Changes) == 0 {
		buf.WriteString("\nNo requirement changed.\n")
	} else {
		buf.WriteString("\n| change | requirement | level | status | cause |\n| :-- | :-- | :-- | :-- | :-- |\n")
	}
	for _, c := range d.Changes {
		fmt.Fprintf(&buf, "| %s | %s | %s | %s | %s |\n", c.Kind, markdownCell(c.ID), c.Level, c.step(),
			markdownCell(c.Cause))
	}
	if _, err := w.Write(buf.Bytes()); err != nil {
		return fmt.Errorf("reports: diff: %w", err)
	}
	return nil
}
