package verification

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/reporttest"
)

// parts splits a whole report as run --shard does.
func parts(t *testing.T, count int) []*reports.Report {
	t.Helper()
	var all []*reports.Report
	for i := 1; i <= count; i++ {
		r := canonical(t, "cap")
		s := &r.Suites[0]
		for n := range s.Requirements {
			q := &s.Requirements[n]
			if len(q.Scenarios) > 0 && n%count != i-1 {
				s.Plan.Planned -= len(q.Scenarios)
				q.Status, q.Reason, q.Scenarios = reports.NotApplicable, reports.NotSelected, nil
			}
		}
		s.Plan.Executed = s.Plan.Planned
		r.Run.ID = uuid.NewSHA1(uuid.NameSpaceOID, []byte{byte(i)}).String()
		r.Run.Shard, r.Run.Partial = &reports.Shard{Index: i, Count: count}, true
		option := "--shard " + string(rune('0'+i)) + "/" + string(rune('0'+count))
		r.Run.Options = append([]string{option}, r.Run.Options...)
		r.Run.Command = strings.Replace(r.Run.Command, "run ", "run "+option+" ", 1)
		all = append(all, reporttest.Settled(r))
	}
	return all
}

func TestMerge(t *testing.T) {
	merged, err := Merge(parts(t, 3), Proof{Build: testBuild})
	require.NoError(t, err)
	want := canonical(t, "cap")
	want.Run.ID, want.Run.Parts = merged.Run.ID, merged.Run.Parts
	if diff := cmp.Diff(string(document(t, want)), string(document(t, merged))); diff != "" {
		t.Errorf("(-whole +merged)\n%s", diff)
	}
	for i, part := range parts(t, 3) {
		listed := reports.Part{
			Index:  i + 1,
			RunID:  part.Run.ID,
			Target: part.Subject.Target,
			SHA256: reports.DigestOf(document(t, part)),
		}
		if diff := cmp.Diff(listed, merged.Run.Parts[i]); diff != "" {
			t.Errorf("part %d (-want +got)\n%s", i+1, diff)
		}
	}
	if v := verify(document(t, merged), nil); len(v.Faults)+len(v.Limits) > 0 {
		t.Errorf("the merged report is not consistent: %v %v", v.Faults, v.Limits)
	}
}

// giveOption adds an option to a report, as a run writes it.
func giveOption(r *reports.Report, option string) {
	r.Run.Options = append(r.Run.Options, option)
	r.Run.Command += " " + option
}

// TestMergeHasNoRecord: each part has its own record, which is not the record of the merged run.
func TestMergeHasNoRecord(t *testing.T) {
	all := parts(t, 2)
	for _, part := range all {
		part.Run.RecordDigest = strings.Repeat("ab", 32)
	}
	merged, err := Merge(all, Proof{Build: testBuild})
	require.NoError(t, err)
	require.Empty(t, merged.Run.RecordDigest)
	require.NotContains(t, string(inToto(t, merged)), "abababab")
}

// TestMergeOfNamedParts: each job of a CI starts a host at its own address, and states by --name that they are
// one subject.
func TestMergeOfNamedParts(t *testing.T) {
	all := parts(t, 2)
	for i, r := range all {
		giveOption(r, "--name acme-host")
		r.Subject.Target = []string{"http://127.0.0.1:1", "http://127.0.0.1:2"}[i]
	}
	merged, err := Merge(all, Proof{Build: testBuild})
	require.NoError(t, err)
	if v := verify(document(t, merged), nil); len(v.Faults)+len(v.Limits) > 0 {
		t.Errorf("%v %v", v.Faults, v.Limits)
	}
	merged.Run.Options, merged.Run.Command = all[0].Run.Options[1:2], strings.ReplaceAll(merged.Run.Command,
		" --name acme-host", "")
	if v := verify(document(t, merged), nil); !slices.Contains(v.Faults,
		"part 2 has another target than part 1, and no --name states that they are one subject") {
		t.Errorf("without a name: %v", v.Faults)
	}
}

// A terminal shows the error of a merge in one line.
func TestErrorOfMergeIsBounded(t *testing.T) {
	const more = 7
	faults := make([]string, maxFaults+more)
	for i := range faults {
		faults[i] = fmt.Sprint("fault ", i+1)
	}
	assert.EqualError(t, mergeError(faults), "reports: merge: fault 1\nfault 2\nfault 3\nfault 4\nfault 5\nand 7 more")
	assert.EqualError(t, mergeError(faults[:maxFaults]), "reports: merge: fault 1\nfault 2\nfault 3\nfault 4\nfault 5")
}

