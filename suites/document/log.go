package document

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Log is the content of a file that is read value by value: one value per line (JSON Lines), or the
// lists of one value that is too long to be held. It may have any length: only one entry is kept at
// a time.
type Log struct {
	Samples []*Node // the first values that could be read, so that the file can be recognised
	path    string
	lines   bool
	limits  Limits
	open    func() (io.ReadCloser, error)
}

// Entry is one value of a Log: the value of a line, or an item of a list.
type Entry struct {
	Node *Node  // nil if Err states why it can't be read
	Err  *Error // only this value is lost: reading continues after it
	List string // of one value: the member of the object whose item this is, "" in a list at the top
	Cut  bool   // the unreadable text is the last line, which was not written completely
}

// Lines reports whether each value has its own line.
func (l *Log) Lines() bool { return l.lines }

// Each reads the log from its beginning and visits its entries, each once and in the order of the
// text. If the log is one object, Each then returns its members, with every list empty. The error
// is an *Error if the rest cannot be read, or that of ctx.
func (l *Log) Each(ctx context.Context, visit func(Entry)) (head *Node, err error) {
	in, err := l.open()
	if err != nil {
		return nil, unreadable(l.path, err)
	}
	defer in.Close() // nothing was written
	s := newScanner(ctx, in, l.path, l.limits, visit)
	var broken *Error
	if l.lines {
		broken = s.lines()
	} else {
		head, broken = s.lists()
	}
	if cause := context.Cause(ctx); cause != nil {
		return nil, cause
	}
	if broken != nil {
		broken.Path = l.path
		return head, broken
	}
	return head, nil
}

// logExtensions are the extensions of JSON Lines.
var logExtensions = []string{".jsonl", ".ndjson"}

func isLog(path string) bool {
	return slices.Contains(logExtensions, strings.ToLower(filepath.Ext(path)))
}

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

func fromDisk(path string) func() (io.ReadCloser, error) {
	return func() (io.ReadCloser, error) { return os.Open(path) }
}

func fromText(text []byte) func() (io.ReadCloser, error) {
	return func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil }
}

// errEnough ends the reading of samples.
var errEnough = errors.New("document: enough was read")

// openLog reads the first values as samples. It returns an error for a log without any.
func openLog(
	ctx context.Context, path string, lines bool, limits Limits, open func() (io.ReadCloser, error),
) (*File, error) {
	const samples, tries = 64, 1000
	log := &Log{path: path, lines: lines, limits: limits.WithDefaults(), open: open}
	sampling, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var first *Error
	tried := 0
	_, err := log.Each(sampling, func(e Entry) {
		if tried++; e.Err == nil && len(log.Samples) < samples {
			log.Samples = append(log.Samples, e.Node)
		} else if first == nil {
			first = e.Err
		}
		if len(log.Samples) == samples || tried == tries {
			stop(errEnough)
		}
	})
	if cause := context.Cause(ctx); cause != nil {
		return nil, unreadable(path, cause)
	}
	switch {
	case len(log.Samples) > 0:
		return &File{Path: path, Log: log}, nil
	case first != nil:
		return nil, first
	case err != nil && !errors.Is(err, errEnough):
		return nil, err
	}
	return nil, &Error{Kind: Syntax, Path: path, Line: 1, Column: 1, Message: "the file is empty"}
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
	text = bytes.TrimLeft(bytes.TrimPrefix(text, mark), " \t\r\n")
	if err != nil || !isJSON(path, text) || len(text) == 0 {
		return false, false
	}
	line, rest, more := bytes.Cut(text, []byte("\n"))
	_, broken := parseJSON(line, limits)
	return broken == nil && more && len(bytes.TrimSpace(rest)) > 0, text[0] == '{' || text[0] == '['
}
