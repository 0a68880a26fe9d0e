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

// Values returns the names of the four values.
func Values() []string { return []string{MemberURI, MemberVersion, MemberCID, MemberDigest} }

// Publication is one call of acp.publish.
type Publication struct {
	*Call
	Values map[string]string // the four values, as submitted
	Author string            // the DID that the call names, "" if it names none
	plain  map[string]string // the values in canonical form
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
	Events []*Event
	Listed bool // the result contains a list
}

// Event is one event of a registry. There is one Event, even if several answers contain it.
type Event struct {
	Members Object
	plain   map[string]string // the four values in canonical form, without absent and empty ones
}

// plainly returns a value in the canonical form in which values are compared.
func plainly(name, value string) string {
	switch name {
	case MemberCID:
		return content.Canonical(value)
	case MemberDigest:
		return content.Digest(value)
	default:
		return value
	}
}

// publish reads a call of acp.publish. A call without a capability URI only tests whether the operation
// is served, and is not a publication.
func (m *publishing) publish(c *Call) {
	p := &Publication{Call: c, Values: map[string]string{}, plain: map[string]string{}}
	for _, name := range Values() {
		p.Values[name], _ = c.Params[name].(string)
		p.plain[name] = plainly(name, p.Values[name])
	}
	by, _ := c.Params["author"].(Object)
	p.Author, _ = by["did"].(string)
	if p.Values[MemberURI] != "" {
		m.publications = append(m.publications, p)
	}
}

func (m *publishing) lookUp(c *Call) {
	l := &Lookup{Call: c, Record: c.Result()}
	l.URI, _ = c.Params[MemberURI].(string)
	m.lookups = append(m.lookups, l)
}

// notify reads the answer of acp.events. Each event is stored once, even if several answers contain it.
func (m *publishing) notify(c *Call) {
	t := &EventList{Call: c}
	list, isList := c.Result()["events"].([]any)
	t.Listed = isList
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
	m.lists = append(m.lists, t)
}

func newEvent(item any) *Event {
	e := &Event{plain: map[string]string{}}
	e.Members, _ = item.(Object)
	for _, name := range Values() {
		if value, _ := e.Members[name].(string); value != "" {
			e.plain[name] = plainly(name, value)
		}
	}
	return e
}

// Publications returns the calls of acp.publish that submit a capability URI.
func (h *History) Publications() []*Publication {
	h.RLock()
	defer h.RUnlock()
	return reading.GivesAll(&h.Reading, h.publishing.publications)
}

// Lookups returns the calls of acp.get.
func (h *History) Lookups() []*Lookup {
	h.RLock()
	defer h.RUnlock()
	return reading.GivesAll(&h.Reading, h.publishing.lookups)
}

// EventLists returns the calls of acp.events.
func (h *History) EventLists() []*EventList {
	h.RLock()
	defer h.RUnlock()
	return reading.GivesAll(&h.Reading, h.publishing.lists)
}

// Name returns the name in the capability URI.
func (p *Publication) Name() string { return NameOf(p.Values[MemberURI]) }

// NameOf returns the name of a capability URI, with a version or without.
func NameOf(uri string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(uri, identifier.CapabilityPrefix), "@")
	return name
}

// Valid reports whether a valid package was published by its author.
func (p *Publication) Valid() bool { return p.About[AboutBreaks] == "" && p.Proven() }

// Proven reports whether the author of the publication submitted it with its own key.
func (p *Publication) Proven() bool {
	return p.About[AboutBy] == ByAuthor || p.About[AboutBy] == ByOtherAuthor
}

// SubmitsAs reports whether two publications submit the same four values.
func (p *Publication) SubmitsAs(other *Publication) bool {
	return maps.Equal(p.Values, other.Values)
}

// Holds reports whether an object contains one of the four values, in any notation.
func (p *Publication) Holds(of Object, name string) bool {
	got, isText := of[name].(string)
	return isText && plainly(name, got) == p.plain[name]
}

// HoldsAny reports whether an object contains at least one of the four values.
func (p *Publication) HoldsAny(of Object) bool {
	return slices.ContainsFunc(Values(), func(name string) bool { return of[name] != "" && p.Holds(of, name) })
}

// shares reports whether an event contains one of the four values.
func (p *Publication) shares(e *Event, name string) bool {
	value, has := e.plain[name]
	return has && value == p.plain[name]
}

// held returns how many of the four values an event contains. A value that was submitted empty counts as
// contained.
func (p *Publication) held(e *Event) int {
	count := 0
	for _, name := range Values() {
		if p.Values[name] == "" || p.shares(e, name) {
			count++
		}
	}
	return count
}

// Of returns the events about a publication: those with its URI, CID or digest. If one has its URI,
// events with the same file under another name are excluded, because they are about another publication.
// Events with the most values come first.
func (t *EventList) Of(p *Publication) []*Event {
	var about []*Event
	named := false
	for _, e := range t.Events {
		of := p.shares(e, MemberURI)
		named = named || of
		if of || p.shares(e, MemberCID) || p.shares(e, MemberDigest) {
			about = append(about, e)
		}
	}
	slices.SortStableFunc(about, func(a, b *Event) int { return p.held(b) - p.held(a) })
	if !named {
		return about
	}
	return slices.DeleteFunc(about, func(e *Event) bool {
		other, err := identifier.ParseCapability(e.plain[MemberURI])
		return err == nil && other.Name != p.Name()
	})
}

// Publishing returns the events that contain all values of a publication. A contract may emit other
// events, such as one about the assignment of a name.
func (t *EventList) Publishing(p *Publication) []*Event {
	return slices.DeleteFunc(t.Of(p), func(e *Event) bool { return p.held(e) < len(Values()) })
}
