package verification

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/capconform/capconform/reports"
)

// maxFaults bounds the faults that the error of a merge lists.
const maxFaults = 5

// mergeError lists the first faults of a merge, and the number of the others.
func mergeError(faults []string) error {
	if more := len(faults) - maxFaults; more > 0 {
		faults = append(slices.Clone(faults[:maxFaults]), fmt.Sprintf("and %d more", more))
	}
	return fmt.Errorf("reports: merge: %s", strings.Join(faults, "\n"))
}

// Merge returns one report for the parts of one run (run --shard I/N). Each requirement comes from
// the part to which it belongs by its place in the catalogue. The error lists the first problems, one per
// line: parts that overlap, are missing, are not of one run, or contradict themselves or the sets
// of the build and of the texts of the proof. It names the parts by their paths, or by their numbers if there are none.
func Merge(parts []*reports.Report, p Proof, paths ...string) (*reports.Report, error) {
	if len(parts) == 0 {
		return nil, errors.New("reports: merge: no part was given")
	}
	if faults := append(consistencyFaults(parts, p, paths), mergeFaults(parts, paths)...); len(faults) > 0 {
		return nil, mergeError(faults)
	}
	ordered := slices.Clone(parts)
	slices.SortFunc(ordered, func(a, b *reports.Report) int { return a.Run.Shard.Index - b.Run.Shard.Index })
	merged := *ordered[0]
	merged.Digest, merged.Run = "", mergedRun(ordered)
	for _, r := range ordered {
		part, err := asPart(r)
		if err != nil {
			return nil, fmt.Errorf("reports: merge: %w", err)
		}
		merged.Run.Parts = append(merged.Run.Parts, part)
	}
	merged.Notes = union(ordered, func(r *reports.Report) []string { return r.Notes })
	merged.Suites = nil
	for i := range ordered[0].Suites {
		suite, faults := mergedSuite(ordered, i, &merged, p.Texts)
		if len(faults) > 0 {
			return nil, mergeError(faults)
		}
		merged.Suites = append(merged.Suites, suite)
	}
	merged.Settle()
	return &merged, nil
}

// consistencyFaults lists the parts that no run can have written.
func consistencyFaults(parts []*reports.Report, p Proof, paths []string) []string {
	var all []string
	for n, r := range parts {
		faults, _ := faultsOf(r, p)
		for _, fault := range faults {
			all = append(all, fmt.Sprintf("no run can have written %s: %s", partName(n, paths), fault))
		}
	}
	return all
}

// partName returns the path of a part, or its number if the paths are unknown.
func partName(n int, paths []string) string {
	if n < len(paths) {
		return paths[n]
	}
	return fmt.Sprintf("report %d", n+1)
}

