package driver

import (
	"bytes"
	"encoding/json"
	"sync"
	"unicode/utf8"
)

// The bounds of what a Hearing keeps.
const (
	maxHeard      = 2000      // items
	maxHeardBytes = 512 << 10 // of all items
	maxHeardItem  = 16 << 10  // of one item
)

// Heard is one thing that a target sent, besides its answers.
type Heard struct {
	// Form is request, notification, other for a message that answers nothing either, or noise for a line that is no
	// message.
	Form string `json:"form"`
	// Stream is where it arrived over HTTP: get for the stream that answers nothing, otherwise the id of the request.
	Stream string `json:"stream,omitempty"`
	// Message is the message, and Text what is no JSON.
	Message json.RawMessage `json:"message,omitempty"`
	Text    string          `json:"text,omitempty"`
	// Invalid states that the bytes are not UTF-8.
	Invalid bool `json:"invalid,omitempty"`
}

// Hearing keeps what a target sent in the order of its arrival. It is safe for concurrent use, and the zero value is
// ready.
type Hearing struct {
	mu    sync.Mutex
	items []Heard
	size  int
	more  int // items that were not kept
}

// Add keeps one message or line. A nil Hearing keeps nothing.
func (h *Hearing) Add(form, stream string, text []byte) {
	if h == nil {
		return
	}
	one := Heard{Form: form, Stream: stream, Invalid: !utf8.Valid(text)}
	text = bytes.ToValidUTF8(bytes.TrimSpace(text), []byte("\uFFFD"))
	switch {
	case len(text) <= maxHeardItem && json.Valid(text):
		one.Message = bytes.Clone(text)
	default:
		one.Text = string(bytes.ToValidUTF8(text[:min(len(text), maxHeardItem)], nil))
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.items) >= maxHeard || h.size+len(text) > maxHeardBytes {
		h.more++
		return
	}
	h.items, h.size = append(h.items, one), h.size+len(text)
}

// Answer returns the answer to an operation with Heard: what was kept since the beginning of the session.
func (h *Hearing) Answer(op Operation, secrets Secrets) (Answer, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	items := h.items
	if items == nil {
		items = []Heard{}
	}
	text, err := json.Marshal(map[string]any{"items": items, "more": h.more})
	exchange := Begin(op, op.Params)
	if err != nil {
		return Answer{}, exchange.Fail(ErrConfiguration, err.Error(), secrets)
	}
	exchange = exchange.Complete(text, secrets)
	return Answer{Outcome: Returned, Result: text, Exchange: exchange}, nil
}
