package admission

import "sync"

// candidateText are the texts in which a candidate describes itself.
type candidateText struct{ id, name, description string }

// Bounds of the cache: the number of texts, and the bytes of each.
const (
	maxCached       = 512
	maxCachedLength = 1 << 10
)

// reasonCache caches the results for texts, because the runs of a process often read the same ones. The
// zero value is empty.
type reasonCache struct {
	mu  sync.Mutex
	why map[candidateText]string
}

// of returns the result of read for texts, and calls it only once.
func (s *reasonCache) of(t candidateText, read func() string) string {
	s.mu.Lock()
	why, known := s.why[t]
	s.mu.Unlock()
	if known {
		return why
	}
	why = read()
	if len(t.id)+len(t.name)+len(t.description) > maxCachedLength {
		return why
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.why == nil || len(s.why) == maxCached {
		s.why = map[candidateText]string{}
	}
	s.why[t] = why
	return why
}
