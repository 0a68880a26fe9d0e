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
	More  bool            // the params hold more than reference and input
	Result
	Before     *Attempt // the same call before, whose connection was closed
	superseded bool     // the same call was made again: a later attempt stands for it
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

// Breaks is the keyword that the input breaks, "" for a sound one.
func (a *Attempt) Breaks() string { return a.About[AboutBreaks] }

// Sound tells an attempt with an input that keeps the schema as far as the harness knows.
func (a *Attempt) Sound() bool {
	return a.About[AboutBreaks] == "" && a.About[AboutForm] == "" && !a.More
}

// Judged is true for an answer that is an InvokeResult with an outcome.
func (a *Attempt) Judged() bool { return a.Lost == nil && a.Returned && a.HasOutcome() }

// Succeeded is true for a success.
func (a *Attempt) Succeeded() bool { return a.Judged() && a.OK() }

// Declined is true for an InvokeResult that says no.
func (a *Attempt) Declined() bool { return a.Judged() && a.Result.Refused() }

// With tells an InvokeResult that says no with a code.
func (a *Attempt) With(code string) bool { return a.Declined() && a.Result.Code() == code }

// OpenQuestion tells an answer that other requirements judge: none at all, a promise in
// place of a result, an operation that is not provided.
func (a *Attempt) OpenQuestion() bool { return a.Unanswered() || a.Absent || a.Pending() }

// OutsideContract tells an input that is no object, which invoke does not take whatever
// the input schema is. A source may refuse it in any way.
func (a *Attempt) OutsideContract() bool { return OutsideContract(a.Input) }

// OutsideContract tells an input that is no object.
func OutsideContract(input json.RawMessage) bool {
	text := bytes.TrimSpace(input)
	return len(text) > 0 && text[0] != '{'
}

// TurnedDown is true for an answer that is no success, in whatever form.
func (a *Attempt) TurnedDown() bool { return !a.Succeeded() && !a.OpenQuestion() }

// Doubted is true for a refusal of an input that a sound host may refuse, though it keeps
// the schema.
func (a *Attempt) Doubted() bool { return a.About[AboutDoubt] != "" && a.With(InvalidInput) }

// TakenUp is true for an InvokeResult of a source that knew the reference and took the
// input.
func (a *Attempt) TakenUp() bool { return a.Judged() && !a.With(InvalidInput) && !a.With(NotFound) }

// Knows is true for a result that only a source gives which has the pair.
func (a *Attempt) Knows() bool { return a.Judged() && !a.With(NotFound) }

// MayBeLimit tells an answer by which a source may say that it was called too often: also a
// failure, a denial or a timeout inside of an InvokeResult.
func (a *Attempt) MayBeLimit() bool {
	return a.Call.MayBeLimit() || a.Declined() && slices.Contains([]string{ExecutionFailed, PermissionDenied, Timeout},
		a.Result.Code())
}

// Lookup is one answer to capability.describe.
type Lookup struct {
	Call
	Asked      Ref
	Shown      *Sheet // nil where the answer is no object
	wrapper    bool   // a Capability with its manifest inside
	unknown    bool   // the returned value is the code NOT_FOUND
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
		l.Shown, l.wrapper = h.sheet(got, m), wrapped && m[MemberInput] == nil
	}
	return l
}

// Manifest gives the answer where it is one object, and no Capability with its manifest
// inside.
func (l *Lookup) Manifest() (Manifest, bool) {
	if l.Lost != nil || l.Shown == nil || l.wrapper {
		return nil, false
	}
	return l.Shown.Manifest(), true
}

// Own tells whether the answer is the manifest of the pair that was asked for.
func (l *Lookup) Own() bool {
	return l.Lost == nil && l.Shown != nil && !l.wrapper && l.Shown.Ref() == l.Asked && l.Asked.ID != "" &&
		l.Asked.Version != ""
}

// Unknown is true for the answer that a pair is not there: an error with that code, or the
// code as the returned value, which is how the text prints it.
func (l *Lookup) Unknown() bool {
	return l.Lost == nil && (l.Refused && l.Code == NotFound || l.Returned && l.unknown)
}

// saysNotFound reads the code NOT_FOUND from a returned value: the code alone, an error
// with that code, or an object that holds such an error.
func saysNotFound(value any) bool {
	members, isObject := value.(map[string]any)
	if !isObject {
		return value == NotFound
	}
	if members["ok"] == true || members[MemberInput] != nil {
		return false
	}
	inner, _ := members["error"].(map[string]any)
	return members["code"] == NotFound || members["error"] == NotFound || inner["code"] == NotFound
}

// CallerText is the text by which one of several callers is told from the others.
func CallerText(number string) string { return "caller " + number }
