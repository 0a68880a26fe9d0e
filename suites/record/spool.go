package record

import (
	"fmt"
	"io"
	"os"
)

// memoryLimit is how many bytes of a record are kept in memory (DESIGN section 11).
const memoryLimit = 32 << 20

// pieceSize is the length of one piece of memory: a single text would be copied each time it grows.
const pieceSize = 64 << 10

// spool keeps what is written to it in memory up to a limit, then in a temporary file that only
// this user can read. It is not safe for concurrent use.
type spool struct {
	limit  int64
	memory [][]byte // pieces, all but the last of which are full
	file   *os.File // nil while everything fits into memory
	named  bool     // the file still has a name, because the system cannot remove an open file
	size   int64
}

// Write adds to the spool.
func (s *spool) Write(text []byte) (int, error) {
	if s.file == nil && s.size+int64(len(text)) > s.limit {
		if err := s.spill(); err != nil {
			return 0, err
		}
	}
	n := len(text)
	var err error
	if s.file == nil {
		s.hold(text)
	} else {
		n, err = s.file.Write(text)
	}
	s.size += int64(n)
	return n, err
}

// hold stores a text in memory.
func (s *spool) hold(text []byte) {
	for len(text) > 0 {
		last := len(s.memory) - 1
		if last < 0 || len(s.memory[last]) == pieceSize {
			s.memory, last = append(s.memory, make([]byte, 0, pieceSize)), last+1
		}
		n := min(len(text), pieceSize-len(s.memory[last]))
		s.memory[last], text = append(s.memory[last], text[:n]...), text[n:]
	}
}

// spill moves the contents of the memory to a file. os.CreateTemp creates it with mode 0600. Its
// name is removed immediately if the system permits that, so that a killed run leaves nothing
// behind.
func (s *spool) spill() error {
	file, err := os.CreateTemp("", "capconform-record-*.jsonl")
	if err != nil {
		return fmt.Errorf("record: spool: %w", err)
	}
	for _, piece := range s.memory {
		if _, err := file.Write(piece); err != nil {
			_ = file.Close()           // the first error is reported
			_ = os.Remove(file.Name()) // the same
			return fmt.Errorf("record: spool: %w", err)
		}
	}
	s.file, s.named = file, os.Remove(file.Name()) != nil
	s.memory = nil
	return nil
}

// ReadAt implements io.ReaderAt over everything written so far.
func (s *spool) ReadAt(into []byte, offset int64) (int, error) {
	if s.file != nil {
		return s.file.ReadAt(into, offset)
	}
	n := 0
	for n < len(into) && offset < s.size {
		copied := copy(into[n:], s.memory[offset/pieceSize][offset%pieceSize:])
		n, offset = n+copied, offset+int64(copied)
	}
	if n < len(into) {
		return n, io.EOF
	}
	return n, nil
}

// reader reads the spool from its beginning.
func (s *spool) reader() io.Reader { return io.NewSectionReader(s, 0, s.size) }

// Close removes the file. It may be called twice.
func (s *spool) Close() error {
	if s.file == nil {
		return nil
	}
	file := s.file
	s.file, s.size = nil, 0
	closed := file.Close()
	if !s.named {
		return closed
	}
	if err := os.Remove(file.Name()); err != nil {
		return fmt.Errorf("record: spool: %w", err)
	}
	return closed
}
