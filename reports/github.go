package reports

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

// annotations are the commands by which a job of GitHub Actions is annotated,
// by the word of the mark.
var annotations = map[string]string{
	"failed": "error", "error": "error", "warning": "warning", "inconclusive": "notice",
}

// writeGitHub writes the verdict, an annotation for each requirement that somebody has to look at, and one for a run that did not come to its end. It belongs on the stdout of
// a job, which reads lines that begin with two colons as commands: no text of the
// target can begin one.
func writeGitHub(w io.Writer, r *Report, o Options) error {
	var buf bytes.Buffer
	annotate(&buf, "notice", "capconform", string(r.Verdict))
	if message := r.unfinishedBy(); message != "" {
		annotate(&buf, "error", "capconform", message)
	}
	for i := range r.Suites {
		for j := range r.Suites[i].Requirements {
			q := &r.Suites[i].Requirements[j]
			m := markOf(q, o.Strict || r.Run.Strict)
			if command := annotations[m.word]; command != "" && len(q.Scenarios) > 0 { // a sum has none: its parts say it
				annotate(&buf, command, q.ID+" "+q.Level+" "+m.word, q.Summary+" "+q.Cause())
			}
		}
	}
	if _, err := w.Write(buf.Bytes()); err != nil {
		return fmt.Errorf("reports: github: %w", err)
	}
	return nil
}

var (
	annotationText  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	annotationTitle = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

func annotate(w io.Writer, command, title, message string) {
	fmt.Fprintf(w, "::%s title=%s::%s\n", command, annotationTitle.Replace(foldBreaks(title)), annotationText.Replace(LogLine(TerminalText(message))))
}
