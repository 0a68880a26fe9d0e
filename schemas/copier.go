package schemas

import (
	"encoding/json"
	"math/big"
	"regexp"
)

// jsonNumber matches a JSON number.
var jsonNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?$`)

// copier makes a private copy of a schema, within limits.
type copier struct {
	limits  Limits
	objects int // objects and booleans left
	size    int
}

// objectsPerSubschema permits the objects that contain subschemas and examples. The time to compile
// is quadratic: 4,000 take 0.1 s.
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
		if !jsonNumber.MatchString(string(v)) || !c.limits.number(string(v)) {
			return nil, undecidable(ReasonLimit,
				"the schema contains a number beyond capconform's limit of %d characters and exponents of %d", c.limits.Number,
				c.limits.Exponent)
		}
	case string:
		c.size += len(v)
	case bool:
		c.objects--
	case nil, int, int64, float64:
	default:
		return nil, undecidable(ReasonValue, "a Go %T is not a JSON value", v)
	}
	return v, c.checkLimits()
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
		members[name] = boundCount(name, copied)
	}
	return members, c.checkLimits()
}

func (c *copier) checkLimits() error {
	if c.size > c.limits.Size || c.objects < 0 {
		return undecidable(ReasonLimit,
			"the schema is larger than capconform's limit of %d bytes, or contains too many objects", c.limits.Size)
	}
	return nil
}

// countKeywords are the keywords whose number the library converts to an int, which truncates a large
// number.
var countKeywords = map[string]bool{
	"minLength": true, "maxLength": true, "minItems": true, "maxItems": true, "minProperties": true,
	"maxProperties": true, "minContains": true, "maxContains": true,
}

// maxCount exceeds every real length.
const maxCount = "9007199254740991"

// boundCount replaces a larger count by one that an int can represent: no accepted value is that long,
// so the verdict is the same.
func boundCount(keyword string, value any) any {
	number, ok := value.(json.Number)
	if !ok || !countKeywords[keyword] {
		return value
	}
	n, ok := new(big.Rat).SetString(string(number))
	largest, _ := new(big.Rat).SetString(maxCount)
	if ok && n.Cmp(largest) > 0 {
		return json.Number(maxCount)
	}
	return value
}
