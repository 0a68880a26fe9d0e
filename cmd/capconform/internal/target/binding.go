package target

import (
	"errors"
	"slices"

	"github.com/itchyny/gojq"
	"go.yaml.in/yaml/v3"

	"github.com/capconform/capconform/cmd/capconform/internal/nearest"
)

func (d *decoder) bindings(n *yaml.Node) error {
	d.file.Bindings = map[string]Binding{}
	return d.each(n, func(operation, value *yaml.Node) error {
		known := d.words.Operations
		if known != nil && !slices.Contains(known, operation.Value) {
			return d.wrong(operation, "unknown operation %q%s", operation.Value, nearest.Hint(operation.Value, known))
		}
		b, err := d.binding(value)
		d.file.Bindings[operation.Value] = b
		return err
	})
}

func (d *decoder) binding(n *yaml.Node) (Binding, error) {
	b := Binding{Method: "POST"}
	err := d.members(n, map[string]reading{
		"method":   d.word(&b.Method, "GET", "POST", "PUT", "PATCH", "DELETE"),
		"path":     d.place(&b.Path),
		"query":    d.mapping(&b.Query),
		"body":     d.mapping(&b.Body),
		"response": d.mapping(&b.Response),
		"error":    d.mapping(&b.Error),
	})
	if err == nil && b.Path == "" {
		err = d.wrong(n, "a binding needs a path")
	}
	return b, err
}

// mapping reads and compiles a jq expression. It sees no environment and loads
// no module.
func (d *decoder) mapping(into **Mapping) reading {
	return func(n *yaml.Node) error {
		m := &Mapping{}
		if err := d.text(&m.Source)(n); err != nil {
			return err
		}
		query, err := gojq.Parse(m.Source)
		if err != nil {
			return d.wrongExpression(n, m.Source, err)
		}
		if m.Code, err = gojq.Compile(query); err != nil {
			return d.wrong(n, "jq: %v", err)
		}
		*into = m
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
