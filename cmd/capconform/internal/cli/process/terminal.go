package process

import (
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
