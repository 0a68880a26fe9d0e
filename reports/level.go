package reports

import (
	"cmp"
	"slices"
	"strings"

	"github.com/capconform/capconform/reports/display"
)

// class is the row of Counts to which a level belongs. It also determines the effect of a failure:
// only a failed must breaks conformance (DESIGN section 6).
type class int

const (
	mustClass class = iota
	shouldClass
	mayClass
)

// classOf maps the levels of the catalogue. DECLARED counts like MUST, ADVICE never affects
// conformance. An unknown level counts as MUST, so that a mistake in a catalogue never makes the
// harness lenient.
func classOf(level string) class {
	switch level {
	case "SHOULD", "SHOULD NOT":
		return shouldClass
	case "MAY", "ADVICE":
		return mayClass
	default:
		return mustClass
	}
}

// LevelClass returns the level that a level counts as: MUST, SHOULD or MAY.
func LevelClass(level string) string { return classOf(level).level() }

// level returns the level that represents the class.
func (c class) level() string { return [...]string{"MUST", "SHOULD", "MAY"}[c] }

// breaks reports whether a failure of this level makes the subject nonconformant.
func (c class) breaks(strict bool) bool {
	return c == mustClass || strict && c == shouldClass
}

// row returns the row of the counts.
func (c *Counts) row(k class) *Count {
	return [...]*Count{&c.Must, &c.Should, &c.May}[k]
}

// cell returns the number for one status, or nil if the status is unknown.
func (c *Count) cell(s Status) *int {
	switch s {
	case Passed:
		return &c.Passed
	case Provided:
		return &c.Provided
	case Failed:
		return &c.Failed
	case Inconclusive:
		return &c.Inconclusive
	case NotApplicable:
		return &c.NotApplicable
	case Error:
		return &c.Error
	case Excluded:
		return &c.Excluded
	default:
		return nil
	}
}

// Of returns the number for one status.
func (c Count) Of(s Status) int {
	if n := c.cell(s); n != nil {
		return *n
	}
	return 0
}

// Total returns the number of requirements in the row.
func (c Count) Total() int {
	total := 0
	for _, s := range Statuses() {
		total += c.Of(s)
	}
	return total
}

// judged returns the number of requirements that were found to be met or broken.
func (c Count) judged() int { return c.Passed + c.Provided + c.Failed }

// MostlyProvided reports whether an adapter or a mapping meets half or more of the judged
// requirements, or none was judged.
func (c Count) MostlyProvided() bool { return 2*c.Provided >= c.judged() }

// Plus returns the sum of two rows.
func (c Count) Plus(o Count) Count {
	for _, s := range Statuses() {
		*c.cell(s) += o.Of(s)
	}
	c.NotObserved += o.NotObserved
	return c
}

// Plus returns the sum of the counts of two suites.
func (c Counts) Plus(o Counts) Counts {
	return Counts{Must: c.Must.Plus(o.Must), Should: c.Should.Plus(o.Should), May: c.May.Plus(o.May)}
}

// Tally counts requirements by level class and status: DECLARED as must, ADVICE as may (DESIGN
// section 11). An unknown status counts as an error. A requirement that was not observed also
// counts as not applicable.
func Tally(reqs []Requirement) Counts {
	var counts Counts
	for _, q := range reqs {
		row := counts.row(classOf(q.Level))
		cell := row.cell(q.Status)
		if cell == nil {
			cell = &row.Error
		}
		*cell++
		if q.notObserved() {
			row.NotObserved++
		}
	}
	return counts
}

// LevelCount contains the counts of one level class (MUST, SHOULD, MAY) in a suite.
type LevelCount struct {
	Suite, Level string   // Level is MUST, SHOULD or MAY
	Words        []string // the levels that are counted, such as MUST and DECLARED
	Count        Count    // of the requirements of that class
}

// Name returns the suite and the levels, cleaned for a terminal.
func (c LevelCount) Name() string {
	return display.TerminalText(c.Suite + " " + strings.Join(c.Words, ", "))
}

// wordsOf returns the levels of the requirements of a class, without NOT, the keywords first.
func (s *Suite) wordsOf(k class) []string {
	var words []string
	for _, q := range s.Requirements {
		if word := strings.TrimSuffix(q.Level, " NOT"); classOf(q.Level) == k && !slices.Contains(words, word) {
			words = append(words, word)
		}
	}
	slices.SortFunc(words, func(a, b string) int { return cmp.Compare(LevelMeaning(a), LevelMeaning(b)) })
	return words
}

// LevelMeaning explains a level that is not a keyword of RFC 2119. It returns "" for one that is.
func LevelMeaning(level string) string {
	return map[string]string{
		"DECLARED": "the text demands it without a keyword; it counts as MUST",
		"ADVICE":   "the text recommends it without a keyword; it counts as MAY and fails nothing",
	}[level]
}

// LevelCounts returns the rows of a table of counts: one for each suite and level class with a
// requirement.
func (r *Report) LevelCounts() []LevelCount {
	var all []LevelCount
	for i := range r.Suites {
		s := &r.Suites[i]
		for _, k := range []class{mustClass, shouldClass, mayClass} {
			if count := *s.Counts.row(k); count.Total() > 0 {
				all = append(all, LevelCount{s.Suite, k.level(), s.wordsOf(k), count})
			}
		}
	}
	return all
}

// Occurring returns the statuses that requirements have, in order: the columns of a table of counts.
func (r *Report) Occurring() []Status {
	rows := r.LevelCounts()
	return slices.DeleteFunc(Statuses(), func(s Status) bool {
		return !slices.ContainsFunc(rows, func(row LevelCount) bool { return row.Count.Of(s) > 0 })
	})
}

// notObserved reports whether the run did not cause the event that the requirement is about.
func (q *Requirement) notObserved() bool {
	return q.Status == NotApplicable && strings.HasPrefix(q.Reason, NotObserved)
}
