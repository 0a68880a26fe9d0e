package child

import (
	"os"
	"sync"
)

const tailSize = 64 << 10

// tail keeps the end of a stream. It reads continuously, so that a child that floods stderr is
// never blocked.
type tail struct {
	file  *os.File
	ended chan struct{}

	mu  sync.Mutex
	end []byte
}

func newTail(file *os.File) *tail {
	t := &tail{file: file, ended: make(chan struct{})}
	go t.drain()
	return t
}

func (t *tail) drain() {
	defer close(t.ended)
	buffer := make([]byte, 16<<10)
	for {
		n, err := t.file.Read(buffer)
		t.keep(buffer[:n])
		if err != nil {
			return
		}
	}
}

func (t *tail) keep(more []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.end = append(t.end, more...)
	if over := len(t.end) - tailSize; over > 0 {
		t.end = t.end[:copy(t.end, t.end[over:])]
	}
}

// String returns the text that was kept.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.end)
}

// close ends the reading, even if another process still holds the pipe open.
func (t *tail) close() {
	_ = t.file.Close()
	<-t.ended
}
