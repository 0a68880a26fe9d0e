package console

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/capconform/capconform/reports/display"
)

// page collects the lines of console output. It makes every line harmless to CI logs. Callers must
// clean text of the target.
type page struct {
	buf    bytes.Buffer
	width  int
	colour bool

	explained []string // the levels whose meaning was printed
}

// line adds one line.
func (p *page) line(format string, args ...any) {
	p.buf.WriteString(display.LogLine(strings.TrimRight(fmt.Sprintf(format, args...), " ")))
	p.buf.WriteByte('\n')
}

// gap adds an empty line.
func (p *page) gap() { p.buf.WriteByte('\n') }

// paint returns text in a colour (an SGR parameter) if the output is coloured.
func (p *page) paint(sgr, text string) string {
	if !p.colour || sgr == "" || text == "" {
		return text
	}
	return "\x1b[" + sgr + "m" + text + "\x1b[0m"
}

const (
	bold = "1"
	dim  = "2"
)

// entry adds a label and its text, wrapped to the width of the page, at most
// most lines.
func (p *page) entry(indent int, label, text string, most int) {
	lead := indent + labelColumns
	lines := display.WrapUpTo(display.TerminalText(text), p.width-lead, most)
	p.line("%s%s%s", blanks(indent), p.paint(dim, display.Pad(label+":", labelColumns)), lines[0])
	for _, l := range lines[1:] {
		p.line("%s%s", blanks(lead), l)
	}
}

// command adds a label and a command, which is never wrapped, so that it can be copied.
func (p *page) command(indent int, label, command string) {
	p.line("%s%s%s", blanks(indent), p.paint(dim, display.Pad(label+":", labelColumns)), display.TerminalCommand(command))
}

// labelColumns is the width of the column of labels such as "repeat:".
const labelColumns = 9

func blanks(n int) string { return strings.Repeat(" ", n) }

// split returns the lines that were added.
func (p *page) split() []string {
	return strings.Split(strings.TrimSuffix(p.buf.String(), "\n"), "\n")
}

func (p *page) writeTo(w io.Writer) error {
	if _, err := w.Write(p.buf.Bytes()); err != nil {
		return fmt.Errorf("reports: console: %w", err)
	}
	return nil
}
