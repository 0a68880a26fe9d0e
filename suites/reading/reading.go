// Package reading contains the common part of the histories of all protocols: the objects that were
// read from the entries of a record, and the mappings that made them. A judgement reads only a
// history.
package reading

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/transcript"
	"github.com/capconform/capconform/suites/verdict"
)

// Reading is the common part of all histories. It contains the objects that were read from entries.
// It also notes the mappings of the target file that made the objects that it returns, since the
// verdict of a judgement depends on these objects. A history embeds a Reading and holds its lock
// while it adds objects. The zero value is ready for use.
type Reading struct {
	sync.RWMutex
	objects     map[record.Tick]object
	conclusions map[string]error // why stimuli were not performed, by name

	judging  sync.Mutex // one judgement or expression at a time
	noting   sync.Mutex
	mappings []string
	target   atomic.Bool // mappings contains "", which stands for the target
}

// object is an object that was read from an entry. Every object embeds an Observed.
type object interface{ madeBy() string }

// Reader is an Examination whose judgements read only a history that notes what it returns.
type Reader interface {
	Reads() *Reading
}

// Reads implements Reader.
func (r *Reading) Reads() *Reading { return r }

// Put stores the object of an entry.
func (r *Reading) Put(entry record.Tick, o object) {
	if r.objects == nil {
		r.objects = map[record.Tick]object{}
	}
	r.objects[entry] = o
}

// Peek returns the object of an entry without noting its mapping, for use by the history itself. It
// returns the zero value if the object has another type. The caller must hold the lock.
func Peek[T object](r *Reading, entry record.Tick) T {
	one, _ := r.objects[entry].(T)
	return one
}

// ObjectAt returns the object of an entry, or the zero value if there is none of the type.
func ObjectAt[T object](r *Reading, entry record.Tick) T {
	r.RLock()
	defer r.RUnlock()
	one, is := r.objects[entry].(T)
	if is {
		r.NoteObject(one)
	}
	return one
}

// Select returns the objects for which wanted returns true.
func Select[T object](r *Reading, all *[]T, wanted func(T) bool) []T {
	r.RLock()
	defer r.RUnlock()
	var some []T
	for _, one := range *all {
		if wanted(one) {
			some = append(some, one)
		}
	}
	return NoteObjects(r, some)
}

// NoteObjects notes that the history returns the objects, and returns them.
func NoteObjects[T object](r *Reading, all []T) []T {
	var mappings []string
	for _, one := range all {
		mappings = appendNew(mappings, one.madeBy())
	}
	r.NoteMappings(mappings)
	return all
}

// Series is an ordered list of objects, with the mappings that made them. The zero value is empty.
type Series[T object] struct {
	all      []T
	mappings []string
}

// Add adds an object.
func (s *Series[T]) Add(one T) {
	s.all, s.mappings = append(s.all, one), appendNew(s.mappings, one.madeBy())
}

// AllOf returns the objects of a series. The series may be nil.
func AllOf[T object](r *Reading, s *Series[T]) []T {
	r.RLock()
	defer r.RUnlock()
	if s == nil {
		return nil
	}
	r.NoteMappings(s.mappings)
	return s.all
}

// NoteObject notes that the history returns an object.
func (r *Reading) NoteObject(o object) {
	if mapping := o.madeBy(); mapping != "" || !r.target.Load() {
		r.NoteMappings([]string{mapping})
	}
}

// MappingsOf runs find, which derives a result from the history for later use, and returns the
// mappings on which the result depends. A later use of the stored result must call NoteMappings with these
// mappings.
func (r *Reading) MappingsOf(find func()) []string {
	before := r.takeMappings()
	find()
	found := r.takeMappings()
	r.NoteMappings(before)
	r.NoteMappings(found)
	return found
}

// NoteMappings notes that the history returns objects that the mappings made.
func (r *Reading) NoteMappings(mappings []string) {
	if len(mappings) == 0 {
		return
	}
	r.noting.Lock()
	defer r.noting.Unlock()
	for _, mapping := range mappings {
		r.mappings = appendNew(r.mappings, mapping)
		if mapping == "" {
			r.target.Store(true)
		}
	}
}

// Conclude reports whether an entry is the end of a stimulus, and keeps the reason if the stimulus
// was not performed.
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

// Conclusion returns the reason why a stimulus was not performed, or nil if it was performed.
func (r *Reading) Conclusion(stimulus string) error {
	r.RLock()
	defer r.RUnlock()
	return r.conclusions[stimulus]
}

// RunJudgement runs a judgement and returns its verdict, with the mappings that made what the history
// returned to it; "" stands for the target. The list is empty if the history returned nothing.
func (r *Reading) RunJudgement(judgement func() verdict.Verdict) (verdict.Verdict, []string) {
	defer r.Exclusively()()
	r.takeMappings()
	v := judgement()
	return v, r.takeMappings()
}

// Exclusively waits for the judgement that runs, and keeps others waiting until release is called.
func (r *Reading) Exclusively() (release func()) {
	r.judging.Lock()
	return r.judging.Unlock
}

func (r *Reading) takeMappings() []string {
	r.noting.Lock()
	defer r.noting.Unlock()
	taken := slices.Clone(r.mappings)
	r.mappings = nil
	r.target.Store(false)
	return taken
}

func appendNew(all []string, word string) []string {
	if slices.Contains(all, word) {
		return all
	}
	return append(all, word)
}
