package document

import (
	"context"
	"io"
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
