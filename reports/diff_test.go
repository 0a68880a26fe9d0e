package reports

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

// single is a report of one requirement.
func single(level string, status Status, message string) *Report {
	q := Requirement{ID: "CAP-1-01", Level: level, Section: "1", Summary: "It holds", Status: status, Reason: message}
	if status == Failed {
		q.Scenarios = []Scenario{{Name: "It holds", Status: Failed, Reason: message, Failure: &Failure{Message: message}}}
	}
	return settled(baseReport(capSuite(q)))
}

func none() *Report { return settled(baseReport(capSuite())) }

func TestCompare(t *testing.T) {
	cases := []struct {
		name     string
		old, new *Report
		kind     ChangeKind
		exit     Exit
	}{
		{"the same", single("MUST", Failed, "a"), single("MUST", Failed, "a"), "", ExitConformant},
		{"regression", single("MUST", Passed, ""), single("MUST", Failed, "a"), Regressed, ExitNonconformant},
		{"regression from open", single("DECLARED", Inconclusive, "x"), single("DECLARED", Failed, "a"), Regressed, ExitNonconformant},
		{"regression of a SHOULD", single("SHOULD", Passed, ""), single("SHOULD", Failed, "a"), Regressed, ExitConformant},
		{"new and failed", none(), single("MUST", Failed, "a"), Regressed, ExitNonconformant},
		{"new", none(), single("MUST", Passed, ""), Added, ExitConformant},
		{"gone", single("MUST", Passed, ""), none(), Gone, ExitIncomplete},
		{"gone advice", single("ADVICE", Passed, ""), none(), Gone, ExitConformant},
		{"fixed", single("MUST", Failed, "a"), single("MUST", Provided, ""), Fixed, ExitConformant},
		{"another failure", single("MUST", Failed, "a"), single("MUST", Failed, "b"), Altered, ExitConformant},
		{"lost", single("MUST", Passed, ""), single("MUST", Error, "x"), Lost, ExitIncomplete},
		{"a failure hidden", single("MUST", Failed, "a"), single("MUST", NotApplicable, "x"), Lost, ExitIncomplete},
		{"gained", single("MUST", Inconclusive, "x"), single("MUST", Passed, ""), Gained, ExitConformant},
		{"open otherwise", single("MUST", Inconclusive, "x"), single("MUST", NotApplicable, "y"), "", ExitConformant},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			d := Compare(c.old, c.new)
			kind := ChangeKind("")
			if len(d.Changes) > 0 {
				kind = d.Changes[0].Kind
			}
			if kind != c.kind || d.Exit() != c.exit || len(d.Changes) > 1 {
				t.Errorf("%q with exit %d, want %q with %d", kind, d.Exit(), c.kind, c.exit)
			}
		})
	}
	strict := single("SHOULD", Failed, "a")
	strict.Run.Strict = true
	if got := Compare(single("SHOULD", Passed, ""), settled(strict)).Exit(); got != ExitNonconformant {
		t.Errorf("a SHOULD under --strict: exit %d", got)
	}
	if diff := cmp.Diff([]string{"the new report is of a partial run"}, Compare(conformantReport(), func() *Report {
		r := conformantReport()
		r.Run.Partial = true
		return settled(r)
	}()).Notes); diff != "" {
		t.Errorf("notes (-want +got)\n%s", diff)
	}
}

func TestDiffAndMatrixSurviveHostileText(t *testing.T) {
	bad, good := hostileReport(), conformantReport()
	outputs := map[string]bytes.Buffer{}
	d, m := Compare(good, bad), NewMatrix([]*Report{good, bad})
	for name, write := range map[string]func(*bytes.Buffer) error{
		"text": func(b *bytes.Buffer) error { return d.WriteText(b) }, "markdown": func(b *bytes.Buffer) error { return d.WriteMarkdown(b) },
		"matrix": func(b *bytes.Buffer) error { return m.WriteMarkdown(b) }, "html": func(b *bytes.Buffer) error { return m.WriteHTML(b) },
	} {
		var buf bytes.Buffer
		require.NoError(t, write(&buf))
		outputs[name] = buf
		for line := range strings.Lines(buf.String()) {
			if strings.HasPrefix(strings.TrimSpace(line), "::") || strings.ContainsAny(line, "\x1b\x00") {
				t.Errorf("%s: %q", name, line)
			}
		}
		if strings.Contains(buf.String(), "<script") && name != "text" {
			t.Errorf("%s: markup is left", name)
		}
	}
}

