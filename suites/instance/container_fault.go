package instance

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/capconform/capconform/schemas"
)

// Names of members that no schema declares. Hosts that permit custom members recognise them by
// their prefix.
const (
	undeclaredName = "capconform_unlikely_member"
	customName     = "x-capconform"
	method         = "constructor" // which every object of JavaScript inherits
)

// breakObject breaks the keywords of objects.
func (b *breaker) breakObject(p place) {
	object, ok := p.value.(map[string]any)
	if !ok {
		return
	}
	for _, f := range p.facets {
		for _, name := range f.Required {
			if _, ok := object[name]; ok {
				b.offer(p, "required", without(object, name), fmt.Sprintf("the required member %q left out", name))
			}
		}
		if closed, ok := f.AdditionalProperties.(bool); ok && !closed && portable(f) {
			b.offer(p, "additionalProperties", with(object, undeclaredName, true),
				fmt.Sprintf("one member more, %q", undeclaredName))
			b.offer(p, "additionalProperties", with(object, undeclaredName, nil),
				fmt.Sprintf("one member more, %q, which is null", undeclaredName))
			b.offer(p, "additionalProperties", with(object, customName, true), fmt.Sprintf("one member more, %q", customName))
			b.offer(p, "additionalProperties", with(object, method, true),
				fmt.Sprintf("one member more with the name of a method, %q", method))
		}
		if described, ok := f.AdditionalProperties.(*jsonschema.Schema); ok && described.Bool == nil {
			b.breakOthers(p, object)
		}
		if f.UnevaluatedProperties != nil {
			b.offer(p, "unevaluatedProperties", with(object, undeclaredName, true),
				fmt.Sprintf("one member more, %q", undeclaredName))
		}
		if f.MinProperties != nil {
			b.breakMinProperties(p, object, *f.MinProperties)
		}
		if f.MaxProperties != nil {
			b.breakMaxProperties(p, object, *f.MaxProperties)
		}
		if f.PropertyNames != nil {
			b.breakNames(p, object, f.PropertyNames)
		}
		b.breakDependencies(p, object, f)
		for _, name := range forbidden(f) {
			b.offer(p, "properties", with(object, name, true), fmt.Sprintf("the forbidden member %q", name), name)
		}
	}
}

// breakOthers adds an undeclared member with values of the wrong type. Its name is the first that
// the schema accepts.
func (b *breaker) breakOthers(p place, object map[string]any) {
	before := len(b.faults)
	for _, name := range []string{undeclaredName, "example", "a"} {
		for _, value := range unlistedValues {
			b.offer(p, "type", with(object, name, value), fmt.Sprintf("%s for the undeclared member %q: %s", TypeName(value),
				name, textOf(value)), name)
		}
		if len(b.faults) > before {
			return
		}
	}
}

// portable reports whether all engines agree on the names that match patternProperties.
func portable(f *jsonschema.Schema) bool {
	return !slices.ContainsFunc(sortedPatterns(f),
		func(re jsonschema.Regexp) bool { return !schemas.Portable(re.String()) })
}

