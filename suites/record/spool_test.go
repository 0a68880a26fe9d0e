package record

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSpoolInPieces writes parts that end anywhere in a piece, and reads them from memory and from a file.
func TestSpoolInPieces(t *testing.T) {
	for _, limit := range []int64{memoryLimit, pieceSize + 100} {
		s := &spool{limit: limit}
		var all []byte
		for n := 0; len(all) < 3*pieceSize; n += 997 {
			part := bytes.Repeat(fmt.Appendf(nil, "%d ", n), n%40)
			all = append(all, part...)
			written, err := s.Write(part)
			require.NoError(t, err)
			require.Equal(t, len(part), written)
		}
		require.Equal(t, limit < memoryLimit, s.file != nil)
		read, err := io.ReadAll(s.reader())
		require.NoError(t, err)
		require.True(t, bytes.Equal(all, read), "the text that was read differs")
		part := make([]byte, 10)
		n, err := s.ReadAt(part, int64(len(all)-4))
		if n != 4 || !errors.Is(err, io.EOF) {
			t.Errorf("ReadAt at the end = %d, %v, want 4 bytes and EOF", n, err)
		}
		require.NoError(t, s.Close())
	}
}
