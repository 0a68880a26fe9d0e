package capsuite

import (
	"cmp"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
)

// transportWords are texts that only a transport has a use for. A URL, a path or
// a command as such is none: a capability may well be about these, or about the
// transport of bus/tram lines, or about other servers. So what follows such a word
// has to be an address or a path from somewhere, and a command has to be called one:
// what a capability starts or launches is a server that it is about.
var transportWords = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:stdio|sse|mcp\+https?)://|\bmcp-session-id\b|` +
		`\b(?:stdio|sse|transport|server command|mcp server)\s*[:=]\s*['"\[]*(?:[a-z][a-z0-9+.-]*:|[.~]{0,2})[/\\]\S|` +
		`\b(?:command|cmd)\b[^.;]{0,40}?\S*[/\\]\S*[^\s.,;:](?: [\w=./:@-]+)* --(?:stdio|sse)\b`)
})

// nothingLeaks is CAP-MCP-03. It reads what manifests and results say to people, and their
// custom members: these are free, and yet no place to hand the way to a source upward.
func (w *world) nothingLeaks() error {
	if err := w.needList(); err != nil {
		return err
	}
	own := ownAddress(w.subject.Driver.Target())
	for s := range w.shownManifests() {
		if found := cmp.Or(shownIn(s.texts(), own), customLeak(s.manifest, manifestMembers, own)); found != "" {
			return w.defective(s, []defect{{Message: "a manifest tells how its source is reached", Want: "nothing of the transport", Got: found}})
		}
	}
	for _, a := range w.attempts {
		if found := cmp.Or(leak(a.result.message(), own), customLeak(a.result.members, resultMembers, own)); found != "" {
			return w.violation("a result tells how its source is reached", "nothing of the transport in an InvokeResult, but found "+found, a.answer, nil)
		}
	}
	return nil
}

// shownIn finds a piece of transport in what a manifest says.
func shownIn(text string, own []string) string {
	return cmp.Or(leak(text, own), serverCommand.FindString(text))
}

// resultMembers are the members of an InvokeResult; any other is a custom one. The
// output is data of the capability.
var resultMembers = []string{"ok", "output", "duration_ms"}

// customLeak finds a custom member that is a transport detail: at the top or below, by a
// name that means nothing else, or by a general name beside such a one. An address of the
// source itself is one under any name.
func customLeak(members map[string]any, printed []string, own []string) string {
	for _, name := range sortedKeys(members) {
		if slices.Contains(printed, name) {
			continue
		}
		if found := detailIn(name, members[name], own); found != "" {
			return found
		}
	}
	return ""
}

// ownData are members whose content is data of the capability, whatever it looks like.
var ownData = []string{
	"input", "inputs", "output", "outputs", "example", "examples", "default", "defaults", "schema", "parameters", "properties",
	"resources", "reduction", memberReduction,
}

func detailIn(name string, value any, own []string) string {
	if slices.Contains(ownData, strings.ToLower(name)) {
		return ""
	}
	if transportDetail(name, value) == telling {
		return name + ": " + suites.Clip(suites.Print(value))
	}
	switch v := value.(type) {
	case string:
		if found := leak(v, own); found != "" {
			return name + ": " + found
		}
	case []any:
		for _, item := range v {
			if found := detailIn("", item, own); found != "" {
				return found
			}
		}
	case map[string]any:
		for _, below := range sortedKeys(v) {
			if found := detailIn(below, v[below], own); found != "" {
				return found
			}
		}
	}
	return ""
}

// leak finds a piece of transport in a text.
func leak(text string, own []string) string {
	for _, word := range own {
		if strings.Contains(text, word) {
			return word
		}
	}
	return transportWords().FindString(text)
}

// ownAddress is what the target is reached by, as far as it can't be meant for
// anything else: an authority with a port, an endpoint with a path, a command.
func ownAddress(target driver.Target) []string {
	u, err := url.Parse(target.Address)
	if err == nil && u.Host != "" {
		var own []string
		if u.Port() != "" {
			own = append(own, u.Host)
		}
		if len(u.Path) > 1 {
			own = append(own, u.Host+u.Path)
		}
		return own
	}
	if target.Driver == "inproc" || !strings.ContainsAny(target.Address, "/ ") {
		return nil
	}
	return []string{target.Address}
}

// texts joins what a manifest says in members that the text defines.
func (m manifest) texts() string {
	var all []string
	for _, member := range []string{memberID, memberVersion, memberName, memberDescription, memberPrompt} {
		if s, ok := m.text(member); ok {
			all = append(all, s)
		}
	}
	for _, member := range []string{memberInput, memberOutput} {
		all = annotations(all, m[member])
	}
	return strings.Join(all, "\n")
}

// annotations gathers what a schema says to people. A default, an example or a value
// of an enumeration is data of the capability, and a member of the name description
// is no description of the schema.
func annotations(all []string, schema any) []string {
	switch s := schema.(type) {
	case map[string]any:
		for _, keyword := range sortedKeys(s) {
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
