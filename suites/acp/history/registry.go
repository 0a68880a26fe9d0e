package history

import (
	"maps"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/acp/content"
	"github.com/capconform/capconform/suites/acp/identifier"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/reading"
)

// The four values of a publication.
const (
	MemberURI     = "cap_uri"
	MemberVersion = "semver"
	MemberCID     = "cid"
	MemberDigest  = "sha256"
)

// ValueNames returns the names of the four values.
func ValueNames() []string { return []string{MemberURI, MemberVersion, MemberCID, MemberDigest} }

// Publication is one call of acp.publish.
type Publication struct {
	*Call
	Values    map[string]string // the four values, as submitted
	Author    string            // the DID that the call names, "" if it names none
	canonical map[string]string // the values in canonical form
}

// Lookup is one call of acp.get.
type Lookup struct {
	*Call
	URI    string
	Record Object // nil: nothing was returned
}

// EventList is one call of acp.events.
type EventList struct {
	*Call
	Events  []*Event
	HasList bool // the result contains a list
}

// Event is one event of a registry. There is one Event, even if several answers contain it.
type Event struct {
	Members   Object
	canonical map[string]string // the four values in canonical form, without absent and empty ones
}

// canonicalValue returns a value in the canonical form in which values are compared.
func canonicalValue(name, value string) string {
	switch name {
	case MemberCID:
		return content.Canonical(value)
	case MemberDigest:
		return content.Digest(value)
	default:
		return value
	}
}

// addPublication reads a call of acp.publish. A call without a capability URI only tests whether the
// operation is served, and is not a publication.
func (m *publishing) addPublication(c *Call) {
	p := &Publication{Call: c, Values: map[string]string{}, canonical: map[string]string{}}
	for _, name := range ValueNames() {
		p.Values[name], _ = c.Params[name].(string)
		p.canonical[name] = canonicalValue(name, p.Values[name])
	}
	by, _ := c.Params["author"].(Object)
	p.Author, _ = by["did"].(string)
	if p.Values[MemberURI] != "" {
		m.publications = append(m.publications, p)
	}
}

func (m *publishing) addLookup(c *Call) {
	l := &Lookup{Call: c, Record: c.Result()}
	l.URI, _ = c.Params[MemberURI].(string)
	m.lookups = append(m.lookups, l)
}

// addEventList reads the answer of acp.events. Each event is stored once, even if several answers
// contain it.
func (m *publishing) addEventList(c *Call) {
	t := &EventList{Call: c}
	list, isList := c.Result()["events"].([]any)
	t.HasList = isList
	for _, item := range list {
		text := string(jsonvalue.Encode(item))
		if m.events == nil {
			m.events = map[string]*Event{}
		}
		if m.events[text] == nil {
			m.events[text] = newEvent(item)
		}
		t.Events = append(t.Events, m.events[text])
	}
	c.Value = nil // it would be stored twice
	m.eventLists = append(m.eventLists, t)
}

func newEvent(item any) *Event {
	e := &Event{canonical: map[string]string{}}
	e.Members, _ = item.(Object)
	for _, name := range ValueNames() {
		if value := valueOf(e.Members, name); value != "" {
			e.canonical[name] = canonicalValue(name, value)
		}
	}
	return e
}

// Publications returns the calls of acp.publish that submit a capability URI.
func (h *History) Publications() []*Publication {
	h.RLock()
	defer h.RUnlock()
	return reading.NoteObjects(&h.Reading, h.publishing.publications)
}

// Lookups returns the calls of acp.get.
func (h *History) Lookups() []*Lookup {
	h.RLock()
	defer h.RUnlock()
	return reading.NoteObjects(&h.Reading, h.publishing.lookups)
}

// EventLists returns the calls of acp.events.
func (h *History) EventLists() []*EventList {
	h.RLock()
	defer h.RUnlock()
	return reading.NoteObjects(&h.Reading, h.publishing.eventLists)
}

// Name returns the name in the capability URI.
func (p *Publication) Name() string { return NameOf(p.Values[MemberURI]) }

// NameOf returns the name of a capability URI, with a version or without.
func NameOf(uri string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(uri, identifier.CapabilityPrefix), "@")
	return name
}

// Valid reports whether a valid package was published by its author.
func (p *Publication) Valid() bool { return p.About[AboutBreaks] == "" && p.HasProof() }

// HasProof reports whether the author of the publication submitted it with its own key.
func (p *Publication) HasProof() bool {
	return p.About[AboutBy] == ByAuthor || p.About[AboutBy] == ByOtherAuthor
}

// HasSameValues reports whether two publications submit the same four values.
func (p *Publication) HasSameValues(other *Publication) bool {
	return maps.Equal(p.Values, other.Values)
}

// valueOf returns the text under a name: a member of the object itself, or else of an object within it, such as the
// data of an event in an envelope.
func valueOf(object Object, name string) string {
	if value, has := object[name]; has {
		text, _ := value.(string)
		return text
	}
	for _, member := range slices.Sorted(maps.Keys(object)) {
		within, _ := object[member].(Object)
		if text := valueOf(within, name); text != "" {
			return text
		}
	}
	return ""
}

// ValueIn reports whether an object contains one of the four values, in any notation.
func (p *Publication) ValueIn(object Object, name string) bool {
	got, isText := object[name].(string)
	if !isText {
		got = valueOf(object, name)
	}
	return (isText || got != "") && canonicalValue(name, got) == p.canonical[name]
}

// AnyValueIn reports whether an object contains at least one of the four values.
func (p *Publication) AnyValueIn(object Object) bool {
	return slices.ContainsFunc(ValueNames(), func(name string) bool {
		return object[name] != "" &&
			p.ValueIn(object, name)
	})
}

// sharesValue reports whether an event contains one of the four values.
func (p *Publication) sharesValue(e *Event, name string) bool {
	value, has := e.canonical[name]
	return has && value == p.canonical[name]
}

// countShared returns how many of the four values an event contains. A value that was submitted empty
// counts as contained.
func (p *Publication) countShared(e *Event) int {
	count := 0
	for _, name := range ValueNames() {
		if p.Values[name] == "" || p.sharesValue(e, name) {
			count++
		}
	}
	return count
}

// About returns the events about a publication: those with its URI, CID or digest. If one has its URI,
// events with the same file under another name are excluded, because they are about another publication.
// Events with the most values come first.
func (t *EventList) About(p *Publication) []*Event {
	var about []*Event
	hasURI := false
	for _, e := range t.Events {
		of := p.sharesValue(e, MemberURI)
		hasURI = hasURI || of
		if of || p.sharesValue(e, MemberCID) || p.sharesValue(e, MemberDigest) {
			about = append(about, e)
		}
	}
	slices.SortStableFunc(about, func(a, b *Event) int { return p.countShared(b) - p.countShared(a) })
	if !hasURI {
		return about
	}
	return slices.DeleteFunc(about, func(e *Event) bool {
		other, err := identifier.ParseCapability(e.canonical[MemberURI])
		return err == nil && other.Name != p.Name()
	})
}

// WithAllValues returns the events that contain all values of a publication. A contract may emit other
// events, such as one about the assignment of a name.
func (t *EventList) WithAllValues(p *Publication) []*Event {
	return slices.DeleteFunc(t.About(p), func(e *Event) bool { return p.countShared(e) < len(ValueNames()) })
}
