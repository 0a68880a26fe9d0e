package process

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"

	"golang.org/x/term"
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
