package mutant

import "sync"

// idSet holds ids. It is safe for concurrent use.
type idSet struct {
	mutex sync.Mutex
	ids   map[string]bool
}

func newSet() *idSet { return &idSet{ids: map[string]bool{}} }

func (s *idSet) add(id string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.ids[id] = true
}

func (s *idSet) has(id string) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.ids[id]
}
