package chphost

import "time"

// Invocation is one attempt in progress.
type Invocation struct {
	Envelope     map[string]any // as received; must not be changed
	ID           string
	CapabilityID string
	Version      string // empty if the caller named none
	Mode         string
	Given        map[string]any // the correlation as received, nil if there was none
	Correlation  map[string]any
	Subject      map[string]any
	Payload      map[string]any
	Capability   *Capability // nil if it is unknown
	ArrivedAt    time.Time
	StartedAt    time.Time        // zero if it never started
	Events       []map[string]any // recorded for the invocation so far
}

// CorrelationID returns the id under which the evidence of the invocation is stored.
func (inv *Invocation) CorrelationID() string {
	id, _ := inv.Correlation["correlation_id"].(string)
	return id
}

func version(inv *Invocation) any {
	switch {
	case inv.Capability != nil:
		return inv.Capability.Version
	case inv.Version != "":
		return inv.Version
	}
	return nil
}

// Gate stops an invocation with an outcome, or returns nil to let it pass.
type Gate struct {
	Name  string
	Check func(inv *Invocation) *Outcome
}
