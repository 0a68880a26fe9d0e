package format

import (
	"bytes"
	"fmt"
	"io"

	"github.com/capconform/capconform/reports"
)

// WriteDifference writes a difference as a table. The error is that of w.
func WriteDifference(w io.Writer, d reports.Difference) error {
	var buf bytes.Buffer
	fmt.Fprintf(&buf, "## %s\n", d.Conclusion())
	for _, note := range d.Notes {
		fmt.Fprintf(&buf, "\n- %s", markdownCell(note))
	}
	if len(d.Notes) > 0 {
		buf.WriteString("\n")
	}
	if len(d.Changes) > 0 {
		buf.WriteString("\n| change | requirement | level | status | cause |\n| :-- | :-- | :-- | :-- | :-- |\n")
	}
	for _, c := range d.Changes {
		fmt.Fprintf(&buf, "| %s | %s | %s | %s | %s |\n", c.Kind, markdownCell(c.ID), c.Level, c.Step(),
			markdownCell(c.Cause))
	}
	if _, err := w.Write(buf.Bytes()); err != nil {
		return fmt.Errorf("reports: diff: %w", err)
	}
	return nil
}
