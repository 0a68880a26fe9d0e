package judge

import (
	"slices"

	"github.com/capconform/capconform/suites/acd/history"
	"github.com/capconform/capconform/suites/shape"
)

// flawed is a descriptor with members that are not valid.
type flawed struct {
	item  *history.Item
	flaws []shape.Flaw
}

// flawedElsewhere returns the descriptors with invalid members in answers other than the whole list: those of
// entries in queries, old lists and get, and those of copies in the answers to creations and updates. A member that
// such an answer omits is not a flaw.
func (j documents) flawedElsewhere() []flawed {
	return memoized(j.evidence, func(m *conclusions) *cache[string, []flawed] { return &m.flawed }, "", func() []flawed {
		var all []flawed
		for _, i := range append(j.inViews(), j.inAnswers()...) {
			flaws := slices.DeleteFunc(slices.Clone(j.flawsOf(i)), func(f shape.Flaw) bool { return f.Missing })
			if len(flaws) > 0 {
				all = append(all, flawed{i, flaws})
			}
		}
		return all
	})
}

// inViews returns the descriptors of entries that only queries or old lists showed, each once.
func (j documents) inViews() []*history.Item {
	seen := map[*history.Item]bool{}
	var all []*history.Item
	for _, v := range slices.Concat(j.queries(), j.oldLists()) {
		for _, i := range v.Items {
			if !seen[i] && !i.InRegistry() && !history.IsCopyID(i.ID) && descriptorLike(i.Members) {
				seen[i] = true
				all = append(all, i)
			}
		}
	}
	return all
}

// inAnswers returns the descriptors in the answers to get, creations and updates.
func (j documents) inAnswers() []*history.Item {
	var all []*history.Item
	for _, operation := range []string{history.OpGet, history.OpCreate, history.OpUpdate} {
		for _, c := range j.Of(operation) {
			d := history.DescriptorIn(c.Value)
			if c.Accepted() && descriptorLike(d) && (operation != history.OpGet || !history.IsCopyID(c.ID)) {
				all = append(all, &history.Item{Entry: c.Entry, ID: history.Text(d, "capability_id"), Value: d, Members: d})
			}
		}
	}
	return all
}

// descriptorLike reports whether an object has most of the members by which capabilities are routed and guarded, so
// that it is a descriptor and not another object about a capability.
func descriptorLike(d history.Object) bool {
	had := 0
	for _, name := range []string{"execution", "invocation", "exposure", "permissions"} {
		if _, has := d[name].(history.Object); has {
			had++
		}
	}
	return had > 2
}
