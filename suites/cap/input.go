package capsuite

import (
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/instance"
)

// soundInputs are verified by the schema library before they are sent; none is
// made where the schema can't be read.
func (e *examination) soundInputs(c *capability) []instance.Sample {
	for _, role := range roles() {
		if p := e.players[role.Name]; p != nil && p.capability == c && p.given != nil {
			return []instance.Sample{{Text: p.given}}
		}
	}
	if c.compiled().input == nil {
		return nil
	}
	made, err := c.input.Sound(e.running, e.subject.Seed)
	if err != nil {
		return nil
	}
	return made
}

// alternatives are sound inputs with other alternatives of each choice than soundInputs.
// There are none for a capability whose input is given.
func (e *examination) alternatives(c *capability) []instance.Sample {
	for _, p := range e.players {
		if p.capability == c && p.given != nil {
			return nil
		}
	}
	if c.compiled().input == nil {
		return nil
	}
	return c.input.Alternatives(e.running, e.subject.Seed)
}

// faultsOf breaks one keyword at a time in the inputs that were accepted: in the
// fullest one, and in those that have places which that one lacks.
func (e *examination) faultsOf(c *capability, sound []attempt) []instance.Sample {
	var all []instance.Sample
	var broken []any
	seen := map[string]bool{}
	for _, a := range slices.Backward(sound) {
		input := decoded(a.input)
		if !a.succeeded() || slices.ContainsFunc(broken, func(whole any) bool { return covers(whole, input) }) {
			continue
		}
		broken = append(broken, input)
		for _, f := range e.unsound(c, a.input) {
			if what := f.Keyword + " " + f.Pointer + " " + f.Note; !seen[what] {
				seen[what] = true
				all = append(all, f)
			}
		}
	}
	return e.thinned(withinContractFirst(all))
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
func (e *examination) thinned(faults []instance.Sample) []instance.Sample {
	broken := map[string]bool{}
	return slices.DeleteFunc(faults, func(f instance.Sample) bool {
		place := f.Keyword + " " + f.Pointer
		first, elsewhere := !broken[f.Keyword], !broken[place]
		broken[f.Keyword], broken[place] = true, true
		return !e.newWay(f) && !first && (!elsewhere || !e.rare(f.Keyword+" elsewhere", placesAtMost))
	})
}

// newWay tells whether a way to break a keyword is still rare in this run. A value of
// another type is the same way wherever it stands, in a branch too.
func (e *examination) newWay(f instance.Sample) bool {
	way := kindOf(f.Note)
	if strings.Contains(way, " for ") {
		return e.rare(way, typesAtMost)
	}
	return e.rare(f.Keyword+" "+way, waysAtMost)
}

// thinnedEdges leaves out of the edges of one capability what it shows at other places,
// and what enough others show.
func (e *examination) thinnedEdges(edges []instance.Sample) []instance.Sample {
	here := map[string]int{}
	var some []instance.Sample
	for _, edge := range edges {
		kind := kindOf(edge.Note)
		here[kind]++
		if here[kind] <= edgesHereAtMost && e.rare("edge "+kind, edgesAlikeAtMost) {
			some = append(some, edge)
		}
	}
	return some
}

// rare counts a kind of input and tells whether it is still rare in this run.
func (e *examination) rare(kind string, most int) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.kinds == nil {
		e.kinds = map[string]int{}
	}
	e.kinds[kind]++
	return e.kinds[kind] <= most
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
		if outsideContract(f.Text) {
			outside = append(outside, f)
		} else {
			within = append(within, f)
		}
	}
	return append(within, outside...)
}

func (e *examination) unsound(c *capability, sound []byte) []instance.Sample {
	if c.compiled().input == nil {
		return nil
	}
	return c.input.Unsound(e.running, sound, instance.Options{Seed: e.subject.Seed, Limit: faultsAtMost, Top: !e.adapted})
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
func (e *examination) inputsAhead(yield func(func()) bool) {
	for _, c := range e.pool {
		inputs := e.soundInputs(c)
		if len(inputs) == 0 || c.compiled().input == nil {
			continue
		}
		fullest := inputs[len(inputs)-1].Text
		if !yield(func() { e.unsound(c, fullest) }) || !yield(func() { c.input.Edges(e.running, fullest, edgesAtMost) }) {
			return
		}
	}
}

// Close implements io.Closer: nothing is made any more.
func (e *examination) Close() error { return e.ahead.Close() }
