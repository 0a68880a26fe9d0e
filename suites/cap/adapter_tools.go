package capsuite

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites/cap/history"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/jsonvalue"
)

// The operations of MCP.
const (
	mcpList = "tools/list"
	mcpCall = "tools/call"
)

// The limits protect against a server whose pages never end.
const (
	maxPages     = 1000
	maxTools     = 25_000
	maxListBytes = 16 << 20 // bytes of all pages together
)

// listLifetime is how long a list stays valid. After that, a tool that is not in it is looked up in a
// new list before the answer is NOT_FOUND.
const listLifetime = 2 * time.Second

// tool is one tool of the server, as listed.
type tool struct {
	manifest history.Manifest
	input    any            // its inputSchema, nil if it has none
	output   any            // its outputSchema
	listed   map[string]any // every member as listed, for the invoke policy; nil if it is not an object
}

// latestTools is the latest list.
type latestTools struct {
	mu     sync.Mutex
	at     time.Time
	seen   []tool
	listed map[string][]map[string]any // the tools as objects, by name

	tooMany error // the list is beyond capconform's limits: it is not read again
}

// listError returns the error after which the list is not read again. If err is not nil, beyond stores
// it.
func (l *latestTools) listError(err error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err != nil {
		l.tooMany = err
	}
	return l.tooMany
}

// list reads every page and makes manifests from the tools, including those that are listed twice
// or have a broken schema: they are findings.
func (s *toolSession) list(ctx context.Context) (driver.Answer, error) {
	var tools []tool
	var answer driver.Answer
	var size int
	if err := s.latest.listError(nil); err != nil {
		return driver.Answer{}, err
	}
	cursors := map[string]bool{"": true}
	for cursor := ""; ; {
		params := map[string]any{}
		if cursor != "" {
			params["cursor"] = cursor
		}
		page, err := s.Session.Call(ctx, driver.Operation{Name: mcpList, Params: jsonvalue.Encode(params), List: true})
		if err != nil {
			return driver.Answer{}, err
		}
		answer = page
		if noTools(page) {
			break
		}
		listed, next, ok := s.read(page)
		if !ok {
			return page, nil // the suite judges it
		}
		tools = append(tools, listed...)
		if next == "" || cursors[next] {
			break
		}
		if size += len(page.Result); len(cursors) > maxPages || len(tools) > maxTools || size > maxListBytes {
			detail := fmt.Sprintf("the tools go on after %d pages with %d tools in %d bytes", len(cursors), len(tools), size)
			return driver.Answer{}, s.latest.listError(&driver.CallError{Kind: driver.ErrTooLarge, Detail: detail,
				Exchange: page.Exchange})
		}
		cursors[next], cursor = true, next
	}
	s.latest.keep(tools)
	manifests := make([]history.Manifest, 0, len(tools))
	for _, t := range tools {
		manifests = append(manifests, t.manifest)
	}
	answer.Outcome, answer.Error, answer.Result = driver.Returned, nil, jsonvalue.Encode(manifests)
	return answer, nil
}

// noTools reports whether the server has no tools: without the tools capability, there is no
// operation to list them.
func noTools(page driver.Answer) bool { return page.Outcome == driver.NotProvided }

// read reads one page; ok is false if it is not a list of tools.
func (s *toolSession) read(page driver.Answer) (tools []tool, next string, ok bool) {
	if page.Outcome != driver.Returned {
		return nil, "", false
	}
	value, err := schemas.Decode(page.Result, schemas.Limits{Size: len(page.Result) + 1})
	if err != nil {
		return nil, "", false
	}
	result, _ := value.(map[string]any)
	items, ok := result["tools"].([]any)
	if !ok {
		return nil, "", false
	}
	for _, item := range items {
		tools = append(tools, s.toolOf(item))
	}
	next, _ = result["nextCursor"].(string)
	return tools, next, true
}

