package history

import (
	"fmt"
	"maps"
	"slices"

	"github.com/capconform/capconform/suites/jsonvalue"
)

// Pair is the identity of a descriptor.
func Pair(o Object) string { return fmt.Sprintf("%v:%v", o["id"], o["version"]) }

// Listing is what one answer declares, by pair.
type Listing map[string]Object

// Listing returns what the answer declares.
func (d *Description) Listing() Listing {
	l := Listing{}
	for _, members := range d.Capabilities() {
		l[Pair(members)] = members
	}
	return l
}

// Pairs are the pairs of a listing, sorted.
func (l Listing) Pairs() []string { return slices.Sorted(maps.Keys(l)) }

// Lacking returns what of some pairs a listing lacks.
func (l Listing) Lacking(pairs []string) []string {
	return slices.DeleteFunc(slices.Clone(pairs), func(p string) bool { return l[p] != nil })
}

// Twins are pairs that an earlier listing did not have, and that say the same of a capability
// as a pair which is missing now.
func (l Listing) Twins(before Listing) []string {
	missing := l.Lacking(before.Pairs())
	return slices.DeleteFunc(before.Lacking(l.Pairs()), func(p string) bool {
		return !slices.ContainsFunc(missing,
			func(gone string) bool { return jsonvalue.Equal(Nameless(before[gone]), Nameless(l[p])) })
	})
}

// Nameless is what a descriptor says beside the name of the capability.
func Nameless(descriptor Object) Object {
	rest := maps.Clone(descriptor)
	for _, name := range []string{"id", "version", "capability_uri"} {
		delete(rest, name)
	}
	return rest
}
