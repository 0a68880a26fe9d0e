package cli

import (
	"encoding/json"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/capconform/capconform/reports"
)

// table is rows below a heading, to be printed aligned or as JSON.
type table struct {
	heading []string
	rows    [][]string
}

// write prints the columns aligned. On a terminal a line is cut at its width;
// elsewhere the last column is as long as it likes.
func (t table) write(w io.Writer) error {
	room := terminalColumns(w)
	widths := make([]int, len(t.heading))
	all := append([][]string{t.heading}, t.rows...)
	for _, row := range all {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	var out strings.Builder
	for _, row := range all {
		var line strings.Builder
		for i, cell := range row {
			line.WriteString(cell)
			line.WriteString(strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)+2))
		}
		text := reports.TerminalText(strings.TrimRight(line.String(), " "))
		if runes := []rune(text); room > 0 && len(runes) > room {
			text = string(runes[:room-1]) + "…"
		}
		out.WriteString(text + "\n")
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// writeJSON prints an array of objects; the heading names their members.
func (t table) writeJSON(w io.Writer) error {
	all := make([]map[string]string, 0, len(t.rows))
	for _, row := range t.rows {
		object := map[string]string{}
		for i, cell := range row {
			object[strings.ToLower(t.heading[i])] = cell
		}
		all = append(all, object)
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(all)
}

func (t *table) add(row ...string) { t.rows = append(t.rows, row) }
