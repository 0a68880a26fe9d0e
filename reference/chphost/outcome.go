package chphost

// The outcomes of CHP v0.1, section 8.
const (
	Success = "success"
	Failure = "failure"
	Denied  = "denied"
	Skipped = "skipped"
)

// The core event types of CHP v0.1, section 6.
const (
	EventStarted   = "execution_started"
	EventCompleted = "execution_completed"
	EventFailed    = "execution_failed"
	EventDenied    = "execution_denied"
	EventSkipped   = "execution_skipped"
)

// The codes of the denials of this host.
const (
	NotFound           = "capability_not_found"
	UnsupportedMode    = "unsupported_mode"
	CapabilityDisabled = "capability_disabled"
	NotEntitled        = "entitlement_required"
	InvariantFailed    = "invariant_failed"
	InputSchemaFailed  = "input_schema_validation_failed"
)

// Outcome is the outcome of an invocation. Data belongs to a success, Error to a
// failure, Denial to a denial.
type Outcome struct {
	Kind   string
	Data   any
	Error  map[string]any
	Denial map[string]any
}

// Deny returns the outcome of a denial. Invariant is empty if no invariant failed.
func Deny(code, message, invariant string, details map[string]any) *Outcome {
	denial := map[string]any{"code": code, "message": message, "retryable": false, "details": details}
	if invariant != "" {
		denial["invariant_id"] = invariant
	}
	return &Outcome{Kind: Denied, Denial: denial}
}
