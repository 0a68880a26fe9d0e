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
	attempts  = 48      // ways tried for one value before it is given up
	makeSteps = 5_000   // values tried for one instance
	makeDepth = 12      // levels of an instance
	fullDepth = 4       // levels to which optional members are added
	longest   = 100_000 // characters of a string, items of an array
	largest   = 1 << 20 // bytes of an instance
)

// errOver ends the making of one instance at once.
var errOver = errors.New("the schema is too entangled: the search was given up")

// maker makes one instance. It validates each part as soon as it is made, so
// that a wrong branch is left early.
type maker struct {
	schema *schemas.Schema
	seed   int64
	full   bool // with optional members and items
	steps  int
	barren map[string]bool // patterns that nothing matches
	doubt  string          // see Input
	turn   int             // see choices
	most   int             // see choices
}

func newMaker(s *schemas.Schema, seed int64, full bool) *maker {
	return &maker{schema: s, seed: seed, full: full, steps: makeSteps, barren: map[string]bool{}}
}

// top makes the whole instance.
func (m *maker) top(object bool) (any, error) {
	only := allTypes
	if object {
		only = []string{"object"}
	}
	return m.value([]*jsonschema.Schema{m.schema.Compiled()}, request{types: only, structured: object})
}

// request is what the caller knows of the value beside its schemas.
type request struct {
	depth      int
	vary       int      // asks for another value than with a smaller number
	types      []string // nil means all
	structured bool     // no ready-made value of the schema's own: build it
}

// value makes a value that satisfies all the subschemas.
func (m *maker) value(roots []*jsonschema.Schema, r request) (any, error) {
	if r.depth > makeDepth {
		return nil, errors.New("it has no end")
	}
	why := error(nil)
	for attempt := range attempts {
		if m.steps--; m.steps < 0 {
			return nil, errOver
		}
		c := choices{rest: attempt, turn: m.turn}
		d := &demand{}
		for _, root := range roots {
			d.collect(root, &c)
		}
		if m.schema.Spend(d.steps()) != nil {
			return nil, errOver
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
		if err != nil && (!c.open || errors.Is(err, errOver)) {
			return nil, err // another attempt would fail in the same way
		}
		if err == nil {
			err = m.confirm(roots, value)
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

func (m *maker) confirm(roots []*jsonschema.Schema, value any) error {
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
		return nil, errors.New("no JSON type is left that all its parts take")
	}
	chosen := types[c.among(len(types))]
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

// accepts reports whether a value satisfies every facet, so that an example that
// its own schema refuses is passed over.
func (d *demand) accepts(s *schemas.Schema, value any) bool {
	return !slices.ContainsFunc(d.facets, func(f *jsonschema.Schema) bool { return s.ValidateAs(f, value) != nil })
}

// allows reports whether the value is of a type that the caller takes.
func (r request) allows(value any) bool {
	if r.types == nil {
		return true
	}
	t := TypeName(value)
	return slices.Contains(r.types, t)
}

// below is the request for a part of the value.
func (r request) below(vary int) request { return request{depth: r.depth + 1, vary: vary} }

// at says in which part a value can't be made.
func at(part string, err error) error {
	if errors.Is(err, errOver) {
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
