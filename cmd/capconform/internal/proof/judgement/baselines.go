package judgement

import (
	"sync"

	"github.com/capconform/capconform/cmd/capconform/internal/proof/plan"
	"github.com/capconform/capconform/cmd/capconform/internal/proof/trial"
)

// Baselines are the statuses of the hosts and documents without fault, by setting. Several
// goroutines may use them.
type Baselines struct {
	mu  sync.Mutex
	all map[plan.Setting]trial.Statuses
}

func (b *Baselines) of(at plan.Setting) trial.Statuses {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.all[at]
}

func (b *Baselines) keep(at plan.Setting, got trial.Statuses) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.all == nil {
		b.all = map[plan.Setting]trial.Statuses{}
	}
	b.all[at] = got
}

// Passed returns the scenarios that passed in some setting: the suite, a space, and the key of the
// scenario.
func (b *Baselines) Passed() map[string]bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	passed := map[string]bool{}
	for at, got := range b.all {
		for _, key := range got.Passed {
			passed[at.Suite+" "+key] = true
		}
	}
	return passed
}
