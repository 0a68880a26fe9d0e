package judge

import (
	"slices"

	"github.com/capconform/capconform/suites/acd/history"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/shape"
)

// flawedElsewhere returns the descriptors with invalid members in answers other than the whole list: those of
// entries in queries, old lists and get, and those of copies in the answers to creations and updates. A member that
// such an answer omits is not a flaw.
func (j documents) flawedElsewhere() []flawed {
	return memoized(j.evidence, func(m *conclusions) *cache[string, []flawed] { return &m.flawed }, "", func() []flawed {
		var all []flawed
		add := func(i *history.Item, flaws []shape.Flaw) {
			if len(flaws) > 0 {
				all = append(all, flawed{i, flaws})
			}
		}
		for _, i := range j.inViews() {
			add(i, present(j.flawsOf(i)))
		}
		for _, c := range j.describing() {
			d := history.DescriptorIn(c.Value)
			i := &history.Item{Entry: c.Entry, ID: history.Text(d, "capability_id"), Value: d, Members: d}
			add(i, j.ownFlaws(i, c.Params["descriptor"]))
		}
		return all
	})
}

// ownFlaws returns the flaws of a descriptor in the members that differ from those that the suite sent, except the
// flaws that the sent descriptor has too: the suite takes the modes of a copy from the declaration of a channel, which
// may be wrong.
func (j documents) ownFlaws(i *history.Item, sent any) []shape.Flaw {
	given, _ := sent.(history.Object)
	own := history.Object{}
	for name, value := range i.Members {
		if was, has := given[name]; !has || !jsonvalue.Equal(was, value) {
			own[name] = value
		}
	}
	flaws := present(j.flawsOf(&history.Item{Value: own}))
	if given == nil || len(flaws) == 0 {
		return flaws
	}
	known := j.flawsOf(&history.Item{Value: given})
	return slices.DeleteFunc(flaws, func(f shape.Flaw) bool {
		return slices.ContainsFunc(known, func(k shape.Flaw) bool { return k.Requirement == f.Requirement })
	})
}

// present returns the flaws of members that are not missing.
func present(flaws []shape.Flaw) []shape.Flaw {
	return slices.DeleteFunc(slices.Clone(flaws), func(f shape.Flaw) bool { return f.Missing })
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

// describing returns the calls of get, creations and updates that return a descriptor.
func (j documents) describing() []*history.Call {
	var all []*history.Call
	for _, operation := range []string{history.OpGet, history.OpCreate, history.OpUpdate} {
		for _, c := range j.Of(operation) {
			if c.Accepted() && descriptorLike(history.DescriptorIn(c.Value)) &&
				(operation != history.OpGet || !history.IsCopyID(c.ID)) {
				all = append(all, c)
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
