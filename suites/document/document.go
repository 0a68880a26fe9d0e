// Package document reads JSON and YAML into one tree whose values know their line and column, so
// that a finding can name its place. Its files are untrusted: size, depth and the number of values
// are bounded, and an ambiguous text is refused instead of being read in one way or the other. The
// package judges nothing and is independent of protocols.
package document

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// File is a document file that was read.
type File struct {
	Path  string
	Roots []*Node // one for JSON; one for each document of a YAML stream that is not empty; none if there is a Log
	Log   *Log    // of a file that is read value by value, otherwise nil
	Text  []byte  // the bytes of the file, if it is held completely
	Err   *Error  // of an unreadable file that belongs to a suite; then all other fields are empty

	decoded []byte // the text in UTF-8, without a byte order mark; the places are those of it
}

// Limits bound what is read. A zero field stands for its default.
type Limits struct {
	Size   int // bytes of a file; 0 means 8 MiB
	Depth  int // levels of nesting; 0 means 256
	Values int // values of a file, aliases followed; 0 means 400,000
}

// WithDefaults returns the limits with each zero field replaced by its default.
func (l Limits) WithDefaults() Limits {
	for _, f := range []struct {
		field *int
		value int
	}{{&l.Size, 8 << 20}, {&l.Depth, 256}, {&l.Values, 400_000}} {
		if *f.field == 0 {
			*f.field = f.value
		}
	}
	return l
}

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

// Read reads a file. The error is an *Error.
func Read(ctx context.Context, path string, limits Limits) (*File, error) {
	limits = limits.WithDefaults()
	if err := context.Cause(ctx); err != nil {
		return nil, unreadable(path, err)
	}
	if err := regular(path); err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, unreadable(path, err)
	}
	defer f.Close() // nothing was written
	text, err := io.ReadAll(io.LimitReader(f, int64(limits.Size)+1))
	if err != nil {
		return nil, unreadable(path, err)
	}
	return Parse(path, text, limits)
}

// regular refuses what is not a regular file: opening a pipe would block, and so would reading some
// files of the system whose size is 0.
func regular(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return unreadable(path, err)
	}
	if !info.Mode().IsRegular() {
		return &Error{Kind: Unreadable, Path: path, Message: "this is not a regular file"}
	}
	if info.Size() == 0 {
		return &Error{Kind: Syntax, Path: path, Line: 1, Column: 1, Message: "the file is empty"}
	}
	return nil
}

func unreadable(path string, err error) *Error {
	message := err.Error()
	if failed, ok := errors.AsType[*os.PathError](err); ok {
		message = failed.Err.Error()
	}
	return &Error{Kind: Unreadable, Path: path, Message: "can't be read: " + message, Err: err}
}

// Parse parses a text. A path that ends in .json is JSON, one in .yaml or .yml is YAML (which may
// be written as JSON), one in .jsonl or .ndjson is a Log. For other paths, the first character
// decides. YAML may be in UTF-8, UTF-16 or UTF-32, everything else is in UTF-8. The error is an *Error.
func Parse(path string, text []byte, limits Limits) (*File, error) {
	limits = limits.WithDefaults()
	if isLog(path) {
		return openLog(context.Background(), path, true, limits, fromText(text))
	}
	file := &File{Path: path, Text: text}
	err := tooLong(text, limits)
	if err == nil {
		file.decoded, err = decode(path, text)
	}
	if err == nil {
		err = legible(file.decoded, limits)
	}
	if err == nil {
		parse := parseYAML
		if isJSON(path, file.decoded) {
			parse = parseJSON
		}
		file.Roots, err = parse(file.decoded, limits)
	}
	if err != nil {
		err.Path = path
		return nil, err
	}
	return file, nil
}

// decode returns a text in UTF-8, without its byte order mark.
func decode(path string, text []byte) ([]byte, *Error) {
	if isJSON(path, nil) {
		return bytes.TrimPrefix(text, mark), nil
	}
	return inUTF8(text)
}

func isJSON(path string, text []byte) bool {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".json":
		return true
	case ".yaml", ".yml":
		return false
	}
	text = bytes.TrimLeft(text, " \t\r\n")
	return len(text) > 0 && (text[0] == '{' || text[0] == '[')
}

func tooLong(text []byte, limits Limits) *Error {
	if len(text) <= limits.Size {
		return nil
	}
	return &Error{Kind: Limit,
		Message: fmt.Sprintf("the file is longer than capconform's limit of %d bytes", limits.Size)}
}

// legible refuses what is not text, before a parser reads it.
func legible(text []byte, limits Limits) *Error {
	if err := tooLong(text, limits); err != nil {
		return err
	}
	if len(bytes.TrimLeft(text, " \t\r\n")) == 0 {
		return &Error{Kind: Syntax, Line: 1, Column: 1, Message: "the file is empty"}
	}
	if bytes.IndexByte(text, 0) >= 0 {
		return &Error{Kind: Binary,
			Message: "the file contains a NUL byte: it is binary, or text in another encoding than UTF-8"}
	}
	if utf8.Valid(text) {
		return nil
	}
	place := place{text: text, line: 1, column: 1}
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && size == 1 {
			place.forward(i)
			break
		}
		i += size
	}
	return &Error{Kind: Encoding, Line: place.line, Column: place.column, Message: "the text is not UTF-8 here"}
}

// place turns ascending offsets into lines and columns in one pass, even if the whole text is one
// line.
type place struct {
	text         []byte
	offset       int
	line, column int
}

// forward moves to an offset, which must not be before the last one.
func (p *place) forward(offset int) {
	passed := p.text[p.offset:min(offset, len(p.text))]
	if last := bytes.LastIndexByte(passed, '\n'); last >= 0 {
		p.line += bytes.Count(passed, []byte("\n"))
		p.column = 1
		passed = passed[last+1:]
	}
	p.column += utf8.RuneCount(passed)
	p.offset = max(p.offset, min(offset, len(p.text)))
}
