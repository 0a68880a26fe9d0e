package reports

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// writeJSON writes the document: two blanks of indent, members in the order of
// the types, one newline at the end.
func writeJSON(w io.Writer, r *Report, _ Options) error {
	var buf bytes.Buffer
	e := json.NewEncoder(&buf)
	e.SetEscapeHTML(false) // shell commands stay readable
	e.SetIndent("", "  ")
	if err := e.Encode(r); err != nil {
		return fmt.Errorf("reports: json: %w", err)
	}
	return escapeControls(w, buf.String())
}

// escapeControls writes JSON with the controls that encoding/json lets through
// (DEL, C1, and those that turn the direction of writing) as \u escapes, and so
// that no string looks like a command to a CI system: the
// same document, harmless where somebody reads it on a terminal or in a log. U+FFFD is one of
// them because encoding/json escapes it where it stands for broken UTF-8 only:
// what was read and is written again has to be the same bytes.
func escapeControls(w io.Writer, text string) error {
	out := bufio.NewWriter(w)
	text = logCommand.ReplaceAllString(text, `#\u0023$1[`) // it can only stand in a string
	from := 0
	for at, r := range text {
		if r < 0x7F || !isControl(r) && r != utf8.RuneError {
			continue
		}
		out.WriteString(text[from:at])
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(out, `\u%04x`, unit)
		}
		from = at + utf8.RuneLen(r)
	}
	out.WriteString(text[from:])
	if err := out.Flush(); err != nil {
		return fmt.Errorf("reports: json: %w", err)
	}
	return nil
}
