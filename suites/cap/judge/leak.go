package judge

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/capconform/capconform/suites/cap/history"
	"github.com/capconform/capconform/suites/jsonvalue"
)

// transportWords are texts that only describe a transport. A URL, a path or a command by itself
// is not such a text, since a capability may be about these, about the transport of bus/tram
// lines, or about other servers. So an address or a path must follow such a word, and a command
// must be named as a command: a server that a capability starts or launches is its subject.
var transportWords = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:stdio|sse|mcp\+https?)://|\bmcp-session-id\b|` +
		`\b(?:stdio|sse|transport|server command|mcp server)\s*[:=]\s*['"\[]*(?:[a-z][a-z0-9+.-]*:|[.~]{0,2})[/\\]\S|` +
		`\b(?:command|cmd)\b[^.;]{0,40}?\S*[/\\]\S*[^\s.,;:](?: [\w=./:@-]+)* --(?:stdio|sse)\b`)
})

// shownIn finds a transport detail in the texts of a manifest.
func shownIn(text string, own []string) string {
	return cmp.Or(Leak(text, own), serverCommand.FindString(text))
}

// serverCommand is the command of a server.
var serverCommand = regexp.MustCompile(`(?i)\b(npx|uvx|node|python3?|docker run|java -jar|deno run|bun|go run)\s[^\n]{0,120}(--stdio\b|--transport\b|\bmcp[-_]server|\bserver\.(m?js|ts|py)\b)`)

// Command finds the command of a server in a text.
func Command(text string) string { return serverCommand.FindString(text) }

// resultMembers are the members of an InvokeResult; all others are custom members. The output is
// data of the capability.
var resultMembers = []string{"ok", "output", "duration_ms"}

// customLeak finds a custom member that is a transport detail, at any depth: by a name without
// another meaning, or by a general name beside such a name. An address of the source itself is a
// transport detail under any name.
func customLeak(members map[string]any, printed []string, own []string) string {
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if slices.Contains(printed, name) {
			continue
		}
		if found := detailIn(name, members[name], own); found != "" {
			return found
		}
	}
	return ""
}

// SchemaLeak finds a transport detail in the texts that a schema of a document contains for
// people.
func SchemaLeak(schema any) string {
	return shownIn(strings.Join(annotations(nil, schema), "\n"), nil)
}

// dataMembers are members whose content is data of the capability, whatever it looks like.
var dataMembers = []string{
	"input", "inputs", "output", "outputs", "example", "examples", "default", "defaults", "schema", "parameters",
	"properties",
	"resources", "reduction", history.MemberReduction,
}

func detailIn(name string, value any, own []string) string {
	if slices.Contains(dataMembers, strings.ToLower(name)) {
		return ""
	}
	if TransportDetail(name, value) == Specific {
		return name + ": " + jsonvalue.Clip(jsonvalue.Print(value))
	}
	switch v := value.(type) {
	case string:
		if found := Leak(v, own); found != "" {
			return name + ": " + found
		}
	case []any:
		for _, item := range v {
			if found := detailIn("", item, own); found != "" {
				return found
			}
		}
	case map[string]any:
		for _, below := range slices.Sorted(maps.Keys(v)) {
			if found := detailIn(below, v[below], own); found != "" {
				return found
			}
		}
	}
	return ""
}

// Leak finds a transport detail in a text.
func Leak(text string, own []string) string {
	for _, word := range own {
		if strings.Contains(text, word) {
			return word
		}
	}
	if !strings.ContainsAny(text, `/\`) && !strings.Contains(strings.ToLower(text), "mcp-session-id") {
		return "" // no alternative of the expression, which is slow on long texts, can match
	}
	return transportWords().FindString(text)
}

// texts joins the texts of a manifest, from the members that the specification defines.
func texts(m history.Manifest) string {
	var all []string
	for _, member := range []string{history.MemberID, history.MemberVersion, history.MemberName,
		history.MemberDescription,
		history.MemberPrompt} {
		if s, ok := m.Text(member); ok {
			all = append(all, s)
		}
	}
	for _, member := range []string{history.MemberInput, history.MemberOutput} {
		all = annotations(all, m[member])
	}
	return strings.Join(all, "\n")
}

// annotations gathers the texts that a schema contains for people. A default, an example or a
// value of an enumeration is data of the capability, and a property named description is not a
// description of the schema.
func annotations(all []string, schema any) []string {
	switch s := schema.(type) {
	case map[string]any:
		for _, keyword := range slices.Sorted(maps.Keys(s)) {
			text, isText := s[keyword].(string)
			switch {
			case isText && slices.Contains([]string{"title", "description", "$comment"}, keyword):
				all = append(all, text)
			case !slices.Contains([]string{"default", "examples", "example", "enum", "const"}, keyword):
				all = annotations(all, s[keyword])
			}
		}
	case []any:
		for _, item := range s {
			all = annotations(all, item)
		}
	}
	return all
}
