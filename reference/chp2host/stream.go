package chp2host

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
)

// completion returns the payload of the event that completes a stream.
func completion(chunks []any) object {
	lines := ""
	for _, delta := range chunks {
		lines += stable(delta) + "\n"
	}
	return object{"chunk_count": len(chunks), "chunk_seq_digest": digest(lines), "prompt_tokens": 0,
		"completion_tokens": len(chunks), "model": "none"}
}

// stream answers with the chunks after the one that the caller names, and then the result.
func (h *Host) stream(w http.ResponseWriter, r *http.Request, chunks []any, result object) {
	from := 0
	if last, err := strconv.Atoi(r.Header.Get("Last-Event-Id")); err == nil && !h.ForgetsStreams {
		from = last + 1
	}
	w.Header().Set("Content-Type", "text/event-stream")
	for i, delta := range chunks {
		if i >= from {
			h.frame(w, i, "chunk", object{"delta": delta})
		}
	}
	h.frame(w, max(len(chunks)-1, 0), "result", result)
}

func (h *Host) frame(w http.ResponseWriter, id int, event string, data object) {
	if !h.ForgetsStreams {
		_, _ = fmt.Fprintf(w, "id: %d\n", id)
	}
	text, _ := json.Marshal(data)
	_, _ = fmt.Fprintf(w, "event: %s\ndata: %s\n\n", event, text)
}
