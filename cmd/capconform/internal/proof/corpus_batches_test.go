package proof

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/capconform/capconform/suites/record"
)

// batch is some edits that are judged together, in a record that holds what they can change.
type batch struct {
	record *record.Record
	edits  []memberEdit
	demand []demand // of each edit
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

// together is how many answers of one long thread are edited in one judgement of the record.
const together = 12

// width is how many edits with such a demand are judged together. Those that break nothing do not hide
// what another edit breaks: of 44 breaches, 399 of them hid none. Edits that may break something hid 3 of
// 38 where they were 40 and none where they were 20. Where an edit has to break something, what hides it is seen.
func (d demand) width() int {
	switch {
	case len(d.must) > 0:
		return 80
	case len(d.may) > 0:
		return 20
	}
	return 400
}

// longThread is the number of answers from which a thread is judged in a separate record, where an edit
// has to break something.
const longThread = 30

// batches puts edits of different threads together: a breach names an entry of the thread that it is in.
// Edits after which nothing has to be found are put together also where they are of one answer: those
// of different objects at one depth, of which none lies in another, and after which the same may be found.
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
		some = append(some, r.alone(thread, long[thread])...)
	}
	return some
}

// packing puts edits into batches.
type packing struct {
	record *record.Record
	widest int
	all    []batch
	alike  []map[record.Tick]string // of the edits of an answer, by batch
	next   map[string]int
}

// add puts an edit into the first batch that holds none of the part that it belongs to. The edits of
// one answer in a batch are alike.
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

// byOperation returns the first edit of each thread, then the second of each, and so on, those of one
// operation together: fewer requirements are concerned by a batch.
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

// answers counts the answers of each thread of CHP. Threads of the other suites are not judged alone.
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

// alone makes the batches of a long thread. Their record leaves the other threads out, but for
// those of ordinary invocations and roles, which are controls.
func (r *members) alone(thread string, edits []memberEdit) []batch {
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
		answers := slices.SortedFunc(maps.Keys(byAnswer), func(x, y record.Tick) int { return len(byAnswer[y]) - len(byAnswer[x]) })
		for _, at := range answers[:min(len(answers), together)] {
			b.add(byAnswer[at][0], byAnswer[at][0].demand())
			if byAnswer[at] = byAnswer[at][1:]; len(byAnswer[at]) == 0 {
				delete(byAnswer, at)
			}
		}
		some = append(some, b)
	}
	return some
}

// suspects returns the parts of a batch that have to be judged again: the edits that are not as their
// demands are, and those after which a breach must not be found that names none of the edited answers.
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
		return b.apart()
	case len(suspects) <= fewSuspects:
		return append(b.each(suspects), b.parts(others)...)
	}
	return b.parts(suspects, others)
}

// fewSuspects are judged each alone.
const fewSuspects = 4

// parts returns the parts that hold some edits each.
func (b batch) parts(of ...[]int) (some []batch) {
	for _, part := range of {
		if len(part) > 0 {
			some = append(some, b.of(part))
		}
	}
	return some
}

// each returns a part for each of some edits.
func (b batch) each(of []int) []batch {
	return b.parts(slices.Collect(slices.Chunk(of, 1))...)
}

// apart puts the edits whose effects may show anywhere apart from the others, or makes two halves.
func (b batch) apart() []batch {
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
