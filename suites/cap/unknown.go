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

// strangersPerKind bounds the references that are close to a listed one.
const strangersPerKind = 5

// strangers makes references that nobody lists: fresh, random, and checked
// against the list before they are used. Those close to a listed reference are
// made from the given capabilities alone: a source that falls back to the one it
// knows would run it.
func (e *examination) strangers(capabilities []*capability) []stranger {
	fresh := "capconform-" + uuid.NewString()
	all := []stranger{{ref{fresh, "1.0.0"}, "an id and a version that nobody has", true}}
	for i, c := range capabilities[:min(len(capabilities), invokedAtMost)] {
		all = append(all, stranger{ref{c.id, freshVersion()}, "a known id in an unknown version", true})
		if i >= strangersPerKind {
			continue
		}
		all = append(all, stranger{ref{fresh, c.version}, "an unknown id in a known version", true})
		all = append(all, nearMisses(c)...)
	}
	all = append(all, e.crossed(capabilities)...)
	unlisted := all[:0]
	for _, s := range all {
		if e.list.find(s.ref) == nil {
			unlisted = append(unlisted, s)
		}
	}
	return unlisted
}

// crossed joins ids to versions that only other ids have.
func (e *examination) crossed(capabilities []*capability) []stranger {
	versions := map[string]bool{}
	for _, c := range e.list.capabilities {
		versions[c.version] = true
	}
	var all []stranger
	for _, c := range capabilities {
		for _, version := range sortedKeys(versions) {
			if e.list.find(ref{c.id, version}) == nil && len(all) < 2*strangersPerKind {
				all = append(all, stranger{ref{c.id, version}, "the id of one capability in the version of another", false})
			}
		}
	}
	return all
}

// nearMisses are pairs that a source which matches loosely takes for a listed
// one. Ids and versions are opaque: only the same string is the same.
func nearMisses(c *capability) []stranger {
	major, _, _ := strings.Cut(c.version, ".")
	versions := []string{"latest", "*", major, "^" + c.version, "v" + c.version, c.version + ".0", c.version + "+build"}
	all := make([]stranger, 0, len(versions)+3)
	for _, v := range versions {
		all = append(all, stranger{ref{c.id, v}, fmt.Sprintf("a known id in the version %q, which is not listed", generalised(v, c.version, major)), false})
	}
	ids := map[string]string{
		strings.ToUpper(c.id): "a known id in capital letters",
		c.id[:len(c.id)-1]:    "a known id without its last character",
		c.id + " ":            "a known id with a blank behind it",
	}
	for _, id := range sortedKeys(ids) {
		if strings.ToValidUTF8(id, "") == id && id != "" {
			all = append(all, stranger{ref{id, c.version}, ids[id], false})
		}
	}
	return all
}

// generalised replaces the version at hand by a placeholder, since a message
// must be the same for every capability.
func generalised(text, version, major string) string {
	if text == major && version != major {
		return "MAJOR"
	}
	return strings.ReplaceAll(text, version, "VERSION")
}

// freshVersion is a semantic version that no registry holds.
func freshVersion() string {
	id := uuid.New()
	return fmt.Sprintf("%d.%d.%d", 7000+int(id[0]), 7000+int(id[1]), 7000+int(id[2])<<8+int(id[3]))
}

// describeStrangers asks describe for them, up to the first that gets no answer
// at all.
func (e *examination) describeStrangers(ctx context.Context, sc *suites.Scenario) []lookup {
	var all []lookup
	for _, s := range e.strangers(e.list.capabilities) {
		l := e.describe(ctx, sc, s.ref)
		l.kind, l.random = s.kind, s.random
		all = append(all, l)
		if l.err != nil {
			break
		}
	}
	return all
}

// invokeStrangers gives what invoke answered to them, with the input {}, up to
// the first that got no answer at all.
func (e *examination) invokeStrangers(ctx context.Context, sc *suites.Scenario) []attempt {
	return e.unknown.Get(func() ([]attempt, bool) {
		var all []attempt
		for _, s := range e.strangers(e.pool) {
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
