package judge

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// A member is a transport detail by its name and its value together: the headers of a table, the
// command of a review and the transport of goods are not transport details.

// Weight is how clearly the name of a member indicates a transport.
type Weight int

const (
	Specific Weight = iota + 1 // anywhere in a document
	General                    // in a capability or beside one: elsewhere it may mean anything
)

// transportName is a name that a transport detail may have.
type transportName struct {
	weight Weight
	looks  func(value any) bool // whether the value is such a detail
}

// transportNames are the names of transport details, in lower case.
var transportNames = map[string]transportName{
	"transport":      {Specific, isTransport},
	"command":        {Specific, isCommand},
	"cmd":            {Specific, isCommand},
	"server_command": {Specific, isCommand},
	"argv":           {Specific, isArguments},
	"stdio":          {Specific, func(v any) bool { return isSwitch(v) || isCommand(v) }},
	"sse":            {Specific, func(v any) bool { return isSwitch(v) || isAddress(v) }},
	"sse_endpoint":   {Specific, isAddress},
	"endpoint":       {Specific, isAddress},
	"uri_template":   {Specific, isAddress},
	"http_path":      {Specific, isAddress},
	"headers":        {Specific, isHeaders},
	"socket":         {Specific, func(v any) bool { return isAddress(v) || isPort(v) }},
	"function_name":  {Specific, matching(`^[A-Za-z_$][\w$]*([.:/#]+[\w$]+)*(\(\))?$`)},
	"entrypoint":     {Specific, matching(`^\S+[./:#]\S+$`)},
	"mcp_server":     {Specific, func(v any) bool { return isSwitch(v) && v != true || v != "" && isString(v) }},
	"url":            {General, IsURL},
	"args":           {General, isArguments},
	"path":           {General, IsAbsolutePath},
	"method":         {General, matching(`^(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|tools/call)$`)},
	"port":           {General, isPort},
	"function": {General,
		matching(`^[A-Za-z_$][\w$]*([.:/#]+[\w$]+)+(\(\))?$|^[a-z]+(_[a-z0-9]+)+$|^[a-z]+([A-Z][a-z0-9]+)+$`)},
	"module": {General, matching(`^[\w@$-]+([./:]+[\w$-]+)+$`)},
}

// TransportDetail returns how clearly a member indicates a transport, 0 if it does not.
func TransportDetail(name string, value any) Weight {
	known, ok := transportNames[SnakeCase(name)]
	if !ok || !known.looks(value) {
		return 0
	}
	return known.weight
}

func matching(expression string) func(any) bool {
	pattern := regexp.MustCompile(expression)
	return func(value any) bool {
		text, isText := value.(string)
		return isText && pattern.MatchString(strings.TrimSpace(text))
	}
}

var (
	// IsURL reports whether a value is an address with a scheme by which a server is reached.
	IsURL = matching(`(?i)^(https?|wss?|sse|stdio|mcp(\+[a-z]+)?|grpcs?|tcp|unix|file)://`)
	// IsAbsolutePath reports whether a value is the absolute path of a file.
	IsAbsolutePath = matching(`^(/[^/]|[A-Za-z]:\\|\\\\)`)
	isAddress      = matching(`(?i)^([a-z][a-z0-9+.-]*://|[/\\]{1,2}[^/\\]|[A-Za-z]:\\|[\w.-]+:\d{2,5}(/|$))`)
	isProgram      = matching(`(?i)^(\S*[/\\]\S+|(npx|npm|pnpm|yarn|uvx?|pipx|node|deno|bun|python[\d.]*|ruby|php|perl|java|dotnet|go|cargo|docker|podman|bash|sh|powershell|cmd)(\.exe|\.cmd)?)(\s|$)|\s--?[a-z]`)
	isWire         = matching(`(?i)^(stdio|sse|https?|streamable[-_ ]?http|websockets?|wss?|grpcs?|tcp|udp|unix|pipe|mcp|json-?rpc)\b`)
	isHeader       = matching(`(?i)^(authorization|accept|cookie|host|[a-z0-9]+(-[a-z0-9]+)+)(:.*)?$`)
	isFlag         = matching(`^-|^\S*[/\\.]\S+$`)
)

func isTransport(v any) bool { return isWire(v) || IsURL(v) }

// isCommand accepts a command line, and a list of a program and its arguments.
func isCommand(v any) bool {
	list, isList := v.([]any)
	return isProgram(v) || isList && len(list) > 0 && isProgram(list[0])
}

func isArguments(v any) bool {
	list, isList := v.([]any)
	return isList && slices.ContainsFunc(list, isFlag)
}

// isSwitch accepts a value that turns on or configures a transport.
func isSwitch(v any) bool {
	members, isObject := v.(map[string]any)
	return v == true || isObject && len(members) > 0
}

func isHeaders(v any) bool {
	switch headers := v.(type) {
	case map[string]any:
		return slices.ContainsFunc(slices.Sorted(maps.Keys(headers)), func(name string) bool { return isHeader(name) })
	case []any:
		return slices.ContainsFunc(headers, func(line any) bool {
			text, isText := line.(string)
			return isText && strings.Contains(text, ":") && isHeader(text)
		})
	}
	return false
}

func isPort(v any) bool {
	number, isNumber := v.(json.Number)
	n, err := number.Int64()
	return isNumber && err == nil && n > 0 && n < 1<<16
}

// IsTransportName reports whether a transport detail may have a name.
func IsTransportName(name string) bool { return transportNames[SnakeCase(name)].weight != 0 }

// innerCapital is where a word begins within a name in camel case.
var innerCapital = regexp.MustCompile(`([a-z0-9])([A-Z])`)

// SnakeCase returns the name of a member in lower case with _ between its words, since sseEndpoint and
// sse-endpoint are other spellings of sse_endpoint.
func SnakeCase(name string) string {
	return strings.ToLower(strings.ReplaceAll(innerCapital.ReplaceAllString(name, "${1}_$2"), "-", "_"))
}
