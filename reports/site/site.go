// Package site makes a static site from the reports of several hosts: which host was examined by
// which text, with which verdict, when, and by which version of the harness. The site needs no
// server and no network. html/template escapes everything from a report, and no file name is taken
// from a report unchanged.
package site

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/display"
	"github.com/capconform/capconform/reports/format"
	"github.com/capconform/capconform/reports/verification"
)

//go:embed web
var web embed.FS

// Entry is one report, verified by the caller.
type Entry struct {
	Path         string                    // the path from which it was read, for messages
	Verification verification.Verification // the result of its verification
	Document     []byte                    // as it was read
	Texts        []verification.Text       // texts that are data, of which the report may be about some
}

// marker is the file that identifies a folder as a site of this package. It lists the reports.
const marker = "site.json"

// Check returns in one line why an entry cannot be part of a site, nil if it can.
func (e *Entry) Check() error {
	v := &e.Verification
	switch {
	case len(v.Faults) > 0:
		return fmt.Errorf("%s: not verified: %s", e.Path, v.Faults[0])
	case v.Report.Run.Partial:
		return fmt.Errorf("%s: the run is partial: it does not speak for its subject as a whole", e.Path)
	case len(v.Report.Suites) == 0:
		return fmt.Errorf("%s: nothing was examined", e.Path)
	}
	return nil
}

// Build writes the site of some reports to a folder. The folder must not exist, be empty, or
// contain a site. Build replaces it after the complete site was written, and does not change it if
// an entry is refused or an error occurs.
func Build(folder string, entries []Entry) error {
	seen := map[string]string{}
	for i := range entries {
		e := &entries[i]
		if err := e.Check(); err != nil {
			return err
		}
		digest := e.Verification.Report.Digest
		if before := seen[digest]; before != "" {
			return fmt.Errorf("%s: the same report as %s", e.Path, before)
		}
		seen[digest] = e.Path
	}
	if err := checkReplaceable(folder); err != nil {
		return err
	}
	files, err := newSite(entries).files()
	if err != nil {
		return err
	}
	return replaceFolder(folder, files)
}

// files returns the contents of all files of the site by path, with slashes.
func (s *site) files() (map[string][]byte, error) {
	w, err := newWriter(s)
	if err != nil {
		return nil, err
	}
	w.index()
	for _, suite := range s.suites {
		w.suite(suite)
	}
	for _, h := range s.hosts {
		w.host(h)
	}
	for _, q := range s.requirements {
		w.requirement(q)
	}
	for _, r := range s.runs {
		w.run(r)
	}
	w.list()
	return w.files, w.err
}

// writer collects the files of a site, up to the first error.
type writer struct {
	site      *site
	templates *template.Template
	files     map[string][]byte
	err       error
}

func newWriter(s *site) (*writer, error) {
	t, err := template.New("site").
		Funcs(template.FuncMap{"t": display.TerminalText, "day": day, "verdict": format.VerdictHTML,
			"part": part, "find": find}).
		ParseFS(web, "web/*.html")
	if err != nil {
		return nil, fmt.Errorf("reports: site: %w", err)
	}
	own, err := web.ReadFile("web/site.css")
	if err != nil {
		return nil, fmt.Errorf("reports: site: %w", err)
	}
	script, err := web.ReadFile("web/site.js")
	if err != nil {
		return nil, fmt.Errorf("reports: site: %w", err)
	}
	style, err := format.Style()
	if err != nil {
		return nil, err
	}
	return &writer{site: s, templates: t, files: map[string][]byte{"site.css": append(style, own...),
		"site.js": script}}, nil
}

func day(t time.Time) string { return t.UTC().Format("2 January 2006") }

// page is the data of every template.
type page struct {
	Title string
	Up    string // the way to the root: empty or ../
	Data  any    // the data of the template of the page
}

func (w *writer) page(path, name, title, up string, data any) {
	if w.err != nil {
		return
	}
	var out bytes.Buffer
	if err := w.templates.ExecuteTemplate(&out, name, page{title, up, data}); err != nil {
		w.err = fmt.Errorf("reports: site: %w", err)
		return
	}
	w.files[path] = out.Bytes()
}

// format writes a report in one of its formats.
func (w *writer) format(path, name string, r *reports.Report, o format.Options) {
	if w.err != nil {
		return
	}
	f, _ := format.Find(name)
	var out bytes.Buffer
	if err := f.Write(&out, r, o); err != nil {
		w.err = fmt.Errorf("reports: site: %w", err)
		return
	}
	w.files[path] = out.Bytes()
}

// run writes a report unchanged, and as a page.
func (w *writer) run(r *run) {
	w.files["reports/"+r.File+".json"] = r.document
	w.format("reports/"+r.File+".html", "html", r.Report, r.options)
}

// listed is one report in the list of the site.
type listed struct {
	Host    string          `json:"host"` // path of its page
	Name    string          `json:"name"`
	Verdict reports.Verdict `json:"verdict"` // of the run
	Report  string          `json:"report"`  // path of the document
	SHA256  string          `json:"sha256"`  // of the document, in hex
}

// list writes the list of the reports of the site, for machines.
func (w *writer) list() {
	all := []listed{}
	for _, r := range w.site.runs {
		all = append(all, listed{"hosts/" + r.host.File + ".html", r.host.Name, r.Report.Verdict,
			"reports/" + r.File + ".json", r.Report.Digest})
	}
	text, err := json.MarshalIndent(map[string]any{"kind": "ConformanceSite", "reports": all}, "", "  ")
	if err != nil {
		w.err = errors.Join(w.err, err)
		return
	}
	w.files[marker] = append(text, '\n')
}

// checkReplaceable returns an error if the folder must not be replaced.
func checkReplaceable(folder string) error {
	entries, err := os.ReadDir(folder)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil
	case err != nil:
		return err
	case len(entries) == 0 || slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.Name() == marker }):
		return nil
	}
	return fmt.Errorf("%s: the folder contains files that are not a site: name another", folder)
}

// replaceFolder writes the files to a temporary folder, and renames it after all are written.
func replaceFolder(folder string, files map[string][]byte) error {
	folder = filepath.Clean(folder)
	if err := os.MkdirAll(filepath.Dir(folder), 0o777); err != nil { // a site must be readable by everybody
		return err
	}
	staged, err := os.MkdirTemp(filepath.Dir(folder), "."+filepath.Base(folder)+"-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(staged) // it contains at most the replaced site
	fresh := filepath.Join(staged, "site")
	for _, path := range slices.Sorted(maps.Keys(files)) {
		to := filepath.Join(fresh, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil { // see above
			return err
		}
		if err := os.WriteFile(to, files[path], 0o666); err != nil { // see above
			return err
		}
	}
	old := filepath.Join(staged, "old")
	if err := os.Rename(folder, old); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if err := os.Rename(fresh, folder); err != nil {
		return errors.Join(err, os.Rename(old, folder))
	}
	return nil
}
