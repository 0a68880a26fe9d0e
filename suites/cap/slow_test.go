package capsuite

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites/driver"
)

// A capability that takes longer than the deadline of a call is not an error of the run: the suite waits for it once,
// judges that answer, and does not invoke it again.
func TestSlowCapabilityIsJudgedByOneAnswer(t *testing.T) {
	const call = 500 * time.Millisecond
	s := newSource(t)
	calls := 0
	s.invoke = func(c asking) map[string]any {
		if c.id == "word.count" {
			calls++
			<-time.After(call * 6 / 5)
		}
		return validInvoke(c)
	}
	report := examinedWithin(t, s, driver.Deadlines{Call: call}, "CAP-INV-01", "CAP-INV-02", "CAP-INV-04")
	for _, q := range report.Suites[0].Requirements {
		if len(q.Scenarios) > 0 && q.Status != reports.Passed {
			t.Errorf("%s is %s: %s", q.ID, q.Status, q.Reason)
		}
	}
	if calls != 1 {
		t.Errorf("word.count was invoked %d times, want 1", calls)
	}
	about := func(n string) bool { return strings.Contains(n, "word.count took about 500ms or longer") }
	if !slices.ContainsFunc(report.Notes, about) {
		t.Errorf("no note names word.count: %q", report.Notes)
	}
}

// A capability that never answers costs the longer deadline only once.
func TestSilentCapabilityIsAnError(t *testing.T) {
	s := newSource(t)
	s.invoke = func(c asking) map[string]any {
		if c.id == "word.count" {
			<-t.Context().Done()
		}
		return validInvoke(c)
	}
	report := examinedWithin(t, s, driver.Deadlines{Call: 100 * time.Millisecond}, "CAP-INV-01")
	i := slices.IndexFunc(
		report.Suites[0].Requirements,
		func(q reports.Requirement) bool { return q.ID == "CAP-INV-01" },
	)
	if q := report.Suites[0].Requirements[i]; q.Status != reports.Error {
		t.Errorf("CAP-INV-01 is %s, want %s", q.Status, reports.Error)
	}
}
