package capsuite

import (
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites/cap/history"
)

// statusOf returns the status of one requirement and its reason.
func statusOf(t *testing.T, s *source, id string) (reports.Status, string) {
	t.Helper()
	for _, q := range examined(t, s, id).Suites[0].Requirements {
		if q.ID == id {
			return q.Status, q.Reason
		}
	}
	t.Fatalf("the report lacks %s", id)
	return "", ""
}

// ordinary removes the fixtures from a source and lets the capability word.count answer every valid input in one way.
func ordinary(t *testing.T, answer map[string]any, more map[string]any) *source {
	t.Helper()
	s := newSource(t)
	s.manifests = s.manifests[:2]
	for name, value := range more {
		s.manifests[1][name] = value
	}
	s.invoke = func(c asking) map[string]any {
		if c.id == "word.count" && answer != nil {
			return answer
		}
		return validInvoke(c)
	}
	return s
}

func TestFailureShowsItsCodeWithoutRole(t *testing.T) {
	permission := map[string]any{history.MemberPermissions: []any{"words.count"}}
	for _, test := range []struct {
		name, id string
		answer   map[string]any
		more     map[string]any
		want     reports.Status
		because  string
	}{
		{"a capability fails by itself", "CAP-ERR-04", failing(history.ExecutionFailed, "no network"), nil, reports.Passed,
			""},
		{"nothing fails", "CAP-ERR-04", nil, nil, reports.Inconclusive, "no capability plays fails"},
		{"a declared permission is missing", "CAP-ERR-03", failing(history.PermissionDenied, "no"), permission,
			reports.Passed, ""},
		{"nothing is denied", "CAP-ERR-03", nil, permission, reports.Inconclusive, "no capability plays restricted"},
		{"a denial without a declared permission", "CAP-ERR-03", failing(history.PermissionDenied, "no"), nil,
			reports.NotApplicable, "no capability declares a permission"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, reason := statusOf(t, ordinary(t, test.answer, test.more), test.id)
			if diff := cmp.Diff(test.want, got); diff != "" || !strings.Contains(reason, test.because) {
				t.Errorf("%s because of %q (-want +got):\n%s", test.id, reason, diff)
			}
		})
	}
}

func TestSourceWithOnlyRolesHasNothingToInvoke(t *testing.T) {
	s := newSource(t)
	s.manifests = slices.DeleteFunc(s.manifests, func(m map[string]any) bool {
		return m[history.MemberID] != "conformance.restricted"
	})
	got, reason := statusOf(t, s, "CAP-INV-01")
	if want := "every capability that may be invoked plays a role such as fails"; got != reports.Inconclusive ||
		!strings.HasPrefix(reason, want) {
		t.Errorf("CAP-INV-01 is %s because of %q, want inconclusive because of %q", got, reason, want)
	}
}

// If an input schema accepts every object, no refusal must have a certain code.
func TestSchemaOfEveryObjectLeavesRefusalCodeInconclusive(t *testing.T) {
	s := newSource(t)
	s.manifests = s.manifests[:1]
	s.manifests[0][history.MemberInput] = map[string]any{"type": "object"}
	got, reason := statusOf(t, s, "CAP-INV-03")
	if want := "no capability that accepted a valid input can be sent an object"; got != reports.Inconclusive ||
		!strings.HasPrefix(reason, want) {
		t.Errorf("CAP-INV-03 is %s because of %q, want inconclusive because of %q", got, reason, want)
	}
}

// A conforming source of a few ordinary capabilities leaves two requirements undecided.
func TestOrdinarySourceLeavesTwoRequirementsUndecided(t *testing.T) {
	s := newSource(t)
	s.manifests = s.manifests[:2]
	s.add("word.list", history.KindTool)
	var open []string
	for _, q := range examined(t, s).Suites[0].Requirements {
		if q.Status != reports.Passed && q.Status != reports.NotApplicable && q.Status != reports.Excluded {
			open = append(open, q.ID+" "+string(q.Status))
		}
	}
	if diff := cmp.Diff([]string{"CAP-ERR-04 inconclusive", "CAP-ERR-05 inconclusive"}, open); diff != "" {
		t.Errorf("undecided (-want +got):\n%s", diff)
	}
}

// The failure shows the worst accepted input, and counts the others.
func TestFailureShowsWorstBreach(t *testing.T) {
	s := newSource(t)
	s.manifests = s.manifests[:2]
	s.refuse = func() map[string]any { return succeeding(map[string]any{"word": "none"}) }
	for _, q := range examined(t, s, "CAP-INV-02").Suites[0].Requirements {
		if q.ID != "CAP-INV-02" {
			continue
		}
		failure := q.Scenarios[0].Failure
		if failure == nil {
			t.Fatalf("CAP-INV-02 is %s", q.Status)
		}
		if want := "an input that breaks type is accepted"; failure.Message != want {
			t.Errorf("message %q, want %q", failure.Message, want)
		}
		for _, keyword := range []string{"type", "required", "additionalProperties"} {
			message := "an input that breaks " + keyword + " is accepted"
			if !slices.ContainsFunc(failure.Kinds,
				func(k reports.FailureKind) bool { return k.Message == message && k.Count > 0 }) {
				t.Errorf("got the kinds %+v, want %q among them", failure.Kinds, message)
			}
		}
	}
}

// A source may limit the rate of calls, and refuse in any way. A failure that disappears when the call is repeated is
// not reported.
func TestRateLimitIsNoFailure(t *testing.T) {
	const protocolError = "protocol error"
	for _, test := range []struct {
		name    string
		limited func(call int) bool
		code    string
		lists   bool
	}{
		{"every tenth call fails", func(call int) bool { return call%10 == 0 }, history.ExecutionFailed, false},
		{"every tenth call is denied", func(call int) bool { return call%10 == 0 }, history.PermissionDenied, false},
		{"every tenth call is refused", func(call int) bool { return call%10 == 0 }, protocolError, false},
		{"every seventh call is refused", func(call int) bool { return call%7 == 0 }, protocolError, false},
		{"every seventh call is refused, lists too", func(call int) bool { return call%7 == 0 }, protocolError, true},
		{"a hundred calls, then a pause, with denials", func(call int) bool { return call%130 >= 100 },
			history.PermissionDenied, false},
		{"a hundred calls, then a pause, with failures", func(call int) bool { return call%130 >= 100 },
			history.ExecutionFailed, false},
		{"a hundred calls, then a pause, with refusals", func(call int) bool { return call%130 >= 100 }, protocolError,
			false},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newSource(t)
			s.add("conformance.fail", history.KindTool)
			s.add("word.brief", history.KindSkill)
			s.invoke = func(c asking) map[string]any {
				if c.id == "conformance.fail" {
					return failing(history.ExecutionFailed, "as required")
				}
				return validInvoke(c)
			}
			var calls atomic.Int64
			s.limit = func(method string) map[string]any {
				if method == history.OpList && !test.lists || !test.limited(int(calls.Add(1))) {
					return nil
				}
				if method == history.OpInvoke && test.code != protocolError {
					return map[string]any{"result": failing(test.code, "slower, please")}
				}
				return map[string]any{"error": map[string]any{"code": -32000, "message": "slower, please"}}
			}
			if broken := failed(t, s); len(broken) > 0 {
				t.Errorf("reported as failed: %v", broken)
			}
		})
	}
}
