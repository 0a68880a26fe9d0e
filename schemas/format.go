package schemas

import (
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// nameFormats makes the library keep every "format" of a document, even unknown ones, and the
// annotations of the content of strings. The library then asserts none of them.
func nameFormats(c *jsonschema.Compiler, v any) {
	switch v := v.(type) {
	case map[string]any:
		if name, ok := v["format"].(string); ok {
			c.RegisterFormat(&jsonschema.Format{Name: name, Validate: func(any) error { return nil }})
		}
		if name, ok := v["contentEncoding"].(string); ok {
			c.RegisterContentEncoding(&jsonschema.Decoder{Name: name,
				Decode: func(text string) ([]byte, error) { return []byte(text), nil }})
		}
		if name, ok := v["contentMediaType"].(string); ok {
			c.RegisterContentMediaType(&jsonschema.MediaType{Name: name, Validate: func([]byte) error { return nil }})
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

// contentOf returns the encoding and the media type that a subschema states for the content of
// a string, "" if it states none.
func contentOf(s *jsonschema.Schema) string {
	var names []string
	if s.ContentEncoding != nil {
		names = append(names, s.ContentEncoding.Name)
	}
	if s.ContentMediaType != nil {
		names = append(names, s.ContentMediaType.Name)
	}
	return strings.Join(names, " ")
}
