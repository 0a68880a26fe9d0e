package verification

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/display"
)

// asPart returns the entry for a part in a merged report.
func asPart(r *reports.Report) (reports.Part, error) {
	p := reports.Part{Index: r.Run.Shard.Index, RunID: r.Run.ID, Target: r.Subject.Target, SHA256: r.Digest}
	if p.SHA256 == "" { // it was not read from a document
		var document bytes.Buffer
		if err := reports.WriteJSON(&document, r); err != nil {
			return p, err
		}
		p.SHA256 = reports.DigestOf(document.Bytes())
	}
	return p, nil
}

// mergedID returns the id of a merged run, which follows from the ids of the parts.
func mergedID(ids []string) string {
	return uuid.NewSHA1(uuid.NameSpaceOID, []byte(strings.Join(ids, "\n"))).String()
}

// partFaults lists where the parts in a merged report contradict it.
func partFaults(r *reports.Report) []string {
	parts := r.Run.Parts
	if len(parts) == 0 {
		return nil
	}
	var all, ids []string
	if r.Run.Shard != nil {
		all = append(all, "the run is a part, but lists parts")
	}
	if parts[0].Target != r.Subject.Target {
		all = append(all, "the target is not that of the first part")
	}
	for i, p := range parts {
		if p.Index != i+1 {
			all = append(all, fmt.Sprintf("part %d is listed in place of part %d", p.Index, i+1))
		}
		if slices.ContainsFunc(parts[:i], func(o reports.Part) bool { return o.RunID == p.RunID || o.SHA256 == p.SHA256 }) {
			all = append(all, fmt.Sprintf("part %d is listed twice", p.Index))
		}
		if p.Target != parts[0].Target && optionOf(r, "--name") == "" {
			const fault = "part %d has another target than part 1, and no --name states that they are one subject"
			all = append(all, fmt.Sprintf(fault, p.Index))
		}
		ids = append(ids, p.RunID)
	}
	if r.Run.ID != mergedID(ids) {
		all = append(all, "the id of the run does not follow from those of its parts")
	}
	return all
}

// optionOf returns an option of the run as it was given, with its value. It is empty if the run has
// no such option.
func optionOf(r *reports.Report, name string) string {
	for _, option := range r.Run.Options {
		if given, _, _ := strings.Cut(option, " "); given == name {
			return option
		}
	}
	return ""
}

// unsharedOptions are the options in which the parts of one run may differ: they determine where the
// output is written and how it is shown, or bound the time.
var unsharedOptions = []string{
	"--shard", "--report", "--record", "--quiet", "--verbose", "--color", "--no-color", "--timeout", "--wait", "--concurrency",
	"--baseline",
}

// sharedOptions returns the options in which the parts of one run must agree.
func sharedOptions(r *reports.Report) string {
	var all []string
	for _, option := range r.Run.Options {
		if name, _, _ := strings.Cut(option, " "); !slices.Contains(unsharedOptions, name) {
			all = append(all, option)
		}
	}
	return cmp.Or(strings.Join(all, " "), "none")
}

type pairing struct{ what, a, b string }

// fingerprints returns what the parts of one run have in common. The target may differ only if
// every part was given the same --name, because each job of a CI starts a host at its own address.
func fingerprints(a, b *reports.Report) []pairing {
	harness := func(r *reports.Report) string { return display.Join(" ", r.Harness.Version, r.Harness.Commit) }
	file := func(r *reports.Report) string { return cmp.Or(r.Subject.TargetFileDigest, "none") }
	pairings := []pairing{
		{"the subject", a.Subject.Name, b.Subject.Name},
		{"the subject's version", a.Subject.Version, b.Subject.Version},
		{"the driver", a.Subject.Driver, b.Subject.Driver},
		{"the target file", file(a), file(b)},
		{"the harness", harness(a), harness(b)},
		{"the catalogue", a.Harness.CatalogueDigest, b.Harness.CatalogueDigest},
		{"the features", a.Harness.FeaturesDigest, b.Harness.FeaturesDigest},
		{"the suites", examinationOf(a), examinationOf(b)},
		{"the seed", fmt.Sprint(a.Run.Seed), fmt.Sprint(b.Run.Seed)},
		{"strict", fmt.Sprint(a.Run.Strict), fmt.Sprint(b.Run.Strict)},
		{"the options", sharedOptions(a), sharedOptions(b)},
		{"the baseline", baselineOf(a), baselineOf(b)},
	}
	if name := optionOf(a, "--name"); name == "" || name != optionOf(b, "--name") {
		pairings = append(pairings, pairing{"the target", a.Subject.Target, b.Subject.Target})
	}
	return pairings
}

// examinationOf returns how the suites of a report were examined, without the results.
func examinationOf(r *reports.Report) string {
	var all []string
	for i := range r.Suites {
		s := &r.Suites[i]
		declared := strings.Join(s.Declared, " ")
		all = append(all, display.Join(" ", r.Titled(s), s.NotExamined(), declared, s.Binding, s.Negotiated))
		for _, m := range s.Mappings {
			all = append(all, display.Join(" ", m.Operation, m.Request, m.Response))
		}
	}
	return strings.Join(append(all, r.NotSpoken...), ", ")
}

func baselineOf(r *reports.Report) string {
	if r.Run.Baseline == nil {
		return "none"
	}
	return r.Run.Baseline.SHA256
}
