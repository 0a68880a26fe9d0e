package hostile

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
)

const (
	opList, opDescribe, opInvoke = "capability.list", "capability.describe", "capability.invoke"
	opHost, opCapabilities       = "chp.host", "chp.capabilities"
	opChpInvoke, opReplay        = "chp.invoke", "chp.replay"

	goodResult = `{"ok":true,"output":{},"error":null,"duration_ms":1}`
	object     = `{"type":"object"}`
	gigabyte   = int64(1) << 30
)

// manifest returns the manifest of a CAP capability.
func manifest(id, input string) string {
	return fmt.Sprintf(`{"capability_id":%q,"version":"1.0.0","kind":"tool","name":"Measure",`+
		`"description":"Counts the words of a text.","input_schema":%s,"output_schema":{"type":"object"},`+
		`"prompt_template":null,"resources":null,"required_permissions":null}`, id, input)
}

// source returns the results of a capability source whose one capability has an input schema.
func source(input string) results {
	m := manifest("text.measure", input)
	return results{opList: text("[" + m + "]"), opDescribe: text(m), opInvoke: text(goodResult)}
}

// with returns a source that answers one operation differently.
func (r results) with(operation string, write func(io.Writer) error) results {
	changed := results{}
	for name, w := range r {
		changed[name] = w
	}
	changed[operation] = write
	return changed
}

// allWires returns the wires of JSON-RPC and MCP.
func allWires() []Wire { return []Wire{HTTP, Stdio, MCP, Stream} }

// All lists the modes. trap is an address that no client may contact.
func All(trap string) []Mode {
	all := slices.Concat(longAnswers(), denseAnswers(), schemaModes(trap), evidenceModes(), lineModes(), httpModes(trap))
	for i := range all {
		if all[i].Suite == "" {
			all[i].Suite = "cap"
		}
		if all[i].Wires == nil {
			all[i].Wires = allWires()
		}
	}
	return all
}

// longAnswers returns modes whose answers are too long to be kept.
func longAnswers() []Mode {
	valid := source(object)
	return []Mode{
		{Name: "endless-result", Summary: "The result of an invocation is a string that never ends.",
			results: valid.with(opInvoke, repeated(`{"ok":true,"output":{"text":"`, "x", "", 1<<62))},
		{Name: "endless-list", Summary: "The list of capabilities never ends.",
			results: valid.with(opList, repeated("["+manifest("a.b", object), ","+manifest("a.b", object), "", 1<<50))},
		{Name: "gigabyte-result", Summary: "The result of an invocation has 1 GB, in one string.",
			results: valid.with(opInvoke, repeated(`{"ok":true,"output":{"text":"`, "x", `"},"error":null,"duration_ms":1}`,
				gigabyte))},
		{Name: "gigabyte-list", Summary: "The list of capabilities has 1 GB.",
			results: valid.with(opList, repeated("["+manifest("a.b", object), ","+manifest("a.b", object), "]", gigabyte/300))},
		{Name: "gigabyte-everything", Summary: "Every message has 1 GB.", replyInstead: func(w io.Writer, id string) error {
			return repeated(`{"jsonrpc":"2.0","id":`+id+`,"result":"`, "x", `"}`, gigabyte)(w)
		}},
		{Name: "many-large-results", Summary: "Each invocation returns 7 MiB, which is allowed.", Lawful: true,
			results: valid.with(opInvoke, repeated(`{"ok":true,"output":{"text":"`, "x", `"},"error":null,"duration_ms":1}`,
				7<<20))},
	}
}

