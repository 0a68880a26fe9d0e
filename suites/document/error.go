package document

import (
	"errors"
	"fmt"
	"os"
	"strconv"
)

// ErrorKind is the kind of an error in a file.
type ErrorKind string

// The kinds. Unreadable and Limit do not concern the text; the others are defects of it.
const (
	Unreadable ErrorKind = "unreadable" // no such file, no permission, no regular file
	Limit      ErrorKind = "limit"      // exceeds a limit of capconform
	Binary     ErrorKind = "binary"     // a NUL byte: no text, or not in UTF-8
	Encoding   ErrorKind = "encoding"   // broken UTF-8, or UTF-16 or UTF-32 of YAML
	Syntax     ErrorKind = "syntax"     // neither valid JSON nor valid YAML
	Duplicate  ErrorKind = "duplicate"  // two members of one object have the same name
)

// Error reports that a file could not be read, with the place where reading ended.
type Error struct {
	Kind    ErrorKind
	Path    string
	Line    int // from 1; 0 if no place is known
	Column  int // in characters, from 1
	Message string
	Err     error // of the operating system, or nil

	earlier [2]int // line and column of the first of two members of one name; zero if not known
}

// Error returns file, place and message in one line.
func (e *Error) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.Path, e.Message)
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.Path, e.Line, e.Column, e.Message)
}

// Unwrap returns the error of the operating system.
func (e *Error) Unwrap() error { return e.Err }

// unreadable returns an error of the operating system.
func unreadable(path string, err error) *Error {
	message := err.Error()
	if failed, ok := errors.AsType[*os.PathError](err); ok {
		message = failed.Err.Error()
	}
	return &Error{Kind: Unreadable, Path: path, Message: "can't be read: " + message, Err: err}
}

func duplicate(name string, before *Member, line, column int) *Error {
	err := &Error{Kind: Duplicate, Line: line, Column: column, Message: "the object has two members named " + quoted(name)}
	if before != nil {
		err.earlier = [2]int{before.Line, before.Column}
		err.Message += firstAt(err.earlier)
	}
	return err
}

// firstAt returns the end of a message: the place of the first member.
func firstAt(at [2]int) string { return fmt.Sprintf("; the first is at %d:%d", at[0], at[1]) }

// quoted quotes a text of the document for a message of one line.
func quoted(text string) string {
	const longest = 80
	if runes := []rune(text[:min(len(text), 4*longest)]); len(runes) > longest {
		text = string(runes[:longest]) + "..."
	}
	return strconv.Quote(text)
}
