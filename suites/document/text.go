package document

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

// byteOrderMark is the byte order mark of UTF-8.
var byteOrderMark = []byte("\xef\xbb\xbf")

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

// logExtensions are the extensions of JSON Lines.
var logExtensions = []string{".jsonl", ".ndjson"}

func isLog(path string) bool {
	return slices.Contains(logExtensions, strings.ToLower(filepath.Ext(path)))
}

func tooLong(text []byte, limits Limits) *Error {
	if len(text) <= limits.Size {
		return nil
	}
	return &Error{Kind: Limit,
		Message: fmt.Sprintf("the file is longer than capconform's limit of %d bytes", limits.Size)}
}

// checkText refuses what is not text, before a parser reads it.
func checkText(text []byte, limits Limits) *Error {
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
