package target

import (
	"errors"
	"slices"
	"strings"

	"github.com/itchyny/gojq"
	"go.yaml.in/yaml/v3"

	"github.com/capconform/capconform/cmd/capconform/internal/nearest"
	"github.com/capconform/capconform/suites/driver/httpdriver"
	"github.com/capconform/capconform/suites/driver/mcpdriver"
)

func (d *document) bindings(n *yaml.Node) error {
	return d.each(n, func(operation, value *yaml.Node) error {
		known := d.words.Operations
		if known != nil && !slices.Contains(known, operation.Value) {
			return d.errorAt(operation, "unknown operation %q%s", operation.Value, nearest.Hint(operation.Value, known))
		}
		return d.binding(operation, value)
	})
}

// binding reads a route of HTTP or a tool of MCP: with a path it is a route, with a tool it is a
// tool.
func (d *document) binding(operation, n *yaml.Node) error {
	var route httpdriver.Binding
	var tool mcpdriver.Binding
	var response, refused string
	var ofHTTP, ofMCP *yaml.Node // a member that only one of them has
	only := func(of **yaml.Node, read valueReader) valueReader {
		return func(value *yaml.Node) error {
			*of = value
			return read(value)
		}
	}
	err := d.members(n, map[string]valueReader{
		"method":   only(&ofHTTP, d.word(&route.Method, "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")),
		"path":     only(&ofHTTP, d.place(&route.Path)),
		"query":    only(&ofHTTP, d.jq(&route.Query)),
		"body":     only(&ofHTTP, d.jq(&route.Body)),
		"tool":     only(&ofMCP, d.text(&tool.Tool)),
		"params":   only(&ofMCP, d.jq(&tool.Params)),
		"response": d.jq(&response),
		"error":    d.jq(&refused),
	})
	route.Response, route.Error, tool.Response, tool.Error = response, refused, response, refused
	switch {
	case err != nil:
		return err
	case ofHTTP != nil && ofMCP != nil:
		return d.errorAt(ofMCP, "a binding has either a path, for HTTP, or a tool, for MCP")
	case tool.Tool == "" && ofMCP != nil:
		return d.errorAt(n, "a binding for MCP needs the name of a tool")
	case tool.Tool == "" && route.Path == "":
		return d.errorAt(n, "a binding needs a path, or the name of a tool")
	case tool.Tool != "":
		if d.file.Tools == nil {
			d.file.Tools = map[string]mcpdriver.Binding{}
		}
		d.file.Tools[operation.Value] = tool
		return nil
	}
	if d.file.Bindings == nil {
		d.file.Bindings = map[string]httpdriver.Binding{}
	}
	d.file.Bindings[operation.Value] = route
	if _, err := httpdriver.CompileBindings(map[string]httpdriver.Binding{operation.Value: route}); err != nil {
		_, why, _ := strings.Cut(err.Error(), "bindings: ")
		return d.errorAt(operation, "%s", why)
	}
	return nil
}

// jq parses an expression to check it. The driver compiles it too, but does not know its place in
// the file.
func (d *document) jq(into *string) valueReader {
	return func(n *yaml.Node) error {
		if err := d.text(into)(n); err != nil {
			return err
		}
		query, err := gojq.Parse(*into)
		if err != nil {
			return d.wrongExpression(n, *into, err)
		}
		if _, err = gojq.Compile(query); err != nil {
			return d.errorAt(n, "jq: %v", err)
		}
		return nil
	}
}

// wrongExpression adds the place within the expression, if the library reports it.
func (d *document) wrongExpression(n *yaml.Node, source string, err error) error {
	var parse *gojq.ParseError
	if !errors.As(err, &parse) {
		return d.errorAt(n, "jq: %v", err)
	}
	at := max(0, parse.Offset-len(parse.Token))
	return d.errorAt(n, "jq: %v, at character %d of %q", err, len([]rune(source[:min(at, len(source))]))+1, source)
}
