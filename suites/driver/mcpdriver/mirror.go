package mcpdriver

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/capconform/capconform/suites/driver"
)

// mirrored is a parameter of a tool whose value a header repeats (x-mcp-header).
type mirrored struct {
	name string   // of the header, without Mcp-Param-
	path []string // of properties
}

// mirror adds the headers that repeat parts of a request (MCP 2026-07-28, streamable HTTP, request metadata).
func mirror(header http.Header, op driver.Operation, tools map[string][]mirrored) {
	header.Set("Mcp-Method", headerValue(op.Name))
	var params struct {
		Name      string                     `json:"name"`
		URI       string                     `json:"uri"`
		Arguments json.RawMessage            `json:"arguments"`
		Meta      map[string]json.RawMessage `json:"_meta"`
	}
	if json.Unmarshal(op.Params, &params) != nil {
		return
	}
	var version string
	if json.Unmarshal(params.Meta[metaPrefix+"protocolVersion"], &version) == nil {
		header.Set(versionHeader, headerValue(version))
	}
	switch op.Name {
	case "tools/call", "prompts/get":
		header.Set("Mcp-Name", headerValue(params.Name))
	case "resources/read":
		header.Set("Mcp-Name", headerValue(params.URI))
	}
	if op.Name != "tools/call" {
		return
	}
	for _, one := range tools[params.Name] {
		if value, is := valueAt(params.Arguments, one.path); is {
			header.Set("Mcp-Param-"+one.name, headerValue(value))
		}
	}
}

// mirrorMessage adds the headers that repeat parts of a whole message, if it can be read.
func mirrorMessage(header http.Header, message []byte, tools map[string][]mirrored) {
	var read struct {
		Method string          `json:"method"`
		Params json.RawMessage `json:"params"`
	}
	if json.Unmarshal(message, &read) == nil && read.Method != "" {
		mirror(header, driver.Operation{Name: read.Method, Params: read.Params}, tools)
	}
}

// valueAt returns the primitive value at a path of properties as text.
func valueAt(value json.RawMessage, path []string) (string, bool) {
	for _, name := range path {
		var members map[string]json.RawMessage
		if json.Unmarshal(value, &members) != nil || members[name] == nil {
			return "", false
		}
		value = members[name]
	}
	value = bytes.TrimSpace(value)
	var text string
	switch {
	case len(value) == 0, value[0] == '{', value[0] == '[', string(value) == "null":
		return "", false
	case json.Unmarshal(value, &text) == nil:
		return text, true
	}
	return string(value), true // a number or a boolean
}

const (
	base64Begin = "=?base64?"
	base64End   = "?="
)

// headerValue returns a text as the value of a header, in base64 if it cannot be one as it is.
func headerValue(text string) string {
	plain := strings.TrimSpace(text) == text &&
		!strings.ContainsFunc(text, func(r rune) bool { return r != '\t' && (r < ' ' || r > '~') })
	if plain && !(strings.HasPrefix(text, base64Begin) && strings.HasSuffix(text, base64End)) {
		return text
	}
	return base64Begin + base64.StdEncoding.EncodeToString([]byte(text)) + base64End
}

// maxSchemaDepth bounds the nesting of properties in which headers are looked for.
const maxSchemaDepth = 16

// mirroredOf returns the parameters that the tools of a list repeat in headers, by the name of the tool.
func mirroredOf(list json.RawMessage) map[string][]mirrored {
	var page struct {
		Tools []struct {
			Name        string          `json:"name"`
			InputSchema json.RawMessage `json:"inputSchema"`
		} `json:"tools"`
	}
	all := map[string][]mirrored{}
	if json.Unmarshal(list, &page) != nil {
		return all
	}
	for _, tool := range page.Tools {
		if found := mirroredIn(tool.InputSchema, nil); len(found) > 0 {
			all[tool.Name] = found
		}
	}
	return all
}

func mirroredIn(schema json.RawMessage, path []string) []mirrored {
	var of struct {
		Header     *string                    `json:"x-mcp-header"`
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if len(path) > maxSchemaDepth || json.Unmarshal(schema, &of) != nil {
		return nil
	}
	var all []mirrored
	if of.Header != nil && isToken(*of.Header) {
		all = append(all, mirrored{*of.Header, path})
	}
	for name, property := range of.Properties {
		all = append(all, mirroredIn(property, append(append([]string{}, path...), name))...)
	}
	return all
}

// isToken reports whether a text may be part of the name of a header (RFC 9110, 5.6.2).
func isToken(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' ||
			r > 'Z') && !strings.ContainsRune("!#$%&'*+-.^_`|~", r)
	})
}
