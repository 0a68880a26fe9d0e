package reports

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/capconform/capconform/reports/display"
)

// ErrPartial reports that a format that makes a statement about the whole subject was requested for
// a partial run.
var ErrPartial = errors.New("a partial run does not speak for its subject")

// WriteDocument writes a document of another format: JSON with an indent of two blanks. It escapes
// markup, because such documents are shown on web pages, and controls of terminals.
func WriteDocument(w io.Writer, format string, document any) error {
	var buf bytes.Buffer
	e := json.NewEncoder(&buf)
	e.SetIndent("", "  ")
	if err := e.Encode(document); err != nil {
		return fmt.Errorf("reports: %s: %w", format, err)
	}
	return display.EscapeControls(w, buf.String())
}

// Whole returns an error for a report that makes no statement about its whole subject.
func (r *Report) Whole(format string) error {
	if r.Run.Partial {
		return fmt.Errorf("reports: %s: %w", format, ErrPartial)
	}
	return nil
}
