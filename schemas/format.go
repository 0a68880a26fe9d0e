package schemas

import "github.com/santhosh-tekuri/jsonschema/v6"

// nameFormats makes the library keep every "format" of a document, its own and
// those it does not know. None of them asserts anything.
func nameFormats(c *jsonschema.Compiler, v any) {
	switch v := v.(type) {
	case map[string]any:
		if name, ok := v["format"].(string); ok {
			c.RegisterFormat(&jsonschema.Format{Name: name, Validate: func(any) error { return nil }})
		}
		for _, member := range v {
			nameFormats(c, member)
		}
	case []any:
		for _, item := range v {
			nameFormats(c, item)
		}
	}
}
