package target

import (
	"errors"
	"slices"
	"strings"

	"github.com/itchyny/gojq"
	"go.yaml.in/yaml/v3"

	"github.com/capconform/capconform/cmd/capconform/internal/nearest"
	"github.com/capconform/capconform/suites/driver/httpdriver"
)

func (d *decoder) bindings(n *yaml.Node) error {
	d.file.Bindings = map[string]httpdriver.Binding{}
	return d.each(n, func(operation, value *yaml.Node) error {
		known := d.words.Operations
		if known != nil && !slices.Contains(known, operation.Value) {
			return d.wrong(operation, "unknown operation %q%s", operation.Value, nearest.Hint(operation.Value, known))
		}
		b, err := d.binding(operation, value)
		d.file.Bindings[operation.Value] = b
		return err
	})
}

func (d *decoder) binding(operation, n *yaml.Node) (httpdriver.Binding, error) {
	var b httpdriver.Binding
	err := d.members(n, map[string]reading{
		"method":   d.word(&b.Method, "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"),
		"path":     d.place(&b.Path),
		"query":    d.jq(&b.Query),
		"body":     d.jq(&b.Body),
		"response": d.jq(&b.Response),
		"error":    d.jq(&b.Error),
	})
	switch {
	case err != nil:
		return b, err
	case b.Path == "":
		return b, d.wrong(n, "a binding needs a path")
	}
	if _, err := httpdriver.CompileBindings(map[string]httpdriver.Binding{operation.Value: b}); err != nil {
		_, why, _ := strings.Cut(err.Error(), "bindings: ")
		return b, d.wrong(operation, "%s", why)
	}
	return b, nil
}

// jq reads an expression and shows that it is one: the driver, which compiles it
// too, knows no place in the file.
func (d *decoder) jq(into *string) reading {
	return func(n *yaml.Node) error {
		if err := d.text(into)(n); err != nil {
			return err
		}
		query, err := gojq.Parse(*into)
		if err != nil {
			return d.wrongExpression(n, *into, err)
		}
		if _, err = gojq.Compile(query); err != nil {
			return d.wrong(n, "jq: %v", err)
		}
		return nil
	}
}

// wrongExpression adds the place within the expression, where the library knows it.
func (d *decoder) wrongExpression(n *yaml.Node, source string, err error) error {
	var parse *gojq.ParseError
	if !errors.As(err, &parse) {
		return d.wrong(n, "jq: %v", err)
	}
	at := max(0, parse.Offset-len(parse.Token))
	return d.wrong(n, "jq: %v, at character %d of %q", err, len([]rune(source[:min(at, len(source))]))+1, source)
}
