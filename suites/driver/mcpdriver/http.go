package mcpdriver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/httpdriver"
	"github.com/capconform/capconform/suites/driver/jsonrpc"
)

const (
	maxResumptions = 16
	defaultRetry   = time.Second
)

// overHTTP is the wire of streamable HTTP: one POST per message, and a stream by GET for requests
// of the server outside of calls.
type overHTTP struct {
	httpSession

	config httpdriver.Config
	nextID atomic.Int64
	life   context.Context
	end    context.CancelFunc
	once   sync.Once
	stale  atomic.Bool
	heard  *driver.Hearing

	mu      sync.Mutex     // guards the end of life
	running sync.WaitGroup // what runs concurrently with the calls
}

func connectHTTP(ctx context.Context, config httpdriver.Config) (wire, error) {
	client, err := httpdriver.NewClient(config)
	if err != nil {
		return nil, err
	}
	if err := client.Reach(ctx); err != nil {
		return nil, err
	}
	config.Limits = config.Limits.WithDefaults()
	life, end := context.WithCancel(context.Background())
	return &overHTTP{httpSession: httpSession{client: client}, config: config, life: life, end: end,
		heard: &driver.Hearing{}}, nil
}

// Name implements wire.
func (h *overHTTP) Name() string { return "streamable HTTP" }

// Noise implements wire. There is none over HTTP.
func (h *overHTTP) Noise() driver.Noise { return driver.Noise{} }

// Modern implements wire.
func (h *overHTTP) Modern() wire {
	h.modern()
	return modern{h}
}

// Warnings implements wire.
func (h *overHTTP) Warnings() []string { return nil }

// Limits implements wire.
func (h *overHTTP) Limits() driver.Limits { return h.config.Limits }

// Alive implements wire.
func (h *overHTTP) Alive() bool { return h.life.Err() == nil && !h.stale.Load() }

// Close ends the session at the server too.
func (h *overHTTP) Close() error {
	h.once.Do(func() {
		h.mu.Lock()
		h.end()
		h.mu.Unlock()
		h.running.Wait() // a request after Close would keep a connection
		ctx, cancel := context.WithTimeout(context.Background(), noticeTime)
		defer cancel()
		if h.sessionID() != "" {
			if response, failed := h.client.Send(ctx, h.request(http.MethodDelete, nil)); failed == nil {
				_ = response.Body.Close()
			}
		}
		h.client.Close()
	})
	return nil
}

// inBackground runs a function that Close waits for, unless the session was closed.
func (h *overHTTP) inBackground(run func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.life.Err() == nil {
		h.running.Go(run)
	}
}

// Notify implements wire.
func (h *overHTTP) Notify(ctx context.Context, method string, params json.RawMessage) error {
	body, err := jsonrpc.Notification(method, params)
	if err != nil {
		return &driver.CallError{Kind: driver.ErrConfiguration, Detail: err.Error()}
	}
	ctx, stop := driver.WithLife(ctx, h.life)
	defer stop()
	return h.post(ctx, body)
}

// Request implements wire.
func (h *overHTTP) Request(ctx context.Context, op driver.Operation) (driver.Answer, error) {
	ctx, cancel := h.config.Deadlines.ForCall(ctx)
	defer cancel()
	ctx, stop := driver.WithLife(ctx, h.life)
	defer stop()
	id := h.nextID.Add(1)
	body, err := jsonrpc.Request(id, op.Name, op.Params)
	exchange := driver.Begin(op, body)
	secrets := h.client.Secrets()
	if err != nil {
		return driver.Answer{}, exchange.Fail(driver.ErrConfiguration, err.Error(), secrets)
	}
	request := h.request(http.MethodPost, body)
	if tools := h.mirroredTools(); tools != nil {
		mirror(request.Header, op, tools)
	}
	exchange.Repeat = h.repeat(request)
	got, failed := h.ask(ctx, call{id: id, op: op, request: request})
	exchange = exchange.Complete(got.body, secrets)
	exchange.Status = got.status
	switch {
	case failed == nil:
	case errors.Is(failed, httpdriver.ErrNoHTTP):
		got.answer, failed = jsonrpc.Malformed(httpdriver.ErrNoHTTP.Error()), nil
	case h.life.Err() != nil:
		return driver.Answer{}, exchange.Fail(driver.ErrClosed, "the session was closed", secrets)
	default:
		if ctx.Err() != nil && h.mirroredTools() == nil { // otherwise the end of the stream cancels the request
			h.inBackground(func() { cancelled(h, id, op.Name) })
		}
		return driver.Answer{}, exchange.Fail(failed.Kind, failed.Detail, secrets)
	}
	got.answer.Exchange = exchange
	if op.Name == "tools/list" && got.answer.Outcome == driver.Returned {
		h.addMirrored(got.answer.Result)
	}
	return got.answer, nil
}

// call is one request in progress.
type call struct {
	id      int64
	op      driver.Operation
	request httpdriver.Request
}

// stream names the stream of the answer.
func (c call) stream() string { return strconv.FormatInt(c.id, 10) }

// reply is the result of a request.
type reply struct {
	answer driver.Answer
	body   []byte
	status int
}