// denseAnswers returns modes whose answers are short but need much memory or time.
func denseAnswers() []Mode {
	valid := source(object)
	member := func(i int) string { return fmt.Sprintf(`"m%d":%d`, i, i%10) }
	output := func(value string) results {
		return valid.with(opInvoke, text(`{"ok":true,"output":`+value+`,"error":null,"duration_ms":1}`))
	}
	deep := func(levels int) string { return strings.Repeat(`{"a":`, levels) + "1" + strings.Repeat("}", levels) }
	return []Mode{
		{Name: "600000-members", Summary: "Each invocation returns an object of 600,000 members.", Lawful: true,
			results: valid.with(opInvoke, numbered(`{"ok":true,"output":{`, `},"error":null,"duration_ms":1}`, 600_000,
				member))},
		{Name: "600000-members-manifest", Summary: "Each manifest has 600,000 further members.", Lawful: true,
			results: withMembers(valid, member)},
		{Name: "600000-members-envelope", Summary: "Each message has 600,000 further members.", Lawful: true,
			Wires: []Wire{HTTP, Stdio},
			replyInstead: func(w io.Writer, id string) error {
				return numbered(`{"jsonrpc":"2.0","id":`+id+`,"result":[],`, "}", 600_000, member)(w)
			}},
		{Name: "empty-objects", Summary: "Each invocation returns 8 MB of empty objects.", Lawful: true,
			results: valid.with(opInvoke, repeated(`{"ok":true,"output":{"a":[{}`, ",{}", `]},"error":null,"duration_ms":1}`,
				2_700_000))},
		{Name: "list-of-empty-objects", Summary: "The list of capabilities holds 20,000,000 empty objects.",
			results: valid.with(opList, repeated("[{}", ",{}", "]", 20_000_000))},
		{Name: "10000-levels", Summary: "Each invocation returns 10,000 levels of nesting.", Lawful: true,
			results: output(deep(10_000))},
		{Name: "100000-levels", Summary: "Each invocation returns 100,000 levels of nesting.",
			results: output(deep(100_000))},
		{Name: "huge-numbers", Summary: "Each invocation returns numbers beyond 64 bits, one of them 1e1000001.",
			Lawful:  true,
			results: output(`{"a":1e1000001,"b":` + strings.Repeat("9", 100_000) + `,"c":18446744073709551616}`)},
		{Name: "not-a-number", Summary: "Each invocation returns NaN.", results: output(`{"a":NaN}`)},
		{Name: "invalid-utf8", Summary: "Each invocation returns bytes that are not UTF-8.",
			results: output("{\"a\":\"\xff\xfe\"}")},
		{Name: "duplicate-members", Summary: "Each invocation returns an object that names a member twice.",
			results: output(`{"a":1,"a":2}`)},
		{Name: "10000-capabilities", Summary: "10,000 capabilities are listed.", Lawful: true, listed: 10_000,
			results: manyCapabilities(10_000)},
		{Name: "10000-tools", Summary: "10,000 tools are listed.", Lawful: true, Wires: []Wire{MCP, Stream},
			tools: manyTools(10_000)},
		{Name: "endless-pages", Summary: "Each page of tools/list names another page.", Wires: []Wire{MCP, Stream},
			tools: manyTools(100),
			paged: func(cursor string) string { return cursor + "x" }},
		{Name: "repeated-page", Summary: "Each page of tools/list names itself as the next one.", Wires: []Wire{MCP, Stream},
			tools: manyTools(10),
			paged: func(string) string { return "same" }},
	}
}

func withMembers(r results, member func(int) string) results {
	m := strings.TrimSuffix(manifest("text.measure", object), "}")
	return r.with(opList, numbered("["+m+",", "}]", 600_000, member)).with(opDescribe,
		numbered(m+",", "}", 600_000, member))
}

func manyCapabilities(n int) results {
	return source(object).with(opList, numbered("[", "]", n,
		func(i int) string { return manifest(fmt.Sprintf("text.measure%d", i), object) }))
}

func manyTools(n int) []tool {
	all := make([]tool, n)
	for i := range all {
		all[i] = tool{Name: fmt.Sprintf("get_words_%d", i), Description: "Counts the words of a text.",
			InputSchema: rawObject}
	}
	return all
}

