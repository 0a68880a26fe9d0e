package reference

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/capconform/capconform/reference/rpc"
)

// maxConcurrent bounds the concurrent requests of the stdio front end.
const maxConcurrent = 32

// ServeStdio serves JSON-RPC over lines: one message per line in, one message per line out,
// answered concurrently and in any order. It returns nil after the end of input, when every reply
// is written, or when ctx ends. A line over 8 MiB is refused and skipped.
func ServeStdio(ctx context.Context, in io.Reader, out io.Writer, handle Handler) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ended := make(chan error, 1)
	s := &stdio{out: out, handle: handle, slots: make(chan struct{}, maxConcurrent)}
	// The read cannot be interrupted, so a separate goroutine performs it, which ends with the
	// input.
	go func() { ended <- s.read(ctx, in) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
		return nil
	}
}

type stdio struct {
	handle  Handler
	slots   chan struct{}
	mutex   sync.Mutex
	out     io.Writer
	failure error // the first failed write
}

func (s *stdio) read(ctx context.Context, in io.Reader) error {
	var under sync.WaitGroup
	reader := bufio.NewReaderSize(in, 64<<10)
	for {
		line, err := readLine(reader)
		if errors.Is(err, errLineTooLong) {
			s.write(rpc.Fault(rpc.InvalidRequest, "message is over 8 MiB"))
			continue
		}
		if len(bytes.TrimSpace(line)) > 0 {
			s.slots <- struct{}{}
			under.Go(func() {
				defer func() { <-s.slots }()
				s.write(s.handle(ctx, line))
			})
		}
		if err != nil {
			under.Wait()
			if !errors.Is(err, io.EOF) {
				return fmt.Errorf("reference: stdin: %w", err)
			}
			return s.failure
		}
	}
}

func (s *stdio) write(reply []byte) {
	if reply == nil {
		return
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if _, err := s.out.Write(append(reply, '\n')); err != nil && s.failure == nil {
		s.failure = fmt.Errorf("reference: stdout: %w", err)
	}
}

var errLineTooLong = errors.New("reference: line is over 8 MiB")

// readLine reads up to the end of a line. It keeps nothing of a line that is too long, but reads it
// to its end.
func readLine(reader *bufio.Reader) ([]byte, error) {
	var line []byte
	tooLong := false
	for {
		part, err := reader.ReadSlice('\n')
		if tooLong = tooLong || len(line)+len(part) > maxMessage; tooLong {
			line = nil
		} else {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case tooLong && err == nil:
			return nil, errLineTooLong
		}
		return line, err
	}
}
