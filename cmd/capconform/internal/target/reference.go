package target

import (
	"fmt"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
)

var reference = regexp.MustCompile(`\$\{([^}]*)\}?`)

// Expand replaces each ${NAME} by the value of that environment variable. An error names the
// variable that is not set, or the invalid reference.
func Expand(text string, lookup func(name string) (string, bool)) (string, error) {
	var missing error
	expanded := reference.ReplaceAllStringFunc(text, func(found string) string {
		name := reference.FindStringSubmatch(found)[1]
		switch value, ok := lookup(name); {
		case !strings.HasSuffix(found, "}") || !variableName.MatchString(name):
			missing = fmt.Errorf("%q is not a reference to an environment variable: write ${NAME}", found)
		case !ok:
			missing = fmt.Errorf("the environment variable %s is not set", name)
		default:
			return value
		}
		return ""
	})
	return expanded, missing
}

// secrets reads headers or variables. Only their values may contain ${NAME}.
func (d *document) secrets(into *[]Secret, form *regexp.Regexp) reading {
	return func(n *yaml.Node) error {
		return d.each(n, func(key, value *yaml.Node) error {
			if !form.MatchString(key.Value) {
				return d.wrong(key, "%q can't be a name here", key.Value)
			}
			if value.Kind != yaml.ScalarNode || value.Tag != "!!str" {
				return d.wrong(value, "want a string, got %s", kindOf(value))
			}
			expanded, err := Expand(value.Value, d.lookup)
			if err != nil {
				return d.wrong(value, "%v", err)
			}
			if strings.ContainsAny(expanded, "\r\n\x00") {
				return d.wrong(value, "the value of %s contains a line break", key.Value)
			}
			one := Secret{Name: key.Value, Value: expanded}
			if reference.MatchString(value.Value) {
				one.Source = value.Value
			}
			*into = append(*into, one)
			return nil
		})
	}
}
