// Package reading is what the history of every protocol has: the objects that were read from the
// entries of a record, and which mappings made them. A judgement reads nothing else.
package reading

import (
	"slices"
	"sync"

	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/transcript"
	"github.com/capconform/capconform/suites/verdict"
)

// Reading is what every history has. It holds the objects that were read from entries, and
// notes which mappings of the target file made those that it gives: a verdict rests on what
// the history gave to its judgement. A history embeds it, and holds its lock where it adds.
// The zero value is ready for use.
type Reading struct {
	sync.RWMutex
	objects     map[record.Tick]object
	conclusions map[string]error // of stimuli that were not performed

	judging  sync.Mutex // one judgement at a time
	noting   sync.Mutex
	mappings []string
}

// object is read from an entry. Observed is part of each.
type object interface{ madeBy() string }

// Reader is an Examination whose judgements read nothing but a history that notes what it
// gives.
type Reader interface {
	Reads() *Reading
}

// Reads implements Reader.
func (r *Reading) Reads() *Reading { return r }

// Put keeps the object of an entry.
func (r *Reading) Put(entry record.Tick, o object) {
	if r.objects == nil {
		r.objects = map[record.Tick]object{}
	}
	r.objects[entry] = o
}

// Held gives the object of an entry to the history itself, the zero value if it is of another
// kind.
func Held[T object](r *Reading, entry record.Tick) T {
	one, _ := r.objects[entry].(T)
	return one
}

// ObjectAt gives the object of an entry, the zero value if it is of another kind.
func ObjectAt[T object](r *Reading, entry record.Tick) T {
	r.RLock()
	defer r.RUnlock()
	one, is := r.objects[entry].(T)
	if is {
		r.Gives(one)
	}
	return one
}

// Those gives the objects that are wanted.
func Those[T object](r *Reading, all *[]T, wanted func(T) bool) []T {
	r.RLock()
	defer r.RUnlock()
	var some []T
	for _, one := range *all {
		if wanted(one) {
			some = append(some, one)
		}
	}
	return GivesAll(r, some)
}

// GivesAll notes that the history gives objects, and returns them.
func GivesAll[T object](r *Reading, all []T) []T {
	var mappings []string
	for _, one := range all {
		mappings = appendNew(mappings, one.madeBy())
	}
	r.Note(mappings)
	return all
}

// Series are objects in their order, and what made them. The zero value is empty.
type Series[T object] struct {
	all      []T
	mappings []string
}

// Add adds an object.
func (s *Series[T]) Add(one T) {
	s.all, s.mappings = append(s.all, one), appendNew(s.mappings, one.madeBy())
}

// AllOf gives the objects of a series, which may be nil.
func AllOf[T object](r *Reading, s *Series[T]) []T {
	r.RLock()
	defer r.RUnlock()
	if s == nil {
		return nil
	}
	r.Note(s.mappings)
	return s.all
}

// Gives notes that the history gives an object.
func (r *Reading) Gives(o object) {
	r.Note([]string{o.madeBy()})
}

// NotedBy runs what finds something out of the history for later, and returns on which mappings
// that rests. Whoever uses it later without finding it out again calls Note with them.
func (r *Reading) NotedBy(find func()) []string {
	before := r.taken()
	find()
	found := r.taken()
	r.Note(before)
	r.Note(found)
	return found
}

// Note notes that the history gives what mappings made.
func (r *Reading) Note(mappings []string) {
	r.noting.Lock()
	defer r.noting.Unlock()
	for _, mapping := range mappings {
		r.mappings = appendNew(r.mappings, mapping)
	}
}

// Conclude takes the end of a stimulus, and tells whether the entry is one.
func (r *Reading) Conclude(e record.Entry) bool {
	if e.Operation != "" {
		return false
	}
	if e.Outcome == record.NotPerformed {
		if r.conclusions == nil {
			r.conclusions = map[string]error{}
		}
		r.conclusions[e.Stimulus] = transcript.LostCall(e)
	}
	return true
}

// Conclusion says why a stimulus was not performed, nil if it was.
func (r *Reading) Conclusion(stimulus string) error {
	r.RLock()
	defer r.RUnlock()
	return r.conclusions[stimulus]
}

// During runs a judgement. It returns the mappings that made what the history gave
// meanwhile: "" stands for the target. It is empty if the history gave nothing.
func (r *Reading) During(judgement func() verdict.Verdict) (verdict.Verdict, []string) {
	r.judging.Lock()
	defer r.judging.Unlock()
	r.taken()
	v := judgement()
	return v, r.taken()
}

func (r *Reading) taken() []string {
	r.noting.Lock()
	defer r.noting.Unlock()
	taken := slices.Clone(r.mappings)
	r.mappings = nil
	return taken
}

func appendNew(all []string, word string) []string {
	if slices.Contains(all, word) {
		return all
	}
	return append(all, word)
}
