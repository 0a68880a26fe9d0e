package mcp_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"strings"

	"github.com/capconform/capconform/reference/mcphost"
)

// rewriting changes how the answers of a server are written, and not what they say.
type rewriting struct {
	head  func(http.Header)
	event func(n int, event string) string // an event of a stream, with the empty line at its end; n counts from 0
	body  func(body []byte) []byte         // any other body that is not empty
}

// rewriter writes one answer.
type rewriter struct {
	http.ResponseWriter
	by      rewriting
	status  int
	stream  bool
	pending bytes.Buffer
	events  int
}

// Header implements http.ResponseWriter.
func (w *rewriter) Header() http.Header { return w.ResponseWriter.Header() }

// Unwrap returns the writer below.
func (w *rewriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// WriteHeader implements http.ResponseWriter. The head of another body than a stream waits for the body.
func (w *rewriter) WriteHeader(status int) {
	if w.status != 0 {
		return
	}
	kind, _, _ := mime.ParseMediaType(w.Header().Get("Content-Type"))
	if w.status, w.stream = status, kind == "text/event-stream"; w.stream {
		w.begin()
	}
}

func (w *rewriter) begin() {
	if w.by.head != nil {
		w.by.head(w.Header())
	}
	w.ResponseWriter.WriteHeader(w.status)
}

// Write implements http.ResponseWriter.
func (w *rewriter) Write(data []byte) (int, error) {
	if w.status == 0 {
		w.WriteHeader(http.StatusOK)
	}
	if w.pending.Write(data); !w.stream {
		return len(data), nil
	}
	for {
		whole, rest, is := strings.Cut(w.pending.String(), "\n\n")
		if !is {
			return len(data), nil
		}
		w.pending.Reset()
		w.pending.WriteString(rest)
		event := whole + "\n\n"
		if w.by.event != nil {
			event = w.by.event(w.events, event)
		}
		w.events++
		if _, err := w.ResponseWriter.Write([]byte(event)); err != nil {
			return 0, err
		}
	}
}

// Flush implements http.Flusher.
func (w *rewriter) Flush() {
	if w.status != 0 && w.stream {
		_ = http.NewResponseController(w.ResponseWriter).Flush() // it can be flushed
	}
}

// end writes what waits.
func (w *rewriter) end() {
	if w.status == 0 || w.stream {
		return
	}
	body := w.pending.Bytes()
	if w.by.body != nil && len(body) > 0 {
		body = w.by.body(body)
		w.Header().Del("Content-Length")
	}
	w.begin()
	_, _ = w.ResponseWriter.Write(body)
}

func rewritten(by rewriting, styles ...mcphost.Style) func(string) http.Handler {
	return rewrittenOf(func(edition string) http.Handler { return reference(edition, styles...) }, by)
}

func rewrittenOf(of func(string) http.Handler, by rewriting) func(string) http.Handler {
	return func(edition string) http.Handler {
		host := of(edition)
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			to := &rewriter{ResponseWriter: w, by: by}
			host.ServeHTTP(to, r)
			to.end()
		})
	}
}

// fields changes each line of an event, which may become several or none.
func fields(change func(line string) string) func(int, string) string {
	return func(_ int, event string) string {
		var all strings.Builder
		for line := range strings.Lines(strings.TrimSuffix(event, "\n")) {
			all.WriteString(change(line))
		}
		return all.String() + "\n"
	}
}

// indented returns a JSON text with white space, any other as it is.
func indented(body []byte) []byte {
	var out bytes.Buffer
	if json.Indent(&out, body, "", "  ") != nil {
		return body
	}
	return append(out.Bytes(), '\n')
}

// escaped returns a JSON text in ASCII in which the slashes are escaped.
func escaped(body []byte) []byte {
	return []byte(strings.ReplaceAll(string(body), "/", `\/`))
}

// kind returns a change of the head: another spelling of the media type.
func kind(of func(string) string) func(http.Header) {
	return func(h http.Header) {
		if value := h.Get("Content-Type"); value != "" {
			h.Set("Content-Type", of(value))
		}
	}
}