// mergeFaults lists why the reports are not the parts of one run.
func mergeFaults(parts []*reports.Report, paths []string) []string {
	var faults []string
	first := parts[0]
	seen := map[int]int{}
	for n, r := range parts {
		name := partName(n, paths)
		if len(r.Run.Parts) > 0 {
			faults = append(faults, name+" is a merged report already")
			continue
		}
		if r.Run.Shard == nil {
			faults = append(faults, name+" is not a part of a run (--shard)")
			continue
		}
		if other := slices.IndexFunc(parts[:n], func(p *reports.Report) bool { return p.Run.ID == r.Run.ID }); other >= 0 {
			faults = append(faults, fmt.Sprintf("%s and %s are of the same run", partName(other, paths), name))
		}
		if first.Run.Shard != nil && r.Run.Shard.Count != first.Run.Shard.Count {
			faults = append(faults, fmt.Sprintf("%s is one of %d parts, but %s is one of %d", name, r.Run.Shard.Count,
				partName(0, paths), first.Run.Shard.Count))
		}
		if other, twice := seen[r.Run.Shard.Index]; twice {
			faults = append(faults, fmt.Sprintf("part %d is given twice: %s and %s", r.Run.Shard.Index,
				partName(other-1, paths), name))
		}
		seen[r.Run.Shard.Index] = n + 1
		for _, e := range fingerprints(first, r) {
			if e.a != e.b {
				faults = append(faults, fmt.Sprintf("%s has %s %s, but %s has %s", name, e.what, e.b, partName(0, paths), e.a))
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

// selection returns the selection of a run in addition to its part.
func selection(r *reports.Report) string {
	var all []string
	for _, option := range r.Run.Options {
		name, _, _ := strings.Cut(option, " ")
		if name == "--level" || name != "--shard" && slices.Contains(selectingOptions, name) {
			all = append(all, option)
		}
	}
	return strings.Join(all, " ")
}

// mergedRun returns the run that consists of the parts.
func mergedRun(parts []*reports.Report) reports.Run {
	run := parts[0].Run
	run.Shard, run.Partial, run.Health = nil, false, nil
	health := &reports.Health{}
	run.RecordDigest = "" // each part has its own record, and none is that of the merged run
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
		if r.Run.Health != nil {
			health.Merge(r.Run.Health)
			run.Health = health
		}
	}
	run.ID = mergedID(ids)
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
		all := union(parts, func(r *reports.Report) []string { return r.Run.Baseline.Tolerated })
		run.Baseline = &reports.BaselineUse{SHA256: run.Baseline.SHA256, Tolerated: all}
	}
	return run
}

// union returns the texts of all parts, without repetition, in the order of the parts.
func union(parts []*reports.Report, of func(*reports.Report) []string) []string {
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

// mergedSuite merges one suite, and adds a note to the run if something is still missing.
func mergedSuite(parts []*reports.Report, at int, into *reports.Report, texts []Text) (reports.Suite, []string) {
	suite := parts[0].Suites[at]
	suite.Plan, suite.Requirements = reports.Plan{}, nil
	var faults []string
	for _, r := range parts {
		s := &r.Suites[at]
		suite.Plan.Planned += s.Plan.Planned
		suite.Plan.Executed += s.Plan.Executed
		if len(s.Requirements) != len(parts[0].Suites[at].Requirements) {
			return suite, []string{s.Suite + ": the parts contain different requirements"}
		}
	}
	suite.Invoked, suite.NotInvoked = mergedInvocations(parts, at)
	for n := range parts[0].Suites[at].Requirements {
		own := n % len(parts)
		q := parts[own].Suites[at].Requirements[n]
		for i, r := range parts {
			other := r.Suites[at].Requirements[n]
			if other.ID != q.ID {
				faults = append(faults, fmt.Sprintf("%s has the place that %s has in another part", other.ID, q.ID))
			} else if i != own && len(other.Scenarios) > 0 {
				faults = append(faults, fmt.Sprintf("%s was examined in part %d, but belongs to part %d", q.ID, i+1, own+1))
			}
		}
		into.Run.Partial = into.Run.Partial || q.Reason == reports.NotSelected || q.EndedByFailFast()
		suite.Requirements = append(suite.Requirements, q)
	}
	into.Run.Partial = into.Run.Partial || len(suite.LeftOut) > 0 ||
		selection(into) != "" && selection(into) != "--level may" ||
		suite.Plan.Planned != suite.Plan.Executed && !into.Run.Interrupted && into.Run.Stopped == nil
	if c, err := canonicalSetOf(suite.Suite, into.Subject.Driver == "documents", textsOf(parts[0], texts)...); err == nil {
		c.recomputeSums(&suite)
	}
	return suite, faults
}

// mergedInvocations adds the invocations of the parts of one run.
func mergedInvocations(parts []*reports.Report, at int) (invoked []reports.Invoked, left []reports.NotInvoked) {
	sums := map[string]*reports.Invoked{}
	for _, r := range parts {
		for _, one := range r.Suites[at].Invoked {
			sum := sums[one.Capability]
			if sum == nil {
				sum = &reports.Invoked{Capability: one.Capability}
				sums[one.Capability] = sum
			}
			sum.Calls += one.Calls
			sum.Copies += one.Copies
		}
	}
	for _, sum := range sums {
		invoked = append(invoked, *sum)
	}
	slices.SortFunc(invoked, func(a, b reports.Invoked) int { return cmp.Compare(a.Capability, b.Capability) })
	for _, one := range parts[0].Suites[at].NotInvoked {
		if sums[one.Capability] == nil {
			left = append(left, one)
		}
	}
	return invoked, left
}
