package chpmutant

import (
	"encoding/json"
	"net/http"
	"sync/atomic"

	"github.com/capconform/capconform/reference/chphost"
	"github.com/capconform/capconform/reference/mutant"
)

// forms returns hosts that refuse messages that are not envelopes in another form than that of the HTTP
// binding.
func forms() []mutant.Mutant {
	var broken []mutant.Mutant
	for _, m := range []struct {
		name, summary string
		turn          func(response *chphost.Response)
	}{
		{"form-500", "Answers a message that is not an envelope with status 500.",
			func(r *chphost.Response) { r.Status = http.StatusInternalServerError }},
		{"form-200", "Answers a message that is not an envelope with status 200 and an error.",
			func(r *chphost.Response) { r.Status = http.StatusOK }},
		{"form-prose",
			"Answers a message that is not an envelope with status 422 and a sentence.", func(r *chphost.Response) {
				r.Status, r.Body = http.StatusUnprocessableEntity, []byte("No, thank you.")
				r.Header.Set("Content-Type", "text/plain")
			}},
	} {
		broken = append(broken, newMutant(m.name, "CHP-5-11", m.summary, func(h *chphost.Host) {
			h.Binding.ChangeResponse = func(request chphost.Request, response *chphost.Response) {
				if request.Route == chphost.OpInvoke && response.Status == http.StatusBadRequest {
					m.turn(response)
				}
			}
		}).OverHTTP())
	}
	return append(broken, newMutant("dies-of-broken-json", "CHP-5-10",
		"Answers one envelope with status 500 after a body that is not JSON.", func(h *chphost.Host) {
			dead := new(atomic.Bool)
			h.Binding.ChangeResponse = func(request chphost.Request, response *chphost.Response) {
				if request.Route != chphost.OpInvoke {
					return
				}
				if !json.Valid(request.Body) {
					dead.Store(true)
				} else if response.Status == http.StatusOK && dead.Swap(false) {
					response.Status, response.Body = http.StatusInternalServerError, []byte("500")
				}
			}
		}).OverHTTP())
}
