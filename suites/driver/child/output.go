package child

import (
	"errors"
	"io"
	"os"
	"sync"
	"time"
)

// Output is what a child writes. Read deadlines work on it. Its end comes soon
// after the child's own: a descendant that holds the other end is not waited for.
type Output struct {
	file *os.File

	mu   sync.Mutex
	last time.Time // when it ends at the latest; zero while the child runs
}

// Read implements io.Reader.
func (o *Output) Read(p []byte) (int, error) {
	n, err := o.file.Read(p)
	if errors.Is(err, os.ErrDeadlineExceeded) && o.over() {
		err = io.EOF
	}
	return n, err
}

// SetReadDeadline bounds what is waited for, as *os.File does. The zero time means
// no other bound than that of the child's end.
func (o *Output) SetReadDeadline(t time.Time) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.last.IsZero() && (t.IsZero() || t.After(o.last)) {
		t = o.last
	}
	return o.file.SetReadDeadline(t)
}

// end says when the output ends at the latest.
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
