package mcpdriver

import (
	"context"
	"mime"
	"net/http"
	"time"

	"github.com/capconform/capconform/suites/driver/httpdriver"
	"github.com/capconform/capconform/suites/driver/jsonrpc"
)

// Listen implements wire. It opens the stream on which a server may send requests at any time, and
// answers them as over stdio. A server without such a stream refuses it, which is permitted.
func (h *overHTTP) Listen() { h.inBackground(h.listen) }

func (h *overHTTP) listen() {
	lastID, retry := "", defaultRetry
	for range maxResumptions {
		response := h.standingStream(h.life, lastID)
		if response == nil {
			return
		}
		stream := httpdriver.NewEvents(response.Body, h.config.Limits.Message, h.config.Limits.Total)
		h.answerAll(stream)
		_ = response.Body.Close()
		if stream.Retry > 0 {
			retry = stream.Retry
		}
		lastID = stream.LastID
		timer := time.NewTimer(retry)
		select {
		case <-timer.C:
		case <-h.life.Done():
			timer.Stop()
			return
		}
	}
}

// standingStream requests the stream. It returns nil if the server has none.
func (h *overHTTP) standingStream(ctx context.Context, lastID string) *http.Response {
	request := h.request(http.MethodGet, nil)
	request.Header.Set("Accept", eventStream)
	if lastID != "" {
		request.Header.Set("Last-Event-Id", lastID)
	}
	response, failed := h.client.Send(ctx, request)
	if failed != nil {
		return nil
	}
	kind, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type"))
	if response.StatusCode != http.StatusOK || kind != eventStream {
		_ = response.Body.Close()
		return nil
	}
	return response
}

// answerAll answers requests up to the end of a stream. Other messages there answer no request.
func (h *overHTTP) answerAll(stream *httpdriver.Events) {
	for {
		e, err := stream.Next()
		if err != nil {
			return
		}
		m, err := jsonrpc.Read(e.Data)
		if e.Name != "" && e.Name != "message" || err != nil {
			continue
		}
		form := "other"
		switch {
		case m.Defect == "" && m.IsRequest():
			form = "request"
		case m.Defect == "" && m.IsNotification():
			form = "notification"
		}
		h.heard.Add(form, "get", e.Data)
		if form != "request" {
			continue
		}
		ctx, cancel := context.WithTimeout(h.life, noticeTime)
		failed := h.serve(ctx, m)
		cancel()
		if failed != nil {
			return
		}
	}
}