// schemaModes returns modes whose input schemas need time or memory, or refer to other places.
func schemaModes(trap string) []Mode {
	bySchema := func(name, summary, schema string) Mode {
		return Mode{Name: name, Summary: summary, LaxValidation: true, results: source(schema)}
	}
	var dependent, schemas, doubling strings.Builder
	for i := range 900 {
		fmt.Fprintf(&dependent, `,"m%d":["m%d"]`, i, i+1)
	}
	for i := range 300 {
		fmt.Fprintf(&schemas, `,"m%d":{"required":["n%d"]}`, i, i)
	}
	for i := 1; i < 30; i++ {
		fmt.Fprintf(&doubling, `,"d%d":{"allOf":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]}`, i, i-1, i-1)
	}
	dependents := func(required string) string {
		return `{"type":"object",` + required + `"dependentRequired":{` + dependent.String()[1:] + `},"dependentSchemas":{` +
			schemas.String()[1:] + `}}`
	}
	var properties strings.Builder
	for i := range 900 {
		fmt.Fprintf(&properties, `,"p%d":{"type":"string","minLength":1}`, i)
	}
	return []Mode{
		bySchema("dependent-members", "A schema with 900 dependentRequired and 300 dependentSchemas.", dependents("")),
		bySchema("dependent-chain", "The same, and the first member of the chain is required.",
			dependents(`"required":["m0"],`)),
		bySchema("900-properties", "A schema with 900 properties, each required to be a text.",
			`{"type":"object","properties":{`+properties.String()[1:]+`}}`),
		bySchema("doubling-references", "A schema whose references double 30 times.",
			`{"$defs":{"d0":{"type":"object"}`+doubling.String()+`},"$ref":"#/$defs/d29"}`),
		bySchema("endless-recursion", "A schema that refers to itself.", `{"$ref":"#"}`),
		bySchema("catastrophic-pattern", "A pattern that takes exponential time in engines that search backwards.",
			`{"type":"object","required":["a"],"properties":{"a":{"type":"string","pattern":"^(?=a)(a+)+$","minLength":40}}}`),
		bySchema("large-pattern", "A pattern that expands to a large program.",
			`{"type":"object","required":["a"],"properties":{"a":{"type":"string","pattern":"^((a{1,30}){1,30}b?){1,30}$"}}}`),
		bySchema("deep-schema", "A schema of 5,000 levels.", strings.Repeat(`{"properties":{"a":`,
			5000)+`{}`+strings.Repeat(`}}`, 5000)),
		bySchema("huge-lengths", "A schema that requires a text of 10^12 characters and 10^9 items.",
			`{"type":"object","required":["a","b"],"properties":{`+
				`"a":{"type":"string","minLength":1000000000000},"b":{"type":"array","minItems":1000000000}}}`),
		bySchema("long-text-required", "A schema that requires a text of 60,000 characters in each of 50 members.",
			longTexts()),
		bySchema("panicking-number", "A schema with the bound 1e1000001.",
			`{"type":"object","properties":{"a":{"type":"number","minimum":1e1000001}}}`),
		bySchema("file-reference", "A schema that refers to a file.", `{"$ref":"file:///etc/passwd"}`),
		bySchema("remote-reference", "A schema that refers to another address.", `{"$ref":"`+trap+`/schema.json"}`),
	}
}

func longTexts() string {
	var properties, required strings.Builder
	for i := range 50 {
		fmt.Fprintf(&properties, `,"p%d":{"type":"string","minLength":60000}`, i)
		fmt.Fprintf(&required, `,"p%d"`, i)
	}
	return `{"type":"object","required":[` + required.String()[1:] + `],"properties":{` + properties.String()[1:] + `}}`
}

