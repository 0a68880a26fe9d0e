package act

import (
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/cap/history"
	"github.com/capconform/capconform/suites/instance"
)

// The limits on the number of inputs for one capability.
const (
	maxFaults = 60
	maxEdges  = 40
)

// inputs makes valid and invalid inputs, and limits how often a run tries one kind of them.
type inputs struct{ *Caller }

// alternatives returns valid inputs that take other branches of each choice than those of
// ValidInputs. It returns none for a capability whose input the target file states.
func (c inputs) alternatives(of *Capability) []instance.Sample {
	if of.Input() == nil || c.given(of.Ref()) != nil {
		return nil
	}
	return of.Input().Alternatives(c.Running, c.Subject.Seed)
}

// faultsOf breaks one keyword at a time in the inputs that were accepted: in the one with the most
// members, and in those with places that this one lacks. It then breaks the inputs that failed, if
// they have further places, since a source validates an input before it executes it. It skips these
// behind the adapter, where a failure and a refusal look the same.
func (c inputs) faultsOf(of *Capability, valid []*history.Attempt) []instance.Sample {
	var all []instance.Sample
	var broken []any
	seen := map[string]bool{}
	bases := []func(*history.Attempt) bool{(*history.Attempt).Succeeded}
	if !c.Adapted {
		bases = append(bases, isExecutionFailure)
	}
	for _, isBase := range bases {
		for _, a := range slices.Backward(valid) {
			input := history.Value(a.Input)
			covered := func(whole any) bool { return containsPlaces(whole, input) }
			if !isBase(a) || slices.ContainsFunc(broken, covered) {
				continue
			}
			broken = append(broken, input)
			for _, f := range c.invalid(of, a.Input) {
				if what := f.Keyword + " " + f.Pointer + " " + f.Note; !seen[what] {
					seen[what] = true
					all = append(all, f)
				}
			}
		}
	}
	return c.sampled(withinContractFirst(all))
}

// The limits on how often one run tries an input of one kind, if it has many capabilities.
const (
	maxTypes              = 1 // a value of one type in place of another type
	maxWays               = 2 // another way to break a keyword
	maxPlaces             = 5 // one keyword, at another place of the same capability
	maxSimilarEdges       = 4 // one kind of valid input at a limit
	maxEdgesPerCapability = 2 // the same for one capability
	maxUnusual            = 1 // each number larger than usual, and a text of unusual characters
)

// sampled removes the faults of one capability that other capabilities already cover. Each keyword
// is broken once. It is broken at another place or in another way only if few capabilities received
// such an input before.
func (c inputs) sampled(faults []instance.Sample) []instance.Sample {
	broken := map[string]bool{}
	return slices.DeleteFunc(faults, func(f instance.Sample) bool {
		place := f.Keyword + " " + f.Pointer
		first, elsewhere := !broken[f.Keyword], !broken[place]
		broken[f.Keyword], broken[place] = true, true
		return !c.newWay(f) && !first && (!elsewhere || !c.isRare(f.Keyword+" elsewhere", maxPlaces))
	})
}

// newWay reports whether a way to break a keyword is still rare in this run. A value of another
// type is the same way at every place, also in a branch.
func (c inputs) newWay(f instance.Sample) bool {
	way := kindOf(f.Note)
	if strings.Contains(way, " for ") {
		return c.isRare(way, maxTypes)
	}
	return c.isRare(f.Keyword+" "+way, maxWays)
}

// sampledEdges removes the edges of one capability that it covers at other places, and those that
// enough other capabilities cover.
func (c inputs) sampledEdges(edges []instance.Sample) []instance.Sample {
	here := map[string]int{}
	var some []instance.Sample
	for _, edge := range edges {
		kind, most, atMost := kindOf(edge.Note), maxEdgesPerCapability, maxSimilarEdges
		if edge.Size > 0 || edge.Keyword == instance.Special {
			most, atMost = 1, maxUnusual
		}
		here[kind]++
		if here[kind] <= most && c.isRare("edge "+kind, atMost) {
			some = append(some, edge)
		}
	}
	return some
}

// fewCapabilities is the number of capabilities from which on the limits apply unchanged.
const fewCapabilities = 20

// isRare counts a kind of input and reports whether it is still rare in this run. A source with few
// capabilities gets more inputs for each, since each may validate in a different way.
func (c inputs) isRare(kind string, most int) bool {
	if c.kinds == nil {
		c.kinds = map[string]int{}
	}
	c.kinds[kind]++
	return c.kinds[kind] <= most*max(1, fewCapabilities/max(1, len(c.Pool)))
}

// kindOf returns a note without values and places.
func kindOf(note string) string {
	kind, _, _ := strings.Cut(note, ":")
	kind, _, _ = strings.Cut(kind, `"`)
	return kind
}

// withinContractFirst puts inputs that are not objects last: the answers to them prove least.
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

func (c inputs) invalid(of *Capability, valid []byte) []instance.Sample {
	if of.Input() == nil {
		return nil
	}
	return of.Input().Invalid(c.Running, valid, instance.Options{Seed: c.Subject.Seed, Limit: maxFaults,
		Top: !c.Adapted})
}

// containsPlaces reports whether every place of part is in whole, with a value of the same type.
func containsPlaces(whole, part any) bool {
	switch p := part.(type) {
	case map[string]any:
		w, ok := whole.(map[string]any)
		for name, member := range p {
			other, there := w[name]
			ok = ok && there && containsPlaces(other, member)
		}
		return ok
	case []any:
		w, ok := whole.([]any)
		if !ok || len(p) > len(w) {
			return false
		}
		for i := range p {
			ok = ok && containsPlaces(w[i], p[i])
		}
		return ok
	}
	return instance.TypeName(whole) == instance.TypeName(part)
}

// prefetchInputs makes the inputs that the run will probably need.
func (c inputs) prefetchInputs(yield func(func()) bool) {
	for _, of := range c.Pool {
		inputs := c.ValidInputs(of)
		if len(inputs) == 0 || of.Input() == nil {
			continue
		}
		fullest := inputs[len(inputs)-1].Text
		if !yield(func() { c.invalid(of, fullest) }) || !yield(func() {
			of.Input().Edges(c.Running, fullest,
				maxEdges)
		}) {
			return
		}
	}
}