func TestMergeRefusesInvalidParts(t *testing.T) {
	for _, c := range []struct {
		name string
		edit func([]*reports.Report) []*reports.Report
		want string
	}{
		{"nothing", func([]*reports.Report) []*reports.Report { return nil }, "no part was given"},
		{"a gap", func(p []*reports.Report) []*reports.Report { return p[:2] }, "part 3 of 3 is missing"},
		{"a part twice", func(p []*reports.Report) []*reports.Report { return append(p, p[1]) },
			"part 2 is given twice: report 2 and report 4"},
		{"not a part", func(p []*reports.Report) []*reports.Report { p[1].Run.Shard = nil; return p }, "report 2 is not a part of a run"},
		{"another count", func(p []*reports.Report) []*reports.Report { p[1].Run.Shard.Count = 4; return p },
			"report 2 is one of 4 parts, but report 1 is one of 3"},
		{"another subject", func(p []*reports.Report) []*reports.Report { p[1].Subject.Name = "other"; return p },
			"report 2 has the subject other, but report 1"},
		{"another catalogue", func(p []*reports.Report) []*reports.Report { p[2].Harness.CatalogueDigest = "0"; return p },
			"report 3 has the catalogue 0"},
		{"another seed", func(p []*reports.Report) []*reports.Report { p[2].Run.Seed = 8; return p }, "report 3 has the seed 8"},
		{"another selection", func(p []*reports.Report) []*reports.Report { giveOption(p[2], "--level must"); return p },
			"report 3 has the options --seed 7 --level must"},
		{"another policy", func(p []*reports.Report) []*reports.Report { giveOption(p[2], "--invoke all"); return p },
			"report 3 has the options --seed 7 --invoke all"},
		{"an overlap", func(p []*reports.Report) []*reports.Report {
			p[0].Suites[0] = canonical(t, "cap").Suites[0]
			reporttest.Settled(p[0])
			return p
		}, "was examined in part 1, but belongs to part"},
		{"another target", func(p []*reports.Report) []*reports.Report { p[1].Subject.Target = "http://b"; return p },
			"report 2 has the target http://b"},
		{"a name for only one of them", func(p []*reports.Report) []*reports.Report {
			giveOption(p[1], "--name acme-host")
			p[1].Subject.Target = "http://b"
			return p
		}, "report 2 has the target http://b"},
		{"another version", func(p []*reports.Report) []*reports.Report { p[1].Subject.Version = "2"; return p },
			"report 2 has the subject's version 2"},
		{"another target file", func(p []*reports.Report) []*reports.Report {
			p[1].Subject.TargetFileDigest = strings.Repeat("a",
				64)
			return p
		}, "report 2 has the target file aaaa"},
		{"other declared versions", func(p []*reports.Report) []*reports.Report { p[1].Suites[0].Declared = []string{"9"}; return p },
			"report 2 has the suites CAP"},
		{"another harness", func(p []*reports.Report) []*reports.Report { p[1].Harness.Commit = "9"; return p },
			"report 2 has the harness 1.0.0 9"},
		{"other features", func(p []*reports.Report) []*reports.Report { p[1].Harness.FeaturesDigest = "9"; return p },
			"report 2 has the features 9"},
		{"the same run under another index", func(p []*reports.Report) []*reports.Report { p[1].Run.ID = p[0].Run.ID; return p },
			"report 1 and report 2 are of the same run"},
		{"an index that was edited", func(p []*reports.Report) []*reports.Report { p[1].Run.Shard.Index = 3; return p[:2] },
			"the run says which part it is, but its options say otherwise"},
		{"a verdict that was edited", func(p []*reports.Report) []*reports.Report { p[1].Suites[0].Counts.Must.Passed++; return p },
			"no run can have written report 2: cap: the counts say"},
		{"a merged report", func(p []*reports.Report) []*reports.Report {
			merged, err := Merge(p, Proof{Build: testBuild})
			require.NoError(t, err)
			return []*reports.Report{merged, p[1]}
		}, "report 1 is a merged report already"},
	} {
		_, err := Merge(c.edit(parts(t, 3)), Proof{Build: testBuild})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}
