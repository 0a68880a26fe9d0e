// Package document reads JSON and YAML into one tree whose values know their line and column, so
// that a finding can name its place. Its files are untrusted: size, depth and the number of values
// are bounded, and an ambiguous text is refused instead of being read in one way or the other. The
// package judges nothing and is independent of protocols.
package document

import (
	"bytes"
	"context"
)

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
		err = checkText(file.decoded, limits)
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
		return bytes.TrimPrefix(text, byteOrderMark), nil
	}
	return inUTF8(text)
}
