// Package judge decides about the requirements of ACD by what a run did and saw (DESIGN
// section 5). It calls nothing: the same history gives the same verdicts.
package judge

import (
	"slices"
	"sync"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acd/history"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/shape"
)

// Judge decides about one history.
type Judge struct {
	*history.History
	DescriptorShape *shape.Shape
	ManifestShape   *shape.Shape
	Echo            string // the id of what plays echo, "" where nothing does
	Shell           string // the id of what plays shell
	SDK             bool   // the target file says that the subject is an SDK

	mu     sync.Mutex
	memory *memory
}

// unseen gives the verdict where what it is about was not seen.
func unseen(why error) suites.Verdict { return suites.Verdict{Open: why} }

// confirm adds a place that may be a breach. It is one if it stays in each look: other callers
// come and go, and change what is theirs.
func (j *Judge) confirm(r *suites.Verdict, stimulus string, about map[string]string, b suites.Breach, stays func(history.Look) bool) {
	s := suites.Settle{Stimulus: stimulus, About: about, Of: b.Entries[0]}
	looks := j.Looks(s)
	switch {
	case len(looks) == 0:
		r.Doubts = append(r.Doubts, suites.Doubt{Breach: b, Settle: s})
	case !slices.ContainsFunc(looks, func(look history.Look) bool { return !stays(look) }):
		r.Breaches = append(r.Breaches, b)
	}
}

// steadily tells whether both the first and the last call of a look show an entry that is so.
func steadily(look history.Look, id string, isSo func(history.Object) bool) bool {
	for _, c := range []*history.Call{look[0], look[len(look)-1]} {
		if i := c.EntryOf(id); i == nil || i.Members == nil || !isSo(i.Members) {
			return false
		}
	}
	return true
}

// everListed tells whether a list of the registry ever showed an id as a reading does, as it may
// where others change the entry with every call.
func (j *Judge) everListed(id string, read *history.Item) bool {
	return slices.ContainsFunc(j.Registries(), func(c *history.Call) bool {
		shown := c.EntryOf(id)
		if shown == nil || read == nil {
			return c.Listed && shown == read
		}
		return history.Keeps(read.Members, shown.Members)
	})
}

// usable begins a verdict about what an operation showed. An answer that is no response of
// the binding is a breach of whatever is about it.
func usable(c *history.Call) (r *suites.Verdict, usable bool) {
	r = &suites.Verdict{}
	if c.Malformed() {
		r.Broken([]record.Tick{c.Entry}, "the answer to "+c.Operation+" is no response of the binding",
			"a result or an error", c.Got)
		return r, false
	}
	r.Open = c.Missing()
	return r, r.Open == nil
}

// registry begins a verdict about the entries of the registry.
func (j *Judge) registry() (r *suites.Verdict, usableNow bool) {
	first := j.Registry()
	if r, usableNow = usable(first); !usableNow {
		return r, false
	}
	r.Open = j.NoEntries()
	return r, r.Open == nil
}

// manifest begins a verdict about manifests.
func (j *Judge) manifest() (r *suites.Verdict, usableNow bool) {
	first := j.Manifest()
	if r, usableNow = usable(first); !usableNow {
		return r, false
	}
	if members, is := first.Value.(history.Object); !is || len(members) == 0 {
		r.Open = suites.Undecided("the agent shows no manifest: %s", first.Got)
	}
	return r, r.Open == nil
}

// both begins a verdict about manifest and registry.
func (j *Judge) both() (r *suites.Verdict, usableNow bool) {
	if r, usableNow = j.manifest(); !usableNow {
		return r, false
	}
	if len(suites.Texts(history.Member(j.Manifest().Value, "capabilities.list"))) == 0 {
		r.Open = suites.Undecided("the manifest lists no capability: see ACD-MAN-07")
		return r, false
	}
	return j.registry()
}
