package capmutant_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reference"
)

// toolServer is an MCP server whose answers count the calls and repeat their arguments.
func toolServer(t *testing.T) string {
	t.Helper()
	server := mcp.NewServer(&mcp.Implementation{Name: "tools", Version: "1.0.0"}, nil)
	var calls atomic.Int64
	for name, schema := range map[string]string{
		"a_repeat": `{"type":"object","properties":{"text":{"type":"string"},"times":{"type":"integer"}},"required":["text"]}`,
		"b_locate": `{"type":"object","properties":{"point":{"type":"string"}},"required":["point"]}`,
		"c_fail":   `{"type":"object"}`,
	} {
		server.AddTool(&mcp.Tool{Name: name, Description: "Describes.", InputSchema: json.RawMessage(schema)},
			func(_ context.Context, request *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				reply := fmt.Sprintf("call %d of %s with %s", calls.Add(1), name, request.Params.Arguments)
				return &mcp.CallToolResult{
					IsError: name == "c_fail",
					Content: []mcp.Content{&mcp.TextContent{Text: reply}},
				}, nil
			})
	}
	front := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server },
		&mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true}))
	t.Cleanup(front.Close)
	return front.URL
}

// skillFolder is a folder of two skills.
func skillFolder(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	for name, text := range map[string]string{
		"a-outline/SKILL.md":          "---\nname: a-outline\ndescription: Describes outlines.\nallowed-tools: Read\n---\n\nFirst.\n\nLast.\n",
		"a-outline/references/one.md": "One.\n",
		"b-summary/SKILL.md":          "---\nname: b-summary\ndescription: Describes summaries.\n---\n\nSay it.\n",
	} {
		path := filepath.Join(folder, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	return folder
}

// attachedAnswers returns the answers of a host while both kinds of source are attached to it, one after the other.
func attachedAnswers(t *testing.T, alter func(*reference.Parts)) []string {
	t.Helper()
	host, err := reference.New(reference.Options{Alter: func(parts *reference.Parts) {
		parts.CAP.Now = func() time.Time { return time.Time{} }
		if alter != nil {
			alter(parts)
		}
	}})
	require.NoError(t, err)
	p := &probe{host: host}
	invoke := func(id, input string) {
		p.call("describe", fmt.Sprintf(`{"capability_id":%q,"version":"1.0.0"}`, id))
		p.invoke(id, "1.0.0", input)
	}
	p.attachOne("mcp", toolServer(t))
	invoke("attached.a_repeat", `{"text":"a","times":2}`)
	invoke("attached.a_repeat", `{"text":7}`)
	invoke("attached.b_locate", `{"point":"here"}`)
	invoke("attached.c_fail", `{}`)
	p.attachOne("skills", skillFolder(t))
	invoke("attached.a-outline", `{}`)
	invoke("attached.b-summary", `{}`)
	p.invoke("conformance.attach", "1.0.0", `{}`)
	return p.answers
}

// attachOne omits the address of the source from the recorded call, because it varies.
func (p *probe) attachOne(member, place string) {
	const request = `{"ref":{"capability_id":"conformance.attach","version":"1.0.0"},"input":{%q:%q}}`
	p.answers = append(p.answers, "attach "+member+" -> "+p.ask("invoke", fmt.Sprintf(request, member, place)))
	p.call("list", "{}")
}
