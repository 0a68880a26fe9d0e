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

// envelope is an InvocationEnvelope that is to be sent (CHP 5).
type envelope struct {
	about       map[string]string
	of          *Capability // nil: no capability is declared under this id
	capability  string
	version     string // left out where empty
	mode        string
	payload     any
	correlation any    // nil: the member is left out
	id          string // invocation_id, made where empty
	retries     retrying
}

// retrying says when an envelope that is denied is sent again: a host may deny by rules of
// its own, because it has too much to do for instance.
type retrying int

const (
	never           retrying = iota // a denial is what is asked for
	whereRetryable                  // after a denial that says that this makes sense
	expectsToBeDone                 // after any denial: what plays the role is known to be executed
)

// triesAtMost bounds how often an envelope is sent.
const triesAtMost = 3

// again tells whether a denied envelope is sent again.
func (v envelope) again(a *history.Attempt) bool {
	return v.retries == expectsToBeDone || v.retries == whereRetryable && a.Denial()["retryable"] == true
}

// with gives the envelope with one more parameter of its stimulus.
func (v envelope) with(name, value string) envelope {
	about := maps.Clone(v.about)
	if about == nil {
		about = map[string]string{}
	}
	about[name] = value
	v.about = about
	return v
}

// under gives the envelope with another correlation.
func (v envelope) under(correlation any) envelope {
	v.correlation = correlation
	return v
}

func fresh() string { return history.Sender + uuid.NewString() }

// unknownID is the id of a capability that nobody has.
func unknownID() string { return "capconform.unknown." + uuid.NewString()[:8] }

// caller gives a correlation of the caller's own.
func caller() history.Object { return history.Object{"correlation_id": fresh()} }

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

// of makes an envelope for a declared capability. It names a version where there are several
// to choose from: the text asks for seven members, and the version is none of them.
func (c *Caller) of(capability *Capability, payload any) envelope {
	v := envelope{of: capability, capability: capability.ID, mode: Sync, payload: payload, correlation: caller(),
		retries: whereRetryable}
	if slices.ContainsFunc(c.Capabilities, func(other *Capability) bool {
		return other.ID == capability.ID && other.Version != capability.Version
	}) {
		v.version = capability.Version
	}
	return v
}

// like makes an envelope like that of an attempt.
func (c *Caller) like(a *history.Attempt) envelope {
	v := envelope{
		of: c.declared(a), capability: a.Capability, version: a.Version, mode: a.Mode, payload: a.Payload,
		correlation: a.Correlation, retries: whereRetryable,
	}
	if role := a.Role(); role != "" {
		v = v.with(history.AboutRole, role)
	}
	return v
}