// evidenceModes returns hosts of CHP.
func evidenceModes() []Mode {
	descriptor := `{"id":"text.measure","version":"1.0.0","description":"Counts the words of a text.",` +
		`"modes":["sync"],"emits":[]}`
	host := `{"id":"h","version":"1","protocol_version":"0.1","kind":"local","capabilities":[` + descriptor +
		`],"evidence":{"append_only":true}}`
	event := `{"event_id":"e","event_type":"execution_started","invocation_id":"i","capability_id":"a.b","host_id":"h",` +
		`"correlation":{"correlation_id":"c"},"timestamp":"2026-05-04T10:00:00Z","sequence":0,"payload":{},` +
		`"redacted":false,"assurance":{}}`
	result := `{"invocation_id":"i","capability_id":"text.measure","correlation":{"correlation_id":"c"},` +
		`"outcome":"success","success":true,"data":null,"evidence_ids":["e"],"completed_at":"2026-01-01T00:00:00Z"}`
	head := `{"correlation_id":"c","event_count":1,"replayed_at":"2026-01-01T00:00:00Z","events":[` + event
	valid := results{opHost: text(host), opCapabilities: text(`{"capabilities":[` + descriptor + `]}`),
		opChpInvoke: text(result), opReplay: text(head + "]}")}
	wires := []Wire{Evidence, Stdio, MCP, Stream}
	all := []Mode{
		{Name: "endless-replay", Summary: "Each replay never ends.",
			results: valid.with(opReplay, repeated(head, ","+event, "", 1<<50))},
		{Name: "gigabyte-replay", Summary: "Each replay has 1 GB.",
			results: valid.with(opReplay, repeated(head, ","+event, "]}", gigabyte/300))},
		{Name: "100000-events", Summary: "Each replay has 100,000 events.",
			results: valid.with(opReplay, repeated(head, ","+event, "]}", 100_000))},
		{Name: "replay-of-empty-objects", Summary: "Each replay has 10,000,000 empty objects.",
			results: valid.with(opReplay, repeated(head, ",{}", "]}", 10_000_000))},
		{Name: "replay-always-cut", Summary: "Each replay says that it was cut.",
			results: valid.with(opReplay, text(strings.Replace(head, `{`, `{"truncated":true,`, 1)+"]}"))},
		{Name: "10000-descriptors", Summary: "The host lists 10,000 capabilities.",
			results: valid.with(opHost, descriptors(host, descriptor, "")).with(opCapabilities,
				descriptors(`{"capabilities":[`+descriptor+`]}`, descriptor, ""))},
		{Name: "600000-payload-members", Summary: "Each result has data of 600,000 members.", results: valid.with(opChpInvoke,
			numbered(strings.Replace(result, `"data":null,`, "", 1)[:len(result)-len(`"data":null,`)-1]+`,"data":{`, "}}",
				600_000, func(i int) string { return fmt.Sprintf(`"m%d":1`, i) }))},
	}
	for i := range all {
		all[i].Suite, all[i].Wires = "chp", wires
	}
	return all
}

// descriptors writes a text with 10,000 copies of the descriptor, with different ids, in its place.
func descriptors(whole, descriptor, separator string) func(io.Writer) error {
	head, tail, _ := strings.Cut(whole, descriptor)
	return numbered(head+separator, tail, 10_000, func(i int) string {
		return strings.Replace(descriptor, "text.measure", fmt.Sprintf("text.measure%d", i), 1)
	})
}

// lineModes returns processes that do harm in addition to their answers.
func lineModes() []Mode {
	valid := source(object)
	lines := []Wire{Stdio, MCP}
	notification := `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}` + "\n"
	request := `{"jsonrpc":"2.0","id":"s","method":"sampling/createMessage","params":{}}` + "\n"
	return []Mode{
		{Name: "endless-line", Summary: "A line without end comes before the first answer.", Wires: lines, results: valid,
			before: repeated("", "x", "", 1<<62)},
		{Name: "notification-flood", Summary: "Notifications without end come before each answer.", Wires: lines,
			results: valid, before: repeated("", notification, "", 1<<50)},
		{Name: "request-flood", Summary: "Requests without end come before each answer.", Wires: lines, results: valid,
			before: repeated("", request, "", 1<<50)},
		{Name: "10000-notifications", Summary: "10,000 notifications come before each answer.", Lawful: true, Wires: lines,
			results: valid, before: repeated("", notification, "", 10_000)},
		{Name: "stderr-flood", Summary: "stderr gets bytes without end.", Lawful: true, Wires: lines, results: valid,
			background: func(p Peer) { _ = repeated("", "noise ", "", 1<<60)(p.Err) }},
		{Name: "stderr-lines", Summary: "stderr gets lines without end.", Lawful: true, Wires: lines, results: valid,
			background: func(p Peer) { _ = repeated("", "noise\n", "", 1<<60)(p.Err) }},
		{Name: "child-remains", Summary: "The process starts another one that ignores signals.", Lawful: true, Wires: lines,
			results: valid, fork: true},
	}
}

