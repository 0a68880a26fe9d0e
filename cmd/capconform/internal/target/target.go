// Package target reads target files: what is examined, how it is reached, and what the harness must
// know about it (DESIGN section 8). Reading is strict: an error is one line that names file, line
// and column.
package target

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
)

// Load reads a target file. lookup finds environment variables (os.LookupEnv). The error is an
// *Error.
func Load(path string, words Words, lookup func(name string) (string, bool)) (*File, error) {
	text, err := read(path)
	if err != nil {
		return nil, &Error{Path: path, Message: err.Error()}
	}
	d := &document{
		decoder: decoder{path: path}, words: words, lookup: lookup, file: &File{Path: path, Digest: digest(text)},
	}
	root, err := d.root(text)
	if err != nil {
		return nil, err
	}
	if err := d.read(root); err != nil {
		return nil, err
	}
	return d.file, nil
}

func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

func read(path string) ([]byte, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, errors.New("can't be read: not a regular file") // reading a pipe would block
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, cause(err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxFileSize+1))
	switch {
	case err != nil:
		return nil, cause(err)
	case len(text) > maxFileSize:
		return nil, errors.New("the file is larger than 1 MiB")
	}
	return text, nil
}

// cause removes the path from an error of package os, because the message begins with it.
func cause(err error) error {
	var in *os.PathError
	if errors.As(err, &in) {
		return fmt.Errorf("can't be read: %w", in.Err)
	}
	return err
}
