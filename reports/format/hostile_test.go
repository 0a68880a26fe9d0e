package format

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/capconform/capconform/reports/display"
	"github.com/capconform/capconform/reports/reporttest"
)

// TestFormatsSurviveHostileText writes hostile texts in every format.
func TestFormatsSurviveHostileText(t *testing.T) {
	command := regexp.MustCompile(`(?m)^\s*::|##\w*\[`)
	for name, out := range everyOutput(t, reporttest.HostileHost()) {
		if !utf8.Valid(out) {
			t.Errorf("%s: not UTF-8", name)
		}
		// In JSON and HTML, ##[ is inside a string, which CI systems do not interpret.
		// see TestAnnotations
		if hit := command.Find(out); hit != nil && name != "json" && name != "github" &&
			!(name == "html" && bytes.HasPrefix(hit, []byte("##"))) {
			t.Errorf("%s: %q may be interpreted by a CI system", name, hit)
		}
		for _, r := range string(out) {
			if display.IsControl(r) && r != '\n' {
				t.Errorf("%s: contains the control character %U", name, r)
				break
			}
		}
		if format, _ := Find(name); strings.HasSuffix(format.Extension, "json") && name != "json" || name == "sarif" {
			if bytes.ContainsAny(out, "<>") {
				t.Errorf("%s: contains markup:\n%s", name, out)
			}
		}
		if strings.Contains(string(out), "<script>") && name == "markdown" {
			outside := regexp.MustCompile("(?s)\n````+[a-z]*\n.*?\n````+\n").ReplaceAllString(string(out), "\n")
			if strings.Contains(outside, "<script>") || strings.Contains(outside, "@octocat") {
				t.Errorf("markdown: markup outside a fenced block:\n%s", outside)
			}
		}
	}
}
