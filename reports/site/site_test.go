package site

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/display"
	"github.com/capconform/capconform/reports/format"
	"github.com/capconform/capconform/reports/verification"
	"github.com/capconform/capconform/spec"
)

// examined returns a report of one host by one suite, in which every nth requirement fails.
func examined(tb testing.TB, subject reports.Subject, suite string, day, nth int) Entry {
	tb.Helper()
	c, err := spec.Load(suite)
	require.NoError(tb, err)
	s := reports.Suite{Suite: suite, SpecVersion: c.Version, Edition: c.Edition, Binding: "JSON-RPC 2.0 over stdio"}
	for i, about := range c.Requirements {
		q := reports.Requirement{ID: about.ID, Level: string(about.Level), Section: about.Section, Summary: about.Summary,
			Status: reports.Passed}
		sc := reports.Scenario{Name: "It is kept", Status: reports.Passed}
		if nth > 0 && i%nth == 0 {
			q.Status, q.Reason, sc.Status = reports.Failed, "it is broken", reports.Failed
			sc.Failure = &reports.Failure{Message: "it is broken", Want: "one", Got: "other", Exchanges: []reports.Exchange{},
				Repeat: "capconform run"}
		}
		q.Scenarios = []reports.Scenario{sc}
		s.Requirements = append(s.Requirements, q)
	}
	s.Plan = reports.Plan{Planned: len(c.Requirements), Executed: len(c.Requirements)}
	if subject.Driver == "" {
		subject.Driver = "stdio"
	}
	r := &reports.Report{
		Harness: reports.Harness{Name: "capconform", Version: "v0.1.0"}, Subject: subject, Suites: []reports.Suite{s},
		Run: reports.Run{ID: "r", StartedAt: time.Date(2026, 5, day, 12, 0, 0, 0, time.UTC), Command: "capconform run x"},
	}
	r.Settle()
	return entry(tb, r)
}

// entry writes a report and reads it again.
func entry(tb testing.TB, r *reports.Report) Entry {
	tb.Helper()
	var text bytes.Buffer
	f, _ := format.Find("json")
	require.NoError(tb, f.Write(&text, r, format.Options{}))
	read, err := reports.Read(bytes.NewReader(text.Bytes()))
	require.NoError(tb, err)
	return Entry{
		Path:         r.Subject.Name + ".json",
		Verification: verification.Verification{Report: read},
		Document:     text.Bytes(),
	}
}

// texts reads every file of a folder.
func texts(t *testing.T, folder string) map[string]string {
	t.Helper()
	all := map[string]string{}
	require.NoError(t, filepath.WalkDir(folder, func(p string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(p)
		name, _ := filepath.Rel(folder, p)
		all[filepath.ToSlash(name)] = string(text)
		return err
	}))
	return all
}

var (
	links    = regexp.MustCompile(` (?:href|src)="([^"]*)"`)
	unescape = strings.NewReplacer("&amp;", "&", "&#34;", `"`, "&#39;", "'", "&#43;", "+")
)

// TestLinksResolve follows every link of a site of hosts whose names are hostile.
func TestLinksResolve(t *testing.T) {
	const hostile = `../../<script>alert(1)</script>" onload="x`
	entries := []Entry{
		examined(t, reports.Subject{Name: "acme"}, "cap", 1, 0),
		examined(t, reports.Subject{Name: "acme", Version: "2"}, "cap", 2, 9),
		examined(t, reports.Subject{Name: "ACME", Organisation: "Acme"}, "chp", 3, 0),
		examined(t, reports.Subject{Name: hostile, Organisation: hostile, Version: hostile, Contact: hostile,
			URL: "javascript:alert(1)"}, "cap", 4, 3),
		examined(t, reports.Subject{Name: ""}, "chp", 4, 3),
	}
	folder := filepath.Join(t.TempDir(), "site")
	require.NoError(t, Build(folder, entries))
	all := texts(t, folder)
	followed := 0
	for name, text := range all {
		if !strings.HasSuffix(name, ".html") {
			continue
		}
		assert.NotContains(t, text, "<script>alert", name)
		assert.NotContains(t, text, `href="javascript:`, name)
		for _, m := range links.FindAllStringSubmatch(text, -1) {
			u, err := url.Parse(unescape.Replace(m[1]))
			require.NoError(t, err, m[1])
			if u.Scheme != "" {
				assert.Equal(t, "data", u.Scheme, "%s: %s", name, m[1])
				continue
			}
			followed++
			target := name
			if u.Path != "" {
				target = path.Join(path.Dir(name), u.Path)
			}
			there, found := all[target]
			assert.True(t, found, "%s: the target of %s does not exist", name, m[1])
			if u.Fragment != "" && !strings.Contains(u.Fragment, "=") {
				assert.Contains(t, there, ` id="`+u.Fragment+`"`, "%s: %s", name, m[1])
			}
		}
	}
	assert.Greater(t, followed, 1000)
	for _, want := range []string{"index.html", "site.css", "site.json", "suites/cap.html", "hosts/acme.html",
		"requirements/CAP-INV-02.html", "badges/acme-cap.svg"} {
		assert.Contains(t, all, want)
	}
}

