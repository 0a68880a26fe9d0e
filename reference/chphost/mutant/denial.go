package chpmutant

import (
	"net/http"
	"sync/atomic"

	"github.com/capconform/capconform/reference/chphost"
	"github.com/capconform/capconform/reference/mutant"
)

// statuses returns hosts that hide a result behind a contradictory status of the transport.
func statuses() []mutant.Mutant {
	var broken []mutant.Mutant
	for _, m := range []struct {
		name, requirement, summary, role string
		which                            affects
		status                           int
	}{
		{"status-403", "CHP-9-02", "Answers a denial with status 403 and an empty body.", "", ofUnknown,
			http.StatusForbidden},
		{"status-204", "CHP-8-05", "Answers a failure with an empty body and status 204.", "fails", asked(fails),
			http.StatusNoContent},
		{"status-500", "CHP-8-05", "Answers a failure with an error page and status 500.", "fails", asked(fails),
			http.StatusInternalServerError},
	} {
		made := newMutant(m.name, m.requirement, m.summary, func(h *chphost.Host) {
			hidden := new(atomic.Bool) // an answer is written directly after its result
			original := h.Result
			h.Result = func(inv *chphost.Invocation, outcome chphost.Outcome) any {
				hidden.Store(m.which(inv))
				return original(inv, outcome)
			}
			h.Binding.ChangeResponse = func(request chphost.Request, response *chphost.Response) {
				if request.Route == chphost.OpInvoke && hidden.Swap(false) {
					response.Status, response.Body = m.status, nil
				}
			}
		}).OverHTTP()
		if m.role != "" {
			made = made.WithRole(m.role)
		}
		broken = append(broken, made)
	}
	return broken
}
