package chpmutant

import (
	"time"

	"github.com/capconform/capconform/reference/chphost"
	"github.com/capconform/capconform/reference/mutant"
)

// correlations returns hosts that confuse the correlations of concurrent callers (CHP-7-05).
func correlations() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("callers-mixed", "CHP-7-05", "Keeps the correlation in a variable that all callers share.", mixes),
	}
}

// meetingTime is how long an invocation waits for another one to mix with.
const meetingTime = 10 * time.Millisecond

// mixes uses the correlation of the last caller for an invocation. It waits a short time for
// another invocation, so that concurrent invocations are sure to meet.
func mixes(h *chphost.Host) {
	var last exchanger[map[string]any]
	original := h.Correlate
	h.Correlate = func(given map[string]any) map[string]any { return last.exchange(original(given)) }
}
