package suites

import (
	"slices"
	"sync"

	"github.com/capconform/capconform/suites/record"
)

// Reading notes by which mappings of the target file the objects were made that a history
// gives. A history embeds it and calls Gives for each object; a verdict rests on what the
// history gave to its judgement. The zero value is ready for use.
type Reading struct {
	judging sync.Mutex // one judgement at a time

	mu       sync.Mutex
	mappings []string
}

// Reader is an Examination whose judgements read nothing but a history that notes what it
// gives. A scenario of any other examination rests on each answer that a stimulus brought.
type Reader interface {
	Reading() *Reading
}

// Gives notes that the history gives an object which a mapping made, "" for one of the
// target.
func (r *Reading) Gives(mapping string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.mappings = appendNew(r.mappings, mapping)
}

// during runs a judgement. It returns the mappings that made what the history gave
// meanwhile: "" stands for the target. It is empty if the history gave nothing.
func (r *Reading) during(judgement func() Verdict) (Verdict, []string) {
	r.judging.Lock()
	defer r.judging.Unlock()
	r.take()
	v := judgement()
	return v, r.take()
}

func (r *Reading) take() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	taken := slices.Clone(r.mappings)
	r.mappings = nil
	return taken
}

// MappedBy names the mapping of the target file that made the answer of an entry, "" if
// the target made it, or an adapter of ours.
func MappedBy(e record.Entry) string {
	if e.About[aboutAdapter] != "" {
		return ""
	}
	return e.Provided
}
