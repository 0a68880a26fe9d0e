package document

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
)

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