// TestSiteLinksToTheText: the page of a requirement of a text that is data links to its sentence.
func TestSiteLinksToTheText(t *testing.T) {
	e := examined(t, reports.Subject{Name: "acme"}, "cap", 1, 9)
	e.Verification.Report.Suites[0].Suite, e.Verification.Report.Suites[0].TextDigest = "zap", "d1"
	e.Texts = []verification.Text{{Digest: "d1", Catalogue: &spec.Catalogue{Requirements: []spec.Requirement{
		{ID: "CAP-INV-02", Section: "Invoke", Source: "https://text.example/#invoke", Resolution: "In any order."}}}}}
	folder := filepath.Join(t.TempDir(), "site")
	require.NoError(t, Build(folder, []Entry{e}))
	all := texts(t, folder)
	page := all["requirements/"+requirementFile("zap-d1", "CAP-INV-02")+".html"]
	for _, want := range []string{`<a href="https://text.example/#invoke" rel="noreferrer">`, "In any order.", "Name CAP-INV-02 and the sentence"} {
		assert.Contains(t, page, want)
	}
	require.Contains(t, all, "requirements/"+requirementFile("zap-d1", "CAP-INV-03")+".html")
	assert.NotContains(t, all["requirements/"+requirementFile("zap-d1", "CAP-INV-03")+".html"], "text.example")
}

// TestSiteShowsHistoryAndDifferences checks what a site shows in addition to its reports.
func TestSiteShowsHistoryAndDifferences(t *testing.T) {
	entries := []Entry{
		examined(t, reports.Subject{Name: "acme", Version: "1"}, "cap", 1, 9),
		examined(t, reports.Subject{Name: "acme", Version: "2"}, "cap", 9, 0),
		examined(t, reports.Subject{Name: "other"}, "cap", 2, 9),
	}
	folder := filepath.Join(t.TempDir(), "site")
	require.NoError(t, Build(folder, entries))
	all := texts(t, folder)
	host := all["hosts/acme.html"]
	assert.Less(t, strings.Index(host, "9 May 2026"), strings.Index(host, "1 May 2026</th>"), "the newest comes first")
	assert.Regexp(t, `aria-label="CAP [^"]*: \d+% of the MUSTs kept on 1 May 2026, 100% on 9 May 2026"`, host)
	assert.NotContains(t, all["hosts/other.html"], `class="trend"`)
	assert.Contains(t, all["badges/acme-cap.svg"], "MUSTs kept")
	first := entries[2].Verification.Report.Suites[0].Requirements
	assert.Contains(t, all["requirements/"+first[0].ID+".html"], "Not kept by 1 host")
	assert.Contains(t, all["requirements/"+first[0].ID+".html"], "Kept by 1 host")
	assert.Contains(t, all["requirements/"+first[1].ID+".html"], "Kept by 2 hosts")
	assert.Equal(t, (len(first)+8)/9, strings.Count(all["suites/cap.html"], `<tr role="row" class="apart" `))
	c, err := spec.Load("cap")
	require.NoError(t, err)
	about, known := c.Lookup("CAP-INV-02")
	require.True(t, known)
	page := html.UnescapeString(all["requirements/CAP-INV-02.html"])
	assert.Contains(t, page, "<dt>Read as</dt><dd>"+display.TerminalText(about.Resolution))
	assert.Contains(t, page, "<dt>To keep it</dt><dd>"+display.TerminalText(about.Satisfy))
	assert.Contains(t, page, `<a class="id" href="CAP-INV-03.html">`)
	assert.NotContains(t, page, `<a class="id" href="CAP-DIS-01.html">`, "of another section")
	assert.Contains(t, page, `method="get" action="../suites/cap.html"`)
	assert.Contains(t, all["suites/cap.html"], `data-text="CAP-INV-02 MUST `)
	assert.Contains(t, host, `<span title="capconform v0.1.0">capconform v0.1.0</span>`)
	assert.Contains(t, host, "](https://ADDRESS-OF-THIS-SITE/badges/acme-cap.svg)](https://ADDRESS-OF-THIS-SITE/hosts/acme.html)")
	newest := entries[1].Verification.Report
	badge := "examined by capconform: " + format.BadgeText(newest, &newest.Suites[0])
	assert.Contains(t, host, badge)
	assert.Contains(t, html.UnescapeString(all["badges/acme-cap.svg"]), badge)
	var list struct{ Reports []listed }
	require.NoError(t, json.Unmarshal([]byte(all["site.json"]), &list))
	require.Len(t, list.Reports, 3)
	for _, one := range list.Reports {
		assert.Contains(t, all, one.Report)
		assert.Contains(t, all, one.Host)
	}
}

