package reports

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
)

// Merge makes one report of the parts of one run (run --shard I/N). Each
// requirement comes from the part that it belongs to, by its place in the
// catalogue. Parts that overlap, are missing, or are not of one run are an error
// that lists all that is wrong, a line each.
func Merge(parts []*Report) (*Report, error) {
	if len(parts) == 0 {
		return nil, errors.New("reports: merge: there is no part")
	}
	if faults := unfitting(parts); len(faults) > 0 {
		return nil, fmt.Errorf("reports: merge: %s", strings.Join(faults, "\n"))
	}
	ordered := slices.Clone(parts)
	slices.SortFunc(ordered, func(a, b *Report) int { return a.Run.Shard.Index - b.Run.Shard.Index })
	merged := *ordered[0]
	merged.Run = mergedRun(ordered)
	merged.Notes = union(ordered, func(r *Report) []string { return r.Notes })
	merged.Suites = nil
	for i := range ordered[0].Suites {
		suite, faults := mergedSuite(ordered, i, &merged)
		if len(faults) > 0 {
			return nil, fmt.Errorf("reports: merge: %s", strings.Join(faults, "\n"))
		}
		merged.Suites = append(merged.Suites, suite)
	}
	merged.Settle()
	return &merged, nil
}

// unfitting lists why the reports are not the parts of one run.
func unfitting(parts []*Report) []string {
	var faults []string
	first := parts[0]
	seen := map[int]int{}
	for n, r := range parts {
		name := fmt.Sprintf("report %d", n+1)
		if r.Run.Shard == nil {
			faults = append(faults, name+" is no part of a run (--shard)")
			continue
		}
		if first.Run.Shard != nil && r.Run.Shard.Count != first.Run.Shard.Count {
			faults = append(faults, fmt.Sprintf("%s is of %d parts, and report 1 of %d", name, r.Run.Shard.Count, first.Run.Shard.Count))
		}
		if other, twice := seen[r.Run.Shard.Index]; twice {
			faults = append(faults, fmt.Sprintf("part %d is given twice: report %d and report %d", r.Run.Shard.Index, other, n+1))
		}
		seen[r.Run.Shard.Index] = n + 1
		for _, e := range fingerprints(first, r) {
			if e.a != e.b {
				faults = append(faults, fmt.Sprintf("%s has %s %s, and report 1 %s", name, e.what, e.b, e.a))
			}
		}
	}
	if first.Run.Shard == nil {
		return faults
	}
	for i := 1; i <= first.Run.Shard.Count; i++ {
		if seen[i] == 0 {
			faults = append(faults, fmt.Sprintf("part %d of %d is missing", i, first.Run.Shard.Count))
		}
	}
	return faults
}

type pairing struct{ what, a, b string }

// fingerprints are what the parts of one run have in common. The address may
// differ, since each job of a CI starts a host of its own.
func fingerprints(a, b *Report) []pairing {
	suites := func(r *Report) string {
		var all []string
		for _, s := range r.Suites {
			all = append(all, s.Suite+" "+s.SpecVersion)
		}
		return strings.Join(append(all, r.NotSpoken...), ", ")
	}
	baseline := func(r *Report) string {
		if r.Run.Baseline == nil {
			return "none"
		}
		return r.Run.Baseline.SHA256
	}
	name := func(r *Report) string {
		if r.Subject.Name == r.Subject.Target {
			return "" // named by its address
		}
		return r.Subject.Name
	}
	return []pairing{
		{"the subject", name(a), name(b)},
		{"the subject's version", a.Subject.Version, b.Subject.Version},
		{"the driver", a.Subject.Driver, b.Subject.Driver},
		{"the harness", joinWords(" ", a.Harness.Version, a.Harness.Commit), joinWords(" ", b.Harness.Version, b.Harness.Commit)},
		{"the catalogue", a.Harness.CatalogueDigest, b.Harness.CatalogueDigest},
		{"the features", a.Harness.FeaturesDigest, b.Harness.FeaturesDigest},
		{"the suites", suites(a), suites(b)},
		{"the seed", fmt.Sprint(a.Run.Seed), fmt.Sprint(b.Run.Seed)},
		{"strict", fmt.Sprint(a.Run.Strict), fmt.Sprint(b.Run.Strict)},
		{"the selection", selection(a), selection(b)},
		{"the baseline", baseline(a), baseline(b)},
	}
}

