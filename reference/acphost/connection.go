package acphost

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/capconform/capconform/reference/rpc"
)

// newClient returns a client that follows no redirects and uses no proxy.
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
	return h.send(ctx, http.MethodPost, address, rpc.Encode(body), "application/json")
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

// callRegistry calls an operation of the configured registry.
func (h *Host) callRegistry(ctx context.Context, operation string, params object) (object, error) {
	c := h.currentConfiguration()
	if c.Registry == "" {
		return nil, refuse("no registry is configured")
	}
	status, body, err := h.post(ctx, c.Registry+"/rpc", object{"jsonrpc": "2.0", "id": 1, "method": operation,
		"params": params})
	if err != nil {
		return nil, err
	}
	value, err := rpc.Decode(body)
	reply := objectOf(value)
	if err != nil || reply == nil {
		return nil, fmt.Errorf("acphost: the registry answers %d without JSON", status)
	}
	if fault := objectOf(reply["error"]); fault != nil {
		return nil, refuse("the registry refuses: %.200s", stringOf(fault["message"]))
	}
	return objectOf(reply["result"]), nil
}

// release closes the connections.
func (h *Host) release() {
	h.mutex.Lock()
	services := h.services
	h.services = map[string]*mcp.ClientSession{}
	h.mutex.Unlock()
	for _, session := range services {
		_ = session.Close() // a service that has stopped needs no close request
	}
	h.client.CloseIdleConnections()
}

func (h *Host) currentConfiguration() Configuration {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	return h.configuration
}

// RequestAddress sends a GET to an address.
func (h *Host) RequestAddress(ctx context.Context, address string) error {
	_, _, err := h.get(ctx, address)
	return err
}
