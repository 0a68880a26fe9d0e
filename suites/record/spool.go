package record

import (
	"bytes"
	"fmt"
	"io"
	"os"
)

// memoryLimit is how many bytes of a record are kept in memory (DESIGN section 11).
const memoryLimit = 32 << 20

// spool keeps what is written to it in memory up to a limit, then in a temporary
// file that only this user can read. It is not safe for concurrent use.
type spool struct {
	limit  int
	memory bytes.Buffer
	file   *os.File // nil while everything fits into memory
	named  bool     // the file still has a name, since the system removes no open file
	size   int64
}

// Write adds to the spool.
func (s *spool) Write(text []byte) (int, error) {
	if s.file == nil && s.memory.Len()+len(text) > s.limit {
		if err := s.spill(); err != nil {
			return 0, err
		}
	}
	var n int
	var err error
	if s.file == nil {
		n, err = s.memory.Write(text)
	} else {
		n, err = s.file.Write(text)
	}
	s.size += int64(n)
	return n, err
}

// spill moves what is in memory to a file. os.CreateTemp creates it with mode 0600.
// Its name is removed at once where the system allows that, so that a run that is
// killed leaves nothing behind.
func (s *spool) spill() error {
	file, err := os.CreateTemp("", "capconform-record-*.jsonl")
	if err != nil {
		return fmt.Errorf("record: spool: %w", err)
	}
	if _, err := file.Write(s.memory.Bytes()); err != nil {
		_ = file.Close()           // the first error says more
		_ = os.Remove(file.Name()) // likewise
		return fmt.Errorf("record: spool: %w", err)
	}
	s.file, s.named = file, os.Remove(file.Name()) != nil
	s.memory = bytes.Buffer{}
	return nil
}

// ReadAt implements io.ReaderAt over everything written so far.
func (s *spool) ReadAt(into []byte, offset int64) (int, error) {
	if s.file != nil {
		return s.file.ReadAt(into, offset)
	}
	return bytes.NewReader(s.memory.Bytes()).ReadAt(into, offset)
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
