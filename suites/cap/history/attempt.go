package history

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/transcript"
)

// Attempt is one answer to capability.invoke.
type Attempt struct {
	Call
	Asked Ref
	Input json.RawMessage // as sent
	More  bool            // the params contain more than reference and input
	Result
	Before     *Attempt // the same call before, whose connection was closed
	superseded bool     // the same call was made again: a later attempt replaces it
}

func readAttempt(c Call, sent, got []byte) *Attempt {
	var params map[string]json.RawMessage
	_ = json.Unmarshal(sent, &params) // the harness wrote them
	var ref map[string]any
	_ = json.Unmarshal(params[MemberRef], &ref)
	a := &Attempt{Call: c, Asked: RefOf(ref), Input: params[MemberInvoked], More: len(params) > 2 || len(ref) > 2}
	if c.Returned {
		a.Result = ReadResult(got)
		if refused, ok := errors.AsType[*schemas.DecodeError](a.Flaw); ok && refused.OurLimit() {
			a.Lost = transcript.LostCall(record.Entry{Error: &record.Fault{Kind: record.TooLarge, Message: refused.Message}})
		}
	}
	return a
}

// BrokenKeyword returns the keyword that the input breaks, "" for a valid input.
func (a *Attempt) BrokenKeyword() string { return a.About[AboutBreaks] }

// Valid reports whether the input satisfies the schema as far as the harness knows.
func (a *Attempt) Valid() bool {
	return a.About[AboutBreaks] == "" && a.About[AboutForm] == "" && !a.More
}

// HasResult reports whether the answer is an InvokeResult with an outcome.
func (a *Attempt) HasResult() bool { return a.Lost == nil && a.Returned && a.HasOutcome() }

// Succeeded reports whether the invocation succeeded.
func (a *Attempt) Succeeded() bool { return a.HasResult() && a.OK() }

// Failed reports whether the answer is an InvokeResult with ok false.
func (a *Attempt) Failed() bool { return a.HasResult() && a.Result.NotOK() }

// FailedWith reports whether the answer is an InvokeResult with ok false and the given code.
func (a *Attempt) FailedWith(code string) bool { return a.Failed() && a.Result.Code() == code }

// Misshapen reports whether the answer is an object that is not a valid InvokeResult, so that it has the
// given code only in an invalid form, or no code that can be read: CAP-INV-01 judges it.
func (a *Attempt) Misshapen(code string) bool {
	if a.Lost != nil || !a.Returned || a.Members == nil || a.OK() || len(a.Defects()) == 0 {
		return false
	}
	return a.BareCode() == nil || a.Result.Code() == code
}

// JudgedElsewhere reports whether other requirements judge the answer: there is none, it is a handle
// in place of a result, or the operation is not provided.
func (a *Attempt) JudgedElsewhere() bool { return a.Unanswered() || a.Absent || a.Pending() }

// OutsideContract reports whether the input is not an object. Invoke does not accept such an
// input, whatever the input schema is. A source may refuse it in any way.
func (a *Attempt) OutsideContract() bool { return OutsideContract(a.Input) }

// OutsideContract reports whether an input is not an object.
func OutsideContract(input json.RawMessage) bool {
	text := bytes.TrimSpace(input)
	return len(text) > 0 && text[0] != '{'
}

// Unsuccessful reports whether the answer is not a success, in whatever form.
func (a *Attempt) Unsuccessful() bool { return !a.Succeeded() && !a.JudgedElsewhere() }

// RefusedWithDoubt reports whether a conforming host may refuse the input although it satisfies the
// schema.
func (a *Attempt) RefusedWithDoubt() bool {
	return a.About[AboutDoubt] != "" && a.FailedWith(InvalidInput)
}

// Accepted reports whether the answer is an InvokeResult of a source that knew the reference and
// accepted the input.
func (a *Attempt) Accepted() bool {
	return a.HasResult() && !a.FailedWith(InvalidInput) && !a.FailedWith(NotFound)
}

// KnowsPair reports whether only a source that has the pair returns such a result.
func (a *Attempt) KnowsPair() bool { return a.HasResult() && !a.FailedWith(NotFound) }

// MayBeLimit reports whether the answer may mean that the source was called too often: also a
// failure, a denial or a timeout inside an InvokeResult.
func (a *Attempt) MayBeLimit() bool {
	return a.Call.MayBeLimit() || a.Failed() && slices.Contains([]string{ExecutionFailed, PermissionDenied, Timeout},
		a.Result.Code())
}

// Lookup is one answer to capability.describe.
type Lookup struct {
	Call
	Asked      Ref
	Shown      *RawManifest // nil if the answer is not an object
	wrapper    bool         // a Capability with its manifest inside
	unknown    bool         // the returned value is the code NOT_FOUND
	superseded bool
}

func (h *History) readLookup(c Call, sent, got []byte) *Lookup {
	l := &Lookup{Call: c}
	_ = json.Unmarshal(sent, &l.Asked) // the harness wrote it
	if !c.Returned {
		return l
	}
	value, err := schemas.Decode(got, schemas.Limits{})
	if err != nil {
		return l
	}
	l.unknown = saysNotFound(value)
	if m, isObject := value.(map[string]any); isObject {
		_, wrapped := m[MemberWrapped].(map[string]any)
		l.Shown, l.wrapper = h.rawManifest(got, m), wrapped && m[MemberInput] == nil
	}
	return l
}

// Manifest returns the answer if it is one object, and not a Capability that contains the
// manifest.
func (l *Lookup) Manifest() (Manifest, bool) {
	if l.Lost != nil || l.Shown == nil || l.wrapper {
		return nil, false
	}
	return l.Shown.Manifest(), true
}

// Own reports whether the answer is the manifest of the requested pair.
func (l *Lookup) Own() bool {
	return l.Lost == nil && l.Shown != nil && !l.wrapper && l.Shown.Ref() == l.Asked && l.Asked.ID != "" &&
		l.Asked.Version != ""
}

// Unknown reports whether the answer is NOT_FOUND: an error with that code, or the code as the
// returned value, as the text prints it.
func (l *Lookup) Unknown() bool {
	return l.Lost == nil && (l.Refused && l.Code == NotFound || l.Returned && l.unknown)
}

// saysNotFound reports whether a returned value is NOT_FOUND: the code itself, an error with
// that code, or an object that contains such an error.
func saysNotFound(value any) bool {
	members, isObject := value.(map[string]any)
	if !isObject {
		return value == NotFound
	}
	if members["ok"] == true || members[MemberInput] != nil {
		return false
	}
	for _, name := range []string{"code", "error", "status", "result", "reason"} {
		if members[name] == NotFound {
			return true
		}
	}
	errors, _ := members["errors"].([]any)
	return slices.ContainsFunc(append(errors, members["error"]), func(inner any) bool {
		failure, _ := inner.(map[string]any)
		return failure["code"] == NotFound
	})
}

// CallerText returns the text that distinguishes one of several callers.
func CallerText(number string) string { return "caller " + number }
