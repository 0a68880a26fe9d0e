package environment

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
)

// maxBody limits a request body, in bytes.
const maxBody = 8 << 20

// runPathPrefix is the prefix of the path of each run.
const runPathPrefix = "/r/"

// readBody returns the body of a request. If it cannot be read or is too long, readBody answers the
// request and returns false.
func readBody(w http.ResponseWriter, r *http.Request) ([]byte, bool) {
	read, isRead := r.Body.(*body)
	if !isRead {
		read = readWhole(r)
	}
	if read.err != nil {
		http.Error(w, "the body can't be read, or is over 8 MiB", http.StatusRequestEntityTooLarge)
		return nil, false
	}
	return read.text, true
}

// writeJSON answers with JSON.
func writeJSON(w http.ResponseWriter, status int, body any) {
	raw, err := json.Marshal(body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(raw) // the client may have closed the connection
}

// body is the body of a request, which was read completely and can be read again.
type body struct {
	io.Reader
	text []byte
	err  error // why it could not be read completely
}

func readWhole(request *http.Request) *body {
	var text bytes.Buffer
	if size := request.ContentLength; size > 0 && size < maxBody {
		text.Grow(int(size) + bytes.MinRead)
	}
	_, err := text.ReadFrom(request.Body)
	return &body{Reader: io.MultiReader(bytes.NewReader(text.Bytes()), errorReader{err}), text: text.Bytes(), err: err}
}

// Close implements io.Closer.
func (*body) Close() error { return nil }

// errorReader is a reader that returns the error of another reader, or io.EOF if there was none.
type errorReader struct{ err error }

func (f errorReader) Read([]byte) (int, error) {
	if f.err != nil {
		return 0, f.err
	}
	return 0, io.EOF
}

// bufferedResponse is an answer that has not been sent yet.
type bufferedResponse struct {
	header      http.Header
	status      int
	wroteHeader bool
	body        bytes.Buffer
}

func (h *bufferedResponse) Header() http.Header { return h.header }

func (h *bufferedResponse) WriteHeader(status int) {
	if !h.wroteHeader {
		h.status, h.wroteHeader = status, true
	}
}

func (h *bufferedResponse) Write(text []byte) (int, error) {
	h.wroteHeader = true
	return h.body.Write(text)
}

// Flush implements http.Flusher. It does nothing: the answer is sent later.
func (h *bufferedResponse) Flush() {}
