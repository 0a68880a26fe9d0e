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

// html is a page without external resources: it contains its style and its script, and its policy
// forbids everything else.
type html struct {
	Policy    string       // a Content-Security-Policy with the digests of Style and Script
	Style     template.CSS // CSS, trusted
	Script    template.JS  // JavaScript, trusted
	Generator string       // the program that made the page; empty: the page does not name it
}

// writeHTML writes one page for people. It contains only the document, and the entries of the
// catalogues of this build for each requirement.
func writeHTML(w io.Writer, r *reports.Report, o Options) error {
	page, err := pageOf(r, o)
	if err != nil {
		return fmt.Errorf("reports: html: %w", err)
	}
	return render(w, "report.html", page)
}

// Style returns the style of the pages, for other pages of a site.
func Style() ([]byte, error) {
	style, err := web.ReadFile("web/report.css")
	if err != nil {
		return nil, fmt.Errorf("reports: html: %w", err)
	}
	return style, nil
}

// MarkHTML returns the status of a requirement as markup, in the words for its level.
func MarkHTML(q *reports.Requirement, strict bool) template.HTML {
	return markup(reports.MarkOf(q, strict)).HTML()
}

// VerdictHTML returns a verdict as markup.
func VerdictHTML(v reports.Verdict) template.HTML { return verdictMarkup(v).HTML() }

// assets returns the style and the script of a page, and the policy that permits exactly these.
func assets(script string) (html, error) {
	style, err := web.ReadFile("web/report.css")
	if err != nil {
		return html{}, err
	}
	policy := "default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'; style-src " + policyHash(style)
	page := html{Style: template.CSS(style)} // an asset of this package
	if script != "" {
		text, err := web.ReadFile("web/" + script)
		if err != nil {
			return html{}, err
		}
		page.Script = template.JS(text) // an asset of this package
		policy += "; script-src " + policyHash(text)
	}
	page.Policy = policy
	return page, nil
}

// policyHash returns an inline text as a content security policy names it.
func policyHash(text []byte) string {
	sum := sha256.Sum256(text)
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// render writes a page. Text is cleaned by the function t (one line) or is passed as clean lines.
// The template escapes markup.
func render(w io.Writer, name string, page any) error {
	t, err := template.New(name).
		Funcs(template.FuncMap{"t": display.TerminalText, "long": isLong}).
		ParseFS(web, "web/*.html")
	if err != nil {
		return fmt.Errorf("reports: html: %w", err)
	}
	var buf bytes.Buffer
	if err := t.ExecuteTemplate(&buf, name, page); err != nil {
		return fmt.Errorf("reports: html: %w", err)
	}
	// The style and the script of this package contain none.
	if _, err := io.WriteString(w, display.EscapeCommands(buf.String(), "#&#35;")); err != nil {
		return fmt.Errorf("reports: html: %w", err)
	}
	return nil
}
