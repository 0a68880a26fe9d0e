package site

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/format"
	"github.com/capconform/capconform/spec"
)

// site is the data of all pages: runs by host and suite, the newest first, and the newest results
// of each requirement.
type site struct {
	hosts        []*host // by name
	suites       []*suite
	requirements []*requirement
	runs         []*run
}

// host is one subject, in all its versions.
type host struct {
	Name, Organisation string               // both together identify it
	File               string               // of its page, without extension
	Results            map[string][]*result // by suite, the newest first
}

// run is one report.
type run struct {
	Report   *reports.Report
	Limits   []string // why parts of it could not be verified here
	File     string   // of its pages, without extension
	host     *host
	document []byte
	options  format.Options
}

// result is the result of one suite in one run.
type result struct {
	Run   *run
	Suite *reports.Suite
}

// suite is one protocol with the hosts that were examined.
type suite struct {
	Name         string
	Hosts        []*host        // by name
	Requirements []*requirement // in the order of the reports
}

// requirement contains the newest results of one requirement, in the order of suite.Hosts.
type requirement struct {
	Suite                       *suite
	ID, Level, Section, Summary string
	File                        string            // of its page, without extension
	Cells                       []*cell           // nil if the report of a host does not contain it
	About                       *spec.Requirement // the entry of the catalogue of this build; nil without one
	Begins                      bool              // it is the first of its section
}

type cell struct {
	Host   *host
	Result *result              // the newest of the host
	Found  *reports.Requirement // in that result
}

func newSite(entries []Entry) *site {
	s := &site{}
	byKey := map[[2]string]*host{}
	for i := range entries {
		e := &entries[i]
		r := e.Verification.Report
		key := [2]string{r.Subject.Organisation, cmp.Or(r.Subject.Name, "unnamed subject")}
		h := byKey[key]
		if h == nil {
			h = &host{Name: key[1], Organisation: key[0], File: fileName(key[1], key[0]), Results: map[string][]*result{}}
			byKey[key] = h
			s.hosts = append(s.hosts, h)
		}
		at := &run{Report: r, Limits: e.Verification.Limits, host: h, document: e.Document,
			options: format.OptionsOf(r, e.Texts)}
		at.File = fmt.Sprintf("%s-%s-%s", h.File, r.Run.StartedAt.UTC().Format(time.DateOnly), r.Digest[:12])
		s.runs = append(s.runs, at)
		for j := range r.Suites {
			name := keyOf(&r.Suites[j])
			h.Results[name] = append(h.Results[name], &result{at, &r.Suites[j]})
		}
	}
	slices.SortFunc(s.hosts, func(a, b *host) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Organisation, b.Organisation))
	})
	slices.SortFunc(s.runs, func(a, b *run) int { return newer(a, b) })
	for _, h := range s.hosts {
		for _, all := range h.Results {
			slices.SortFunc(all, func(a, b *result) int { return newer(a.Run, b.Run) })
		}
	}
	s.compare()
	return s
}

// newer orders runs, the newest first.
func newer(a, b *run) int {
	return cmp.Or(b.Report.Run.StartedAt.Compare(a.Report.Run.StartedAt),
		strings.Compare(a.Report.Digest, b.Report.Digest))
}

// keyOf returns the name of a suite. Two texts of one's own with one name are two suites.
func keyOf(s *reports.Suite) string {
	if s.TextDigest == "" {
		return s.Suite
	}
	return s.Suite + "-" + s.TextDigest[:min(8, len(s.TextDigest))]
}

// suiteOrder returns the suites of the results, in the order in which they are shown: those of capconform first.
func suiteOrder(hosts ...*host) []string {
	order := spec.Names()
	var own []string
	for _, h := range hosts {
		for name := range h.Results {
			if !slices.Contains(order, name) && !slices.Contains(own, name) {
				own = append(own, name)
			}
		}
	}
	slices.Sort(own)
	return append(order, own...)
}

