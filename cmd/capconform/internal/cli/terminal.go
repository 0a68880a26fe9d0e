package cli

import (
	"io"
	"os"

	"golang.org/x/term"
)

// terminal returns the descriptor of a stream that is a terminal.
func terminal(stream io.Writer) (descriptor int, ok bool) {
	file, isFile := stream.(*os.File)
	if !isFile || !term.IsTerminal(int(file.Fd())) {
		return 0, false
	}
	return int(file.Fd()), true
}

// terminalColumns returns the width of a stream that is a terminal, otherwise 0.
func terminalColumns(stream io.Writer) int {
	descriptor, ok := terminal(stream)
	if !ok {
		return 0
	}
	width, _, err := term.GetSize(descriptor)
	if err != nil {
		return 0
	}
	return width
}
