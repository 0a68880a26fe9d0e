package reports

import "sort"

// Mark is how one kind of outcome is shown to people. The word is sufficient; symbol and colour
// only repeat it.
type Mark struct {
	Word   string // one or two words
	Symbol string // one character
	Color  string // an SGR parameter
}

// The marks of outcomes other than passed, in the order in which they are shown.
var (
	FailedMark       = Mark{"failed", "✗", "31"}
	ErrorMark        = Mark{"error", "!", "35"}
	WarningMark      = Mark{"warning", "△", "33"}
	AdviceMark       = Mark{"advice", "△", "36"}
	InconclusiveMark = Mark{"inconclusive", "?", "94"} // 34 is hard to read on black
	KnownMark        = Mark{"known failure", "≈", "33"}
	NoticeMark       = Mark{"notice", "△", "36"}
	// ToleratedMark stands for the verdict of a run in which only known failures were seen.
	ToleratedMark = Mark{"tolerated by the baseline", "≈", "33"}
)

// Mark returns how a status is shown. An unknown status is shown as an error.
func (s Status) Mark() Mark {
	switch s {
	case Passed:
		return Mark{"passed", "✓", "32"}
	case Provided:
		return Mark{"provided", "◦", "32"}
	case Failed:
		return FailedMark
	case Inconclusive:
		return InconclusiveMark
	case NotApplicable:
		return Mark{"not applicable", "–", "2"}
	case Excluded:
		return Mark{"excluded", "·", "2"}
	default:
		return ErrorMark
	}
}

// MarkOf returns the mark of a requirement. A failure is a warning or advice if its level does not
// affect conformance.
func MarkOf(q *Requirement, strict bool) Mark {
	class := classOf(q.Level)
	switch {
	case q.Known && q.Status.Explains():
		return KnownMark
	case q.Status != Failed || class.breaks(strict):
		return q.Status.Mark()
	case class == shouldClass:
		return WarningMark
	default:
		return AdviceMark
	}
}

// Group is a list of requirements with the same mark and the same cause.
type Group struct {
	Mark         Mark           // of all of them
	Message      string         // the cause
	Requirements []*Requirement // in catalogue order
	// Blocked are requirements of other groups that cannot be judged or met before this cause is mended, and the
	// causes above it.
	Blocked []*Requirement
	weight  int // orders the causes of a kind: how many requirements it concerns and blocks
}

// Groups returns the requirements that did not pass, over all suites. The worst kind comes first. Within a kind, the
// cause that concerns or blocks the most requirements comes first, then the order of the catalogue decides. Sums come
// last within their kind, because their parts explain them.
func (r *Report) Groups(strict bool) []Group {
	order := map[Mark]int{FailedMark: 0, ErrorMark: 1, KnownMark: 2, WarningMark: 3, AdviceMark: 4, InconclusiveMark: 5}
	type key struct {
		mark    Mark
		message string
	}
	place := map[key]int{}
	var groups []Group
	for i := range r.Suites {
		for j := range r.Suites[i].Requirements {
			q := &r.Suites[i].Requirements[j]
			m := MarkOf(q, strict)
			if _, shown := order[m]; !shown {
				continue
			}
			k := key{m, q.Cause()}
			at, known := place[k]
			if !known {
				at = len(groups)
				place[k] = at
				groups = append(groups, Group{Mark: m, Message: k.message})
			}
			groups[at].Requirements = append(groups[at].Requirements, q)
		}
	}
	sort.SliceStable(groups, func(i, j int) bool { return order[groups[i].Mark] < order[groups[j].Mark] })
	newMending(groups, blockingOf(r)).run()
	sort.SliceStable(groups, func(i, j int) bool {
		a, b := groups[i], groups[j]
		if a.Mark != b.Mark {
			return order[a.Mark] < order[b.Mark]
		}
		if sum := b.Requirements[0].IsSum(); sum != a.Requirements[0].IsSum() {
			return sum
		}
		return a.weight > b.weight
	})
	return groups
}

// Failure returns the explanation of the scenario that decided, or nil.
func (q *Requirement) Failure() *Failure {
	if sc := q.Deciding(); sc != nil {
		return sc.Failure
	}
	return nil
}

// Step returns the change of the status in words.
func (c Change) Step() string {
	word := func(s Status) string {
		if s == "" {
			return "absent"
		}
		return s.Mark().Word
	}
	return word(c.From) + " → " + word(c.To)
}

// Mark returns how a verdict is shown. An unknown verdict is shown as incomplete.
func (v Verdict) Mark() Mark {
	switch v {
	case Conformant:
		return Mark{"conformant", "✓", "32"}
	case Nonconformant:
		return Mark{"nonconformant", "✗", "31"}
	case Partial:
		return Mark{"partial", "◦", "36"}
	default:
		return Mark{"incomplete", "?", "94"}
	}
}