// selection is what was selected beside the part.
func selection(r *Report) string {
	var all []string
	for _, option := range r.Run.Options {
		name, _, _ := strings.Cut(option, " ")
		if name == "--level" || name != "--shard" && slices.Contains(selecting, name) {
			all = append(all, option)
		}
	}
	return strings.Join(all, " ")
}

// mergedRun is the run that the parts made together.
func mergedRun(parts []*Report) Run {
	run := parts[0].Run
	run.Shard, run.Partial = nil, false
	var ids []string
	end := run.StartedAt
	for _, r := range parts {
		ids = append(ids, r.Run.ID)
		if r.Run.StartedAt.Before(run.StartedAt) {
			run.StartedAt = r.Run.StartedAt
		}
		if until := r.Run.StartedAt.Add(time.Duration(r.Run.DurationMS) * time.Millisecond); until.After(end) {
			end = until
		}
		run.Interrupted = run.Interrupted || r.Run.Interrupted
		if run.Stopped == nil {
			run.Stopped = r.Run.Stopped
		}
	}
	run.ID = uuid.NewSHA1(uuid.NameSpaceOID, []byte(strings.Join(ids, "\n"))).String()
	run.DurationMS = end.Sub(run.StartedAt).Milliseconds()
	run.Options = nil
	for _, option := range parts[0].Run.Options {
		if strings.HasPrefix(option, "--shard ") {
			run.Command = strings.Replace(run.Command, option+" ", "", 1)
			continue
		}
		run.Options = append(run.Options, option)
	}
	if run.Baseline != nil {
		all := union(parts, func(r *Report) []string { return r.Run.Baseline.Tolerated })
		run.Baseline = &BaselineUse{SHA256: run.Baseline.SHA256, Tolerated: all}
	}
	return run
}

// union lists what any part holds, once each, in the order of the parts.
func union(parts []*Report, of func(*Report) []string) []string {
	var all []string
	for _, r := range parts {
		for _, text := range of(r) {
			if !slices.Contains(all, text) {
				all = append(all, text)
			}
		}
	}
	return all
}

// mergedSuite puts one suite together, and notes in the run where something is
// still left out.
func mergedSuite(parts []*Report, at int, into *Report) (Suite, []string) {
	suite := parts[0].Suites[at]
	suite.Plan, suite.Requirements = Plan{}, nil
	var faults []string
	for _, r := range parts {
		s := &r.Suites[at]
		suite.Plan.Planned += s.Plan.Planned
		suite.Plan.Executed += s.Plan.Executed
		if len(s.Requirements) != len(parts[0].Suites[at].Requirements) {
			return suite, []string{s.Suite + ": the parts hold different requirements"}
		}
	}
	for n := range parts[0].Suites[at].Requirements {
		own := n % len(parts)
		q := parts[own].Suites[at].Requirements[n]
		for i, r := range parts {
			other := r.Suites[at].Requirements[n]
			if other.ID != q.ID {
				faults = append(faults, fmt.Sprintf("%s stands where %s does in another part", other.ID, q.ID))
			} else if i != own && len(other.Scenarios) > 0 {
				faults = append(faults, fmt.Sprintf("%s was examined in part %d, and belongs to part %d", q.ID, i+1, own+1))
			}
		}
		into.Run.Partial = into.Run.Partial || q.Reason == notSelected
		suite.Requirements = append(suite.Requirements, q)
	}
	into.Run.Partial = into.Run.Partial || selection(into) != "" && selection(into) != "--level may" ||
		suite.Plan.Planned != suite.Plan.Executed && !into.Run.Interrupted && into.Run.Stopped == nil
	if c, err := canonOf(suite.Suite, into.Subject.Driver == "documents"); err == nil {
		c.restore(&suite)
	}
	return suite, faults
}
