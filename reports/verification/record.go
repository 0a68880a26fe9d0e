package verification

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/capconform/capconform/reports"
)

// Differences lists where a report differs from the judgement of the record of its run: in what was
// examined and how, and in the results. Either may contain an entry that the other lacks.
func Differences(stated, judged *reports.Report) []string {
	var all []string
	for _, fact := range []pairing{
		{"the subject", stated.Subject.Name, judged.Subject.Name},
		{"the subject's version", stated.Subject.Version, judged.Subject.Version},
		{"the driver", stated.Subject.Driver, judged.Subject.Driver},
		{"the target", stated.Subject.Target, judged.Subject.Target},
		{"the seed", fmt.Sprint(stated.Run.Seed), fmt.Sprint(judged.Run.Seed)},
		{"strict", fmt.Sprint(stated.Run.Strict), fmt.Sprint(judged.Run.Strict)},
		{"partial", fmt.Sprint(stated.Run.Partial), fmt.Sprint(judged.Run.Partial)},
		{"the suites that were not spoken", listed(stated.NotSpoken), listed(judged.NotSpoken)},
	} {
		all = append(all, fact.differs("")...)
	}
	for i := range judged.Suites {
		if suiteOf(stated, judged.Suites[i].Suite) == nil {
			all = append(all, judged.Suites[i].Suite+" is in the record, but the report omits it")
		}
	}
	for i := range stated.Suites {
		s := &stated.Suites[i]
		again := suiteOf(judged, s.Suite)
		if again == nil {
			all = append(all, s.Suite+" is in the report; the record shows nothing of it")
			continue
		}
		all = append(all, differences(s, again)...)
	}
	return all
}

// differences lists where a suite of a report differs from the judgement of its record.
func differences(stated, judged *reports.Suite) []string {
	var all []string
	for _, fact := range []pairing{
		{"the edition", stated.Edition, judged.Edition},
		{"the actors", listed(stated.Actors), listed(judged.Actors)},
		{"the actors that are left out", listed(stated.LeftOut), listed(judged.LeftOut)},
		{"the declared versions", listed(stated.Declared), listed(judged.Declared)},
		{"the binding", stated.Binding, judged.Binding},
		{"the negotiated version", stated.Negotiated, judged.Negotiated},
	} {
		all = append(all, fact.differs(stated.Suite+": ")...)
	}
	for _, one := range judged.Invoked {
		if !slices.ContainsFunc(stated.Invoked, func(o reports.Invoked) bool { return o.Capability == one.Capability }) {
			all = append(all, fmt.Sprintf("%s: the record shows calls of %q, which the report omits", stated.Suite,
				one.Capability))
		}
	}
	statuses := map[string]reports.Status{}
	for _, q := range judged.Requirements {
		statuses[q.ID] = q.Status
	}
	for _, q := range stated.Requirements {
		if got := statuses[q.ID]; got != q.Status {
			all = append(all, fmt.Sprintf("%s is %s in the report; the record shows %s", q.ID, q.Status,
				cmp.Or(string(got), "nothing of it")))
		}
		delete(statuses, q.ID)
	}
	for _, q := range judged.Requirements {
		if _, left := statuses[q.ID]; left {
			all = append(all, fmt.Sprintf("%s is %s in the record, but the report omits it", q.ID, q.Status))
		}
	}
	return all
}

// differs returns a sentence if the two values differ.
func (p pairing) differs(of string) []string {
	if p.a == p.b {
		return nil
	}
	return []string{fmt.Sprintf("%s%s is %q in the report; the record shows %q", of, p.what, p.a, p.b)}
}

func listed(all []string) string { return strings.Join(all, ", ") }

func suiteOf(r *reports.Report, name string) *reports.Suite {
	for i := range r.Suites {
		if r.Suites[i].Suite == name {
			return &r.Suites[i]
		}
	}
	return nil
}