// TestRefusedSiteIsNotWritten checks entries and folders that must be refused.
func TestRefusedSiteIsNotWritten(t *testing.T) {
	valid := examined(t, reports.Subject{Name: "acme"}, "cap", 1, 0)
	forged := examined(t, reports.Subject{Name: "forged"}, "cap", 2, 0)
	forged.Verification.Faults = []string{"the totals do not follow from the results"}
	partial := examined(t, reports.Subject{Name: "partial"}, "cap", 3, 0)
	partial.Verification.Report.Run.Partial = true
	for _, tt := range []struct {
		name  string
		entry Entry
		want  string
	}{
		{"forged", forged, "forged.json: not verified: the totals do not follow from the results"},
		{"partial", partial, "partial.json: the run is partial: it does not speak for its subject as a whole"},
		{"twice", valid, "acme.json: the same report as acme.json"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			in := t.TempDir()
			folder := filepath.Join(in, "site")
			require.EqualError(t, Build(folder, []Entry{valid, tt.entry}), tt.want)
			left, err := os.ReadDir(in)
			require.NoError(t, err)
			assert.Empty(t, left)
			require.NoError(t, Build(folder, []Entry{valid}))
			before := texts(t, folder)
			require.Error(t, Build(folder, []Entry{valid, tt.entry}))
			assert.Equal(t, before, texts(t, folder), "the existing site changed")
		})
	}
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, "mine.txt"), []byte("mine"), 0o600))
	require.ErrorContains(t, Build(folder, []Entry{valid}), "the folder contains files that are not a site")
	assert.Equal(t, map[string]string{"mine.txt": "mine"}, texts(t, folder))
}

// TestSiteOfPublishedReports builds a site of the reports that this project publishes.
func TestSiteOfPublishedReports(t *testing.T) {
	paths, err := filepath.Glob("../published/*.json")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	var entries []Entry
	for _, path := range paths {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		entries = append(
			entries,
			Entry{Path: path, Verification: verification.Verify(t.Context(), verification.Proof{Document: text}),
				Document: text},
		)
	}
	require.NoError(t, Build(filepath.Join(t.TempDir(), "site"), entries))
}

// TestFileNames: each text has a unique file name inside its folder.
func TestFileNames(t *testing.T) {
	seen := map[string]string{}
	for _, text := range []string{"acme", "ACME", "Acme", "acme ", "../acme", "..", ".", "", "/", "ä", "ö",
		strings.Repeat("a", 300), strings.Repeat("a", 301), "a/b", "a\\b", "a\x00b"} {
		name := fileName(text, "")
		assert.Regexp(t, `^[a-z0-9][a-z0-9-]*$`, name)
		assert.LessOrEqual(t, len(name), 60)
		assert.Empty(t, seen[name], "%q", text)
		seen[name] = text
	}
	assert.Equal(t, "CAP-INV-02", requirementFile("cap", "CAP-INV-02"))
	assert.Regexp(t, `^cap-[0-9a-f]{8}$`, requirementFile("cap", "../CAP"))
}

// BenchmarkSite builds a site of 20 hosts by 3 suites, without verifying the reports.
func BenchmarkSite(b *testing.B) {
	var entries []Entry
	for n := range 20 {
		for i, suite := range []string{"cap", "chp", "acp"} {
			entries = append(entries, examined(b, reports.Subject{Name: fmt.Sprintf("host-%d", n)}, suite, 1+i, 5+n))
		}
	}
	folder := filepath.Join(b.TempDir(), "site")
	for b.Loop() {
		require.NoError(b, Build(folder, entries))
	}
}
