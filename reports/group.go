package reports

import "sort"

// mark is how people are shown one kind of outcome. The word carries the
// meaning; symbol and colour only repeat it.
type mark struct {
	word   string
	symbol string
	colour string // an SGR parameter
}

// The marks of what is not simply passed, in the order in which they are shown.
var (
	failedMark       = mark{"failed", "✗", "31"}
	errorMark        = mark{"error", "!", "35"}
	warningMark      = mark{"warning", "△", "33"}
	adviceMark       = mark{"advice", "△", "36"}
	inconclusiveMark = mark{"inconclusive", "?", "34"}
	knownMark        = mark{"known failure", "≈", "33"}
	noticeMark       = mark{"notice", "△", "36"}
)

// statusMarks are those of single requirements.
var statusMarks = map[Status]mark{
	Passed:        {"passed", "✓", "32"},
	Provided:      {"provided", "◦", "32"},
	Failed:        failedMark,
	Inconclusive:  inconclusiveMark,
	NotApplicable: {"not applicable", "–", "2"},
	Error:         errorMark,
	Excluded:      {"excluded", "·", "2"},
}

// markOf gives the mark of a requirement: a failure of a level that does not
// break conformance is a warning or advice.
func markOf(q *Requirement, strict bool) mark {
	class := classOf(q.Level)
	switch {
	case q.Known && q.Status.explains():
		return knownMark
	case q.Status != Failed || class.breaks(strict):
		if m, known := statusMarks[q.Status]; known {
			return m
		}
		return errorMark
	case class == shouldClass:
		return warningMark
	default:
		return adviceMark
	}
}

// group is requirements of one mark that have one cause.
type group struct {
	mark         mark
	message      string
	requirements []*Requirement
}

// groups gives what is not passed, over all suites: the worst kind first, within
// a kind the cause of most requirements first, else in catalogue order.
func (r *Report) groups(strict bool) []group {
	order := map[mark]int{failedMark: 0, errorMark: 1, knownMark: 2, warningMark: 3, adviceMark: 4, inconclusiveMark: 5}
	type key struct {
		mark    mark
		message string
	}
	place := map[key]int{}
	var groups []group
	for i := range r.Suites {
		for j := range r.Suites[i].Requirements {
			q := &r.Suites[i].Requirements[j]
			m := markOf(q, strict)
			if _, shown := order[m]; !shown {
				continue
			}
			k := key{m, q.Cause()}
			at, known := place[k]
			if !known {
				at = len(groups)
				place[k] = at
				groups = append(groups, group{mark: m, message: k.message})
			}
			groups[at].requirements = append(groups[at].requirements, q)
		}
	}
	sort.SliceStable(groups, func(i, j int) bool {
		a, b := groups[i], groups[j]
		if a.mark != b.mark {
			return order[a.mark] < order[b.mark]
		}
		return len(a.requirements) > len(b.requirements)
	})
	return groups
}

// failure gives the explanation of the scenario that decided, or nil.
func (q *Requirement) failure() *Failure {
	if sc := q.deciding(); sc != nil {
		return sc.Failure
	}
	return nil
}