// compare collects the newest results of all hosts, by suite and requirement.
func (s *site) compare() {
	for _, name := range suiteOrder(s.hosts...) {
		one := &suite{Name: name}
		byID := map[string]*requirement{}
		for _, h := range s.hosts {
			if len(h.Results[name]) > 0 {
				one.Hosts = append(one.Hosts, h)
			}
		}
		for n, h := range one.Hosts {
			newest := h.Results[name][0]
			for i := range newest.Suite.Requirements {
				q := &newest.Suite.Requirements[i]
				row := byID[q.ID]
				if row == nil {
					row = &requirement{Suite: one, ID: q.ID, Level: q.Level, Section: q.Section, Summary: q.Summary,
						File: requirementFile(one.Name, q.ID), Cells: make([]*cell, len(one.Hosts))}
					byID[q.ID] = row
					one.Requirements = append(one.Requirements, row)
				}
				row.Cells[n] = &cell{h, newest, q}
			}
		}
		if len(one.Hosts) > 0 {
			one.describe()
			s.suites = append(s.suites, one)
			s.requirements = append(s.requirements, one.Requirements...)
		}
	}
}

// describe adds what the catalogue of this build says, and where the sections begin.
func (s *suite) describe() {
	first := s.Hosts[0].Results[s.Name][0]
	catalogue := first.Run.options.Catalogue(first.Suite.Suite)
	section := ""
	for _, q := range s.Requirements {
		q.Begins, section = q.Section != section, q.Section
		if about, known := catalogue.Lookup(q.ID); known {
			q.About = &about
		}
	}
}

// Beside returns the requirements of the same section.
func (q *requirement) Beside() []*requirement {
	var all []*requirement
	for _, other := range q.Suite.Requirements {
		if other.Section == q.Section && other != q {
			all = append(all, other)
		}
	}
	return all
}

// Apart reports whether the hosts differ on a requirement.
func (q *requirement) Apart() bool {
	status := func(c *cell) reports.Status {
		if c == nil {
			return ""
		}
		return c.Found.Status
	}
	return slices.ContainsFunc(q.Cells, func(c *cell) bool { return status(c) != status(q.Cells[0]) })
}

// Title returns the suite with its text.
func (r *result) Title() string {
	return strings.TrimSpace(strings.ToUpper(r.Suite.Suite) + " " + r.Suite.Text())
}

// Kept returns the number of MUSTs that were met.
func (r *result) Kept() int { return r.Suite.Counts.Must.Passed + r.Suite.Counts.Must.Provided }

// Judged returns the number of MUSTs that were met or broken.
func (r *result) Judged() int { return r.Kept() + r.Suite.Counts.Must.Failed }

// Open returns the number of MUSTs that could not be judged.
func (r *result) Open() int { return r.Suite.Counts.Must.Inconclusive + r.Suite.Counts.Must.Error }

// Known returns the number of failures that the baseline of the run names.
func (r *result) Known() int {
	n := 0
	for i := range r.Suite.Requirements {
		if q := &r.Suite.Requirements[i]; q.Known && (q.Status == reports.Failed || q.Status == reports.Error) {
			n++
		}
	}
	return n
}

// Share returns the percentage of the applicable MUSTs that were met.
func (r *result) Share() int {
	if whole := r.Judged() + r.Open(); whole > 0 {
		return 100 * r.Kept() / whole
	}
	return 0
}

// Newest returns the newest result of each suite, in order.
func (h *host) Newest() []*result {
	var all []*result
	for _, name := range suiteOrder(h) {
		if len(h.Results[name]) > 0 {
			all = append(all, h.Results[name][0])
		}
	}
	return all
}

// Of returns the newest result of a suite, nil if there is none.
func (h *host) Of(suite string) *result {
	if len(h.Results[suite]) == 0 {
		return nil
	}
	return h.Results[suite][0]
}

// Subject returns the subject of the newest report.
func (h *host) Subject() reports.Subject {
	newest := h.Newest()
	latest := slices.MinFunc(newest, func(a, b *result) int { return newer(a.Run, b.Run) })
	return latest.Run.Report.Subject
}

// Link returns the address if a browser may open it, otherwise an empty text.
func Link(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil {
		return ""
	}
	return u.String()
}

// Upper returns the name of the suite in capital letters.
func (s *suite) Upper() string { return strings.ToUpper(s.Name) }
