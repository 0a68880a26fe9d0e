package proof

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/capconform/capconform/suites/record"
)

// batch is a set of edits that are judged together, in a record with all entries that they can affect.
type batch struct {
	record *record.Record
	edits  []memberEdit
	demand []demand // for each edit
}

func (b batch) of(some []int) batch {
	part := batch{record: b.record}
	for _, i := range some {
		part.edits, part.demand = append(part.edits, b.edits[i]), append(part.demand, b.demand[i])
	}
	return part
}

func (b *batch) add(m memberEdit, d demand) {
	b.edits, b.demand = append(b.edits, m), append(b.demand, d)
}

// answersPerJudgement is how many answers of one long thread are edited in one judgement of the record.
const answersPerJudgement = 12

// width is how many edits with such a demand are judged together. Edits that break nothing do not hide what another
// edit breaks: of 44 breaches, 399 such edits hid none. Edits that may break something hid 3 of 38 breaches in
// batches of 40, and none in batches of 20. A breach that must be found and is hidden is reported.
func (d demand) width() int {
	switch {
	case len(d.must) > 0:
		return 80
	case len(d.may) > 0:
		return 20
	}
	return 400
}

// longThread is the number of answers from which a thread is judged in a separate record if an edit must break
// something.
const longThread = 30

// batches combines edits of different threads: a breach names an entry of the same thread. Edits that need not break
// anything are also combined within one answer, if they edit different objects at the same depth, none of which
// contains another, and may break the same requirements.
func (r *members) batches(t *testing.T, all []memberEdit) []batch {
	kinds := map[string]*packing{}
	long := map[string][]memberEdit{}
	answers := r.answers(t)
	for _, m := range byOperation(all) {
		thread, d := m.place.thread(), m.demand()
		if answers[thread] >= longThread && len(d.must) > 0 {
			long[thread] = append(long[thread], m)
			continue
		}
		kind := fmt.Sprint(len(d.must) > 0, len(d.may) > 0)
		if kinds[kind] == nil {
			kinds[kind] = &packing{record: r.record, widest: d.width()}
		}
		if len(d.must) > 0 {
			kinds[kind].add(m, d, thread, "")
			continue
		}
		kinds[kind].add(m, d, fmt.Sprint(m.path[:len(m.path)-1]), fmt.Sprint(len(m.path), d.may))
	}
	var some []batch
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		some = append(some, kinds[kind].all...)
	}
	for _, thread := range slices.Sorted(maps.Keys(long)) {
		some = append(some, r.separate(thread, long[thread])...)
	}
	return some
}

// packing distributes edits over batches.
type packing struct {
	record *record.Record
	widest int
	all    []batch
	alike  []map[record.Tick]string // by batch: the common property of the edits of each answer
	next   map[string]int
}

// add puts an edit into the first batch that has no edit of the same part. The edits of one answer in a batch have
// the same value of alike.
func (p *packing) add(m memberEdit, d demand, part, alike string) {
	if p.next == nil {
		p.next = map[string]int{}
	}
	at := m.place.at().Begun
	if alike != "" {
		part = fmt.Sprint(at, alike, part)
	}
	i := p.next[part]
	for i < len(p.all) && (len(p.all[i].edits) == p.widest || p.alike[i][at] != "" && p.alike[i][at] != alike) {
		i++
	}
	if i == len(p.all) {
		p.all, p.alike = append(p.all, batch{record: p.record}), append(p.alike, map[record.Tick]string{})
	}
	p.all[i].add(m, d)
	p.alike[i][at], p.next[part] = alike, i+1
}

