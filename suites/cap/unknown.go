package capsuite

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/google/uuid"

	"github.com/capconform/capconform/suites"
)

// stranger is a reference that the source does not list, and the way in which
// it differs from those that it does.
type stranger struct {
	ref
	kind   string
	random bool // such that nobody else can come to it
}

// strangersPerKind bounds from how many capabilities references are made that are
// close to a listed one, and unknownVersionsAtMost from how many those in an unknown
// version.
const (
	strangersPerKind      = 3
	unknownVersionsAtMost = 4
)

// strangers makes references that nobody lists: fresh, random, and checked
// against the list before they are used. Those close to a listed reference are
// made from the given capabilities alone: a source that falls back to the one it
// knows would run it. Of those that are to be invoked, the gate keeps out what a source
// may take for an excluded capability.
func (e *examination) strangers(capabilities []*capability, invoked bool) []stranger {
	fresh := "capconform-" + uuid.NewString()
	all := []stranger{{ref{fresh, "1.0.0"}, "an id and a version that nobody has", true}}
	for i, c := range capabilities[:min(len(capabilities), unknownVersionsAtMost)] {
		all = append(all, stranger{ref{c.id, freshVersion()}, "a known id in an unknown version", true})
		if i < strangersPerKind {
			all = append(all, stranger{ref{fresh, c.version}, "an unknown id in a known version", true})
		}
	}
	all = append(all, e.near(capabilities[:min(len(capabilities), strangersPerKind)], invoked)...)
	all = append(all, e.crossed(capabilities)...)
	for _, id := range sortedKeys(oddIDs) {
		all = append(all, stranger{ref{id, "1.0.0"}, oddIDs[id], false})
	}
	again := all[0]
	again.kind += ", asked for again"
	all = append(all, again)
	unlisted := all[:0]
	for _, s := range all {
		if e.strange(s, invoked) {
			unlisted = append(unlisted, s)
		}
	}
	return unlisted
}

// strange tells whether a reference is not listed and, if it is to be invoked, may be.
func (e *examination) strange(s stranger, invoked bool) bool {
	return e.list.find(s.ref) == nil && (!invoked || e.gate.Invent(s.ID) == "" && e.gate.Against(s.ID, s.Version) == "")
}

// near makes one reference of each kind that is close to a listed one. The kinds take
// turns over the capabilities, and a kind that the next one does not have goes on to
// the one after it.
func (e *examination) near(capabilities []*capability, invoked bool) []stranger {
	misses := make([][]stranger, len(capabilities))
	for i, c := range capabilities {
		misses[i] = nearMisses(c)
	}
	var all []stranger
	for kind := 0; len(misses) > 0 && kind < len(misses[0]); kind++ {
		for turn := range misses {
			s := misses[(kind+turn)%len(misses)][kind]
			if s.ID != "" && e.strange(s, invoked) {
				all = append(all, s)
				break
			}
		}
	}
	return all
}

// oddIDs mean something to what an id is often looked up in: a query, a pattern, the
// prototype of an object, a column of so many letters.
var oddIDs = map[string]string{
	"*": "an asterisk as id", "%": "a percent sign as id", "__proto__": "the id __proto__", "constructor": "the id constructor",
	"capconform-\u6df7\u8272": "an id beyond ASCII", "capconform-" + strings.Repeat("x", 300): "an id of 300 characters",
}

const crossedAtMost = 4

// crossed joins ids to versions that only other ids have.
func (e *examination) crossed(capabilities []*capability) []stranger {
	versions := map[string]bool{}
	for _, c := range e.list.capabilities {
		versions[c.version] = true
	}
	var all []stranger
	for _, c := range capabilities {
		for _, version := range sortedKeys(versions) {
			if e.list.find(ref{c.id, version}) == nil && len(all) < crossedAtMost {
				all = append(all, stranger{ref{c.id, version}, "the id of one capability in the version of another", false})
			}
		}
	}
	return all
}

// nearMisses are pairs that a source which matches loosely takes for a listed
// one. Ids and versions are opaque: only the same string is the same. Each kind has
// its place; what a capability has none of is empty there.
func nearMisses(c *capability) []stranger {
	all := make([]stranger, 0, 20)
	for _, v := range nearVersions(c.version) {
		s := stranger{ref{c.id, v.text}, fmt.Sprintf("a known id in the version %q, which is not listed", v.kind), false}
		if v.text == "" {
			s = stranger{}
		}
		all = append(all, s)
	}
	for _, id := range nearIDs(c) {
		s := stranger{ref{id.text, c.version}, id.kind, false}
		if strings.ToValidUTF8(id.text, "") != id.text || id.text == c.id {
			s = stranger{}
		}
		all = append(all, s)
	}
	return all
}

// nearText is a text close to a known one, and the way in which it differs.
type nearText struct{ text, kind string }

func nearVersions(version string) []nearText {
	major, rest, _ := strings.Cut(version, ".")
	var minor, fresh string
	if m, _, whole := strings.Cut(rest, "."); whole {
		_, other, _ := strings.Cut(freshVersion(), ".")
		minor, fresh = major+"."+m, major+"."+other
	}
	return []nearText{
		{"latest", "latest"},
		{"*", "*"},
		{major, "MAJOR"},
		{minor, "MAJOR.MINOR"},
		{fresh, "MAJOR with another minor version"},
		{"^" + version, "^VERSION"},
		{"v" + version, "vVERSION"},
		{version + ".0", "VERSION.0"},
		{version + "+build", "VERSION+build"},
		{" " + version + " ", "VERSION with blanks around it"},
		{"0.0.0-0", "0.0.0-0"},
	}
}

func nearIDs(c *capability) []nearText {
	name, _ := c.manifest().text(memberName)
	return []nearText{
		{strings.ToUpper(c.id), "a known id in capital letters"},
		{c.id[:len(c.id)-1], "a known id without its last character"},
		{c.id + " ", "a known id with a blank behind it"},
		{" " + c.id, "a known id with a blank before it"},
		{c.id + ".capconform", "a known id with another part behind it"},
		{c.id[strings.LastIndexAny(c.id, "./:")+1:], "the last part of a known id"},
		{strings.NewReplacer(".", "_", "/", "_", ":", "_").Replace(c.id), "a known id with _ for what divides it"},
		{name, "the name of a capability as id"},
	}
}

// freshVersion is a semantic version that no registry holds.
func freshVersion() string {
	id := uuid.New()
	return fmt.Sprintf("%d.%d.%d", 7000+int(id[0]), 7000+int(id[1]), 7000+int(id[2])<<8+int(id[3]))
}

// describeStrangers asks describe for them, up to the first that gets no answer
// at all.
func (e *examination) describeStrangers(ctx context.Context, sc *suites.Scenario) []lookup {
	var answered []lookup
	for _, s := range e.strangers(e.list.capabilities, false) {
		l := e.describe(ctx, sc, s.ref)
		l.kind, l.random = s.kind, s.random
		answered = append(answered, l)
		if l.err != nil {
			break
		}
	}
	return answered
}

// invokeStrangers gives what invoke answered to them, with the input {}, up to
// the first that got no answer at all.
func (e *examination) invokeStrangers(ctx context.Context, sc *suites.Scenario) []attempt {
	return e.unknown.Get(ctx, func() ([]attempt, bool) {
		var all []attempt
		for _, s := range e.strangers(e.pool, true) {
			a := e.invoke(ctx, sc, invocation{asked: s.ref, input: json.RawMessage("{}")})
			a.kind, a.random = s.kind, s.random
			all = append(all, a)
			if a.err != nil {
				break
			}
		}
		return all, ctx.Err() == nil
	})
}
