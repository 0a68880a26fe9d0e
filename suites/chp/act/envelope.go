package act

import (
	"encoding/json"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/jsonvalue"
)

// envelope is an InvocationEnvelope to be sent (CHP 5).
type envelope struct {
	about       map[string]string
	of          *Capability // nil: no capability is declared under this id
	capability  string
	version     string // omitted if empty
	mode        string
	payload     any
	correlation any    // nil: the member is omitted
	id          string // invocation_id, generated if empty
	retries     retryRule
}

// retryRule determines when a denied envelope is repeated: a host may deny by its own rules, for
// example because it is overloaded.
type retryRule int

const (
	never          retryRule = iota // a denial is the expected outcome
	ifRetryable                     // after a denial with retryable true
	expectsSuccess                  // after any denial: the capability of this role is known to succeed
)

// maxTries is the greatest number of times that an envelope is sent.
const maxTries = 3

// isRepeated reports whether a denied envelope is repeated.
func (v envelope) isRepeated(a *history.Attempt) bool {
	return v.retries == expectsSuccess || v.retries == ifRetryable && a.Denial()["retryable"] == true
}

// with returns the envelope with one more parameter of its stimulus.
func (v envelope) with(name, value string) envelope {
	about := maps.Clone(v.about)
	if about == nil {
		about = map[string]string{}
	}
	about[name] = value
	v.about = about
	return v
}

// under returns the envelope with another correlation.
func (v envelope) under(correlation any) envelope {
	v.correlation = correlation
	return v
}

func newInvocationID() string { return history.Sender + uuid.NewString() }

// unknownID returns the id of a capability that does not exist.
func unknownID() string { return "capconform.unknown." + uuid.NewString()[:8] }

// caller returns a new correlation of the caller.
func caller() history.Object { return history.Object{"correlation_id": newInvocationID()} }

// sent is an InvocationEnvelope on the wire (CHP 5).
type sent struct {
	InvocationID string    `json:"invocation_id"`
	CapabilityID string    `json:"capability_id"`
	Version      string    `json:"version,omitempty"`
	Mode         string    `json:"mode"`
	Subject      subject   `json:"subject"`
	Correlation  any       `json:"correlation,omitempty"`
	Payload      any       `json:"payload"`
	RequestedAt  time.Time `json:"requested_at"`
}

type subject struct {
	ID   string `json:"id"`
	Type string `json:"type"`
}

func (v envelope) params() json.RawMessage {
	return jsonvalue.Encode(sent{
		InvocationID: v.id, CapabilityID: v.capability, Version: v.version, Mode: v.mode, Correlation: v.correlation,
		Subject: subject{ID: "capconform", Type: "service"}, Payload: v.payload, RequestedAt: time.Now().UTC(),
	})
}

// of returns an envelope for a declared capability. It includes the version only if there are
// several: the text requires seven members, and version is not one of them.
func (c *Caller) of(capability *Capability, payload any) envelope {
	v := envelope{of: capability, capability: capability.ID, mode: Sync, payload: payload, correlation: caller(),
		retries: ifRetryable}
	if slices.ContainsFunc(c.Capabilities, func(other *Capability) bool {
		return other.ID == capability.ID && other.Version != capability.Version
	}) {
		v.version = capability.Version
	}
	return v
}

// envelopeOf returns an envelope like that of an attempt.
func (c *Caller) envelopeOf(a *history.Attempt) envelope {
	v := envelope{
		of: c.declared(a), capability: a.Capability, version: a.Version, mode: a.Mode, payload: a.Payload,
		correlation: a.Correlation, retries: ifRetryable,
	}
	if role := a.Role(); role != "" {
		v = v.with(history.AboutRole, role)
	}
	return v
}
