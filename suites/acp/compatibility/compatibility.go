// Package compatibility finds what a new version of a state schema no longer allows: an object that was
// stored under the old version may be invalid under the new one. It compares two schemas member by
// member. It reports nothing about schemas with a different structure, such as other references or other
// alternatives.
package compatibility

import (
	"math/big"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/document"
	"github.com/capconform/capconform/suites/jsonvalue"
)

// Change is one thing that the new schema no longer allows.
type Change struct {
	Place   *document.Node // its position in the new schema
	Message string         // a clause, such as: the member /title is now required
}

// Changes compares an old schema with a new one, and returns what the new one no longer allows.
func Changes(before, now *document.Node) []Change {
	c := &comparison{oldRoot: before, newRoot: now, seen: map[pair]bool{}}
	c.schema(before, now, "")
	return c.changes
}

type pair struct{ old, new *document.Node }

type comparison struct {
	oldRoot, newRoot *document.Node
	seen             map[pair]bool
	changes          []Change
}

func (c *comparison) add(place *document.Node, parts ...string) {
	c.changes = append(c.changes, Change{place, strings.Join(parts, " ")})
}

// followReferences follows references within the document.
func followReferences(root, n *document.Node) *document.Node {
	const maxSteps = 16
	for range maxSteps {
		pointer, local := strings.CutPrefix(n.Get("$ref").Str(), "#")
		if !local || pointer != "" && !strings.HasPrefix(pointer, "/") {
			return n
		}
		n = root.At(pointer)
	}
	return n
}

// rootName is the name of the root of a schema in messages.
const rootName = "the object"

func (c *comparison) schema(before, now *document.Node, path string) {
	before, now = followReferences(c.oldRoot, before), followReferences(c.newRoot, now)
	if allowsNothing(now) && !allowsNothing(before) && path != "" && !strings.HasSuffix(path, "/*") {
		c.add(now, path, "no longer allows any value")
	}
	if !before.Is(document.Object) || !now.Is(document.Object) || c.seen[pair{before, now}] {
		return
	}
	c.seen[pair{before, now}] = true
	what := path
	if what == "" {
		what = rootName
	}
	c.types(before, now, what)
	c.values(before, now, what)
	c.strategy(before, now, what)
	c.bounds(before, now, what)
	c.required(before, now, path)
	c.dependent(before, now, path)
	c.properties(before, now, path)
	c.parts(before, now, path)
	c.further(before, now, what)
	c.alternatives(before, now, what)
}

// anySchema is a schema that allows every value.
var anySchema = &document.Node{Kind: document.Object}

func allowsNothing(n *document.Node) bool { return n.Is(document.Boolean) && n.Text == "false" }

// types compares the permitted types. If the old schema has no type, the types of its listed values are
// used; without those, any type was permitted.
func (c *comparison) types(before, now *document.Node, what string) {
	a, b := stringsOf(before.Get("type")), stringsOf(now.Get("type"))
	if len(b) == 0 {
		return
	}
	if len(a) == 0 {
		a = typesOfValues(before)
	}
	if len(a) == 0 {
		c.add(now.Get("type"), what, "allowed any type and now allows only", jsonvalue.Print(b))
		return
	}
	for _, kind := range a {
		wider := kind == "integer" && slices.Contains(b, "number")
		if !slices.Contains(b, kind) && !wider {
			c.add(now.Get("type"), what, "no longer allows the type", kind)
		}
	}
}

// typesOfValues returns the types of the values that a schema lists.
func typesOfValues(n *document.Node) []string {
	items := []*document.Node{n.Get("const")}
	if list := n.Get("enum"); items[0] == nil && list.Is(document.Array) {
		items = list.Items
	}
	var all []string
	for _, item := range items {
		switch {
		case item == nil:
		case item.Is(document.Object):
			all = append(all, "object")
		case item.Is(document.Array):
			all = append(all, "array")
		case item.Is(document.String):
			all = append(all, "string")
		case item.Is(document.Boolean):
			all = append(all, "boolean")
		case !item.Is(document.Number):
			all = append(all, "null")
		case numberOf(item) != nil && numberOf(item).IsInt():
			all = append(all, "integer")
		default:
			all = append(all, "number")
		}
	}
	return all
}

func stringsOf(n *document.Node) []string {
	if n.Is(document.String) {
		return []string{n.Text}
	}
	var all []string
	if n.Is(document.Array) {
		for _, item := range n.Items {
			all = append(all, item.Str())
		}
	}
	return all
}

// values compares the values that const or enum list.
func (c *comparison) values(before, now *document.Node, what string) {
	a, listedBefore := listedValues(before)
	b, listedNow := listedValues(now)
	if !listedNow {
		return
	}
	place := now.Get("enum")
	if place == nil {
		place = now.Get("const")
	}
	if !listedBefore {
		if a, listedBefore = valuesOfTypes(before); !listedBefore {
			c.add(place, what, "now has a list of values")
			return
		}
	}
	for _, value := range a {
		if !slices.ContainsFunc(b, func(other any) bool { return jsonvalue.Equal(value, other) }) {
			c.add(place, what, "no longer allows the value", jsonvalue.Print(value))
		}
	}
}

// valuesOfTypes returns all values of the types boolean and null. The result ok is false for any other
// type.
func valuesOfTypes(n *document.Node) (values []any, ok bool) {
	for _, kind := range stringsOf(n.Get("type")) {
		switch kind {
		case "boolean":
			values = append(values, true, false)
		case "null":
			values = append(values, nil)
		default:
			return nil, false
		}
	}
	return values, len(values) > 0
}

