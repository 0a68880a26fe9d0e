package text

import (
	"encoding/base64"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/live"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/recording"
)

// unknownPrefix begins the names that the function unknown makes.
const unknownPrefix = "unknown-"

// unknownMethod is the form of a method that no target has: a name that unknown made, also with the prefix of the names
// that JSON-RPC reserves.
var unknownMethod = regexp.MustCompile(`^(rpc\.)?unknown-[0-9a-f]{8}$`)

// probeMessage is sent to find out whether a target speaks, and whether it is still alive.
const probeMessage = `{"jsonrpc":"2.0","method":"unknown-00000000","id":"probe"}`

// IsMessage reports whether an entry is about a whole message.
func IsMessage(e record.Entry) bool { return e.About[recording.AboutBody] != "" }

// messageAbout returns the parameters of an entry about a whole message.
func messageAbout(about map[string]string) map[string]string {
	all := map[string]string{recording.AboutBody: "raw"}
	maps.Copy(all, about)
	return all
}

// probe returns the operation that shows whether the target speaks the protocol.
func (t *Text) probe() driver.Operation {
	if t.Probe == t.carrier() {
		return driver.Operation{Name: t.Probe, Body: []byte(probeMessage), Message: true}
	}
	return driver.Operation{Name: t.Probe, List: true, Method: t.Methods}
}

// requestUse returns what a request of HTTP does: what its message does, and what its headers name in place of that.
func (t *Text) requestUse(sent driver.Operation) live.Use {
	r, _ := driver.ReadRequest(sent.Params) // one that cannot be read is not sent
	if r.Path != "" {
		return t.routeUse(r)
	}
	use := t.messageUse(r.Message())
	var body struct {
		Params struct {
			Name, URI string
		}
	}
	_ = json.Unmarshal(r.Message(), &body) // another message names nothing
	for _, header := range []string{"Mcp-Method", "Mcp-Name"} {
		value := r.Headers[header]
		if value == nil || slices.Contains([]string{body.Params.Name, body.Params.URI}, plainHeader(*value)) ||
			unknownMethod.MatchString(*value) || slices.Contains(t.reading(), strings.ToLower(*value)) {
			continue
		}
		if use.Also = append(use.Also, *value); !use.Invokes {
			use = live.Use{Invokes: true, ID: *value, Also: use.Also}
		}
	}
	return use
}

// plainHeader returns the value of a header of MCP without its encoding in base64.
func plainHeader(value string) string {
	if encoded, is := strings.CutPrefix(value, "=?base64?"); is {
		if text, err := base64.StdEncoding.DecodeString(strings.TrimSuffix(encoded, "?=")); err == nil {
			return string(text)
		}
	}
	return value
}

// messageUse returns what a message does. A message that names one operation with invokes, and leaves a reader no
// doubt, does what a call of the operation does.
func (t *Text) messageUse(message []byte) live.Use {
	if methods := methodsIn(string(message)); len(methods) == 1 {
		op := t.operation(methods[0])
		if op != nil && op.ID != "" {
			if params := paramsIn(message, op.ID); params != nil {
				return op.use(driver.Operation{Params: params})
			}
		}
	}
	return messageUse(message, t.reading())
}

// paramsIn returns the params of a request whose members, and those of the params, are there once and in no other case
// than that of JSON-RPC and of the name id. It returns nil for another message.
func paramsIn(message []byte, id string) json.RawMessage {
	var all map[string]jsontext.Value
	if jsonv2.Unmarshal(message, &all) != nil || !namesOnce(all["params"], id) {
		return nil
	}
	for name := range all {
		if !slices.Contains([]string{"jsonrpc", "id", "method", "params"}, name) {
			return nil
		}
	}
	return json.RawMessage(all["params"])
}

// namesOnce reports whether a text is an object in which each name is there once, and that of the id in no other case.
func namesOnce(text []byte, id string) bool {
	var members map[string]jsontext.Value
	if jsonv2.Unmarshal(text, &members) != nil {
		return false
	}
	for name := range members {
		if name != id && strings.EqualFold(name, id) {
			return false
		}
	}
	return true
}

// messageUse returns what a message does: nothing, if each method in it is unknown or reads. Another method needs the
// same permission as the operation of that name.
func messageUse(message []byte, reads []string) live.Use {
	var others []string
	for _, name := range methodsIn(string(message)) {
		if !unknownMethod.MatchString(name) && !slices.Contains(reads, name) {
			others = append(others, name)
		}
	}
	if len(others) == 0 {
		return live.Use{}
	}
	return live.Use{Invokes: true, ID: others[0], Also: others[1:]}
}

// methodsIn returns the methods that a message may call, also in the eyes of a lenient reader: the values of names that
// are method in any case, complete or not. What such a reader may understand in another way is returned too.
func methodsIn(message string) []string {
	if strings.ContainsRune(message, 0) { // it may be UTF-16
		return []string{message}
	}
	var all []string
	for rest := message; rest != ""; {
		quoted := strings.IndexByte(rest, '"')
		if quoted < 0 {
			quoted = len(rest)
		}
		if at := strings.Index(strings.ToLower(rest[:quoted]), "method"); at >= 0 {
			all = append(all, rest[at:quoted])
		}
		name, after, plain := quotedText(rest[quoted:])
		rest = after
		value, named := strings.CutPrefix(strings.TrimLeft(after, " \t\r\n"), ":")
		switch value = strings.TrimLeft(value, " \t\r\n"); {
		case !plain:
			all = append(all, name)
		case !strings.EqualFold(name, "method"):
			if strings.Contains(strings.ToLower(name), "method") {
				all = append(all, name)
			}
		case !named:
		case strings.HasPrefix(value, `"`):
			name, rest, _ = quotedText(value)
			all = append(all, name)
		case !noText.MatchString(value):
			all = append(all, value)
		}
	}
	return all
}

// noText is the beginning of a value that no reader takes for a text.
var noText = regexp.MustCompile(`^(-?[0-9]|null\b|true\b|false\b|[,}\]]|$)`)

// quotedText reads a text in quotes, which may lack the last one, and returns it with what follows. It is not plain if
// its escapes are not those of JSON.
func quotedText(s string) (text, after string, plain bool) {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			if json.Unmarshal([]byte(s[:i+1]), &text) != nil {
				return s[1:i], s[i+1:], false
			}
			return text, s[i+1:], true
		}
	}
	text = strings.TrimPrefix(s, `"`)
	return text, "", !strings.Contains(text, `\`)
}
