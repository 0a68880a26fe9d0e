package judge

import (
	"github.com/capconform/capconform/suites/acd/history"
	"github.com/capconform/capconform/suites/shape"
)

// conclusions stores the conclusions from a history until the history grows.
type conclusions struct {
	size      int
	obstacles cache[*history.Invocation, obstacles]
	effective cache[*history.State, bool]
	attempts  cache[string, []attempt]
	listed    cache[string, bool]
	readings  cache[*history.State, [2][]history.Reading]
	steady    cache[*history.State, bool]
	calls     cache[*history.State, []*history.Invocation]
	views     cache[bool, []*history.View] // true: of old lists
	flawed    cache[string, []flawed]      // the only key is ""
}

// cache contains conclusions by their key.
type cache[K comparable, V any] map[K]cached[V]

// cached is a conclusion, and the mappings that made the objects from which it was derived.
type cached[V any] struct {
	value    V
	mappings []string
}

// memoized returns the stored conclusion about a key, or finds and stores it.
func memoized[K comparable, V any](j *evidence, of func(*conclusions) *cache[K, V], key K, find func() V) V {
	size := j.Size()
	j.mu.Lock()
	if j.conclusions == nil || j.conclusions.size != size {
		j.conclusions = &conclusions{size: size}
	}
	values := of(j.conclusions)
	one, known := (*values)[key]
	j.mu.Unlock()
	if known {
		j.NoteMappings(one.mappings)
		return one.value
	}
	one.mappings = j.MappingsOf(func() { one.value = find() })
	j.mu.Lock()
	defer j.mu.Unlock()
	if *values == nil {
		*values = cache[K, V]{}
	}
	(*values)[key] = one
	return one.value
}

// readings returns the readings of a state by get and by the whole list of the registry.
func (j *evidence) readings(s *history.State) (got, listed []history.Reading) {
	both := memoized(j, func(m *conclusions) *cache[*history.State, [2][]history.Reading] { return &m.readings }, s,
		func() [2][]history.Reading {
			got, listed := j.Readings(s)
			return [2][]history.Reading{got, listed}
		})
	return both[0], both[1]
}

// queries returns the answers of queries.
func (j *evidence) queries() []*history.View {
	return memoized(j, func(m *conclusions) *cache[bool, []*history.View] { return &m.views }, false, j.Queries)
}

// oldLists returns the answers of old lists.
func (j *evidence) oldLists() []*history.View {
	return memoized(j, func(m *conclusions) *cache[bool, []*history.View] { return &m.views }, true, j.OldLists)
}

// attempt is a way in which a call may have run a copy.
type attempt struct {
	reasons []string
	call    *history.Invocation
	known   bool
}

// obstacles are the reasons for which a call must be refused, and whether they are known.
type obstacles struct {
	reasons []string
	known   bool
}

// flawed is a descriptor with members that are not valid.
type flawed struct {
	item  *history.Item
	flaws []shape.Flaw
}
