package judge

import "github.com/capconform/capconform/suites/acd/history"

// memory stores the conclusions from a history until the history grows.
type memory struct {
	size      int
	obstacles found[*history.Invocation, obstacles]
	stand     found[*history.State, bool]
	attempts  found[string, []attempt]
	listed    found[string, bool]
	readings  found[*history.State, [2][]history.Reading]
	steady    found[*history.State, bool]
	calls     found[*history.State, []*history.Invocation]
	views     found[bool, []*history.View] // true: of old lists
	flawed    found[string, []flawed]      // the only key is ""
}

// found contains conclusions by their key.
type found[K comparable, V any] map[K]finding[V]

// finding is a conclusion, and the mappings that made the objects from which it was derived.
type finding[V any] struct {
	value    V
	mappings []string
}

// kept returns the stored conclusion about a key, or finds and stores it.
func kept[K comparable, V any](j *evidence, of func(*memory) *found[K, V], key K, find func() V) V {
	size := j.Size()
	j.mu.Lock()
	if j.memory == nil || j.memory.size != size {
		j.memory = &memory{size: size}
	}
	values := of(j.memory)
	one, known := (*values)[key]
	j.mu.Unlock()
	if known {
		j.Note(one.mappings)
		return one.value
	}
	one.mappings = j.NotedBy(func() { one.value = find() })
	j.mu.Lock()
	defer j.mu.Unlock()
	if *values == nil {
		*values = found[K, V]{}
	}
	(*values)[key] = one
	return one.value
}

// readings returns the readings of a state by get and by the whole list of the registry.
func (j *evidence) readings(s *history.State) (got, listed []history.Reading) {
	both := kept(j, func(m *memory) *found[*history.State, [2][]history.Reading] { return &m.readings }, s,
		func() [2][]history.Reading {
			got, listed := j.Readings(s)
			return [2][]history.Reading{got, listed}
		})
	return both[0], both[1]
}

// queries returns the answers of queries.
func (j *evidence) queries() []*history.View {
	return kept(j, func(m *memory) *found[bool, []*history.View] { return &m.views }, false, j.Queries)
}

// oldLists returns the answers of old lists.
func (j *evidence) oldLists() []*history.View {
	return kept(j, func(m *memory) *found[bool, []*history.View] { return &m.views }, true, j.OldLists)
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
