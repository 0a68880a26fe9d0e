package acpsuite

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
)

// bySDK is a driver that uses the client of the official SDK, which shares nothing with this project.
type bySDK struct{ url string }

func (d bySDK) Target() driver.Target { return driver.Target{Driver: "mcp", Address: d.url} }

func (d bySDK) Open(ctx context.Context) (driver.Session, error) {
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	connected, err := client.Connect(
		ctx,
		&mcp.StreamableClientTransport{Endpoint: d.url, DisableStandaloneSSE: true},
		nil,
	)
	if err != nil {
		return nil, &driver.CallError{Kind: driver.ErrUnreachable, Detail: err.Error()}
	}
	listed, err := connected.ListTools(ctx, nil)
	if err != nil {
		return nil, errors.Join(err, connected.Close())
	}
	s := sdkSession{ClientSession: connected}
	for _, tool := range listed.Tools {
		s.tools = append(s.tools, tool.Name)
	}
	return s, nil
}

type sdkSession struct {
	*mcp.ClientSession
	tools []string
}

func (s sdkSession) Info() driver.Info {
	return driver.Info{Binding: "MCP by the official SDK", Protocol: "mcp", Operations: s.tools}
}

func (s sdkSession) Call(ctx context.Context, op driver.Operation) (driver.Answer, error) {
	tool := strings.ReplaceAll(op.Name, ".", "_")
	answer := driver.Answer{Exchange: driver.Exchange{Operation: op.Name}}
	if !slices.Contains(s.tools, tool) {
		answer.Outcome, answer.Error = driver.NotProvided, &driver.ProtocolError{Message: "no such tool"}
		return answer, nil
	}
	params := op.Params
	if params == nil {
		params = json.RawMessage(`{}`)
	}
	result, err := s.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: params})
	if err != nil {
		return answer, &driver.CallError{Kind: driver.ErrClosed, Detail: err.Error()}
	}
	text := ""
	if len(result.Content) > 0 {
		if block, ok := result.Content[0].(*mcp.TextContent); ok {
			text = block.Text
		}
	}
	switch {
	case result.IsError:
		answer.Outcome, answer.Error = driver.Refused, &driver.ProtocolError{Message: text}
	case result.StructuredContent != nil:
		answer.Result, err = json.Marshal(result.StructuredContent)
	default:
		answer.Result = json.RawMessage(text)
	}
	return answer, err
}

func TestIndexWithOfficialClient(t *testing.T) {
	_, url := indexAt(t, (*service).offerNamed, (*service).offerConfigure)
	got, reasons := indexStatuses(t, &suites.Subject{Driver: bySDK{url}})
	delete(got, "ACP-INDEX-03")
	if diff := cmp.Diff(all(reports.Passed, nil), got); diff != "" {
		t.Errorf("(-want +got)\n%s%v", diff, reasons)
	}
}
