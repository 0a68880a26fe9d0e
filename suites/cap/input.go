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

// repeatedAtMost is on how many capabilities one kind of input is tried at places where
// the same keyword was broken already.
const repeatedAtMost = 2

// edgesAlikeAtMost is how often one kind of sound input at a limit is sent in a run.
const edgesAlikeAtMost = 6

// thinned leaves out of the faults of one capability what other capabilities show: each
// keyword is broken at each place, and in a further way there only if few were asked for
// that kind so far.
func (e *examination) thinned(faults []instance.Sample) []instance.Sample {
	broken := map[string]bool{}
	return slices.DeleteFunc(faults, func(f instance.Sample) bool {
		place := f.Keyword + " " + f.Pointer
		again := broken[place]
		broken[place] = true
		return !e.rare(f.Keyword+" "+kindOf(f.Note), repeatedAtMost) && again
	})
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
