package reports

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/capconform/capconform/reports/display"
)

// ErrPartial: a format that speaks of a whole subject was asked of a run that
// examined a part.
var ErrPartial = errors.New("a partial run does not speak for its subject")

// WriteDocument writes a document of another format: JSON with two blanks of
// indent. Markup is escaped, since such documents are shown on web pages, and so
// is whatever does something on a terminal.
func WriteDocument(w io.Writer, format string, document any) error {
	var buf bytes.Buffer
	e := json.NewEncoder(&buf)
	e.SetIndent("", "  ")
	if err := e.Encode(document); err != nil {
		return fmt.Errorf("reports: %s: %w", format, err)
	}
	return display.EscapeControls(w, buf.String())
}

// Whole refuses a report that does not speak for its subject.
func (r *Report) Whole(format string) error {
	if r.Run.Partial {
		return fmt.Errorf("reports: %s: %w", format, ErrPartial)
	}
	return nil
}
