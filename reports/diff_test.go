package reports

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
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
		{"regression from open", single("DECLARED", Inconclusive, "x"), single("DECLARED", Failed, "a"), Regressed,
			ExitNonconformant},
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
		"text":     func(b *bytes.Buffer) error { return d.WriteText(b) },
		"markdown": func(b *bytes.Buffer) error { return d.WriteMarkdown(b) },
		"matrix":   func(b *bytes.Buffer) error { return m.WriteMarkdown(b) },
		"html":     func(b *bytes.Buffer) error { return m.WriteHTML(b) },
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
		r.Run.ID = uuid.NewSHA1(uuid.NameSpaceOID, []byte{byte(i)}).String()
		r.Run.Shard, r.Run.Partial = &Shard{i, count}, true
		option := "--shard " + string(rune('0'+i)) + "/" + string(rune('0'+count))
		r.Run.Options = append([]string{option}, r.Run.Options...)
		r.Run.Command = strings.Replace(r.Run.Command, "run ", "run "+option+" ", 1)
		all = append(all, settled(r))
	}
	return all
}

func TestMerge(t *testing.T) {
	merged, err := Merge(parts(t, 3), testBuild)
	require.NoError(t, err)
	want := canonical(t, "cap")
	want.Run.ID, want.Run.Parts = merged.Run.ID, merged.Run.Parts
	if diff := cmp.Diff(string(document(t, want)), string(document(t, merged))); diff != "" {
		t.Errorf("(-whole +merged)\n%s", diff)
	}
	for i, part := range parts(t, 3) {
		listed := Part{Index: i + 1, RunID: part.Run.ID, Target: part.Subject.Target, SHA256: digestOf(document(t, part))}
		if diff := cmp.Diff(listed, merged.Run.Parts[i]); diff != "" {
			t.Errorf("part %d (-want +got)\n%s", i+1, diff)
		}
	}
	if v := verify(document(t, merged), nil); len(v.Faults)+len(v.Limits) > 0 {
		t.Errorf("what was merged is not what a run writes: %v %v", v.Faults, v.Limits)
	}
}

// giveOption adds an option to a report, as a run writes it.
func giveOption(r *Report, option string) {
	r.Run.Options = append(r.Run.Options, option)
	r.Run.Command += " " + option
}

// TestMergeOfNamedParts: each job of a CI starts a host at its own address, and
// says by --name that they are one subject.
func TestMergeOfNamedParts(t *testing.T) {
	all := parts(t, 2)
	for i, r := range all {
		giveOption(r, "--name acme-host")
		r.Subject.Target = []string{"http://127.0.0.1:1", "http://127.0.0.1:2"}[i]
	}
	merged, err := Merge(all, testBuild)
	require.NoError(t, err)
	if v := verify(document(t, merged), nil); len(v.Faults)+len(v.Limits) > 0 {
		t.Errorf("%v %v", v.Faults, v.Limits)
	}
	merged.Run.Options, merged.Run.Command = all[0].Run.Options[1:2], strings.ReplaceAll(merged.Run.Command,
		" --name acme-host", "")
	if v := verify(document(t, merged), nil); !slices.Contains(v.Faults,
		"part 2 is of another target than part 1, and no --name says that they are one subject") {
		t.Errorf("without a name: %v", v.Faults)
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
		{"a part twice", func(p []*Report) []*Report { return append(p, p[1]) },
			"part 2 is given twice: report 2 and report 4"},
		{"no part", func(p []*Report) []*Report { p[1].Run.Shard = nil; return p }, "report 2 is no part of a run"},
		{"another count", func(p []*Report) []*Report { p[1].Run.Shard.Count = 4; return p },
			"report 2 is of 4 parts, and report 1 of 3"},
		{"another subject", func(p []*Report) []*Report { p[1].Subject.Name = "other"; return p },
			"report 2 has the subject other, and report 1"},
		{"another catalogue", func(p []*Report) []*Report { p[2].Harness.CatalogueDigest = "0"; return p },
			"report 3 has the catalogue 0"},
		{"another seed", func(p []*Report) []*Report { p[2].Run.Seed = 8; return p }, "report 3 has the seed 8"},
		{"another selection", func(p []*Report) []*Report { giveOption(p[2], "--level must"); return p },
			"report 3 has the options --seed 7 --level must"},
		{"another policy", func(p []*Report) []*Report { giveOption(p[2], "--invoke all"); return p },
			"report 3 has the options --seed 7 --invoke all"},
		{"an overlap", func(p []*Report) []*Report {
			p[0].Suites[0] = canonical(t, "cap").Suites[0]
			settled(p[0])
			return p
		}, "was examined in part 1, and belongs to part"},
		{"another target", func(p []*Report) []*Report { p[1].Subject.Target = "http://b"; return p },
			"report 2 has the target http://b"},
		{"a name for one of them", func(p []*Report) []*Report {
			giveOption(p[1], "--name acme-host")
			p[1].Subject.Target = "http://b"
			return p
		}, "report 2 has the target http://b"},
		{"another version", func(p []*Report) []*Report { p[1].Subject.Version = "2"; return p },
			"report 2 has the subject's version 2"},
		{"another target file", func(p []*Report) []*Report {
			p[1].Subject.TargetFileDigest = strings.Repeat("a",
				64)
			return p
		}, "report 2 has the target file aaaa"},
		{"other declared versions", func(p []*Report) []*Report { p[1].Suites[0].Declared = []string{"9"}; return p },
			"report 2 has the suites CAP"},
		{"another harness", func(p []*Report) []*Report { p[1].Harness.Commit = "9"; return p },
			"report 2 has the harness 1.0.0 9"},
		{"other features", func(p []*Report) []*Report { p[1].Harness.FeaturesDigest = "9"; return p },
			"report 2 has the features 9"},
		{"the same run under another index", func(p []*Report) []*Report { p[1].Run.ID = p[0].Run.ID; return p },
			"report 1 and report 2 are of the same run"},
		{"an index that was edited", func(p []*Report) []*Report { p[1].Run.Shard.Index = 3; return p[:2] },
			"the run says which part it is, and its options say otherwise"},
		{"a verdict that was edited", func(p []*Report) []*Report { p[1].Suites[0].Counts.Must.Passed++; return p },
			"report 2 is not what a run wrote: cap: the counts say"},
		{"what was merged", func(p []*Report) []*Report {
			merged, err := Merge(p, testBuild)
			require.NoError(t, err)
			return []*Report{merged, p[1]}
		}, "report 1 was merged already"},
	} {
		_, err := Merge(c.edit(parts(t, 3)), testBuild)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}