func TestMatrixRows(t *testing.T) {
	m := NewMatrix([]*Report{single("MUST", Passed, ""), single("MUST", Failed, "a"), none()})
	if len(m.Rows) != 1 || !m.Rows[0].apart() || m.Rows[0].Cells[2] != nil {
		t.Fatalf("%+v", m.Rows)
	}
	var words []string
	for n := range m.Reports {
		words = append(words, m.mark(m.Rows[0], n).word)
	}
	if want := []string{"passed", "failed", "not there"}; !slices.Equal(want, words) {
		t.Errorf("%v, want %v", words, want)
	}
	if NewMatrix([]*Report{single("MUST", Passed, ""), single("MUST", Passed, "")}).Rows[0].apart() {
		t.Error("what is the same is told apart")
	}
}

// parts splits a whole report as run --shard does.
func parts(t *testing.T, count int) []*Report {
	t.Helper()
	var all []*Report
	for i := 1; i <= count; i++ {
		r := canonical(t, "cap")
		s := &r.Suites[0]
		for n := range s.Requirements {
			q := &s.Requirements[n]
			if len(q.Scenarios) > 0 && n%count != i-1 {
				s.Plan.Planned -= len(q.Scenarios)
				q.Status, q.Reason, q.Scenarios = NotApplicable, notSelected, nil
			}
		}
		s.Plan.Executed = s.Plan.Planned
		r.Run.Shard, r.Run.Partial = &Shard{i, count}, true
		option := "--shard " + string(rune('0'+i)) + "/" + string(rune('0'+count))
		r.Run.Options = append([]string{option}, r.Run.Options...)
		r.Run.Command = strings.Replace(r.Run.Command, "run ", "run "+option+" ", 1)
		all = append(all, settled(r))
	}
	return all
}

func TestMerge(t *testing.T) {
	merged, err := Merge(parts(t, 3))
	require.NoError(t, err)
	want := canonical(t, "cap")
	want.Run.ID = merged.Run.ID
	if diff := cmp.Diff(string(document(t, want)), string(document(t, merged))); diff != "" {
		t.Errorf("(-whole +merged)\n%s", diff)
	}
}

func TestMergeRefuses(t *testing.T) {
	for _, c := range []struct {
		name string
		edit func([]*Report) []*Report
		want string
	}{
		{"nothing", func([]*Report) []*Report { return nil }, "there is no part"},
		{"a gap", func(p []*Report) []*Report { return p[:2] }, "part 3 of 3 is missing"},
		{"a part twice", func(p []*Report) []*Report { return append(p, p[1]) }, "part 2 is given twice: report 2 and report 4"},
		{"no part", func(p []*Report) []*Report { p[1].Run.Shard = nil; return p }, "report 2 is no part of a run"},
		{"another count", func(p []*Report) []*Report { p[1].Run.Shard.Count = 4; return p }, "report 2 is of 4 parts, and report 1 of 3"},
		{"another subject", func(p []*Report) []*Report { p[1].Subject.Name = "other"; return p }, "report 2 has the subject other"},
		{"another catalogue", func(p []*Report) []*Report { p[2].Harness.CatalogueDigest = "0"; return p }, "report 3 has the catalogue 0"},
		{"another seed", func(p []*Report) []*Report { p[2].Run.Seed = 8; return p }, "report 3 has the seed 8"},
		{"another selection", func(p []*Report) []*Report { p[2].Run.Options = append(p[2].Run.Options, "--level must"); return p }, "report 3 has the selection --level must"},
		{"an overlap", func(p []*Report) []*Report { p[0].Suites[0] = canonical(t, "cap").Suites[0]; return p }, "was examined in part 1, and belongs to part"},
	} {
		_, err := Merge(c.edit(parts(t, 3)))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}
