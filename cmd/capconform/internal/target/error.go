package target

import "fmt"

// Error reports that a target file cannot be used, in the form file:line:column: message.
type Error struct {
	Path         string
	Line, Column int // 0 if the error concerns the file as a whole
	Message      string
}

// Error returns place and message in one line.
func (e *Error) Error() string {
	if e.Line == 0 {
		return e.Path + ": " + e.Message
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.Path, e.Line, e.Column, e.Message)
}