// byOperation returns the first edit of each thread, then the second of each, and so on. Edits of one operation are
// adjacent, so that a batch concerns fewer requirements.
func byOperation(all []memberEdit) []memberEdit {
	type turn struct {
		memberEdit
		number int
	}
	var turns []turn
	numbers := map[string]int{}
	for _, m := range all {
		thread := m.place.thread()
		turns = append(turns, turn{m, numbers[thread]})
		numbers[thread]++
	}
	slices.SortStableFunc(turns, func(a, b turn) int {
		return cmp.Or(cmp.Compare(a.number, b.number), cmp.Compare(a.place.at().Operation, b.place.at().Operation))
	})
	var sorted []memberEdit
	for _, one := range turns {
		sorted = append(sorted, one.memberEdit)
	}
	return sorted
}

// answers counts the answers of each CHP thread. Threads of the other suites are not judged separately.
func (r *members) answers(t *testing.T) map[string]int {
	n, read := map[string]int{}, placesOf(t, r.corpusRun)
	if r.suite.Name != "chp" {
		return n
	}
	for _, e := range r.entries {
		n[read(e).thread()]++
	}
	return n
}

// separate makes the batches of a long thread. Their record omits the other threads, except those of ordinary
// invocations and roles, which are controls.
func (r *members) separate(thread string, edits []memberEdit) []batch {
	controls := []string{"ordinary-invocation", "role-invocation", "unknown-capability"}
	only := r.record.Only(func(e record.Entry) bool {
		p := recordedAnswer{entry: e}
		p.read()
		return e.Operation == "" || e.Operation == "chp.host" || e.Operation == "chp.capabilities" ||
			p.thread() == thread || slices.Contains(controls, e.Stimulus)
	})
	byAnswer := map[record.Tick][]memberEdit{}
	for _, m := range edits {
		byAnswer[m.place.at().Begun] = append(byAnswer[m.place.at().Begun], m)
	}
	var some []batch
	for len(byAnswer) > 0 {
		b := batch{record: only}
		answers := slices.SortedFunc(
			maps.Keys(byAnswer),
			func(x, y record.Tick) int { return len(byAnswer[y]) - len(byAnswer[x]) },
		)
		for _, at := range answers[:min(len(answers), answersPerJudgement)] {
			b.add(byAnswer[at][0], byAnswer[at][0].demand())
			if byAnswer[at] = byAnswer[at][1:]; len(byAnswer[at]) == 0 {
				delete(byAnswer, at)
			}
		}
		some = append(some, b)
	}
	return some
}

// suspects returns the parts of a batch that must be judged again: the edits whose demands are not met, and those
// that must not break a requirement that was found broken at none of the edited answers.
func (b batch) suspects(found map[record.Tick]map[string]string) []batch {
	var suspects, others []int
	for i, m := range b.edits {
		switch {
		case b.demand[i].unmet(found[m.place.at().Begun]) != "":
			suspects = append(suspects, i)
		case !b.demand[i].allows(found[0]):
			others = append(others, i)
		}
	}
	switch {
	case len(suspects) == len(b.edits), len(others) == len(b.edits):
		return b.divide()
	case len(suspects) <= fewSuspects:
		return append(b.each(suspects), b.parts(others)...)
	}
	return b.parts(suspects, others)
}

// fewSuspects is the number of suspects up to which each is judged separately.
const fewSuspects = 4

// parts returns one part for each non-empty list of edits.
func (b batch) parts(of ...[]int) (some []batch) {
	for _, part := range of {
		if len(part) > 0 {
			some = append(some, b.of(part))
		}
	}
	return some
}

// each returns a separate part for each of the given edits.
func (b batch) each(of []int) []batch {
	return b.parts(slices.Collect(slices.Chunk(of, 1))...)
}

// divide separates the edits whose effects may appear anywhere from the others, or makes two halves.
func (b batch) divide() []batch {
	var anywhere, others, whole []int
	for i, m := range b.edits {
		whole = append(whole, i)
		if m.place.anywhere() {
			anywhere = append(anywhere, i)
		} else {
			others = append(others, i)
		}
	}
	if len(anywhere) > 0 && len(others) > 0 {
		return b.parts(anywhere, others)
	}
	half := len(whole) / 2
	return b.parts(whole[:half], whole[half:])
}
