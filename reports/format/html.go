package format

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/display"
)

//go:embed web
var web embed.FS

// html is a page that needs nothing beside itself: its style and its script stand
// in it, and its policy forbids everything else.
type html struct {
	Policy    string       // a Content-Security-Policy with the digests of Style and Script
	Style     template.CSS // CSS, trusted
	Script    template.JS  // JavaScript, trusted
	Generator string       // what made the page; empty: the page does not say
}

// writeHTML writes one page for people. It holds no more than the document does,
// and what the catalogues of this build say of each requirement.
func writeHTML(w io.Writer, r *reports.Report, o Options) error {
	page, err := pageOf(r, o)
	if err != nil {
		return fmt.Errorf("reports: html: %w", err)
	}
	return render(w, "report.html", page)
}

// Style returns the style of the pages, for pages beside them.
func Style() ([]byte, error) {
	style, err := web.ReadFile("web/report.css")
	if err != nil {
		return nil, fmt.Errorf("reports: html: %w", err)
	}
	return style, nil
}

// MarkHTML is the status of a requirement as markup, in the words of its level.
func MarkHTML(q *reports.Requirement, strict bool) template.HTML {
	return markup(reports.MarkOf(q, strict)).HTML()
}

// VerdictHTML is a verdict as markup.
func VerdictHTML(v reports.Verdict) template.HTML { return verdictMarkup(v).HTML() }

// assets returns style and script of a page, and the policy that allows just them.
func assets(script string) (html, error) {
	style, err := web.ReadFile("web/report.css")
	if err != nil {
		return html{}, err
	}
	policy := "default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'; style-src " + hashed(style)
	page := html{Style: template.CSS(style)} // an asset of ours
	if script != "" {
		text, err := web.ReadFile("web/" + script)
		if err != nil {
			return html{}, err
		}
		page.Script = template.JS(text) // an asset of ours
		policy += "; script-src " + hashed(text)
	}
	page.Policy = policy
	return page, nil
}

// hashed is how a content security policy names an inline text.
func hashed(text []byte) string {
	sum := sha256.Sum256(text)
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// render writes a page. Text goes through t (one line) or comes as lines that are
// clean already; markup is escaped by the template.
func render(w io.Writer, name string, page any) error {
	t, err := template.New(name).
		Funcs(template.FuncMap{"t": display.TerminalText, "long": long}).
		ParseFS(web, "web/*.html")
	if err != nil {
		return fmt.Errorf("reports: html: %w", err)
	}
	var buf bytes.Buffer
	if err := t.ExecuteTemplate(&buf, name, page); err != nil {
		return fmt.Errorf("reports: html: %w", err)
	}
	// our own script and style have none
	if _, err := io.WriteString(w, display.EscapeCommands(buf.String(), "#&#35;")); err != nil {
		return fmt.Errorf("reports: html: %w", err)
	}
	return nil
}
