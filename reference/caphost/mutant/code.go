package capmutant

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/capconform/capconform/reference/caphost"
	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/rpc"
)

// codes returns hosts that use an error code for the wrong cause (CAP-ERR-03 to 05), or a code that
// is not defined (CAP-ERR-06).
func codes() []mutant.Mutant {
	broken := []mutant.Mutant{
		newMutant("permission-unchecked", "CAP-ERR-03", "Never checks a permission.", unauthorized).WithRole("restricted"),
		newMutant("permission-once", "CAP-ERR-03", "Checks a permission only at the first invoke.",
			authorizedOnce).WithRole("restricted"),
		newMutant("failure-as-ok", "CAP-ERR-04", "Returns a failure as ok, with the error in the output.",
			reportsAsSuccess(caphost.ExecutionFailed,
				map[string]any{"error": "this capability always fails"})).WithRole("fails").
			AlsoBreaks("CAP-INV-04", "a handler's malformed output is among the failures that come back ok"),
		newMutant("dies-after-failure", "CAP-ERR-04",
			"After each of two failures, answers one invoke that it served before with an error.",
			diesOnce).WithRole("fails"),
		newMutant("dead-after-failure", "CAP-ERR-04", "Answers every invoke with an error once a capability has failed.",
			deadAfterFailure).WithRole("fails"),
		newMutant("timeout-as-ok", "CAP-ERR-05", "Returns a missed deadline as ok.",
			reportsAsSuccess(caphost.Timeout, map[string]any{})).WithRole("slow"),
	}
	for _, m := range []struct{ name, requirement, role, from, to string }{
		{"denied-as-failed", "CAP-ERR-03", "restricted", caphost.PermissionDenied, caphost.ExecutionFailed},
		{"denied-as-not-found", "CAP-ERR-03", "restricted", caphost.PermissionDenied, caphost.NotFound},
		{"denied-as-timeout", "CAP-ERR-03", "restricted", caphost.PermissionDenied, caphost.Timeout},
		{"failure-as-timeout", "CAP-ERR-04", "fails", caphost.ExecutionFailed, caphost.Timeout},
		{"failure-as-denied", "CAP-ERR-04", "fails", caphost.ExecutionFailed, caphost.PermissionDenied},
		{"failure-as-not-found", "CAP-ERR-04", "fails", caphost.ExecutionFailed, caphost.NotFound},
		{"timeout-as-failed", "CAP-ERR-05", "slow", caphost.Timeout, caphost.ExecutionFailed},
		{"timeout-as-denied", "CAP-ERR-05", "slow", caphost.Timeout, caphost.PermissionDenied},
		{"timeout-as-not-found", "CAP-ERR-05", "slow", caphost.Timeout, caphost.NotFound},
		{"denied-as-invalid", "CAP-ERR-03", "restricted", caphost.PermissionDenied, caphost.InvalidInput},
		{"fails-as-invalid", "CAP-ERR-04", "fails", caphost.ExecutionFailed, caphost.InvalidInput},
		{"timeout-as-invalid", "CAP-ERR-05", "slow", caphost.Timeout, caphost.InvalidInput},
	} {
		broken = append(broken, newMutant(m.name, m.requirement, "Returns the code "+m.to+" instead of "+m.from+".",
			recodes(m.from, m.to, everything)).WithRole(m.role))
	}
	return append(broken, foreignCodes()...)
}

// foreignCodes returns hosts that fail with a code other than the five, on a capability that is
// added for this purpose.
func foreignCodes() []mutant.Mutant {
	var broken []mutant.Mutant
	for _, m := range []struct {
		name, summary string
		code          any
	}{
		{"rate-limited", "the code RATE_LIMITED", "RATE_LIMITED"},
		{"internal", "the code INTERNAL_ERROR", "INTERNAL_ERROR"},
		{"lower-case", "the code execution_failed", "execution_failed"},
		{"title-case", "the code ExecutionFailed", "ExecutionFailed"},
		{"prefixed", "the code CAP_EXECUTION_FAILED", "CAP_EXECUTION_FAILED"},
		{"blank", "the code EXECUTION_FAILED with a trailing space", "EXECUTION_FAILED "},
		{"empty", "an empty code", ""},
		{"number", "the number 500 as code", 500},
		{"number-text", "the code 500", "500"},
	} {
		broken = append(broken, newMutant("code-"+m.name, "CAP-ERR-06", "Fails with "+m.summary+".", func(h *caphost.Host) {
			c := failingDuplicate(h, &caphost.Failure{Code: caphost.ExecutionFailed, Message: "no colour is near"})
			changesResult(h, only(c), func(outcome caphost.Outcome, result map[string]any) any {
				if outcome.Failure.Code == caphost.ExecutionFailed {
					result["error"] = map[string]any{"code": m.code, "message": outcome.Failure.Message}
				}
				return result
			})
		}))
	}
	return broken
}

func unauthorized(h *caphost.Host) {
	h.Authorize = func(*caphost.Capability) error { return nil }
}

// authorizedOnce executes a capability that it has refused before.
func authorizedOnce(h *caphost.Host) {
	var refused sync.Map
	original := h.Authorize
	h.Authorize = func(c *caphost.Capability) error {
		if _, before := refused.Load(c.Ref); before {
			return nil
		}
		err := original(c)
		if err != nil {
			refused.Store(c.Ref, true)
		}
		return err
	}
}

// deadAfterFailure answers every invoke after the first failure of the role with an error.
func deadAfterFailure(h *caphost.Host) {
	var dead atomic.Bool
	original := h.Perform
	h.Perform = func(ctx context.Context, c *caphost.Capability, input any) caphost.Outcome {
		if dead.Load() {
			return caphost.Failed(caphost.ExecutionFailed, errors.New("the worker is gone"))
		}
		outcome := original(ctx, c, input)
		if c.ID == "conformance.fail" && outcome.Failure != nil && outcome.Failure.Code == caphost.ExecutionFailed {
			dead.Store(true)
		}
		return outcome
	}
}

// diesOnce answers one invoke with an error after each of two failures, and then recovers. A single
// error could be a limit on calls. It chooses the repetition of the invoke that it answered first in
// the run, so that concurrent scenarios are not affected.
func diesOnce(h *caphost.Host) {
	var mutex sync.Mutex
	dead, strikes, served := false, 0, ""
	// meets reports whether this invoke finds the host dead.
	meets := func(request string) bool {
		mutex.Lock()
		defer mutex.Unlock()
		if strikes == 2 || !dead || served != request {
			return false
		}
		dead, strikes = false, strikes+1
		return true
	}
	invoke := h.Invoke
	h.Invoke = func(ctx context.Context, params map[string]any) (any, error) {
		request := string(rpc.Append(nil, params))
		if meets(request) {
			return nil, mutant.ProtocolError("host is down")
		}
		result, err := invoke(ctx, params)
		members, _ := result.(map[string]any)
		mutex.Lock()
		defer mutex.Unlock()
		if served == "" && members["ok"] == true {
			served = request
		}
		dead = dead || refOf(params).ID == "conformance.fail" && members["ok"] == false
		return result, err
	}
}
