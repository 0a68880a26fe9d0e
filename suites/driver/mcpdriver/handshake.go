package mcpdriver

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/jsonrpc"
)

const (
	maxPages = 1000
	maxTools = 25_000
)

// initializeParams is the first message of a client. It declares no capabilities: a server must not send
// requests during a call.
func initializeParams(version string) json.RawMessage {
	return fmt.Appendf(nil, `{"protocolVersion":%q,"capabilities":{},"clientInfo":{"name":"capconform","version":"1"}}`,
		version)
}

// handshake makes a session from a wire. A server that rejects initialize may have only a revision without a
// handshake. A server that has both is addressed as before that revision, so that every server that accepts
// initialize is examined in the same way; with Newest, it is addressed in that revision.
func handshake(ctx context.Context, w wire, options Options) (driver.Session, error) {
	if options.Version != "" {
		return inVersion(ctx, w, options)
	}
	if options.Newest {
		session, err := newest(ctx, w, options)
		if session != nil || !w.Alive() || ctx.Err() != nil {
			return session, err
		}
		w.Legacy()
	}
	session, err := initialize(ctx, w, options)
	if err == nil || !errors.Is(err, ErrNoMCP) || !w.Alive() {
		return session, err
	}
	session, failed := discover(ctx, w, options)
	if failed == nil || !errors.Is(failed, ErrNoMCP) && w.Alive() {
		return session, failed
	}
	w.Legacy()
	return nil, err
}

// inVersion makes a session in the only version to speak. A server of another one answers something else, or ends.
func inVersion(ctx context.Context, w wire, options Options) (driver.Session, error) {
	begin := initialize
	if options.Version == ModernVersion {
		begin = discover
	}
	session, err := begin(ctx, w, options)
	var failed *driver.CallError
	if errors.As(err, &failed) && (len(failed.Exchange.Received) > 0 || !w.Alive()) && ctx.Err() == nil {
		return nil, &versionError{err}
	}
	return session, err
}

// newestPart is the part of the time for the handshake in which a server must answer server/discover. One of an earlier
// revision may be silent until the handshake.
const newestPart = 3

// newest makes a session in ModernVersion, if the server speaks it.
func newest(ctx context.Context, w wire, options Options) (driver.Session, error) {
	if until, bounded := ctx.Deadline(); bounded {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Until(until)/newestPart)
		defer cancel()
	}
	return discover(ctx, w, options)
}

// initialize makes a session with a server of a revision before ModernVersion.
func initialize(ctx context.Context, w wire, options Options) (driver.Session, error) {
	version := cmp.Or(options.Version, Version)
	answer, err := w.Request(ctx, driver.Operation{Name: "initialize", Params: initializeParams(version)})
	if err != nil {
		return nil, unreachable(err)
	}
	var peer initialized
	err = json.Unmarshal(answer.Result, &peer)
	if answer.Outcome != driver.Returned || err != nil || peer.ProtocolVersion == "" || peer.Capabilities == nil {
		failed := fmt.Errorf("%w: %w", ErrNoMCP, &driver.CallError{Kind: driver.ErrUnreachable, Exchange: answer.Exchange,
			Detail: invalidAnswer("initialize", answer, "the result lacks protocolVersion or capabilities")})
		if answer.Outcome == driver.Malformed {
			return nil, &MalformedError{Defect: answer.Defect, Received: answer.Exchange.Received, failed: failed}
		}
		return nil, failed
	}
	if options.Version != "" && peer.ProtocolVersion != options.Version {
		return nil, &driver.CallError{Kind: driver.ErrUnreachable, Exchange: answer.Exchange,
			Detail: fmt.Sprintf("initialize: the server answers with the version %q, not %q", peer.ProtocolVersion,
				options.Version)}
	}
	note, err := jsonrpc.Notification("notifications/initialized", nil)
	if err != nil {
		return nil, fmt.Errorf("mcpdriver: %w", err)
	}
	w.Negotiated(peer.ProtocolVersion, answer.Exchange.Sent, note)
	if err := w.Notify(ctx, "notifications/initialized", nil); err != nil {
		return nil, unreachable(err)
	}
	return begin(ctx, w, peer, options, answer)
}

// begin makes a session with a server whose version is known, and lists the tools of the server.
func begin(ctx context.Context, w wire, peer initialized, options Options, answer driver.Answer) (driver.Session,
	error) {
	w.Listen()
	s := &session{wire: w, peer: peer, tools: []string{}, bindings: options.Bindings, handshake: answer,
		connect: options.connect}
	if _, has := peer.Capabilities["tools"]; has {
		if err := s.list(ctx); err != nil {
			return nil, unreachable(err)
		}
	}
	s.operations = options.Mode == Operations ||
		options.Mode != Adapter && (len(s.mapped()) > 0 || slices.ContainsFunc(options.Operations, s.offers))
	return s, nil
}

// invalidAnswer says what is wrong with the answer to a request of the handshake. The text lacks is for a result that
// is not the expected one.
func invalidAnswer(request string, a driver.Answer, lacks string) string {
	what := a.Outcome.String()
	switch {
	case a.Outcome == driver.Malformed:
		what += ": " + a.Defect
	case a.Error != nil:
		what += ": " + a.Error.Message
	case a.Outcome == driver.Returned:
		what = lacks
	}
	if a.Exchange.Status >= 300 {
		what += fmt.Sprintf(" (status %d)", a.Exchange.Status)
	}
	return request + ": " + what
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
