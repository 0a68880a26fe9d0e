package admission

import "sync"

// texts are the texts in which a candidate describes itself.
type texts struct{ id, name, description string }

// Bounds of the cache: the number of texts, and the bytes of each.
const (
	keptAtMost  = 512
	longestKept = 1 << 10
)

// sayings caches the results for texts, because the runs of a process often read the same ones. The
// zero value is empty.
type sayings struct {
	mu  sync.Mutex
	why map[texts]string
}

// of returns the result of read for texts, and calls it only once.
func (s *sayings) of(t texts, read func() string) string {
	s.mu.Lock()
	why, known := s.why[t]
	s.mu.Unlock()
	if known {
		return why
	}
	why = read()
	if len(t.id)+len(t.name)+len(t.description) > longestKept {
		return why
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.why == nil || len(s.why) == keptAtMost {
		s.why = map[texts]string{}
	}
	s.why[t] = why
	return why
}
