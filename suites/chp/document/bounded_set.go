package chpdocument

// boundedSet is a set of hashes of bounded size, each with a detail. When it is full, it drops
// the oldest entries and sets forgot.
type boundedSet struct {
	now, before generation
	discarded   bool // entries were dropped
}

// generation is a table with open addressing; the key 0 is an empty slot.
type generation struct {
	keys    []uint64
	details []uint32
	count   int
}

// The size of a table, in slots of 12 bytes: at most 24 MiB for each of the two generations. A
// full set contains at least the last rememberedAtLeast entries.
const (
	firstSlots        = 1 << 10
	maxSlots          = 1 << 21
	rememberedAtLeast = maxSlots / 4 * 3
)

// find reports whether the set contains a key, and whether it contains the key with the detail.
func (m *boundedSet) find(key uint64, detail uint32) (known, same bool) {
	known, same = m.now.find(key, detail)
	if same || len(m.before.keys) == 0 {
		return known, same
	}
	older, olderSame := m.before.find(key, detail)
	return known || older, olderSame
}

// add adds a key, beside those that the set contains already.
func (m *boundedSet) add(key uint64, detail uint32) {
	if m.now.full() {
		if len(m.now.keys) >= maxSlots {
			m.discarded = m.discarded || len(m.before.keys) > 0
			m.before, m.now = m.now, generation{}
		}
		m.now.grow()
	}
	m.now.put(key, detail)
}

func (g *generation) full() bool { return g.count*4 >= len(g.keys)*3 }

func (g *generation) grow() {
	old := *g
	*g = generation{keys: make([]uint64, max(firstSlots, 2*len(old.keys)))}
	g.details = make([]uint32, len(g.keys))
	for i, key := range old.keys {
		if key != 0 {
			g.put(key, old.details[i])
		}
	}
}

func (g *generation) put(key uint64, detail uint32) {
	key = max(key, 1)
	mask := uint64(len(g.keys) - 1)
	i := key & mask
	for g.keys[i] != 0 {
		i = (i + 1) & mask
	}
	g.keys[i], g.details[i] = key, detail
	g.count++
}

func (g *generation) find(key uint64, detail uint32) (known, same bool) {
	if len(g.keys) == 0 {
		return false, false
	}
	key = max(key, 1)
	mask := uint64(len(g.keys) - 1)
	for i := key & mask; g.keys[i] != 0; i = (i + 1) & mask {
		if g.keys[i] == key {
			known = true
			if g.details[i] == detail {
				return true, true
			}
		}
	}
	return known, false
}
