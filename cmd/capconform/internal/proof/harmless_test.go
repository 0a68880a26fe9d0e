package proof

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites"
	acdsuite "github.com/capconform/capconform/suites/acd"
	capsuite "github.com/capconform/capconform/suites/cap"
	chpsuite "github.com/capconform/capconform/suites/chp"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/live"
)

// probeTool is a capability of the probe host.
type probeTool struct {
	id, description string
	annotations     map[string]any
	input           object // the members of its input, in addition to text
	changes         bool   // whether it changes the world, according to its name, description or annotations
}

// probeTools returns 30 tools that change the world, and 15 that do not.
func probeTools() []probeTool {
	changing := func(id, description string) probeTool {
		return probeTool{id: id, description: description, changes: true}
	}
	harmless := func(id, description string) probeTool { return probeTool{id: id, description: description} }
	return []probeTool{
		changing("wire_money", "Wires an amount to an account."),
		changing("ban_user", "Bans a user."),
		changing("format_disk", "Formats a disk."),
		changing("close_issue", "Closes an issue."),
		changing("start_instance", "Starts an instance."),
		changing("rotate_keys", "Rotates the keys."),
		changing("slack_post_message", "Post a new message to a channel"),
		changing("slack_reply_to_thread", "Reply to a thread"),
		changing("fork_repository", "Fork a repository to your account"),
		{id: "git_pull", description: "Pulls.", annotations: map[string]any{"readOnlyHint": false}, changes: true},
		{id: "git_clone", description: "Clones.", annotations: map[string]any{"readOnlyHint": false}, changes: true},
		{id: "get_profile", description: "Gets a profile.", annotations: map[string]any{"title": "Profile"}, changes: true},
		{id: "list_rows", description: "Lists rows.", annotations: map[string]any{"readOnlyHint": true, "destructiveHint": true}, changes: true},
		changing("getAndDelete", "Gets an item."),
		changing("get_or_create", "Gets an item."),
		changing("search_and_replace", "Searches a text in all files."),
		changing("check_out", "Checks the cart."),
		changing("add_user", "Adds a user."),
		changing("read_and_mark", "Reads a message."),
		changing("read_mailbox", "Reads the messages and deletes what was read."),
		changing("get_token", "Gets the token, which is then revoked."),
		changing("get_quote", "Gets a quote and orders it."),
		changing("execute_sql", "Runs a statement."),
		changing("fetch", "Fetches a URL from the internet."),
		changing("gеt_file", "Gets a file."), // with a Cyrillic letter
		{id: "delete_all", description: "Clears.", annotations: map[string]any{"readOnlyHint": true}, changes: true},
		{id: "get_files", description: "Deletes all files.", annotations: map[string]any{"readOnlyHint": true}, changes: true},
		changing("get_rid_of_files", "Gets rid of files."),
		{id: "list_logs", description: "Lists logs.", input: object{"options": object{"properties": object{
			"delete_after": object{"type": []any{"boolean", "null"}}}}}, changes: true},
		{id: "get_logs", description: "Gets logs.", input: object{"what": object{"enum": []any{"list", "delete"}}}, changes: true},
		harmless("echo", "Gives its input back."),
		harmless("add", "Adds two numbers."),
		harmless("read_multiple_files", "Reads many files. Failed reads won't stop the entire operation."),
		harmless("get_file_info", "Gets size, creation time and last modified time of a file."),
		harmless("listOrders", "Lists open orders."),
		harmless("search.documents", "Searches documents by words."),
		harmless("describe-table", "Describes the columns of a table."),
		harmless("count_words", "Counts the words of a text."),
		harmless("units.convert", "Converts lengths."),
		harmless("validate_json", "Validates JSON. Does not modify or delete anything."),
		harmless("git_status", "Shows the status of the working tree."),
		harmless("weather.get", "Gets the weather."),
		{id: "delete_preview", description: "Shows what would be deleted.", annotations: map[string]any{"readOnlyHint": true}},
		{id: "run_report", description: "Runs a report.", annotations: map[string]any{"readOnlyHint": true, "openWorldHint": true}},
		harmless("inventory/lookup", "Looks an item up."),
	}
}

