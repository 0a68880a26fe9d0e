package mcpdriver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/jsonrpc"
)

const (
	maxPages = 1000
	maxTools = 25_000
)

// initializeParams is the first message of a client. It declares no capabilities: a server must not send
// requests during a call.
const initializeParams = `{"protocolVersion":"` + Version + `","capabilities":{},"clientInfo":{"name":"capconform","version":"1"}}`

// handshake makes a session from a wire.
func handshake(ctx context.Context, w wire, options Options) (driver.Session, error) {
	answer, err := w.Request(ctx, driver.Operation{Name: "initialize", Params: json.RawMessage(initializeParams)})
	if err != nil {
		return nil, unreachable(err)
	}
	var peer initialized
	err = json.Unmarshal(answer.Result, &peer)
	if answer.Outcome != driver.Returned || err != nil || peer.ProtocolVersion == "" || peer.Capabilities == nil {
		failed := fmt.Errorf("%w: %w", ErrNoMCP,
			&driver.CallError{Kind: driver.ErrUnreachable, Detail: invalidAnswer(answer), Exchange: answer.Exchange})
		if answer.Outcome == driver.Malformed {
			return nil, &MalformedError{Defect: answer.Defect, Received: answer.Exchange.Received, failed: failed}
		}
		return nil, failed
	}
	note, err := jsonrpc.Notification("notifications/initialized", nil)
	if err != nil {
		return nil, fmt.Errorf("mcpdriver: %w", err)
	}
	w.Negotiated(peer.ProtocolVersion, answer.Exchange.Sent, note)
	if err := w.Notify(ctx, "notifications/initialized", nil); err != nil {
		return nil, unreachable(err)
	}
	w.Listen()
	s := &session{wire: w, peer: peer, tools: []string{}, bindings: options.Bindings}
	if _, has := peer.Capabilities["tools"]; has {
		if err := s.list(ctx); err != nil {
			return nil, unreachable(err)
		}
	}
	s.operations = options.Mode == Operations ||
		options.Mode != Adapter && (len(s.mapped()) > 0 || slices.ContainsFunc(options.Operations, s.offers))
	return s, nil
}

func invalidAnswer(a driver.Answer) string {
	what := a.Outcome.String()
	switch {
	case a.Outcome == driver.Malformed:
		what += ": " + a.Defect
	case a.Error != nil:
		what += ": " + a.Error.Message
	case a.Outcome == driver.Returned:
		what = "the result lacks protocolVersion or capabilities"
	}
	if a.Exchange.Status >= 300 {
		what += fmt.Sprintf(" (status %d)", a.Exchange.Status)
	}
	return "initialize: " + what
}

// unreachable turns every failure before the session exists into ErrUnreachable, except those of
// the harness itself.
func unreachable(err error) error {
	var failed *driver.CallError
	if !errors.As(err, &failed) {
		return err
	}
	for _, ours := range []error{driver.ErrConfiguration, driver.ErrCancelled, driver.ErrUnreachable} {
		if errors.Is(failed, ours) {
			return failed
		}
	}
	return &driver.CallError{Kind: driver.ErrUnreachable, Detail: "in the handshake: " + failed.Error(),
		Exchange: failed.Exchange}
}

// list reads the names of all tools. It ends at an invalid page: the suite requests the list again
// and finds the defect.
func (s *session) list(ctx context.Context) error {
	seen := map[string]bool{}
	params := json.RawMessage("{}")
	for range maxPages {
		op := driver.Operation{Name: "tools/list", Params: params, List: true}
		answer, err := s.wire.Request(ctx, op)
		if err == nil {
			answer, err = jsonrpc.Within(s.wire.Limits(), op, answer)
		}
		switch {
		case errors.Is(err, driver.ErrTooLarge):
			s.warn("tools/list exceeds the limits of capconform")
			return nil
		case err != nil:
			return err
		}
		var page struct {
			Tools      []json.RawMessage `json:"tools"`
			NextCursor *string           `json:"nextCursor"`
		}
		if answer.Outcome != driver.Returned || json.Unmarshal(answer.Result, &page) != nil {
			s.warn("tools/list can't be read")
			return nil
		}
		s.tools = append(s.tools, namesOf(page.Tools)...)
		if page.NextCursor == nil {
			return nil
		}
		if len(s.tools) > maxTools {
			s.warn(fmt.Sprintf("tools/list continues after %d tools", len(s.tools)))
			return nil
		}
		if seen[*page.NextCursor] {
			s.warn("tools/list returns the same cursor again")
			return nil
		}
		seen[*page.NextCursor] = true
		if params, err = json.Marshal(map[string]string{"cursor": *page.NextCursor}); err != nil {
			return fmt.Errorf("mcpdriver: %w", err)
		}
	}
	s.warn(fmt.Sprintf("tools/list has more than %d pages", maxPages))
	return nil
}

// namesOf returns the names of those tools that have one.
func namesOf(tools []json.RawMessage) []string {
	var names []string
	for _, raw := range tools {
		var tool struct {
			Name string `json:"name"`
		}
		if json.Unmarshal(raw, &tool) == nil && tool.Name != "" {
			names = append(names, tool.Name)
		}
	}
	return names
}

func (s *session) warn(what string) { s.warnings = append(s.warnings, what) }
