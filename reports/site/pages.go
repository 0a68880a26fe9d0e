package site

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/display"
	"github.com/capconform/capconform/reports/format"
)

// indexPage shows each host with the newest verdict of each suite.
type indexPage struct {
	Suites []*suite
	Rows   []indexRow // one for each host
	Runs   int        // how many reports there are
}

type indexRow struct {
	Host    *host
	Subject reports.Subject // of the newest report
	Cells   []*result       // in the order of Suites; nil if the host was not examined by it
	Apart   bool            // another suite or host has another verdict
}

func (w *writer) index() {
	p := indexPage{Suites: w.site.suites, Runs: len(w.site.runs)}
	for _, h := range w.site.hosts {
		row := indexRow{Host: h, Subject: h.Subject()}
		for _, s := range w.site.suites {
			r := h.Of(s.Name)
			row.Cells = append(row.Cells, r)
			row.Apart = row.Apart || r != nil && (r.Suite.Verdict != reports.Conformant || r.Known() > 0)
		}
		p.Rows = append(p.Rows, row)
	}
	w.page("index.html", "index.html", "Conformance of capability hosts", "", p)
}

// suite writes the page of one suite: which host meets which requirement.
func (w *writer) suite(s *suite) {
	w.page("suites/"+s.Name+".html", "suite.html", strings.ToUpper(s.Name)+": requirements and hosts", "../", s)
}

// find returns the page that the search box of a page asks.
func find(s *suite) string { return "../suites/" + s.Name + ".html" }

// Columns returns the number of columns of the table of a suite.
func (s *suite) Columns() int { return len(s.Hosts) + 1 }

// Apart returns the number of requirements on which the hosts differ.
func (s *suite) Apart() int {
	n := 0
	for _, q := range s.Requirements {
		if q.Apart() {
			n++
		}
	}
	return n
}

// hostPage shows one host: its subject, and each suite with its history.
type hostPage struct {
	Host    *host
	Subject reports.Subject // of the newest report
	Link    string          // its address, if it is http or https
	Suites  []hostSuite
}

type hostSuite struct {
	Newest  *result
	History []*result     // the newest first
	Trend   template.HTML // an SVG image
	Badge   string        // its path
	Says    string        // the badge in words
	// Markdown shows the badge on another page.
	Markdown string
}

func (w *writer) host(h *host) {
	p := hostPage{Host: h, Subject: h.Subject()}
	p.Link = Link(p.Subject.URL)
	for _, newest := range h.Newest() {
		one := hostSuite{Newest: newest, History: h.Results[keyOf(newest.Suite)],
			Badge: "badges/" + h.File + "-" + newest.Suite.Suite, Says: newest.badgeText()}
		one.Trend = trend(newest.Title(), one.History)
		w.files[one.Badge+".svg"] = badge(format.BadgeLabel, format.BadgeText(newest.Run.Report, newest.Suite), newest.Suite.Verdict)
		one.Markdown = fmt.Sprintf("[![%s](%s/%s.svg)](%s/hosts/%s.html)", display.MarkdownText(one.Says), siteAddress, one.Badge,
			siteAddress, h.File)
		p.Suites = append(p.Suites, one)
	}
	w.page("hosts/"+h.File+".html", "host.html", h.Name, "../", p)
}

// siteAddress stands for the address of the site, which its author replaces.
const siteAddress = "https://ADDRESS-OF-THIS-SITE"

// badgeText returns the badge of a result in words.
func (r *result) badgeText() string {
	return format.BadgeLabel + ": " + format.BadgeText(r.Run.Report, r.Suite)
}

// requirementPage shows which hosts meet one requirement.
type requirementPage struct {
	*requirement
	Kept, Broken, Other []*cell // by the newest result of each host
}

func (w *writer) requirement(q *requirement) {
	p := requirementPage{requirement: q}
	for _, c := range q.Cells {
		switch {
		case c == nil:
		case c.Found.Status == reports.Passed || c.Found.Status == reports.Provided:
			p.Kept = append(p.Kept, c)
		case c.Found.Status == reports.Failed:
			p.Broken = append(p.Broken, c)
		default:
			p.Other = append(p.Other, c)
		}
	}
	w.page("requirements/"+q.File+".html", "requirement.html", q.ID, "../", p)
}

// cells are hosts below one heading.
type cells struct {
	Title string
	Cells []*cell
}

func part(title string, all []*cell) cells { return cells{title, all} }

// Mark returns the status of a requirement as markup.
func (c *cell) Mark() template.HTML { return format.MarkHTML(c.Found, c.Result.Run.Report.Run.Strict) }

// Reason returns why a requirement was not met, empty if it was.
func (c *cell) Reason() string {
	if c.Found.Status == reports.Passed {
		return ""
	}
	return c.Found.Cause()
}

// maxTrend bounds the runs in a trend; it shows the newest.
const maxTrend = 24

// trend draws a bar for each run, the oldest first: the share of the applicable MUSTs that were
// met.
func trend(title string, history []*result) template.HTML {
	shown := slices.Clone(history[:min(len(history), maxTrend)])
	if len(shown) < 2 {
		return ""
	}
	slices.Reverse(shown)
	var bars strings.Builder
	const step, height = 14, 40
	for i, r := range shown {
		tall := max(2, r.Share()*height/100)
		fmt.Fprintf(&bars, `<rect class="%s" x="%d" y="%d" width="%d" height="%d"/>`, r.Suite.Verdict, i*step, height-tall,
			step-4, tall)
	}
	first, last := shown[0], shown[len(shown)-1]
	label := fmt.Sprintf("%s: %d%% of the MUSTs kept on %s, %d%% on %s", title, first.Share(),
		day(first.Run.Report.Run.StartedAt), last.Share(), day(last.Run.Report.Run.StartedAt))
	// The texts are escaped, and the verdicts are an enumeration.
	return template.HTML(fmt.Sprintf(`<svg class="trend" width="%d" height="%d" role="img" aria-label="%s">%s</svg>`,
		len(shown)*step, height, template.HTMLEscapeString(display.TerminalText(label)), bars.String()))
}

// badgeColours are colours on which white text has a contrast of 4.5 or more.
var badgeColours = map[reports.Verdict]string{reports.Conformant: "#1b6b43", reports.Nonconformant: "#a9281d"}

// badge draws two words side by side. The width of a letter is an estimate, to which the text is
// fitted.
func badge(label, text string, v reports.Verdict) []byte {
	colour, known := badgeColours[v]
	if !known {
		colour = "#2a569c"
	}
	const letter, pad = 7, 12
	text = display.TerminalText(text)
	left, right := len([]rune(label))*letter+pad, len([]rune(text))*letter+pad
	var out bytes.Buffer
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="20" role="img" aria-label="%s">`,
		left+right, xmlText(label+": "+text))
	fmt.Fprintf(&out, `<rect width="%d" height="20" fill="#3d444b"/><rect x="%d" width="%d" height="20" fill="%s"/>`, left,
		left, right, colour)
	out.WriteString(`<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">`)
	fmt.Fprintf(&out, `<text x="%d" y="14" textLength="%d">%s</text>`, pad/2, left-pad, xmlText(label))
	fmt.Fprintf(&out, `<text x="%d" y="14" textLength="%d">%s</text></g></svg>`+"\n", left+pad/2, right-pad, xmlText(text))
	return out.Bytes()
}

func xmlText(text string) string {
	var out bytes.Buffer
	_ = xml.EscapeText(&out, []byte(text)) // writing to a buffer cannot fail
	return out.String()
}
