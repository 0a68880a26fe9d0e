package mcpdriver

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/capconform/capconform/suites/driver"
)

// ModernVersion is the first revision of MCP without a handshake: each request carries its version (MCP 2026-07-28,
// basic/versioning).
const ModernVersion = "2026-07-28"

const (
	metaPrefix         = "io.modelcontextprotocol/"
	unsupportedVersion = -32022 // UnsupportedProtocolVersionError
	maxRounds          = 3      // of one request for which a server wants input
)

// modern is a wire whose requests carry the metadata of ModernVersion.
type modern struct{ wire }

// Negotiated implements wire. There is no handshake that a repeated request must follow.
func (m modern) Negotiated(string, ...[]byte) {}

// Listen implements wire. A server of this revision sends no requests.
func (m modern) Listen() {}

// Request implements wire. It declines the input that a server wants (MCP 2026-07-28, basic/patterns/mrtr), except for
// a method of MCP, whose caller sees each answer.
func (m modern) Request(ctx context.Context, op driver.Operation) (driver.Answer, error) {
	params := map[string]json.RawMessage{}
	if len(op.Params) > 0 {
		if err := json.Unmarshal(op.Params, &params); err != nil {
			return driver.Answer{}, &driver.CallError{Kind: driver.ErrConfiguration, Detail: "the params are not an object"}
		}
	}
	own := params["_meta"]
	meta, err := withMetadata(own)
	if err != nil {
		return driver.Answer{}, &driver.CallError{Kind: driver.ErrConfiguration, Detail: "_meta is not an object"}
	}
	params["_meta"] = meta
	for round := 1; ; round++ {
		encoded, err := json.Marshal(params)
		if err != nil {
			return driver.Answer{}, fmt.Errorf("mcpdriver: %w", err)
		}
		once := op
		once.Params = encoded
		answer, err := m.wire.Request(ctx, once)
		answer.Exchange.Params = withoutMetadata(answer.Exchange.Params, own)
		if err != nil {
			return answer, err
		}
		wanted, is := inputWanted(answer)
		if !is || op.Method {
			return answer, nil
		}
		if params["inputResponses"], is = wanted.declined(); !is || round == maxRounds {
			return driver.Answer{}, &driver.CallError{Kind: driver.ErrTooLarge, Exchange: answer.Exchange,
				Detail: "the server wants input of a user or a model, which capconform declines"}
		}
		delete(params, "requestState")
		if wanted.RequestState != nil {
			params["requestState"] = wanted.RequestState
		}
	}
}

// metadata returns the metadata of each request. It declares no capabilities: a server must not request input.
func metadata() map[string]json.RawMessage {
	return map[string]json.RawMessage{
		metaPrefix + "protocolVersion":    json.RawMessage(`"` + ModernVersion + `"`),
		metaPrefix + "clientInfo":         json.RawMessage(`{"name":"capconform","version":"1"}`),
		metaPrefix + "clientCapabilities": json.RawMessage(`{}`),
	}
}

// withMetadata returns the metadata of a request. That of the caller takes precedence.
func withMetadata(own json.RawMessage) (json.RawMessage, error) {
	all := metadata()
	if len(own) > 0 {
		if err := json.Unmarshal(own, &all); err != nil {
			return nil, err
		}
	}
	return json.Marshal(all)
}

// withoutMetadata returns the params of an operation without the metadata that the caller did not give.
func withoutMetadata(params, own json.RawMessage) json.RawMessage {
	var members, meta, given map[string]json.RawMessage
	if json.Unmarshal(params, &members) != nil || json.Unmarshal(members["_meta"], &meta) != nil {
		return params
	}
	_ = json.Unmarshal(own, &given) // without it, nothing was given
	for name := range metadata() {
		if given[name] == nil {
			delete(meta, name)
		}
	}
	if delete(members, "_meta"); given != nil {
		members["_meta"], _ = json.Marshal(meta) // it was read from JSON
	}
	rest, err := json.Marshal(members)
	if err != nil {
		return params
	}
	return rest
}

// inputRequired is an InputRequiredResult.
type inputRequired struct {
	ResultType    string `json:"resultType"`
	InputRequests map[string]struct {
		Method string `json:"method"`
	} `json:"inputRequests"`
	RequestState json.RawMessage `json:"requestState"`
}

// inputWanted reads the result of a server that wants input before it completes a request.
func inputWanted(a driver.Answer) (wanted inputRequired, is bool) {
	is = a.Outcome == driver.Returned && json.Unmarshal(a.Result, &wanted) == nil && wanted.ResultType == "input_required"
	return wanted, is
}

// declined returns the inputResponses that decline everything. Only an elicitation can be declined.
func (w inputRequired) declined() (json.RawMessage, bool) {
	responses := map[string]any{}
	for key, request := range w.InputRequests {
		if request.Method != "elicitation/create" {
			return nil, false
		}
		responses[key] = map[string]string{"action": "decline"}
	}
	encoded, err := json.Marshal(responses)
	return encoded, err == nil
}

// discover makes a session with a server of ModernVersion. The error contains ErrNoMCP if the answer is not one of
// such a server.
func discover(ctx context.Context, w wire, options Options) (driver.Session, error) {
	m := w.Modern()
	answer, err := m.Request(ctx, driver.Operation{Name: "server/discover"})
	if err != nil {
		return nil, unreachable(err)
	}
	var result struct {
		SupportedVersions []string                   `json:"supportedVersions"`
		Capabilities      map[string]json.RawMessage `json:"capabilities"`
		Meta              map[string]json.RawMessage `json:"_meta"`
	}
	failed := func(detail string) error {
		return &driver.CallError{Kind: driver.ErrUnreachable, Detail: detail, Exchange: answer.Exchange}
	}
	if answer.Error != nil && answer.Error.Number == unsupportedVersion {
		return nil, failed("server/discover: " + answer.Error.Message + ": " + supportedIn(answer.Error.Data) +
			"; capconform speaks " + ModernVersion + " and earlier")
	}
	err = json.Unmarshal(answer.Result, &result)
	if answer.Outcome != driver.Returned || err != nil || len(result.SupportedVersions) == 0 {
		return nil, fmt.Errorf("%w: %w", ErrNoMCP,
			failed(invalidAnswer("server/discover", answer, "the result lacks supportedVersions")))
	}
	if !slices.Contains(result.SupportedVersions, ModernVersion) {
		return nil, failed(fmt.Sprintf("server/discover: the server supports %q, but not %s", result.SupportedVersions,
			ModernVersion))
	}
	peer := initialized{ProtocolVersion: ModernVersion, Capabilities: result.Capabilities}
	_ = json.Unmarshal(result.Meta[metaPrefix+"serverInfo"], &peer.ServerInfo) // without it, the server has no name
	return begin(ctx, m, peer, options, answer)
}

// supportedIn returns the versions in the data of an UnsupportedProtocolVersionError.
func supportedIn(data json.RawMessage) string {
	var versions struct {
		Supported []string `json:"supported"`
	}
	_ = json.Unmarshal(data, &versions)
	return fmt.Sprintf("the server supports %q", versions.Supported)
}
