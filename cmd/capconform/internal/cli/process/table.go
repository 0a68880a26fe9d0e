package process

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/capconform/capconform/reports/display"
)

// Table contains rows below a heading, to be printed aligned or as JSON.
type Table struct {
	Heading []string
	Rows    [][]string
}

// minLastColumn is the least width of a last column that is wrapped next to the others.
const minLastColumn = 28

// Write prints the columns aligned. On a terminal it wraps the last column, below the others if
// they leave little room. Elsewhere lines are not wrapped.
func (t Table) Write(w io.Writer) error {
	_, err := io.WriteString(w, t.text(TerminalColumns(w)))
	return err
}

// text returns the lines. If room is not 0, no line is longer than room.
func (t Table) text(room int) string {
	last := len(t.Heading) - 1
	widths, lead := make([]int, last), 0
	for _, row := range append([][]string{t.Heading}, t.Rows...) {
		for i, cell := range row[:last] {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for _, width := range widths {
		lead += width + columnGap
	}
	indent, below := lead, false
	if room > 0 && room-lead < minLastColumn {
		indent, below = 4, true
	}
	var out strings.Builder
	for _, row := range append([][]string{t.Heading}, t.Rows...) {
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

// cut shortens a line that is longer than the room.
func cut(line string, room int) string {
	if runes := []rune(line); len(runes) > room {
		return string(runes[:room-1]) + "…"
	}
	return line
}

// WriteJSON prints an array of objects; the heading names their members.
func (t Table) WriteJSON(w io.Writer) error {
	all := make([]map[string]string, 0, len(t.Rows))
	for _, row := range t.Rows {
		object := map[string]string{}
		for i, cell := range row {
			object[strings.ToLower(t.Heading[i])] = cell
		}
		all = append(all, object)
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(all)
}

// Add appends a row.
func (t *Table) Add(row ...string) { t.Rows = append(t.Rows, row) }

// Count returns a number with its noun, in the plural unless the number is 1.
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// WriteJSON prints a value as indented JSON.
func WriteJSON(w io.Writer, value any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(value); err != nil {
		return errors.Join(errors.New("cli: the result can't be printed"), err)
	}
	return nil
}
