package cli

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// textFile is a file to be written.
type textFile struct {
	path string
	text []byte
}

// writeFiles writes all files to temporary paths, and renames them only after all are written: an
// error leaves nothing behind.
func writeFiles(files []textFile) (err error) {
	var staged []string
	defer func() {
		for _, temporary := range staged {
			_ = os.Remove(temporary) // those that took their place are gone
		}
	}()
	for _, file := range files {
		if err := os.MkdirAll(filepath.Dir(file.path), 0o777); err != nil {
			return unwritable(file.path, err)
		}
		temporary := fmt.Sprintf("%s.%d.tmp", file.path, os.Getpid())
		staged = append(staged, temporary)
		if err := os.WriteFile(temporary, file.text, 0o666); err != nil {
			return unwritable(file.path, err)
		}
		if written, err := os.ReadFile(temporary); err != nil || !bytes.Equal(written, file.text) {
			return errors.Join(fmt.Errorf("%s does not contain what was written", file.path), err)
		}
	}
	for i, file := range files {
		if err := os.Rename(staged[i], file.path); err != nil {
			return unwritable(file.path, err)
		}
	}
	return nil
}

// unwritable states why a path cannot be written, without the name of its temporary file.
func unwritable(path string, err error) error {
	var at *os.PathError
	var renamed *os.LinkError
	switch {
	case errors.As(err, &at):
		err = at.Err
	case errors.As(err, &renamed):
		err = renamed.Err
	}
	return fmt.Errorf("%s can't be written: %w", path, err)
}

func exists(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
