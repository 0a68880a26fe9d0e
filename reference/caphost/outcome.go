package caphost

import (
	"errors"
	"time"
)

// The five error codes of CAP.
const (
	NotFound         = "NOT_FOUND"
	InvalidInput     = "INVALID_INPUT"
	PermissionDenied = "PERMISSION_DENIED"
	ExecutionFailed  = "EXECUTION_FAILED"
	Timeout          = "TIMEOUT"
)

// Failure is a CapabilityError.
type Failure struct {
	Code    string
	Message string
}

// Error returns the code and the message.
func (f *Failure) Error() string { return "caphost: " + f.Code + ": " + f.Message }

// Outcome is the outcome of an invoke. It is a success if Failure is nil.
type Outcome struct {
	Output   any
	Failure  *Failure
	Duration time.Duration
}

// JSON returns the outcome as an InvokeResult with all four members.
func (o Outcome) JSON() map[string]any {
	result := map[string]any{"ok": o.Failure == nil, "output": o.Output, "error": nil,
		"duration_ms": max(0, o.Duration.Milliseconds())}
	if o.Failure != nil {
		result["error"] = map[string]any{"code": o.Failure.Code, "message": o.Failure.Message}
	}
	return result
}

// Failed returns the outcome for an error: with the code of the error if it is a *Failure,
// otherwise with the given code.
func Failed(code string, err error) Outcome {
	var failure *Failure
	if errors.As(err, &failure) {
		return Outcome{Failure: failure}
	}
	return Outcome{Failure: &Failure{Code: code, Message: err.Error()}}
}
