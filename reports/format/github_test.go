package format

import (
	"regexp"
	"strings"
	"testing"

	"github.com/capconform/capconform/reports/reporttest"
)

// TestAnnotations: each line is one command, and a title cannot end early.
func TestAnnotations(t *testing.T) {
	line := regexp.MustCompile(`^::(error|warning|notice) (file=[^:,]+,)?(line=\d+,col=\d+,)?title=[^:,]+::[^:]`)
	legacy := regexp.MustCompile(`##\w*\[`)
	for name, r := range reporttest.All() {
		lines := strings.Split(strings.TrimSuffix(string(everyOutput(t, r)["github"]), "\n"), "\n")
		for _, text := range lines {
			if text != "" && !line.MatchString(text) || legacy.MatchString(text) {
				t.Errorf("%s: %s", name, text)
			}
		}
		if failed := r.Totals().Must.Failed > 0; failed && !strings.Contains(strings.Join(lines, "\n"), "::error ") {
			t.Errorf("%s: failures without an annotation", name)
		}
	}
}
