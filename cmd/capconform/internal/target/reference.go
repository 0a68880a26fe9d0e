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
			missing = fmt.Errorf("%q is not a reference to an environment variable: write ${NAME}", safeReference(found))
		case !ok:
			missing = fmt.Errorf("the environment variable %s is not set", name)
		default:
			return value
		}
		return ""
	})
	return expanded, missing
}

// safeReference returns the part of an invalid reference that could be the name of a variable. The text after
// it may be a part of a secret.
func safeReference(found string) string {
	name := variableBegin.FindString(strings.TrimPrefix(found, "${"))
	if "${"+name == found {
		return found
	}
	return "${" + name + "…"
}

// ExpandURL is Expand for a URL. A variable before @ is a user or a password, and must be
// percent-encoded. Otherwise a part of it would be read as the name of the host, be looked up, and be
// printed.
func ExpandURL(text string, lookup func(name string) (string, bool)) (string, error) {
	var reserved error
	_, authority, _ := strings.Cut(text, "://")
	authority, _, _ = strings.Cut(strings.NewReplacer("?", "/", "#", "/").Replace(authority), "/")
	user := authority[:max(0, strings.LastIndex(authority, "@"))]
	for _, found := range reference.FindAllStringSubmatch(user, -1) {
		if value, ok := lookup(found[1]); ok && strings.ContainsAny(value, "/?#@[]\\ ") {
			const fault = "the value of %s contains characters that must be percent-encoded before the @ of a URL"
			reserved = fmt.Errorf(fault, found[1])
		}
	}
	if reserved != nil {
		return "", reserved
	}
	return Expand(text, lookup)
}

// secrets reads headers or variables. Only their values may contain ${NAME}.
func (d *document) secrets(into *[]Secret, form *regexp.Regexp) valueReader {
	return func(n *yaml.Node) error {
		return d.each(n, func(key, value *yaml.Node) error {
			if !form.MatchString(key.Value) {
				return d.errorAt(key, "%q can't be a name here", key.Value)
			}
			if value.Kind != yaml.ScalarNode || value.Tag != "!!str" {
				return d.errorAt(value, "want a string, got %s", kindOf(value))
			}
			expanded, err := Expand(value.Value, d.lookup)
			if err != nil {
				return d.errorAt(value, "%v", err)
			}
			if strings.ContainsAny(expanded, "\r\n\x00") {
				return d.errorAt(value, "the value of %s contains a line break", key.Value)
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
