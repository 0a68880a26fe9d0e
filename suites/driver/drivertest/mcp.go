package drivertest

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strings"
)

var (
	oneResult = regexp.MustCompile(`^(\{"jsonrpc":"2.0","id":\$ID,)"result":([^"].*)\}$`)
	oneError  = regexp.MustCompile(
		`^(\{"jsonrpc":"2.0","id":\$ID,)"error":.*"message":(".*"),"data":\{"code":(".*")\}\}\}$`)
)

// ServeMCP answers one message as an MCP server that offers Method as a tool. Valid replies of a
// script are put into the result of the tool; others are sent unchanged.
func (h *Host) ServeMCP(ctx context.Context, message []byte, w io.Writer) error {
	var r struct {
		request
		Params struct {
			Name      string `json:"name"`
			Arguments Script `json:"arguments"`
		} `json:"params"`
	}
	if err := json.Unmarshal(message, &r); err != nil || r.ID == nil || r.Method == "" {
		return nil
	}
	answer := func(result string) error {
		_, err := fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, r.ID, result)
		return err
	}
	switch r.Method {
	case "initialize":
		return answer(`{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},` +
			`"serverInfo":{"name":"scripted","version":"1.2.3"}}`)
	case "tools/list":
		return answer(`{"tools":[{"name":"` + toolName + `","inputSchema":{"type":"object"}}]}`)
	case "tools/call":
		script := r.Params.Arguments
		script.Reply = inTool(script)
		return h.perform(ctx, script, r.request, w)
	}
	return h.perform(ctx,
		Script{Reply: `{"jsonrpc":"2.0","id":$ID,"error":{"code":-32601,"message":"no such method"}}`}, r.request, w)
}

var toolName = strings.ReplaceAll(Method, ".", "_")

func inTool(s Script) string {
	if found := oneResult.FindStringSubmatch(s.Reply); found != nil && !strings.Contains(s.Reply, `"error"`) &&
		strings.Count(s.Reply, `"result"`) == 1 {
		return found[1] + `"result":{"content":[],"structuredContent":` + found[2] + `}}`
	}
	if found := oneError.FindStringSubmatch(s.Reply); found != nil {
		return found[1] + `"result":{"isError":true,"content":[],"structuredContent":{"error":{"code":` + found[3] +
			`,"message":` + found[2] + `}}}}`
	}
	return s.Reply
}
