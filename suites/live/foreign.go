package live

import (
	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/verdict"
)

// checkForeign returns the error of a call from a document that must not be sent, or nil. The document
// may name an excluded capability in a way that the target understands and the gate does not: under
// another member, or in a text that only a lenient parser accepts.
func (g *Gate) checkForeign(op driver.Operation, use Use) error {
	if len(use.Edits) > 0 {
		return verdict.Undecided("it registers or changes %s; --invoke all sends it", use.Edits[0])
	}
	for _, raw := range [][]byte{op.Params, op.Body} {
		if raw == nil {
			continue
		}
		value, err := schemas.Decode(raw, schemas.Limits{})
		if err != nil {
			return verdict.Undecided("what it names can't be read: %v; --invoke all sends it", err)
		}
		g.mu.Lock()
		id := g.excludedIDIn(value)
		g.mu.Unlock()
		if id != "" {
			return NotInvoked(id, "it is excluded, and the call mentions it")
		}
	}
	return nil
}

// excludedIDIn returns an excluded id that is one of the texts or names of a value, or "".
func (g *Gate) excludedIDIn(value any) string {
	switch v := value.(type) {
	case string:
		return g.folded[fold(v)]
	case []any:
		for _, one := range v {
			if id := g.excludedIDIn(one); id != "" {
				return id
			}
		}
	case map[string]any:
		for name, one := range v {
			if id := g.folded[fold(name)]; id != "" {
				return id
			}
			if id := g.excludedIDIn(one); id != "" {
				return id
			}
		}
	}
	return ""
}
