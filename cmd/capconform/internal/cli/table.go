package cli

import (
	"encoding/json"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/capconform/capconform/reports/display"
)

// table is rows below a heading, to be printed aligned or as JSON.
type table struct {
	heading []string
	rows    [][]string
}

// narrowest is the least room that a last column is wrapped in beside the others.
const narrowest = 28

// write prints the columns aligned. On a terminal the last one is wrapped, below the others
// where they leave it little room; elsewhere it is as long as it likes.
func (t table) write(w io.Writer) error {
	_, err := io.WriteString(w, t.text(terminalColumns(w)))
	return err
}

// text returns the lines, none of which is longer than the room where there is any.
func (t table) text(room int) string {
	last := len(t.heading) - 1
	widths, lead := make([]int, last), 0
	for _, row := range append([][]string{t.heading}, t.rows...) {
		for i, cell := range row[:last] {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for _, width := range widths {
		lead += width + columnGap
	}
	indent, below := lead, false
	if room > 0 && room-lead < narrowest {
		indent, below = 4, true
	}
	var out strings.Builder
	for _, row := range append([][]string{t.heading}, t.rows...) {
		var line strings.Builder
		for i, cell := range row[:last] {
			line.WriteString(cell + strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)+columnGap))
		}
		head, text := display.TerminalText(strings.TrimRight(line.String(), " ")), display.TerminalText(row[last])
		switch {
		case room == 0:
			out.WriteString(strings.TrimRight(line.String()+text, " ") + "\n")
			continue
		case below:
			out.WriteString(cut(head, room) + "\n")
		}
		for i, part := range display.Wrap(text, room-indent-1) {
			if i == 0 && !below {
				out.WriteString(strings.TrimRight(line.String()+part, " ") + "\n")
				continue
			}
			out.WriteString(strings.TrimRight(strings.Repeat(" ", indent)+part, " ") + "\n")
		}
	}
	return out.String()
}

// columnGap is the space between two columns.
const columnGap = 2

// cut ends a line that is too long for the room.
func cut(line string, room int) string {
	if runes := []rune(line); len(runes) > room {
		return string(runes[:room-1]) + "…"
	}
	return line
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
