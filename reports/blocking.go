package reports

import (
	_ "embed"
	"slices"
	"strings"
	"unicode"
)

// seenBlocked has a line for each requirement: its id, and those of the requirements that the proof of detection saw
// undecided, or broken as well, on hosts whose only defect breaks it. `make golden` writes it.
//
//go:embed blocking.txt
var seenBlocked string

// blocking finds which requirements a cause blocks: those that cannot be judged or met until it is mended.
type blocking struct {
	byID map[string]*Requirement
	seen map[string][]string // by id: the broken requirements that the proof saw blocking it
	by   map[string][]string // by id: what blocks it; empty while that is being found
}

func blockingOf(r *Report) blocking {
	b := blocking{map[string]*Requirement{}, map[string][]string{}, map[string][]string{}}
	all := RequirementsOf(r)
	for _, p := range all {
		b.byID[p.Requirement.ID] = p.Requirement
	}
	for line := range strings.Lines(seenBlocked) {
		ids := strings.Fields(line)
		if q := b.byID[ids[0]]; q == nil || q.Status != Failed {
			continue
		}
		for _, id := range ids[1:] {
			b.seen[id] = append(b.seen[id], ids[0])
		}
	}
	for _, p := range all { // of two that block each other, the first one is the cause
		if p.Requirement.Status == Failed {
			b.of(p.Requirement)
		}
	}
	return b
}

// maxBlockers bounds the causes of one blocked requirement. If there are more, none is named.
const maxBlockers = 16

// of returns the ids of the broken requirements that must all be mended before a requirement can be judged, or before a
// sum is no longer as bad. It is empty if that is not known.
func (b blocking) of(q *Requirement) []string {
	if q == nil {
		return nil
	}
	if by, known := b.by[q.ID]; known {
		return by
	}
	b.by[q.ID] = nil
	var all []string
	switch {
	case q.IsSum():
		all = b.ofParts(q.decidingParts())
	case q.Status == Failed:
		all = b.ofFailed(q)
	case q.Status == Inconclusive:
		all = b.ofInconclusive(q)
	}
	slices.Sort(all)
	if all = slices.Compact(all); len(all) > maxBlockers {
		all = nil
	}
	b.by[q.ID] = all
	return all
}

// root returns what blocks a requirement, or itself if it is broken and nothing does.
func (b blocking) root(id string) []string {
	q := b.byID[id]
	by := b.of(q)
	if len(by) == 0 && q != nil && q.Status.Explains() && !q.IsSum() {
		return []string{id}
	}
	return by
}

// ofParts returns what blocks every part that decides a sum.
func (b blocking) ofParts(parts []string) []string {
	var all []string
	for _, id := range parts {
		by := b.root(id)
		if len(by) == 0 {
			return nil
		}
		all = append(all, by...)
	}
	return all
}

// ofFailed returns what also breaks a requirement: one that failed for the same exchange, if the proof saw a single
// defect break both.
func (b blocking) ofFailed(q *Requirement) []string {
	var all []string
	for _, id := range b.seen[q.ID] {
		if other := b.byID[id]; sameExchange(q, other) && len(b.of(other)) == 0 {
			all = append(all, id)
		}
	}
	return all
}

// sameExchange reports whether the first exchange that proves two failures is the same.
func sameExchange(a, b *Requirement) bool {
	one, two := a.Failure(), b.Failure()
	if one == nil || two == nil || len(one.Exchanges) == 0 || len(two.Exchanges) == 0 {
		return false
	}
	x, y := one.Exchanges[0], two.Exchanges[0]
	return x.Operation == y.Operation && x.Sent == y.Sent && x.Received == y.Received && x.AtMS == y.AtMS
}

// needsRole is in the reason of a requirement that needs a role. A host may lack one whatever else it breaks.
const needsRole = " plays "

// ofInconclusive returns what left a requirement undecided: what its reason names, and what the proof saw.
func (b blocking) ofInconclusive(q *Requirement) []string {
	reason := q.Cause()
	causes := strings.FieldsFunc(reason, func(r rune) bool { return r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if !strings.Contains(reason, needsRole) {
		causes = append(causes, b.seen[q.ID]...)
	}
	var all []string
	for _, id := range causes {
		all = append(all, b.root(id)...)
	}
	return all
}