func listedValues(n *document.Node) ([]any, bool) {
	if value := n.Get("const"); value != nil {
		return []any{value.Value()}, true
	}
	list := n.Get("enum")
	if !list.Is(document.Array) {
		return nil, false
	}
	values := make([]any, len(list.Items))
	for i, item := range list.Items {
		values[i] = item.Value()
	}
	return values, true
}

// strategy compares x-crdt: objects that were merged by one strategy cannot be merged by another.
func (c *comparison) strategy(before, now *document.Node, what string) {
	a, b := before.Get("x-crdt"), now.Get("x-crdt")
	if a.Absent() || a.Str() == b.Str() {
		return
	}
	place := b
	if place == nil {
		place = now
	}
	c.add(place, what, "has another x-crdt:", jsonvalue.Print(b.Value()), "in place of", jsonvalue.Print(a.Value()))
}

// limits are the keywords with a number. A size is never negative, so a lower limit of zero has no
// effect.
var limits = []struct {
	keyword     string
	lower, size bool
}{
	{"minimum", true, false}, {"exclusiveMinimum", true, false}, {"minLength", true, true}, {"minItems", true, true},
	{"minProperties", true, true},
	{"maximum", false, false}, {"exclusiveMaximum", false, false}, {"maxLength", false, true}, {"maxItems", false, true},
	{"maxProperties", false, true},
}

// equivalents are the keywords that set the same limit.
var equivalents = map[string]string{
	"minimum": "exclusiveMinimum", "exclusiveMinimum": "minimum", "maximum": "exclusiveMaximum",
	"exclusiveMaximum": "maximum",
}

// bounds compares lengths, sizes and patterns.
func (c *comparison) bounds(before, now *document.Node, what string) {
	for _, l := range limits {
		b := numberOf(now.Get(l.keyword))
		if b == nil || l.lower && l.size && b.Sign() <= 0 || guarantees(before, l.keyword, b, l.lower) {
			continue
		}
		c.add(now.Get(l.keyword), what, "now has a narrower", l.keyword)
	}
	// Whether a new pattern matches all values that the old one matched is not compared.
	if b := now.Get("pattern"); b != nil && before.Get("pattern") == nil {
		c.add(b, what, "now has a pattern")
	}
	if a, b := numberOf(before.Get("multipleOf")), numberOf(now.Get("multipleOf")); b != nil && b.Sign() > 0 &&
		(a == nil || !new(big.Rat).Quo(a, b).IsInt()) {
		c.add(now.Get("multipleOf"), what, "now has another multipleOf")
	}
	if unique := now.Get("uniqueItems"); unique.Is(document.Boolean) && unique.Text == "true" &&
		before.Get("uniqueItems").Value() != true {
		c.add(unique, what, "no longer allows equal items")
	}
}

// guarantees reports whether the old schema already guaranteed a limit, by the same keyword or by its
// equivalent. An exclusive limit guarantees the inclusive one with the same number. The reverse does not
// hold. For integers, an exclusive limit equals the inclusive one at the next integer.
func guarantees(before *document.Node, keyword string, bound *big.Rat, lower bool) bool {
	within := func(limit *big.Rat) int {
		if lower {
			return limit.Cmp(bound)
		}
		return bound.Cmp(limit)
	}
	if a := numberOf(before.Get(keyword)); a != nil && within(a) >= 0 {
		return true
	}
	a := numberOf(before.Get(equivalents[keyword]))
	if a == nil {
		return false
	}
	inclusive := keyword == "minimum" || keyword == "maximum"
	if inclusive && slices.Equal(stringsOf(before.Get("type")), []string{"integer"}) && a.IsInt() {
		step := big.NewRat(1, 1)
		if lower {
			a = new(big.Rat).Add(a, step)
		} else {
			a = new(big.Rat).Sub(a, step)
		}
	}
	return within(a) > 0 || within(a) == 0 && inclusive
}

func numberOf(n *document.Node) *big.Rat {
	if !n.Is(document.Number) {
		return nil
	}
	r, ok := new(big.Rat).SetString(n.Text)
	if !ok {
		return nil
	}
	return r
}

func (c *comparison) required(before, now *document.Node, path string) {
	list := now.Get("required")
	if !list.Is(document.Array) {
		return
	}
	known := stringsOf(before.Get("required"))
	for _, item := range list.Items {
		if !slices.Contains(known, item.Str()) {
			c.add(item, "the member", path+"/"+item.Str(), "is now required")
		}
	}
}

// dependent compares the members that are required if another member is present.
func (c *comparison) dependent(before, now *document.Node, path string) {
	lists := now.Get("dependentRequired")
	if !lists.Is(document.Object) {
		return
	}
	for i := range lists.Members {
		m := &lists.Members[i]
		known := append(stringsOf(before.Get("required")), stringsOf(before.Get("dependentRequired", m.Name))...)
		for _, name := range stringsOf(m.Value) {
			if !slices.Contains(known, name) {
				c.add(m.Value, "the member", path+"/"+name, "is now required with", path+"/"+m.Name)
			}
		}
	}
}

// hasComposition reports whether a schema has other keywords than properties that may define members.
func hasComposition(n *document.Node) bool {
	return n.Has("allOf", "anyOf", "oneOf", "$ref", "$dynamicRef", "if", "patternProperties", "dependentSchemas")
}

func (c *comparison) properties(before, now *document.Node, path string) {
	a, b := before.Get("properties"), now.Get("properties")
	if !a.Is(document.Object) {
		return
	}
	for i := range a.Members {
		m := &a.Members[i]
		other := b.Get(m.Name)
		if other == nil && hasComposition(now) {
			continue
		}
		if other == nil {
			place := now
			if b != nil {
				place = b
			}
			c.add(place, "the member", path+"/"+m.Name, "was removed")
			continue
		}
		c.schema(m.Value, other, path+"/"+m.Name)
	}
}