// rewritingStyles write answers in other lawful ways.
func rewritingStyles() []style {
	inJSON := func(name string, by rewriting) style {
		return style{name: name, edition: mcphost.Modern, host: rewritten(by, mcphost.JSON())}
	}
	in := func(name string, by rewriting) style { return style{name: name, host: rewritten(by)} }
	return []style{
		in("comments in streams", rewriting{event: func(n int, event string) string {
			return ": keep-alive\n\n:\n" + event
		}}),
		in("retry in streams", rewriting{event: func(n int, event string) string { return "retry: 50\n" + event }}),
		in("CR LF in streams", rewriting{event: fields(func(line string) string {
			return strings.TrimSuffix(line, "\n") + "\r\n"
		})}),
		in("no name of events", rewriting{event: fields(func(line string) string {
			if strings.HasPrefix(line, "event:") {
				return ""
			}
			return line
		})}),
		in("no space after the colon", rewriting{event: fields(func(line string) string {
			return strings.Replace(line, ": ", ":", 1)
		})}),
		in("data of several lines", rewriting{event: fields(func(line string) string {
			data, is := strings.CutPrefix(line, "data: ")
			if !is || data == "\n" {
				return line
			}
			return "data: " + strings.ReplaceAll(strings.TrimSpace(string(indented([]byte(data)))), "\n", "\ndata: ") + "\n"
		})}),
		in("unknown fields in streams", rewriting{event: func(n int, event string) string { return "time: 1\nunit\n" + event }}),
		in("a byte order mark", rewriting{event: func(n int, event string) string {
			if n == 0 {
				return "\ufeff" + event
			}
			return event
		}}),
		in("empty lines in streams", rewriting{event: func(_ int, event string) string { return "\n\n" + event + "\n" }}),
		in("escapes in streams", rewriting{event: fields(func(line string) string {
			if strings.HasPrefix(line, "data:") {
				return string(escaped([]byte(line)))
			}
			return line
		})}),
		in("names of headers in small letters", rewriting{head: func(h http.Header) {
			for name, values := range h {
				delete(h, name)
				h[strings.ToLower(name)] = values
			}
		}}),
		in("names of headers in capitals", rewriting{head: func(h http.Header) {
			for name, values := range h {
				delete(h, name)
				h[strings.ToUpper(name)] = values
			}
		}}),
		in("media types with a parameter", rewriting{head: kind(func(v string) string { return v + "; charset=utf-8" })}),
		in("media types in capitals", rewriting{head: kind(strings.ToUpper)}),
		{name: "ids of events", edition: mcphost.Modern, host: rewritten(rewriting{event: func(n int, event string) string {
			return fmt.Sprintf("id: %d\n", n) + event
		}})},
		{name: "an acknowledgment with further metadata", edition: mcphost.Modern, host: rewritten(rewriting{
			event: func(_ int, event string) string {
				if !strings.Contains(event, "subscriptions/acknowledged") || !strings.Contains(event, `"capconform-subscription"`) {
					return event
				}
				return strings.ReplaceAll(event, `"_meta":{`, `"_meta":{"com.example/a":1,`) +
					`data: {"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":` +
					`{"io.modelcontextprotocol/subscriptionId":"capconform-subscription"}}}` + "\n\n"
			},
		})},
		{name: "events without data first", edition: mcphost.Modern, host: rewritten(rewriting{
			event: func(n int, event string) string { return fmt.Sprintf("id: a%d\ndata:\n\n", n) + event },
		})},
		inJSON("white space", rewriting{body: indented}),
		inJSON("escapes", rewriting{body: escaped}),
		inJSON("a line break at the end", rewriting{body: func(body []byte) []byte { return append(body, "\r\n"...) }}),
		inJSON("a media type with a parameter", rewriting{head: kind(func(v string) string { return v + ";charset=UTF-8" })}),
		inJSON("headers in small letters", rewriting{head: func(h http.Header) {
			for name, values := range h {
				delete(h, name)
				h[strings.ToLower(name)] = values
			}
		}}),
	}
}
