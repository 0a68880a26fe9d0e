package chp2host

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// maxBody is the number of bytes of a request that the host reads.
const maxBody = 1 << 20

// ServeHTTP implements http.Handler: the routes of the HTTP binding.
func (h *Host) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if version := r.Header.Get("X-Chp-Version"); version != "" && !h.speaks(version) {
		unsupported := denial{code: "version_unsupported", message: "the host does not speak this version",
			details: object{"requested": version, "supported": h.Versions}}
		answer(w, http.StatusBadRequest, object{"error": object{"code": unsupported.code, "message": unsupported.message},
			"denial": unsupported.record()})
		return
	}
	first, id, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	if h.public(w, r) {
		return
	}
	caller, authentic := h.caller(r)
	switch route := r.Method + " " + first; {
	case !authentic:
		failed(w, http.StatusUnauthorized, "unauthorized", "the request needs a valid X-CHP-Key")
	case route == "POST invoke" && id == "":
		h.serveInvoke(w, r, caller)
	case route == "POST replay" && id == "":
		h.serveReplay(w, r)
	case r.Method != http.MethodGet:
		failed(w, http.StatusNotFound, "not_found", "no such route")
	default:
		h.serveReading(w, first, id, caller)
	}
}

// public answers the routes that need no key, and reports whether it did.
func (h *Host) public(w http.ResponseWriter, r *http.Request) bool {
	switch r.Method + " " + r.URL.Path {
	case "GET /health", "GET /":
		answer(w, http.StatusOK, object{"status": "ok", "host_id": h.ID, "protocol": "chp", "version": h.Prefers,
			"host_version": "1.0.0"})
	case "GET /.well-known/chp-identity":
		answer(w, http.StatusOK, h.keys(object{}))
	default:
		return false
	}
	return true
}

// caller returns the name of the caller, and whether the request is authentic. Digests are compared, so that the time
// shows nothing of a key.
func (h *Host) caller(r *http.Request) (name string, authentic bool) {
	given := sha256.Sum256([]byte(r.Header.Get("X-Chp-Key")))
	for one, key := range h.Keys {
		want := sha256.Sum256([]byte(key))
		if subtle.ConstantTimeCompare(given[:], want[:]) == 1 {
			name, authentic = one, true
		}
	}
	return name, authentic || len(h.Keys) == 0
}

func (h *Host) serveReading(w http.ResponseWriter, route, id, caller string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case route == "host" && id == "":
		answer(w, http.StatusOK, h.descriptor(caller))
	case route == "capabilities" && id == "":
		answer(w, http.StatusOK, object{"capabilities": h.visible(caller)})
	case route == "replay" && id != "":
		answer(w, http.StatusOK, h.replay(id, 0, 0, true))
	case route == "export" && id != "" && !h.ChainOfStore:
		answer(w, http.StatusOK, h.bundle(id))
	case route == "verify" && id != "":
		answer(w, http.StatusOK, object{"valid": true, "checked": len(h.chains[id]), "first_broken_sequence": nil})
	case route == "metrics" && id == "":
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		_, _ = fmt.Fprintf(w, "# TYPE chp_events_total counter\nchp_events_total %d\n", h.sequence)
	default:
		failed(w, http.StatusNotFound, "not_found", "no such route")
	}
}

func (h *Host) serveInvoke(w http.ResponseWriter, r *http.Request, caller string) {
	envelope, is := body(r)
	if !is {
		failed(w, http.StatusBadRequest, "invalid_request", "the body is no JSON object")
		return
	}
	result, chunks := h.Invoke(envelope, caller)
	if result == nil {
		failed(w, http.StatusBadRequest, "invalid_request", "a member of the envelope has another type")
		return
	}
	if chunks != nil {
		h.stream(w, r, chunks, result)
		return
	}
	answer(w, http.StatusOK, result)
}

func (h *Host) serveReplay(w http.ResponseWriter, r *http.Request) {
	query, is := body(r)
	id, named := query["correlation_id"].(string)
	if !is || !named || id == "" {
		failed(w, http.StatusBadRequest, "invalid_request", "the query names no correlation")
		return
	}
	number := func(name string) int {
		n, _ := query[name].(float64)
		return int(n)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	answer(w, http.StatusOK, h.replay(id, number("since_sequence"), number("limit"), query["include_payloads"] != false))
}

func body(r *http.Request) (object, bool) {
	text, err := io.ReadAll(http.MaxBytesReader(nil, r.Body, maxBody))
	var value any
	if err != nil || json.Unmarshal(text, &value) != nil {
		return nil, false
	}
	members, is := value.(object)
	return members, is
}

func failed(w http.ResponseWriter, status int, code, message string) {
	answer(w, status, object{"error": object{"code": code, "message": message}})
}

// answer answers in JSON. The encoder sorts the members of maps.
func answer(w http.ResponseWriter, status int, value object) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(value)
}
