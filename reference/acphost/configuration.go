package acphost

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/capconform/capconform/reference/rpc"
)

// patience is how long a tool or the model may take where nothing else is configured.
const patience = 20 * time.Second

// maxBody bounds what is read of a response.
const maxBody = 8 << 20

// Configuration says where everything is that the host talks to. Addresses have
// no trailing slash; empty ones are not configured.
type Configuration struct {
	Gateway, Resolver, LLM, Registry string
	// Services are the endpoints of service URIs and agents.
	Services map[string]string
	// Patience is how long a tool or the model may take.
	Patience time.Duration
}

// readConfiguration reads the params of acp.configure.
func readConfiguration(params object) (Configuration, error) {
	c := Configuration{Services: map[string]string{}, Patience: patience}
	for name, into := range map[string]*string{"gateway": &c.Gateway, "resolver": &c.Resolver, "llm": &c.LLM,
		"registry": &c.Registry} {
		if params[name] == nil {
			continue
		}
		address, err := url.Parse(word(params[name]))
		if err != nil || address.Scheme != "http" && address.Scheme != "https" || address.Host == "" {
			return c, refuse("%s is no URL of http or https", name)
		}
		*into = strings.TrimSuffix(address.String(), "/")
	}
	for uri, endpoint := range members(params["services"]) {
		c.Services[uri] = word(endpoint)
	}
	if milliseconds, given := whole(members(params["timeouts"])["capability_ms"]); given && milliseconds > 0 {
		c.Patience = time.Duration(milliseconds) * time.Millisecond
	}
	return c, nil
}

// configure takes the values of the harness. Where they differ from those that
// the store knows, what hangs on the old ones is forgotten; objects stay.
func (h *Host) configure(_ context.Context, params object) (any, error) {
	c, err := readConfiguration(params)
	if err != nil {
		return nil, err
	}
	h.release()
	known := rpc.Append(nil, map[string]any{"gateway": c.Gateway, "registry": c.Registry, "llm": c.LLM})
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.configuration, h.models, h.index = c, nil, newIndex()
	changed, err := h.Store.Settle(known)
	if err != nil {
		return nil, err
	}
	if changed {
		h.conversations, h.packages = map[string]*Conversation{}, nil
	} else if err := h.remount(); err != nil {
		return nil, err
	}
	return object{"supports": []any{"authors", "timeouts"}}, nil
}

// remount reads the packages of the store, which were verified when they came.
func (h *Host) remount() error {
	if h.packages != nil {
		return nil
	}
	var err error
	h.packages, err = h.Store.Packages(h.Read)
	return err
}

func (h *Host) configured() Configuration {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	return h.configuration
}

// newClient makes a client that follows no redirect and uses no proxy.
func newClient() *http.Client {
	dialer := &net.Dialer{Timeout: 5 * time.Second}
	return &http.Client{
		Transport: &http.Transport{DialContext: dialer.DialContext, MaxIdleConnsPerHost: 8,
			IdleConnTimeout: 30 * time.Second},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

func (h *Host) get(ctx context.Context, address string) (int, []byte, error) {
	return h.send(ctx, http.MethodGet, address, nil, "")
}

func (h *Host) post(ctx context.Context, address string, body any) (int, []byte, error) {
	return h.send(ctx, http.MethodPost, address, rpc.Append(nil, body), "application/json")
}

func (h *Host) send(ctx context.Context, method, address string, body []byte, kind string) (int, []byte, error) {
	request, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(body))
	if err != nil {
		return 0, nil, fmt.Errorf("acphost: %w", err)
	}
	if kind != "" {
		request.Header.Set("Content-Type", kind)
	}
	response, err := h.client.Do(request)
	if err != nil {
		return 0, nil, fmt.Errorf("acphost: %w", err)
	}
	defer response.Body.Close() // it was read
	content, err := io.ReadAll(io.LimitReader(response.Body, maxBody+1))
	if err == nil && len(content) > maxBody {
		err = errors.New("the body is over 8 MiB")
	}
	if err != nil {
		return 0, nil, fmt.Errorf("acphost: %w", err)
	}
	return response.StatusCode, content, nil
}

// ask calls an operation of the configured registry.
func (h *Host) askRegistry(ctx context.Context, operation string, params object) (object, error) {
	c := h.configured()
	if c.Registry == "" {
		return nil, refuse("no registry is configured")
	}
	status, body, err := h.post(ctx, c.Registry+"/rpc", object{"jsonrpc": "2.0", "id": 1, "method": operation,
		"params": params})
	if err != nil {
		return nil, err
	}
	value, err := rpc.Decode(body)
	reply := members(value)
	if err != nil || reply == nil {
		return nil, fmt.Errorf("acphost: the registry answers %d without JSON", status)
	}
	if fault := members(reply["error"]); fault != nil {
		return nil, refuse("the registry refuses: %.200s", word(fault["message"]))
	}
	return members(reply["result"]), nil
}

// session gives a session with an MCP service, which is kept.
func (h *Host) session(ctx context.Context, endpoint string) (*mcp.ClientSession, error) {
	h.mutex.Lock()
	kept := h.services[endpoint]
	h.mutex.Unlock()
	if kept != nil {
		return kept, nil
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "capconform-reference", Version: "1.0.0"}, nil)
	transport := &mcp.StreamableClientTransport{Endpoint: endpoint, HTTPClient: h.client, MaxRetries: -1,
		DisableStandaloneSSE: true}
	made, err := client.Connect(ctx, transport, nil)
	if err != nil {
		return nil, fmt.Errorf("acphost: service: %w", err)
	}
	h.mutex.Lock()
	kept = h.services[endpoint]
	if kept == nil {
		h.services[endpoint] = made
	}
	h.mutex.Unlock()
	if kept != nil { // another turn was faster
		_ = made.Close()
		return kept, nil
	}
	return made, nil
}

// forget lets go of a session that failed.
func (h *Host) forget(endpoint string, session *mcp.ClientSession) {
	h.mutex.Lock()
	if h.services[endpoint] == session {
		delete(h.services, endpoint)
	}
	h.mutex.Unlock()
	_ = session.Close()
}

// refuse is the error for what the host does not do.
func refuse(format string, args ...any) error {
	return rpc.Refuse("REFUSED", fmt.Sprintf(format, args...))
}

func contains(all []string, one string) bool {
	for _, text := range all {
		if text == one {
			return true
		}
	}
	return false
}
