package instance

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// object makes an object: the required members, then the optional ones of a fuller instance, then
// further ones up to minProperties.
func (m *maker) object(d *demand, r request) (any, error) {
	object := map[string]any{}
	if err := m.addRequired(d, object, d.required(), r); err != nil {
		return nil, err
	}
	most := d.most(maxProperties)
	room := func() bool { return most < 0 || len(object) < most }
	if m.full && r.depth < fullDepth {
		for _, name := range d.declared() {
			if err := m.addOptional(d, object, name, room, r); err != nil {
				return nil, err
			}
		}
		if len(d.declared()) == 0 && d.describesUndeclared() && room() {
			m.addUndeclared(d, object, len(object)+1, r)
		}
	}
	least := d.least(minProperties)
	for _, name := range d.declared() {
		if len(object) < least {
			if err := m.addOptional(d, object, name, room, r); err != nil {
				return nil, err
			}
		}
	}
	m.addUndeclared(d, object, least, r)
	return object, nil
}

// addRequired adds required members, and those that they require in turn.
func (m *maker) addRequired(d *demand, object map[string]any, names []string, r request) error {
	for len(names) > 0 {
		name := names[0]
		names = names[1:]
		if _, ok := object[name]; ok {
			continue
		}
		if len(object) > maxSize {
			return errors.New("it has too many members")
		}
		value, err := m.value(d.member(name), r.below(r.vary))
		if err != nil {
			return at(strconv.Quote(name), err)
		}
		object[name] = value
		more := d.follow(name)
		if m.schema.Spend(d.steps()+len(more)) != nil {
			return errStepsUsedUp
		}
		names = append(names, more...)
	}
	return nil
}

// follow returns the members that a member requires, and adds the subschemas that apply because of
// it.
func (d *demand) follow(name string) []string {
	var names []string
	for _, f := range slices.Clone(d.facets) {
		names = append(names, f.DependentRequired[name]...)
		d.collect(f.DependentSchemas[name], &choices{})
		switch dependency := f.Dependencies[name].(type) {
		case []string:
			names = append(names, dependency...)
		case *jsonschema.Schema:
			d.collect(dependency, &choices{})
		}
	}
	return append(names, d.required()...)
}

// addOptional adds an optional member with what it requires, if it can be made and there is room.
// Otherwise the object stays unchanged.
func (m *maker) addOptional(d *demand, object map[string]any, name string, room func() bool, r request) error {
	if _, ok := object[name]; ok || !room() {
		return nil
	}
	if m.schema.Spend(len(object)+len(d.facets)) != nil {
		return errStepsUsedUp
	}
	before := len(object)
	facets := slices.Clone(d.facets)
	added := map[string]any{}
	for n, v := range object {
		added[n] = v
	}
	err := m.addRequired(d, added, []string{name}, r)
	if errors.Is(err, errStepsUsedUp) {
		return err
	}
	if err != nil || d.impossible || len(added) > before+1 && !fits(d, len(added)) {
		d.facets, d.impossible = facets, false
		return nil
	}
	for n, v := range added {
		object[n] = v
	}
	return nil
}

// describesUndeclared reports whether a facet has a schema for undeclared members.
func (d *demand) describesUndeclared() bool {
	return slices.ContainsFunc(d.facets, func(f *jsonschema.Schema) bool {
		_, described := f.AdditionalProperties.(*jsonschema.Schema)
		return described || len(f.PatternProperties) > 0
	})
}

func fits(d *demand, members int) bool {
	most := d.most(maxProperties)
	return most < 0 || members <= most
}

// addUndeclared adds undeclared members until there are n, if possible.
func (m *maker) addUndeclared(d *demand, object map[string]any, n int, r request) {
	for vary := 0; len(object) < n && vary < n+maxAttempts && m.steps > 0; vary++ {
		name, err := m.name(d, vary)
		if err != nil {
			continue
		}
		if _, taken := object[name]; taken {
			continue
		}
		value, err := m.value(d.member(name), r.below(vary))
		if err != nil {
			continue
		}
		object[name] = value
		if m.validate(d.facets, object) != nil && len(object) >= n {
			delete(object, name)
		}
	}
}

// name makes the name of a member: one from patternProperties or propertyNames if they exist,
// otherwise a plain one.
func (m *maker) name(d *demand, vary int) (string, error) {
	for _, f := range d.facets {
		for _, re := range sortedPatterns(f) {
			if name, err := m.matching(re.String(), vary, func(string) bool { return true }); err == nil {
				return name, nil
			}
		}
	}
	for _, f := range d.facets {
		if f.PropertyNames == nil {
			continue
		}
		value, err := m.value([]*jsonschema.Schema{f.PropertyNames},
			request{depth: makeDepth, vary: vary, types: []string{"string"}})
		if name, ok := value.(string); ok && err == nil {
			return name, nil
		}
		return "", errors.New("no member's name can be made")
	}
	return fmt.Sprintf("key%d", vary+1), nil
}

// array makes an array: the least number of items, and in a fuller instance one for each place that
// the schema describes.
func (m *maker) array(d *demand, r request) (any, error) {
	plan := d.items()
	n := max(d.least(minItems), plan.contains)
	if most := d.most(maxItems); m.full && r.depth < fullDepth {
		n = max(n, plan.places, 1)
		if plan.closed {
			n = min(n, max(plan.places, d.least(minItems)))
		}
		if most >= 0 {
			n = min(n, most)
		}
	}
	if n > maxSize {
		return nil, errors.New("it has too many items")
	}
	array := []any{}
	used := map[string]bool{}
	for i := range n {
		subs := plan.at(i)
		if i < plan.contains {
			subs = append(subs, plan.wanted...)
		}
		item, err := m.item(subs, r, plan.unique, used)
		if err != nil && i >= max(d.least(minItems), plan.contains) && !errors.Is(err, errStepsUsedUp) {
			break
		}
		if err != nil {
			return nil, at(strconv.Itoa(i), err)
		}
		array = append(array, item)
	}
	return array, nil
}

// item makes one item, different from the earlier ones if they must be unique.
func (m *maker) item(subs []*jsonschema.Schema, r request, unique bool, used map[string]bool) (any, error) {
	if !unique {
		return m.value(subs, r.below(r.vary))
	}
	for vary := range maxAttempts {
		item, err := m.value(subs, r.below(r.vary+vary+len(used)*min(vary, 1)))
		if err != nil {
			return nil, err
		}
		if text := textOf(item); !used[text] {
			used[text] = true
			return item, nil
		}
	}
	return nil, errors.New("not enough different items can be made")
}
