package child

import (
	"errors"
	"io"
	"os"
	"sync"
	"time"
)

// Output is what a child writes to stdout. Read deadlines work on it. It ends soon after the child,
// even if a descendant still holds the pipe open.
type Output struct {
	file *os.File

	mu   sync.Mutex
	last time.Time // the latest time at which it ends; zero while the child runs
}

// Read implements io.Reader.
func (o *Output) Read(p []byte) (int, error) {
	n, err := o.file.Read(p)
	if errors.Is(err, os.ErrDeadlineExceeded) && o.over() {
		err = io.EOF
	}
	return n, err
}

// SetReadDeadline bounds the time of a Read, as that of *os.File does. After the zero time, only
// the end of the child bounds it.
func (o *Output) SetReadDeadline(t time.Time) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.last.IsZero() && (t.IsZero() || t.After(o.last)) {
		t = o.last
	}
	return o.file.SetReadDeadline(t)
}

// end returns the latest time at which the output ends.
func (o *Output) end(at time.Time) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.last = at
	_ = o.file.SetReadDeadline(at)
}

func (o *Output) over() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return !o.last.IsZero() && !time.Now().Before(o.last)
}