// probeHost offers the tools over one protocol and counts the invocations.
type probeHost struct {
	protocol string
	listing  string // the operation that lists
	mutex    sync.Mutex
	calls    map[string]int
	copies   map[string]json.RawMessage // copies of ACD descriptors
}

func (h *probeHost) Open(context.Context) (driver.Session, error) { return h, nil }
func (h *probeHost) Target() driver.Target                        { return driver.Target{Driver: "inproc", Address: "probe"} }
func (h *probeHost) Close() error                                 { return nil }
func (h *probeHost) Info() driver.Info {
	return driver.Info{Protocol: h.protocol, Version: "1.0.0", Binding: "in process"}
}

func (h *probeHost) Call(_ context.Context, op driver.Operation) (driver.Answer, error) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	result := h.answer(op)
	if result == nil {
		return driver.Answer{Outcome: driver.NotProvided, Error: &driver.ProtocolError{Number: -32601}}, nil
	}
	return driver.Answer{
		Outcome:  driver.Returned,
		Result:   jsonvalue.Encode(result),
		Exchange: driver.Exchange{Operation: op.Name},
	}, nil
}

type object = map[string]any

func (h *probeHost) answer(op driver.Operation) any {
	var params struct {
		Name         string
		CapabilityID string `json:"capability_id"`
		InvocationID string `json:"invocation_id"`
		Correlation  any    `json:"correlation"`
		Descriptor   json.RawMessage
		Ref          struct {
			CapabilityID string `json:"capability_id"`
		}
	}
	_ = json.Unmarshal(op.Params, &params)
	switch op.Name {
	case h.listing:
		return h.list(op.Name)
	case "chp.host":
		return object{"id": "probe", "capabilities": h.list("chp.capabilities").(object)["capabilities"]}
	case "tools/call":
		h.calls[params.Name]++
		return object{"content": []any{object{"type": "text", "text": "done"}}}
	case "capability.invoke":
		h.calls[params.Ref.CapabilityID]++
		return object{"ok": true, "output": object{}, "error": nil, "duration_ms": 1}
	case "chp.invoke":
		h.calls[params.CapabilityID]++
		return object{"invocation_id": params.InvocationID, "outcome": "success", "success": true, "correlation": params.Correlation, "data": object{}}
	}
	if h.listing != "acd.registry.list" {
		return nil
	}
	return h.registry(op.Name, params.CapabilityID, params.Descriptor)
}

// registry answers the operations of an ACD registry with an engine.
func (h *probeHost) registry(operation, id string, descriptor json.RawMessage) any {
	switch operation {
	case "acd.registry.create", "acd.registry.update":
		var d struct {
			ID string `json:"capability_id"`
		}
		_ = json.Unmarshal(descriptor, &d)
		h.copies[d.ID] = descriptor
		return descriptor
	case "acd.registry.get":
		return h.copies[id]
	case "acd.registry.delete":
		delete(h.copies, id)
		return object{}
	case "acd.invoke":
		h.calls[id]++
		return object{"output": object{}}
	default:
		return nil
	}
}

func (h *probeHost) list(operation string) any {
	var all []any
	for _, tool := range probeTools() {
		properties := object{"text": object{"type": "string"}}
		maps.Copy(properties, tool.input)
		schema := object{"type": "object", "properties": properties}
		one := map[string]object{
			"tools/list":        {"name": tool.id, "inputSchema": schema},
			"capability.list":   {"capability_id": tool.id, "version": "1.0.0", "kind": "tool", "name": tool.id, "input_schema": schema},
			"chp.capabilities":  {"id": tool.id, "version": "1.0.0", "input_schema": schema, "modes": []any{"sync"}, "emits": []any{}},
			"acd.registry.list": {"capability_id": tool.id, "version": "1.0.0", "name": tool.id, "kind": "atomic", "inputs": object{"schema": schema}, "invocation": object{"modes": []any{"direct"}}, "execution": object{"substrate": "symbolic"}},
		}[operation]
		one["description"] = tool.description
		if tool.annotations != nil {
			one["annotations"] = tool.annotations
		}
		all = append(all, one)
	}
	for _, copied := range h.copies {
		all = append(all, copied)
	}
	name := map[bool]string{true: "tools", false: "capabilities"}[operation == "tools/list"]
	return object{name: all}
}

