package acdhost

import (
	"context"
	"errors"
	"net/http"

	"github.com/capconform/capconform/reference/rpc"
)

// Caller calls an operation of the host. Params and result are JSON text.
type Caller func(ctx context.Context, operation string, params []byte) ([]byte, error)

// Serves reports whether a request is for a path of the lists.
func Serves(r *http.Request) bool {
	return r.URL.Path == ListCapabilities || Legacy()[r.URL.Path] != nil
}

// Lists serves the paths that the text defines (ACD 2.2).
func (h *Host) Lists(call Caller) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet {
			w.Header().Set("Allow", http.MethodGet)
			http.Error(w, "GET only", http.StatusMethodNotAllowed)
			return
		}
		params := object{}
		for name, values := range r.URL.Query() {
			params[name] = values[0]
		}
		operation, changed := h.Path(r.URL.Path, params)
		if operation == "" {
			http.NotFound(w, r)
			return
		}
		status := http.StatusOK
		body, err := call(r.Context(), operation, rpc.Append(nil, changed))
		if refusal := (*rpc.Error)(nil); errors.As(err, &refusal) && refusal.Number == rpc.MethodNotFound {
			http.NotFound(w, r)
			return
		}
		if err != nil {
			status, body = http.StatusBadRequest, rpc.Append(nil,
				object{"error": object{"code": "refused", "message": "the list can't be made"}})
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = w.Write(body) // a client may have closed the connection
	})
}
