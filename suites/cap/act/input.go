package act

import (
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/cap/history"
	"github.com/capconform/capconform/suites/instance"
)

// Of one capability, these bound how many inputs are made.
const (
	faultsAtMost = 60
	edgesAtMost  = 16
)

// inputs makes what a capability takes or refuses, and bounds how often a run tries one kind of it.
type inputs struct{ *Caller }

// alternatives are sound inputs with other alternatives of each choice than Sound. There
// are none for a capability whose input is given.
func (c inputs) alternatives(of *Capability) []instance.Sample {
	for _, p := range c.Players {
		if p.Ref() == of.Ref() && p.Given != nil {
			return nil
		}
	}
	if of.Input() == nil {
		return nil
	}
	return of.Input().Alternatives(c.Running, c.Subject.Seed)
}

// faultsOf breaks one keyword at a time in the inputs that were accepted: in the
// fullest one, and in those that have places which that one lacks. It then breaks those
// that failed, if they have further places: a source validates before anything fails. Behind
// an adapter, a failure and a refusal are alike, so that it shows nothing.
func (c inputs) faultsOf(of *Capability, sound []*history.Attempt) []instance.Sample {
	var all []instance.Sample
	var broken []any
	seen := map[string]bool{}
	bases := []func(*history.Attempt) bool{(*history.Attempt).Succeeded}
	if !c.Adapted {
		bases = append(bases, failed)
	}
	for _, isBase := range bases {
		for _, a := range slices.Backward(sound) {
			input := history.Value(a.Input)
			covered := func(whole any) bool { return covers(whole, input) }
			if !isBase(a) || slices.ContainsFunc(broken, covered) {
				continue
			}
			broken = append(broken, input)
			for _, f := range c.unsound(of, a.Input) {
				if what := f.Keyword + " " + f.Pointer + " " + f.Note; !seen[what] {
					seen[what] = true
					all = append(all, f)
				}
			}
		}
	}
	return c.thinned(withinContractFirst(all))
}

// Of one run, each of these bounds how often an input of one kind is tried, whatever the
// number of capabilities.
const (
	typesAtMost      = 1 // a value of one type for another one
	waysAtMost       = 2 // another way to break a keyword
	placesAtMost     = 5 // one keyword, at a further place of a capability
	edgesAlikeAtMost = 6 // one kind of sound input at a limit
	edgesHereAtMost  = 2 // the same of one capability
)

// thinned leaves out of the faults of one capability what other capabilities show: each
// keyword is broken once, and at a further place or in a further way only if few were
// asked for that so far.
func (c inputs) thinned(faults []instance.Sample) []instance.Sample {
	broken := map[string]bool{}
	return slices.DeleteFunc(faults, func(f instance.Sample) bool {
		place := f.Keyword + " " + f.Pointer
		first, elsewhere := !broken[f.Keyword], !broken[place]
		broken[f.Keyword], broken[place] = true, true
		return !c.newWay(f) && !first && (!elsewhere || !c.rare(f.Keyword+" elsewhere", placesAtMost))
	})
}

// newWay tells whether a way to break a keyword is still rare in this run. A value of
// another type is the same way wherever it stands, in a branch too.
func (c inputs) newWay(f instance.Sample) bool {
	way := kindOf(f.Note)
	if strings.Contains(way, " for ") {
		return c.rare(way, typesAtMost)
	}
	return c.rare(f.Keyword+" "+way, waysAtMost)
}

// thinnedEdges leaves out of the edges of one capability what it shows at other places,
// and what enough others show.
func (c inputs) thinnedEdges(edges []instance.Sample) []instance.Sample {
	here := map[string]int{}
	var some []instance.Sample
	for _, edge := range edges {
		kind := kindOf(edge.Note)
		here[kind]++
		if here[kind] <= edgesHereAtMost && c.rare("edge "+kind, edgesAlikeAtMost) {
			some = append(some, edge)
		}
	}
	return some
}

// fewCapabilities is the number of capabilities from which on the bounds hold as they are.
const fewCapabilities = 20

// rare counts a kind of input and reports whether it is still rare in this run. A source with few
// capabilities is asked more of each, since each may validate in a different way.
func (c inputs) rare(kind string, most int) bool {
	if c.kinds == nil {
		c.kinds = map[string]int{}
	}
	c.kinds[kind]++
	return c.kinds[kind] <= most*max(1, fewCapabilities/max(1, len(c.Pool)))
}

// kindOf is what a note says without values and places.
func kindOf(note string) string {
	kind, _, _ := strings.Cut(note, ":")
	kind, _, _ = strings.Cut(kind, `"`)
	return kind
}

// withinContractFirst puts inputs that are no objects last: what a source does with
// them says least.
func withinContractFirst(faults []instance.Sample) []instance.Sample {
	within, outside := []instance.Sample{}, []instance.Sample{}
	for _, f := range faults {
		if history.OutsideContract(f.Text) {
			outside = append(outside, f)
		} else {
			within = append(within, f)
		}
	}
	return append(within, outside...)
}

func (c inputs) unsound(of *Capability, sound []byte) []instance.Sample {
	if of.Input() == nil {
		return nil
	}
	return of.Input().Unsound(c.Running, sound, instance.Options{Seed: c.Subject.Seed, Limit: faultsAtMost,
		Top: !c.Adapted})
}

// covers tells whether every place of a part is in the whole, with a value of the
// same type.
func covers(whole, part any) bool {
	switch p := part.(type) {
	case map[string]any:
		w, ok := whole.(map[string]any)
		for name, member := range p {
			other, there := w[name]
			ok = ok && there && covers(other, member)
		}
		return ok
	case []any:
		w, ok := whole.([]any)
		if !ok || len(p) > len(w) {
			return false
		}
		for i := range p {
			ok = ok && covers(w[i], p[i])
		}
		return ok
	}
	return instance.TypeName(whole) == instance.TypeName(part)
}

// inputsAhead are the inputs that the run is likely to want.
func (c inputs) inputsAhead(yield func(func()) bool) {
	for _, of := range c.Pool {
		inputs := c.Sound(of)
		if len(inputs) == 0 || of.Input() == nil {
			continue
		}
		fullest := inputs[len(inputs)-1].Text
		if !yield(func() { c.unsound(of, fullest) }) || !yield(func() { of.Input().Edges(c.Running, fullest, edgesAtMost) }) {
			return
		}
	}
}
