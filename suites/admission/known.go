package admission

import "sync"

// texts are what a candidate says of itself in words.
type texts struct{ id, name, description string }

// Bounds of what is kept: texts, and bytes of each.
const (
	keptAtMost  = 512
	longestKept = 1 << 10
)

// sayings keep what was read out of texts, since the runs of a process often meet the same ones.
// The zero value is empty.
type sayings struct {
	mu  sync.Mutex
	why map[texts]string
}

// of returns what read finds in texts, which it does not read again.
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