// httpModes returns modes that misuse HTTP itself.
func httpModes(trap string) []Mode {
	valid := source(object)
	both := []Wire{HTTP, Stream}
	return []Mode{
		{Name: "one-byte-per-second", Summary: "Each answer comes one byte per second.", results: valid, byteBySecond: true},
		{Name: "endless-headers", Summary: "The header of each response never ends.", Wires: both, results: valid,
			http: func(w rawResponse) {
				_ = repeated("HTTP/1.1 200 OK\r\n", "X-More: "+strings.Repeat("x", 1000)+"\r\n", "", 1<<50)(w)
			}},
		{Name: "endless-header-line", Summary: "The first line of each response never ends.", Wires: both, results: valid,
			http: func(w rawResponse) {
				_ = repeated("HTTP/1.1 200 ", "x", "", 1<<60)(w)
			}},
		{Name: "content-length-too-long", Summary: "Each response announces 1 TB and sends little.", Wires: both,
			results: valid, http: func(w rawResponse) {
				_, _ = io.WriteString(w,
					"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1099511627776\r\n\r\n{")
			}},
		{Name: "gzip-bomb", Summary: "Each response is 1 GB of blanks, compressed.", Wires: both, results: valid,
			http: gzipBomb},
		{Name: "endless-interim", Summary: "Responses of status 103 never end.", Wires: both, results: valid,
			http: func(w rawResponse) {
				_ = repeated("", "HTTP/1.1 103 Early Hints\r\n\r\n", "", 1<<50)(w)
			}},
		{Name: "redirect", Summary: "Each response redirects to another address.", Wires: both, results: valid,
			http: func(w rawResponse) {
				_, _ = fmt.Fprintf(w, "HTTP/1.1 %d Temporary Redirect\r\nLocation: %s/\r\nContent-Length: 0\r\n\r\n",
					http.StatusTemporaryRedirect, trap)
			}},
		{Name: "other-sessions", Summary: "Each answer names another session.", Wires: []Wire{Stream}, results: valid,
			session: func(n int64) string { return fmt.Sprint("s", n) }},
		{Name: "long-sessions", Summary: "Each answer names a session by 500 KB.", Wires: []Wire{Stream}, results: valid,
			session: func(int64) string { return strings.Repeat("s", 500_000) }},
		{Name: "endless-listening", Summary: "The stream of a GET is comments and events that never end.",
			Wires: []Wire{Stream}, results: valid, session: func(int64) string { return "s" },
			listening: func(w rawResponse) {
				_ = repeated(eventHead, ": nothing\n\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"a\"}\n\n", "", 1<<50)(w)
			}},
		{Name: "endless-events", Summary: "Each answer is a stream of comments and events that never ends.",
			Wires: []Wire{Stream}, results: valid, http: func(w rawResponse) {
				_ = repeated(eventHead, ": nothing\n\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"a\"}\n\n", "", 1<<50)(w)
			}},
		{Name: "endless-event", Summary: "Each answer is an event whose line never ends.", Wires: []Wire{Stream},
			results: valid, http: func(w rawResponse) {
				_ = repeated(eventHead+"data: ", "x", "", 1<<60)(w)
			}},
		{Name: "event-of-empty-lines", Summary: "Each answer is an event of data lines without text that never ends.",
			Wires: []Wire{Stream}, results: valid, http: func(w rawResponse) {
				_ = repeated(eventHead, "data\n", "", 1<<60)(w)
			}},
	}
}

const eventHead = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
