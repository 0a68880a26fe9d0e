package capsuite

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/cap/history"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/inproc"
	"github.com/capconform/capconform/suites/live"
)

// A capability that accepted no input was not tested with invalid ones; a note must say so.
func TestCapabilityThatAcceptsNothingIsNoted(t *testing.T) {
	s := newSource(t)
	s.invoke = func(c asking) map[string]any {
		if c.id == "word.count" {
			return failing(history.ExecutionFailed, "no network")
		}
		return validInvoke(c)
	}
	about := func(n string) bool { return strings.Contains(n, "accepted no generated input") }
	notes := examined(t, s).Notes
	i := slices.IndexFunc(notes, about)
	if i < 0 || !strings.Contains(notes[i], "word.count") || strings.Contains(notes[i], "word.keep") {
		t.Errorf("want a note that names only word.count, got %q", notes)
	}
	if notes := examined(t, newSource(t)).Notes; slices.ContainsFunc(notes, about) {
		t.Errorf("a source that accepts every valid input has the note %q", notes)
	}
}

func TestMissingOutputSchemasAreCounted(t *testing.T) {
	s := newSource(t)
	for _, m := range s.manifests[:2] {
		delete(m, history.MemberOutput)
	}
	for _, q := range examined(t, s, "CAP-MAN-03").Suites[0].Requirements {
		if q.ID == "CAP-MAN-03" && q.Scenarios[0].Failure.Kinds[0].Count != 2 {
			t.Errorf("got %+v, want 2 manifests counted", q.Scenarios[0].Failure.Kinds)
		}
	}
}

// mortal is a source whose session ends during each twentieth call.
type mortal struct{ driver.Driver }

type mortalSession struct {
	driver.Session
	calls int
}

func (m mortal) Open(ctx context.Context) (driver.Session, error) {
	s, err := m.Driver.Open(ctx)
	return &mortalSession{Session: s}, err
}

func (m *mortalSession) Call(ctx context.Context, op driver.Operation) (driver.Answer, error) {
	if m.calls++; m.calls == 20 {
		return driver.Answer{}, &driver.CallError{Kind: driver.ErrClosed}
	}
	return m.Session.Call(ctx, op)
}

// TestEndingsAreNoted: a note says if a source ended during calls and worked again after a restart.
func TestEndingsAreNoted(t *testing.T) {
	suite, err := suites.New(Definition())
	require.NoError(t, err)
	ended := func(n string) bool {
		return strings.HasPrefix(n, "health: ") && strings.Contains(n, "; the target ended ") && strings.Contains(n,
			"opened again")
	}
	for _, ends := range []bool{true, false} {
		source := driver.Driver(inproc.New("source", newSource(t).Handle))
		if ends {
			source = mortal{source}
		}
		subject := &suites.Subject{Driver: source, Invoke: live.InvokeSafe}
		report, err := suites.Run(t.Context(), []*suites.Suite{suite}, subject, suites.Options{Explicit: true})
		require.NoError(t, err)
		require.Equal(t, ends, slices.ContainsFunc(report.Notes, ended), "%q", report.Notes)
	}
}
