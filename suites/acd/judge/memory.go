package judge

import "github.com/capconform/capconform/suites/acd/history"

// memory keeps what judgements found out of a history, until the history grows.
type memory struct {
	size     int
	bars     map[*history.Invocation]bars
	stand    map[*history.State]bool
	attempts map[string][]attempt
	listed   map[string]bool
	readings map[*history.State][2][]history.Reading
	steady   map[*history.State]bool
	calls    map[*history.State][]*history.Invocation
	views    map[int][]*history.View
}

// kept gives what is remembered of a key, or finds it out.
func kept[K comparable, V any](j *Judge, of func(*memory) map[K]V, key K, find func() V) V {
	size := j.Size()
	j.mu.Lock()
	if j.memory == nil || j.memory.size != size {
		j.memory = &memory{
			size: size, bars: map[*history.Invocation]bars{}, stand: map[*history.State]bool{},
			attempts: map[string][]attempt{}, listed: map[string]bool{},
			readings: map[*history.State][2][]history.Reading{}, steady: map[*history.State]bool{}, views: map[int][]*history.View{},
			calls: map[*history.State][]*history.Invocation{},
		}
	}
	values := of(j.memory)
	value, known := values[key]
	j.mu.Unlock()
	if known {
		return value
	}
	value = find()
	j.mu.Lock()
	defer j.mu.Unlock()
	values[key] = value
	return value
}

// readings gives what get and the whole list of the registry showed of a state.
func (j *Judge) readings(s *history.State) (got, listed []history.Reading) {
	both := kept(j, func(m *memory) map[*history.State][2][]history.Reading { return m.readings }, s, func() [2][]history.Reading {
		got, listed := j.Readings(s)
		return [2][]history.Reading{got, listed}
	})
	return both[0], both[1]
}

// views gives the answers of queries and of old lists.
func (j *Judge) views() []*history.View {
	return kept(j, func(m *memory) map[int][]*history.View { return m.views }, 0, j.Views)
}
