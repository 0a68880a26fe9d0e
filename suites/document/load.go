package document

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
)

// Load reads a file as Read does if it can be held completely. It opens JSON Lines and JSON beyond
// the limits as a Log: by their names, and a file with another name if its first line is a complete
// value and another one follows. The error is an *Error.
func Load(ctx context.Context, path string, limits Limits) (*File, error) {
	if err := regular(path); err != nil {
		return nil, err
	}
	if isLog(path) {
		return openLog(ctx, path, true, limits, fromDisk(path))
	}
	file, err := Read(ctx, path, limits)
	refused, ok := errors.AsType[*Error](err)
	if !ok || refused.Kind != Limit && refused.Kind != Syntax {
		return file, err
	}
	lines, found := jsonForm(path, limits)
	if !found || !lines && refused.Kind == Syntax {
		return nil, err
	}
	log, unread := openLog(ctx, path, lines, limits, fromDisk(path))
	if unread != nil {
		return nil, err
	}
	return log, nil
}

// jsonForm reads the first line of a file: a complete value is one of many.
func jsonForm(path string, limits Limits) (lines, found bool) {
	f, err := os.Open(path)
	if err != nil {
		return false, false
	}
	defer f.Close() // nothing was written
	limits = limits.WithDefaults()
	text, err := io.ReadAll(io.LimitReader(f, int64(limits.Size)+1))
	text = bytes.TrimLeft(bytes.TrimPrefix(text, byteOrderMark), " \t\r\n")
	if err != nil || !isJSON(path, text) || len(text) == 0 {
		return false, false
	}
	line, rest, more := bytes.Cut(text, []byte("\n"))
	_, broken := parseJSON(line, limits)
	return broken == nil && more && len(bytes.TrimSpace(rest)) > 0, text[0] == '{' || text[0] == '['
}

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
