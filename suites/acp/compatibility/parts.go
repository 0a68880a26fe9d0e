package compatibility

import (
	"fmt"
	"slices"

	"github.com/capconform/capconform/suites/document"
	"github.com/capconform/capconform/suites/jsonvalue"
)

// parts compares the schemas of the items of a list and of further members.
func (c *comparison) parts(before, now *document.Node, path string) {
	what := path
	if what == "" {
		what = rootName
	}
	for _, keyword := range []string{"items", "additionalProperties"} {
		a, b := before.Get(keyword), now.Get(keyword)
		if allowsNothing(b) && !allowsNothing(a) {
			c.add(b, what, "no longer allows", keyword)
		}
		if a == nil && b.Is(document.Object) {
			a = anySchema
		}
		if a != nil && b != nil {
			c.schema(a, b, path+"/*")
		}
	}
	first := before.Get("prefixItems")
	if list := now.Get("prefixItems"); first.Is(document.Array) && list.Is(document.Array) {
		for i := range min(len(first.Items), len(list.Items)) {
			c.schema(first.Items[i], list.Items[i], fmt.Sprintf("%s/%d", path, i))
		}
	}
}

// further reports keywords that exclude something and were not there before.
func (c *comparison) further(before, now *document.Node, what string) {
	for _, keyword := range []string{"propertyNames", "not", "contains"} {
		b := now.Get(keyword)
		if !b.Is(document.Object) || len(b.Members) == 0 || before.Get(keyword) != nil {
			continue
		}
		if everyName := keyword == "propertyNames" && len(b.Members) == 1 && b.Get("type").Str() == "string"; !everyName {
			c.add(b, what, "now has the keyword", keyword)
		}
	}
	for _, keyword := range []string{"unevaluatedProperties", "unevaluatedItems"} {
		if b := now.Get(keyword); allowsNothing(b) && before.Get(keyword) == nil &&
			!before.Has("additionalProperties", "items") {
			c.add(b, what, "no longer allows", keyword)
		}
	}
}

// alternatives compares the alternatives if the new ones are among the old ones, and no others.
func (c *comparison) alternatives(before, now *document.Node, what string) {
	for _, keyword := range []string{"anyOf", "oneOf"} {
		a, b := before.Get(keyword), now.Get(keyword)
		if !a.Is(document.Array) || !b.Is(document.Array) {
			continue
		}
		if fewer := contains(a, b) && !contains(b, a); fewer {
			c.add(b, what, "has fewer alternatives in", keyword)
		}
	}
}

// contains reports whether each item of a list is among the items of another.
func contains(all, some *document.Node) bool {
	return !slices.ContainsFunc(some.Items, func(item *document.Node) bool {
		return !slices.ContainsFunc(all.Items,
			func(other *document.Node) bool { return jsonvalue.Equal(other.Value(), item.Value()) })
	})
}
