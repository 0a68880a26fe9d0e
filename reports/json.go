package reports

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/capconform/capconform/reports/display"
)

// WriteJSON writes the document with an indent of two blanks, the members in the order of the
// types, and one newline at the end.
func WriteJSON(w io.Writer, r *Report) error {
	var buf bytes.Buffer
	e := json.NewEncoder(&buf)
	e.SetEscapeHTML(false) // shell commands stay readable
	e.SetIndent("", "  ")
	if err := e.Encode(r); err != nil {
		return fmt.Errorf("reports: json: %w", err)
	}
	return display.EscapeControls(w, buf.String())
}
