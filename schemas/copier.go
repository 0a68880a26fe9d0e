package schemas

import (
	"encoding/json"
	"math/big"
	"regexp"
)

// literal is the grammar of a JSON number.
var literal = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?$`)

// copier makes a copy of a schema that nobody else can change, within limits.
type copier struct {
	limits  Limits
	objects int // objects and booleans left
	size    int
}

// objectsPerSubschema allows for the objects that hold subschemas and examples.
// Compiling is quadratic: 4,000 take 0.1 s.
const objectsPerSubschema = 4

func (c *copier) value(v any, depth int) (any, error) {
	if depth > c.limits.Depth {
		return nil, undecidable(ReasonLimit,
			"the schema is nested deeper than capconform's limit of %d levels", c.limits.Depth)
	}
	c.size++
	switch v := v.(type) {
	case map[string]any:
		return c.object(v, depth)
	case []any:
		items := make([]any, len(v))
		for i, item := range v {
			copied, err := c.value(item, depth+1)
			if err != nil {
				return nil, err
			}
			items[i] = copied
		}
		return items, nil
	case json.Number:
		c.size += len(v)
		if !literal.MatchString(string(v)) || !c.limits.number(string(v)) {
			return nil, undecidable(ReasonLimit,
				"the schema holds a number beyond capconform's limit of %d characters and exponents of %d", c.limits.Number,
				c.limits.Exponent)
		}
	case string:
		c.size += len(v)
	case bool:
		c.objects--
	case nil, int, int64, float64:
	default:
		return nil, undecidable(ReasonValue, "a Go %T is no JSON value", v)
	}
	return v, c.enough()
}

func (c *copier) object(v map[string]any, depth int) (any, error) {
	c.objects--
	members := make(map[string]any, len(v))
	for name, member := range v {
		c.size += len(name) + 1
		copied, err := c.value(member, depth+1)
		if err != nil {
			return nil, err
		}
		members[name] = bounded(name, copied)
	}
	return members, c.enough()
}

func (c *copier) enough() error {
	if c.size > c.limits.Size || c.objects < 0 {
		return undecidable(ReasonLimit, "the schema is larger than capconform's limit of %d bytes, or holds too many objects",
			c.limits.Size)
	}
	return nil
}

// counts are the keywords whose number the library makes an int of, cutting off
// what does not fit.
var counts = map[string]bool{
	"minLength": true, "maxLength": true, "minItems": true, "maxItems": true, "minProperties": true,
	"maxProperties": true, "minContains": true, "maxContains": true,
}

// largestCount is beyond every length there is.
const largestCount = "9007199254740991"

// bounded returns a count that an int can hold in place of a larger one: no value
// that we take is that long, so the verdict is the same.
func bounded(keyword string, value any) any {
	number, ok := value.(json.Number)
	if !ok || !counts[keyword] {
		return value
	}
	n, ok := new(big.Rat).SetString(string(number))
	largest, _ := new(big.Rat).SetString(largestCount)
	if ok && n.Cmp(largest) > 0 {
		return json.Number(largestCount)
	}
	return value
}