// ask sends a request and finds its answer, in the body or in the stream.
func (h *overHTTP) ask(ctx context.Context, c call) (reply, *driver.CallError) {
	response, failed := h.client.Send(ctx, c.request)
	if failed != nil {
		return reply{status: failed.Exchange.Status}, failed
	}
	defer response.Body.Close()
	if id := response.Header.Get(sessionHeader); id != "" && c.op.Name == "initialize" {
		h.begin(id)
	}
	kind, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type"))
	if kind == eventStream && response.StatusCode == http.StatusOK {
		return h.follow(ctx, c, response)
	}
	body, failed := h.client.Read(ctx, response, h.config.Limits.For(c.op))
	got := reply{body: body, status: response.StatusCode}
	if failed != nil {
		return got, failed
	}
	if got.answer, failed = read(body, c.id); failed != nil {
		return got, failed
	}
	if got.answer.Outcome == driver.Malformed && got.status != http.StatusOK {
		return h.refused(c, got)
	}
	return got, nil
}

func read(body []byte, id int64) (driver.Answer, *driver.CallError) {
	answer, err := jsonrpc.Reply(body, id)
	var failed *driver.CallError
	errors.As(err, &failed)
	return answer, failed
}

// refused interprets a status without an answer.
func (h *overHTTP) refused(c call, got reply) (reply, *driver.CallError) {
	if got.status == http.StatusNotFound && h.sessionID() != "" && c.op.Name != "initialize" {
		h.stale.Store(true)
		return got, &driver.CallError{Kind: driver.ErrClosed, Detail: "status 404: the server has ended the session"}
	}
	got.answer = jsonrpc.Malformed(fmt.Sprintf("status %d, and %s", got.status, got.answer.Defect))
	return got, nil
}

// follow reads a stream, and resumes it if the server closed it in the way that the protocol
// permits: after an event with an id.
func (h *overHTTP) follow(ctx context.Context, c call, response *http.Response) (reply, *driver.CallError) {
	got := reply{status: response.StatusCode}
	stream := httpdriver.NewEvents(response.Body, h.config.Limits.For(c.op), h.config.Limits.Total)
	for tries := 0; ; tries++ {
		answer, body, err := h.search(ctx, c, stream)
		got.body = body
		var failed *driver.CallError
		switch {
		case err == nil:
			got.answer = answer
			return got, nil
		case errors.As(err, &failed):
			return got, failed
		case errors.Is(err, httpdriver.ErrEventTooLong):
			return got, &driver.CallError{Kind: driver.ErrTooLarge,
				Detail: fmt.Sprintf("an event of more than %s, or events of more than %s", driver.Size(stream.Limit),
					driver.Size(h.config.Limits.Total))}
		case ctx.Err() != nil:
			return got, &driver.CallError{Kind: driver.ContextKind(ctx)}
		case stream.LastID == "" || tries == maxResumptions:
			return got, &driver.CallError{Kind: driver.ErrClosed, Detail: "the stream ended without an answer"}
		}
		next, failed := h.resume(ctx, stream)
		if failed != nil {
			return got, failed
		}
		defer next.Body.Close() // at most a few times
		stream.Reset(next.Body)
	}
}

func (h *overHTTP) resume(ctx context.Context, stream *httpdriver.Events) (*http.Response, *driver.CallError) {
	retry := stream.Retry
	if retry == 0 {
		retry = defaultRetry
	}
	timer := time.NewTimer(retry)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
		return nil, &driver.CallError{Kind: driver.ContextKind(ctx)}
	}
	request := h.request(http.MethodGet, nil)
	request.Header.Set("Accept", eventStream)
	request.Header.Set("Last-Event-Id", stream.LastID)
	response, failed := h.client.Send(ctx, request)
	if failed != nil {
		return nil, failed
	}
	if response.StatusCode != http.StatusOK {
		_ = response.Body.Close()
		return nil, &driver.CallError{Kind: driver.ErrClosed,
			Detail: fmt.Sprintf("the stream ended without an answer, and the status was %d when the rest was requested",
				response.StatusCode)}
	}
	return response, nil
}

// search reads events up to the answer. It answers requests of the server and ignores
// notifications.
func (h *overHTTP) search(ctx context.Context, c call, stream *httpdriver.Events) (driver.Answer, []byte, error) {
	for {
		e, err := stream.Next()
		if err != nil {
			return driver.Answer{}, e.Data, err
		}
		if e.Name != "" && e.Name != "message" {
			continue
		}
		m, err := jsonrpc.Read(e.Data)
		switch {
		case err != nil:
			return driver.Answer{}, e.Data, err
		case m.Defect == "" && m.IsNotification():
			h.heard.Add("notification", c.stream(), e.Data)
		case m.Defect == "" && m.IsRequest() && (m.IDDefect(c.id) != "" || m.MethodName() != c.op.Name):
			h.heard.Add("request", c.stream(), e.Data)
			if err := h.serve(ctx, m); err != nil {
				return driver.Answer{}, e.Data, err
			}
		default:
			answer, err := jsonrpc.Reply(e.Data, c.id)
			return answer, e.Data, err
		}
	}
}

// serve answers a request of the server.
func (h *overHTTP) serve(ctx context.Context, m jsonrpc.Message) error {
	response := jsonrpc.NotFound(m.ID)
	if result := serve(m.MethodName()); result != nil {
		response = jsonrpc.Response(m.ID, result)
	}
	return h.post(ctx, response)
}