// forbidden lists the members whose schema is false, sorted.
func forbidden(f *jsonschema.Schema) []string {
	var names []string
	for name, sub := range f.Properties {
		if sub.Bool != nil && !*sub.Bool {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// breakMinProperties removes optional members until there is one too few.
func (b *breaker) breakMinProperties(p place, object map[string]any, least int) {
	required := p.required()
	left := object
	for _, name := range sortedNames(object) {
		if len(left) >= least && !slices.Contains(required, name) {
			left = without(left, name)
		}
	}
	b.offer(p, "minProperties", left, fmt.Sprintf("%d members where %d are wanted", len(left), least))
}

// breakMaxProperties adds members until there is one too many.
func (b *breaker) breakMaxProperties(p place, object map[string]any, most int) {
	if most > maxSize {
		return
	}
	more := copied(object).(map[string]any)
	m := newMaker(b.schema, b.options.Seed, false)
	open := &demand{facets: slices.DeleteFunc(slices.Clone(p.facets),
		func(f *jsonschema.Schema) bool { return f.MaxProperties != nil })}
	declared := p.declared()
	for _, name := range declared {
		if _, ok := more[name]; !ok && len(more) <= most {
			if value, err := m.value(p.member(name), request{depth: len(p.path)}); err == nil {
				more[name] = value
			}
		}
	}
	m.addUndeclared(open, more, most+1, request{depth: len(p.path)})
	b.offer(p, "maxProperties", more, fmt.Sprintf("%d members where %d are the most", len(more), most))
}

// breakNames adds a member whose name propertyNames rejects.
func (b *breaker) breakNames(p place, object map[string]any, names *jsonschema.Schema) {
	if names.Pattern != nil && !schemas.Portable(names.Pattern.String()) {
		return
	}
	values := []any{"example", true, json.Number("1"), []any{}, map[string]any{}}
	for _, name := range sortedNames(object) {
		values = append([]any{object[name]}, values...)
	}
	for _, name := range []string{undeclaredName, "!", "Example Name", "a", "0", strings.Repeat("a", 200), ""} {
		for _, value := range values {
			b.offer(p, "propertyNames", with(object, name, value), fmt.Sprintf("a member of the name %q", name))
		}
	}
}

// breakDependencies removes members that others require.
func (b *breaker) breakDependencies(p place, object map[string]any, f *jsonschema.Schema) {
	m := newMaker(b.schema, b.options.Seed, false)
	for _, dependency := range dependencies(f) {
		whole := copied(object).(map[string]any)
		for _, name := range append([]string{dependency.name}, dependency.needs...) {
			if _, ok := whole[name]; ok {
				continue
			}
			if value, err := m.value(p.member(name), request{depth: len(p.path)}); err == nil {
				whole[name] = value
			}
		}
		for _, need := range dependency.needs {
			b.offer(p, dependency.keyword, without(whole, need),
				fmt.Sprintf("%q without %q, which it makes necessary", dependency.name, need))
		}
	}
}

type dependency struct {
	keyword string
	name    string
	needs   []string
}

// dependencies lists the content of dependentRequired and of the lists in dependencies, sorted.
func dependencies(f *jsonschema.Schema) []dependency {
	var all []dependency
	for name, needs := range f.DependentRequired {
		all = append(all, dependency{"dependentRequired", name, needs})
	}
	for name, either := range f.Dependencies {
		if needs, ok := either.([]string); ok {
			all = append(all, dependency{"dependencies", name, needs})
		}
	}
	slices.SortFunc(all, func(a, b dependency) int { return strings.Compare(a.keyword+a.name, b.keyword+b.name) })
	return all
}

// breakArray breaks the keywords of arrays.
func (b *breaker) breakArray(p place) {
	array, ok := p.value.([]any)
	if !ok {
		return
	}
	plan := p.items()
	for _, f := range p.facets {
		if f.MinItems != nil && *f.MinItems > 0 && *f.MinItems <= len(array) {
			b.offer(p, "minItems", array[:*f.MinItems-1], fmt.Sprintf("%d items where %d are wanted", *f.MinItems-1,
				*f.MinItems))
		}
		if f.MaxItems != nil && *f.MaxItems < maxSize {
			if long := newMaker(b.schema, b.options.Seed, false).lengthened(p, array, *f.MaxItems+1); long != nil {
				b.offer(p, "maxItems", long, fmt.Sprintf("%d items where %d are the most", *f.MaxItems+1, *f.MaxItems))
			}
		}
		if f.UniqueItems && len(array) > 0 {
			b.offer(p, "uniqueItems", append(slices.Clone(array), array[0]), "the first item once more")
			if len(array) > 1 {
				b.offer(p, "uniqueItems", append([]any{array[1]}, array[1:]...), "the second item in place of the first")
			}
			if longer := newMaker(b.schema, b.options.Seed, false).lengthened(p, array, 2); longer != nil {
				b.offer(p, "uniqueItems", append(longer, longer[0]), "the first item once more, behind another")
			}
		}
		b.breakContains(p, array, f)
	}
	b.breakLaterItem(p, array)
	b.breakClosed(p, array, plan)
}

// breakLaterItem adds an item of a wrong type behind a valid one.
func (b *breaker) breakLaterItem(p place, array []any) {
	valid := newMaker(b.schema, b.options.Seed, false).lengthened(p, array, max(1, len(array)))
	if len(valid) == 0 {
		return
	}
	at := fmt.Sprint(len(valid))
	for _, value := range unlistedValues {
		note := fmt.Sprintf("a later item of a wrong type: %s", textOf(value))
		if b.offer(p, "type", append(slices.Clone(valid), value), note, at) {
			return
		}
	}
}

// breakClosed adds one item after those that have places.
func (b *breaker) breakClosed(p place, array []any, plan itemPlan) {
	unevaluated := slices.ContainsFunc(p.facets, func(f *jsonschema.Schema) bool { return f.UnevaluatedItems != nil })
	if !plan.closed && !unevaluated {
		return
	}
	filled := newMaker(b.schema, b.options.Seed, false).lengthened(p, array, plan.places)
	if filled == nil {
		return
	}
	for _, keyword := range []string{"items", "additionalItems", "unevaluatedItems"} {
		b.offer(p, keyword, append(slices.Clone(filled), true), "one item more than there are places")
	}
}

// lengthened adds items up to n, each according to the schema. It returns nil if that is
// impossible.
func (m *maker) lengthened(p place, array []any, n int) []any {
	plan := p.items()
	long := slices.Clone(array)
	used := map[string]bool{}
	for _, item := range array {
		used[textOf(item)] = true
	}
	for i := len(long); i < n; i++ {
		item, err := m.item(plan.at(i), request{depth: len(p.path)}, plan.unique, used)
		if err != nil {
			return nil
		}
		long = append(long, item)
	}
	return long
}

// breakContains makes the array contain none, or too many, of the items that contains requires.
func (b *breaker) breakContains(p place, array []any, f *jsonschema.Schema) {
	if f.Contains == nil {
		return
	}
	keyword := "contains"
	if f.MinContains != nil {
		keyword = "minContains"
	}
	b.offer(p, keyword, []any{}, "no item at all")
	for _, filler := range append(slices.Clone(unlistedValues), json.Number("0"), "") {
		b.offer(p, keyword, slices.Repeat([]any{filler}, max(1, len(array))), "no item of the kind that it must contain")
	}
	if f.MaxContains == nil || *f.MaxContains >= maxSize {
		return
	}
	m := newMaker(b.schema, b.options.Seed, false)
	used := map[string]bool{}
	var many []any
	for i := range *f.MaxContains + 1 {
		item, err := m.item(append(p.items().at(i), f.Contains), request{depth: len(p.path)}, f.UniqueItems, used)
		if err != nil {
			return
		}
		many = append(many, item)
	}
	b.offer(p, "maxContains", many, fmt.Sprintf("%d items of a kind of which %d are the most", len(many), *f.MaxContains))
}
