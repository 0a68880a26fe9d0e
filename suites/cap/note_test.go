package capsuite

import (
	"slices"
	"strings"
	"testing"

	"github.com/capconform/capconform/suites/cap/history"
)

// What was never accepted was never tried with anything unsound: a reader has to know.
func TestWhatAcceptsNothingIsNoted(t *testing.T) {
	s := newSource(t)
	s.invoke = func(c asking) map[string]any {
		if c.id == "word.count" {
			return failing(history.ExecutionFailed, "no network")
		}
		return soundInvoke(c)
	}
	about := func(n string) bool { return strings.Contains(n, "accepted no generated input") }
	notes := examined(t, s).Notes
	i := slices.IndexFunc(notes, about)
	if i < 0 || !strings.Contains(notes[i], "word.count") || strings.Contains(notes[i], "word.keep") {
		t.Errorf("want a note that names word.count alone, got %q", notes)
	}
	if notes := examined(t, newSource(t)).Notes; slices.ContainsFunc(notes, about) {
		t.Errorf("a source that accepts every sound input has the note %q", notes)
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
