package rule

import "github.com/capconform/capconform/suites/record"

// Sent marks a member as one that no answer changes.
func (m *Member) Sent() *Member {
	m.sent = true
	return m
}

// Listing states of which answers the list of a kind is made: entries returns their entries.
func Listing[W any](k *Kind, entries func(W) []record.Tick) *Kind {
	k.listing = func(world any) []record.Tick { return entries(world.(W)) }
	return k
}

// Trace runs what reads the view, and returns the entries whose answers it read. Another answer in any other entry
// changes nothing for it, except an answer that is lost.
func (v *View) Trace(run func()) map[record.Tick]bool {
	v.reads = map[record.Tick]bool{}
	defer func() { v.reads = nil }()
	run()
	return v.reads
}

func (v *View) note(entries []record.Tick) {
	for _, e := range entries {
		v.reads[e] = true
	}
}

// noteObject notes that an object was read.
func (o *object) noteObject() {
	if o.view.reads != nil {
		o.view.note(o.kind.entries(o.x))
	}
}

// noteList notes that the list of a kind was read.
func (v *View) noteList(k *Kind) {
	if v.reads != nil && k.listing != nil {
		v.note(k.listing(v.world))
	}
}