// TestSafePolicyInvokesOnlyHarmlessTools examines a host of 45 tools over each protocol, and compares the report with
// the invocations that the host counted.
func TestSafePolicyInvokesOnlyHarmlessTools(t *testing.T) {
	for name, tt := range map[string]struct {
		definition        suites.Definition
		protocol, listing string
	}{
		"MCP": {capsuite.Definition(), "mcp", "tools/list"},
		"CAP": {capsuite.Definition(), "json-rpc", "capability.list"},
		"CHP": {chpsuite.Definition(), "json-rpc", "chp.capabilities"},
		"ACD": {acdsuite.Definition(), "json-rpc", "acd.registry.list"},
	} {
		t.Run(name, func(t *testing.T) {
			host := &probeHost{
				protocol: tt.protocol,
				listing:  tt.listing,
				calls:    map[string]int{},
				copies:   map[string]json.RawMessage{},
			}
			suite, err := suites.New(tt.definition)
			require.NoError(t, err)
			subject := &suites.Subject{Driver: host, Adapter: suites.Adapter{Mode: "auto"}, Seed: 1, Options: map[string]string{}}
			report, err := suites.Run(t.Context(), []*suites.Suite{suite}, subject, suites.Options{Explicit: true, Concurrency: 4})
			require.NoError(t, err)
			listed, called := map[string]bool{}, 0
			require.Len(t, probeTools(), 45)
			for _, tool := range probeTools() {
				listed[tool.id] = true
				switch count := host.calls[tool.id]; {
				case tool.changes && count > 0:
					t.Errorf("%s was called %d times", tool.id, count)
				case !tool.changes && count > 0:
					called++
				}
			}
			if called < 12 {
				t.Errorf("%d of 15 harmless tools were called, want at least 12", called)
			}
			agree(t, report, host.calls, listed)
		})
	}
}

// agree compares a report with the invocations that a host counted.
func agree(t *testing.T, report *reports.Report, counted map[string]int, listed map[string]bool) {
	t.Helper()
	own, strange, copies := map[string]int{}, 0, 0
	for id, count := range counted {
		switch {
		case listed[id]:
			own[id] = count
		case strings.HasPrefix(id, "conformance.probe."):
			copies += count
		default:
			strange += count
		}
	}
	s := report.Suites[0]
	reported := map[string]int{}
	for _, one := range s.Invoked {
		copies -= one.Copies
		if one.Capability == "" {
			strange -= one.Calls
		} else if one.Calls > 0 {
			reported[one.Capability] = one.Calls
		}
	}
	if diff := cmp.Diff(own, reported); diff != "" {
		t.Errorf("calls (-counted +reported):\n%s", diff)
	}
	if strange != 0 || copies != 0 {
		t.Errorf("the host counted %d more calls of unlisted capabilities, and %d more of copies", strange, copies)
	}
	for _, one := range s.NotInvoked {
		if own[one.Capability] > 0 {
			t.Errorf("%s is reported as not invoked, but it was", one.Capability)
		}
		if one.Reason != "" && one.Flag != live.InvokeFlag(one.Capability) {
			t.Errorf("%s: the flag is %q", one.Capability, one.Flag)
		}
	}
	all := slices.Sorted(maps.Keys(reported))
	for _, one := range s.NotInvoked {
		all = append(all, one.Capability)
	}
	if len(all) < len(listed) {
		t.Errorf("the report mentions %d of %d capabilities", len(all), len(listed))
	}
}