// toolOf maps the members of a tool. Annotations and execution remain as custom members.
func (s *toolSession) toolOf(item any) tool {
	t, isObject := item.(map[string]any)
	if !isObject {
		return tool{manifest: history.Manifest{history.MemberID: item, history.MemberVersion: s.version}}
	}
	hints, _ := t["annotations"].(map[string]any)
	m := history.Manifest{
		history.MemberID: t["name"], history.MemberVersion: s.version, history.MemberKind: history.KindTool,
		history.MemberName:        firstPresent(t["title"], hints["title"], t["name"]),
		history.MemberDescription: firstPresent(t["description"], ""),
		history.MemberOutput:      enveloped(t["outputSchema"]), history.MemberPrompt: nil, history.MemberResources: nil,
		history.MemberPermissions: nil,
	}
	if input, has := t["inputSchema"]; has {
		m[history.MemberInput] = input
	}
	for _, extra := range []string{"annotations", "execution"} {
		if t[extra] != nil {
			m[extra] = t[extra]
		}
	}
	return tool{manifest: m, input: t["inputSchema"], output: t["outputSchema"], listed: t}
}

// enveloped wraps an output schema that does not describe an object, since the output of CAP is an
// object: the value is then the member "value", as in the output.
func enveloped(schema any) any {
	declared, isObject := schema.(map[string]any)
	if !isObject || describesObject(schema) {
		return schema
	}
	inner := map[string]any{}
	outer := map[string]any{"type": "object", "required": []any{"value"}, "properties": map[string]any{"value": inner}}
	for name, v := range declared {
		if name == "$schema" || name == "$defs" || name == "definitions" {
			outer[name] = v
			continue
		}
		inner[name] = v
	}
	return outer
}

// describesObject reports whether an output schema describes an object: by its type, or by its
// properties if it has no type. Without a schema, an object needs no envelope.
func describesObject(schema any) bool {
	declared, isObject := schema.(map[string]any)
	if !isObject {
		return true
	}
	if declared["type"] == nil {
		return declared["properties"] != nil || declared["required"] != nil || len(declared) == 0
	}
	return declared["type"] == "object"
}

func firstPresent(values ...any) any {
	i := slices.IndexFunc(values, func(v any) bool { return v != nil })
	if i < 0 {
		return nil
	}
	return values[i]
}

func (l *latestTools) keep(tools []tool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.seen, l.at, l.listed = tools, time.Now(), map[string][]map[string]any{}
	for _, t := range tools {
		if id, named := t.manifest[history.MemberID].(string); named && t.listed != nil {
			l.listed[id] = append(l.listed[id], t.listed)
		}
	}
}

// find looks a pair up by exact match.
func (l *latestTools) find(r history.Ref) (tool, time.Time, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, t := range l.seen {
		if t.manifest[history.MemberID] == r.ID && t.manifest[history.MemberVersion] == r.Version {
			return t, l.at, true
		}
	}
	return tool{}, l.at, false
}

// declarations returns the members of each tool with an id, as listed. They are more than the manifest
// contains, such as _meta.
func (l *latestTools) declarations(id string) map[string]any {
	l.mu.Lock()
	defer l.mu.Unlock()
	all := map[string]any{}
	for i, members := range l.listed[id] {
		all[fmt.Sprintf("tool %d", i)] = members
	}
	return all
}

// lookUp reads the list once more before it reports that a pair does not exist.
func (s *toolSession) lookUp(ctx context.Context, r history.Ref) (tool, bool, error) {
	t, at, found := s.latest.find(r)
	if found || time.Since(at) < listLifetime {
		return t, found, nil
	}
	if _, err := s.list(ctx); err != nil {
		return tool{}, false, err
	}
	t, _, found = s.latest.find(r)
	return t, found, nil
}

func (s *toolSession) describe(ctx context.Context, op driver.Operation) (driver.Answer, error) {
	var r history.Ref
	if err := json.Unmarshal(op.Params, &r); err != nil {
		return refusal(history.InvalidInput, "no CapabilityRef"), nil
	}
	t, found, err := s.lookUp(ctx, r)
	if err != nil {
		return driver.Answer{}, err
	}
	if !found {
		return refusal(history.NotFound, "the server lists no such tool"), nil
	}
	return driver.Answer{Outcome: driver.Returned, Provided: "the adapter", Result: jsonvalue.Encode(t.manifest)}, nil
}
