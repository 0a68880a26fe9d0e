package history

import (
	"fmt"
	"maps"
	"slices"

	"github.com/capconform/capconform/suites/jsonvalue"
)

// Pair returns the identity of a descriptor.
func Pair(o Object) string { return fmt.Sprintf("%v:%v", o["id"], o["version"]) }

// Listing contains the descriptors of one answer, by pair.
type Listing map[string]Object

// Listing returns the descriptors that the answer declares.
func (d *Description) Listing() Listing {
	l := Listing{}
	for _, members := range d.Capabilities() {
		l[Pair(members)] = members
	}
	return l
}

// Pairs returns the sorted pairs of a listing.
func (l Listing) Pairs() []string { return slices.Sorted(maps.Keys(l)) }

// Missing returns the given pairs that a listing does not contain.
func (l Listing) Missing(pairs []string) []string {
	return slices.DeleteFunc(slices.Clone(pairs), func(p string) bool { return l[p] != nil })
}

// Duplicates returns the pairs that are new since an earlier listing and whose descriptor equals that
// of a missing pair, except for the name.
func (l Listing) Duplicates(before Listing) []string {
	missing := l.Missing(before.Pairs())
	return slices.DeleteFunc(before.Missing(l.Pairs()), func(p string) bool {
		return !slices.ContainsFunc(missing,
			func(gone string) bool { return jsonvalue.Equal(Nameless(before[gone]), Nameless(l[p])) })
	})
}

// Nameless returns a descriptor without the name of the capability.
func Nameless(descriptor Object) Object {
	rest := maps.Clone(descriptor)
	for _, name := range []string{"id", "version", "capability_uri"} {
		delete(rest, name)
	}
	return rest
}
