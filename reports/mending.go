package reports

import (
	"strings"

	"github.com/capconform/capconform/reports/display"
)

// mending finds the order in which causes are mended: at each step the one that concerns and blocks the most
// requirements, within the order of the marks.
type mending struct {
	groups  []Group                       // by mark
	waiting map[*Requirement]map[int]bool // by blocked requirement: the groups that are not mended yet
	held    [][]*Requirement              // by group: the requirements that wait for it
	alone   []int                         // by group: how many wait for nothing else
}

// newMending finds which requirements wait for which groups.
func newMending(groups []Group, b blocking) *mending {
	m := &mending{groups, map[*Requirement]map[int]bool{}, make([][]*Requirement, len(groups)), make([]int, len(groups))}
	owner := map[string]int{}
	for i, g := range groups {
		for _, q := range g.Requirements {
			owner[q.ID] = i
		}
	}
	for i, g := range groups {
		for _, q := range g.Requirements {
			causes := map[int]bool{}
			for _, id := range b.of(q) {
				if at, known := owner[id]; known && at != i && !causes[at] {
					causes[at], m.held[at] = true, append(m.held[at], q)
				}
			}
			m.waiting[q] = causes
			m.count(q)
		}
	}
	return m
}

// count counts a requirement for the group that it waits for, if that is the only one.
func (m *mending) count(q *Requirement) {
	for i := range m.waiting[q] {
		if len(m.waiting[q]) == 1 {
			m.alone[i]++
		}
	}
}

// run sets what each group blocks, and its weight. No group weighs more than those that are mended before it.
func (m *mending) run() {
	bound := map[Mark]int{}
	for i := range m.groups {
		m.groups[i].weight = m.weight(i)
	}
	for i := m.next(); i >= 0; i = m.next() {
		g := &m.groups[i]
		if g.weight = m.weight(i); bound[g.Mark] > 0 {
			g.weight = min(g.weight, bound[g.Mark])
		}
		bound[g.Mark] = g.weight
		for _, q := range m.held[i] {
			if len(m.waiting[q]) == 1 {
				g.Blocked = append(g.Blocked, q)
			}
			delete(m.waiting[q], i)
			m.count(q)
		}
		m.held[i] = nil
	}
}

func (m *mending) weight(i int) int { return len(m.groups[i].Requirements) + m.alone[i] }

// next returns the group that is mended next, of those for which a requirement waits; -1 if there is none.
func (m *mending) next() int {
	best := -1
	for i, g := range m.groups {
		switch {
		case len(m.held[i]) == 0:
		case best < 0:
			best = i
		case g.Mark != m.groups[best].Mark:
			return best
		case m.weight(i) > m.weight(best):
			best = i
		}
	}
	return best
}

// Blocks states in one line what a cause blocks, such as "2 inconclusive requirements, 1 sum: A, B, C". It returns ""
// if it blocks nothing.
func (g Group) Blocks() string {
	var counts, ids []string
	for _, noun := range []string{"failed requirement", "inconclusive requirement", "sum"} {
		n := 0
		for _, q := range g.Blocked {
			if nounOf(q) == noun {
				n++
				ids = append(ids, q.ID)
			}
		}
		if n > 0 {
			counts = append(counts, display.Plural(n, noun))
		}
	}
	return display.Join(": ", strings.Join(counts, ", "), strings.Join(ids, ", "))
}

func nounOf(q *Requirement) string {
	if q.IsSum() {
		return "sum"
	}
	return q.Status.Mark().Word + " requirement"
}
