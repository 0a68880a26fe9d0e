package acdmutant

import "sync"

// idSet is a set of ids. It is safe for concurrent use.
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

// valueMap stores values by key. It is safe for concurrent use.
type valueMap struct {
	mutex sync.Mutex
	kept  map[string]any
}

func newValueMap() *valueMap { return &valueMap{kept: map[string]any{}} }

func (s *valueMap) put(key string, value any) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.kept[key] = value
}

func (s *valueMap) get(key string) (any, bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	value, has := s.kept[key]
	return value, has
}
