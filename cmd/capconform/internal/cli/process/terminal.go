package process

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/capconform/capconform/reports/display"
)

// Terminal returns the descriptor of a stream that is a terminal.
func Terminal(stream io.Writer) (descriptor int, ok bool) {
	file, isFile := stream.(*os.File)
	if !isFile || !term.IsTerminal(int(file.Fd())) {
		return 0, false
	}
	return int(file.Fd()), true
}

// TerminalColumns returns the width of a stream that is a terminal, otherwise 0.
func TerminalColumns(stream io.Writer) int {
	descriptor, ok := Terminal(stream)
	if !ok {
		return 0
	}
	width, _, err := term.GetSize(descriptor)
	if err != nil {
		return 0
	}
	return width
}

// Wrapping returns a stream that breaks long lines between words, at the width of the terminal.
func Wrapping(stream io.Writer) io.Writer {
	columns := TerminalColumns(stream)
	if columns == 0 {
		return stream
	}
	return wrapping{stream, columns - 1} // the last column stays free for the space after a question
}

type wrapping struct {
	io.Writer
	columns int
}

// Write writes text that begins a line. What is left of a line is indented like its beginning.
func (w wrapping) Write(text []byte) (int, error) {
	for line := range strings.Lines(string(text)) {
		words := strings.Trim(line, " \n")
		indent, end, _ := strings.Cut(line, words)
		wrapped := strings.Join(display.Wrap(words, w.columns-len(indent)), "\n"+indent)
		if _, err := io.WriteString(w.Writer, indent+wrapped+end); err != nil {
			return 0, fmt.Errorf("terminal: %w", err)
		}
	}
	return len(text), nil
}

// Interactive reports whether a person can answer questions: both stdin and stderr are terminals.
func Interactive(a *App) bool {
	in, isFile := a.In.(*os.File)
	_, shown := Terminal(a.Err)
	return shown && isFile && term.IsTerminal(int(in.Fd()))
}

// Lines returns a function that reads the next line, with its line break. It returns an ErrInterrupted if a signal
// arrives or the input ends.
func Lines(ctx context.Context, in io.Reader) func() (string, error) {
	buffered := bufio.NewReader(in)
	type line struct {
		text string
		err  error
	}
	return func() (string, error) {
		read := make(chan line, 1)
		go func() { // a read of a terminal cannot be cancelled
			text, err := buffered.ReadString('\n')
			read <- line{text, err}
		}()
		select {
		case <-ctx.Done():
			return "", ErrInterrupted
		case l := <-read:
			if l.err != nil {
				return "", fmt.Errorf("%w: the input ended", ErrInterrupted)
			}
			return l.text, nil
		}
	}
}
