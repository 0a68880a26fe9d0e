package instance

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/capconform/capconform/schemas"
)

const (
	maxAttempts = 48    // attempts for one value
	makeSteps   = 5_000 // values tried for one instance
	makeDepth   = 12    // levels of an instance
	fullDepth   = 4     // levels to which optional members are added
)

// maker makes one instance. It validates each part as soon as it is made, to abandon a wrong branch
// early.
type maker struct {
	search
	full bool // with optional members and items
	turn int  // see choices
	most int  // see choices
}

func newMaker(s *schemas.Schema, seed int64, full bool) *maker {
	return &maker{search: search{schema: s, seed: seed, steps: makeSteps, unmatchable: map[string]bool{}}, full: full}
}

// top makes the complete instance.
func (m *maker) top(object bool) (any, error) {
	only := allTypes
	if object {
		only = []string{"object"}
	}
	return m.value([]*jsonschema.Schema{m.schema.Compiled()}, request{types: only, structured: object})
}

// request is what the caller knows about the value in addition to its schemas.
type request struct {
	depth      int
	vary       int      // a number above 0 requests another value
	types      []string // nil means all
	structured bool     // do not use a value that the schema contains
}

// value makes a value that satisfies all the subschemas.
func (m *maker) value(roots []*jsonschema.Schema, r request) (any, error) {
	if r.depth > makeDepth {
		return nil, errors.New("it has no end")
	}
	why := error(nil)
	for attempt := range maxAttempts {
		if m.steps--; m.steps < 0 {
			return nil, errStepsUsedUp
		}
		c := choices{rest: attempt, turn: m.turn}
		d := &demand{}
		for _, root := range roots {
			d.collect(root, &c)
		}
		if m.schema.Spend(d.steps()) != nil {
			return nil, errStepsUsedUp
		}
		if d.impossible {
			why = errors.New("a schema of false is in the way")
			if !c.open {
				return nil, why
			}
			continue
		}
		value, err := m.try(d, &c, r)
		m.most = max(m.most, c.most)
		if err != nil && (!c.open || errors.Is(err, errStepsUsedUp)) {
			return nil, err // another attempt would fail in the same way
		}
		if err == nil {
			err = m.validate(roots, value)
		}
		if err == nil {
			return value, nil
		}
		if why == nil {
			why = err
		}
	}
	return nil, why
}

func (m *maker) validate(roots []*jsonschema.Schema, value any) error {
	for _, root := range roots {
		if err := m.schema.ValidateAs(root, value); err != nil {
			return err
		}
	}
	return nil
}

// try makes one value for one choice of branches.
func (m *maker) try(d *demand, c *choices, r request) (any, error) {
	if !r.structured && r.vary == 0 && c.rest == 0 {
		for _, value := range m.given(d) {
			if r.allows(value) && d.accepts(m.schema, value) {
				return value, nil
			}
		}
	}
	if values, closed := d.closedValues(); closed {
		if len(values) == 0 {
			return nil, errors.New("an enumeration is empty")
		}
		return values[(c.rest+r.vary+int(uint64(m.seed)%uint64(len(values))))%len(values)], nil
	}
	types := slices.DeleteFunc(d.types(), func(t string) bool { return r.types != nil && !slices.Contains(r.types, t) })
	if len(types) == 0 {
		return nil, errors.New("no JSON type satisfies all its parts")
	}
	chosen := types[c.choose(len(types))]
	r.vary += c.rest
	switch chosen {
	case "object":
		return m.object(d, r)
	case "array":
		return m.array(d, r)
	case "string":
		return m.text(d, r.vary)
	case "integer", "number":
		return m.numberFor(d, chosen == "integer", r.vary)
	case "boolean":
		return r.vary%2 == 0, nil
	}
	return nil, nil
}

// given lists the examples and defaults of all facets.
func (m *maker) given(d *demand) []any {
	var values []any
	for _, f := range d.facets {
		values = append(values, suggestions(f)...)
	}
	return values
}

// accepts reports whether a value satisfies every facet, so that an example that its own schema
// rejects is not used.
func (d *demand) accepts(s *schemas.Schema, value any) bool {
	return !slices.ContainsFunc(d.facets, func(f *jsonschema.Schema) bool { return s.ValidateAs(f, value) != nil })
}

// allows reports whether the value has a type that the caller accepts.
func (r request) allows(value any) bool {
	if r.types == nil {
		return true
	}
	t := TypeName(value)
	return slices.Contains(r.types, t)
}

// below returns the request for a part of the value.
func (r request) below(vary int) request { return request{depth: r.depth + 1, vary: vary} }

// at adds to an error the part of the value that cannot be made.
func at(part string, err error) error {
	if errors.Is(err, errStepsUsedUp) {
		return err
	}
	return fmt.Errorf("%s: %w", part, err)
}

// firstLine cuts a reason to one line of reasonable length.
func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	const most = 300
	if len(line) > most {
		line = line[:most] + "..."
	}
	return line
}
