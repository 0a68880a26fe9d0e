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
const together = 6

// widest is how many answers are edited in one judgement of the record.
const widest = 40

// longThread is the number of answers from which a thread is judged in a separate record.
const longThread = 30

// batches puts edits of different threads together: a breach names an entry of the thread that it is in.
// Edits after which nothing has to be found are put together also where they are of one thread: those
// of different objects at one depth, of which none lies in another, and after which the same may be found.
func (r *members) batches(t *testing.T, all []memberEdit) []batch {
	byThread, byObject := packing{record: r.record}, map[string]*packing{}
	long := map[string][]memberEdit{}
	answers := r.answers(t)
	for _, m := range byOperation(all) {
		thread, d := m.place.thread(), m.demand()
		alike := fmt.Sprint(len(m.path), d.may)
		switch {
		case answers[thread] >= longThread:
			long[thread] = append(long[thread], m)
		case len(d.must) > 0:
			byThread.add(m, d, thread)
		case byObject[alike] == nil:
			byObject[alike] = &packing{record: r.record}
			fallthrough
		default:
			byObject[alike].add(m, d, fmt.Sprint(m.place.at().Begun, m.path[:len(m.path)-1]))
		}
	}
	some := byThread.all
	for _, alike := range slices.Sorted(maps.Keys(byObject)) {
		some = append(some, byObject[alike].all...)
	}
	for _, thread := range slices.Sorted(maps.Keys(long)) {
		some = append(some, r.alone(thread, long[thread])...)
	}
	return some
}

// packing puts edits into batches.
type packing struct {
	record *record.Record
	all    []batch
	next   map[string]int
}

// add puts an edit into the first batch that holds none of what it belongs to.
func (p *packing) add(m memberEdit, d demand, to string) {
	if p.next == nil {
		p.next = map[string]int{}
	}
	for p.next[to] < len(p.all) && len(p.all[p.next[to]].edits) == widest {
		p.next[to]++
	}
	if p.next[to] == len(p.all) {
		p.all = append(p.all, batch{record: p.record})
	}
	p.all[p.next[to]].add(m, d)
	p.next[to]++
}

// byOperation gives the first edit of each thread, then the second of each, and so on, those of one
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

// answers counts the answers of each thread. In ACP, what a message has to do with another one is
// not known from outside, so that no thread is judged alone.
func (r *members) answers(t *testing.T) map[string]int {
	n, read := map[string]int{}, placesOf(t, r.corpusRun)
	if r.suite.Name == "acp" {
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

// suspects gives the parts of a batch that have to be judged again. An edit of a thread shows in
// this thread; an edit of what the host says of itself may show anywhere.
func (b batch) suspects(found map[record.Tick]map[string]string) []batch {
	var suspects, everywhere, others, whole []int
	threads := map[string]bool{}
	for i, m := range b.edits {
		whole = append(whole, i)
		threads[m.place.thread()] = true
		if b.demand[i].unmet(found[m.place.at().Begun]) != "" {
			suspects = append(suspects, i)
		}
		if m.place.anywhere() {
			everywhere = append(everywhere, i)
		} else {
			others = append(others, i)
		}
	}
	half := len(whole) / 2
	switch {
	case len(suspects) == 0 && len(found[0]) == 0:
		return nil
	case len(everywhere) > 0 && len(others) > 0:
		return []batch{b.of(everywhere), b.of(others)}
	case len(found[0]) == 0 && len(threads) == len(whole) && len(suspects) <= half:
		var some []batch
		for _, i := range suspects {
			some = append(some, b.of([]int{i}))
		}
		return some
	}
	return []batch{b.of(whole[:half]), b.of(whole[half:])}
}
