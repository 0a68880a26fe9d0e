package process

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// TextFile is a file to be written.
type TextFile struct {
	Path string
	Text []byte
}

// WriteFiles writes all files to temporary paths, and renames them only after all are written: an
// error leaves nothing behind.
func WriteFiles(files []TextFile) (err error) {
	var staged []string
	defer func() {
		for _, temporary := range staged {
			_ = os.Remove(temporary) // those that took their place are gone
		}
	}()
	for _, file := range files {
		if err := os.MkdirAll(filepath.Dir(file.Path), 0o777); err != nil {
			return unwritable(file.Path, err)
		}
		temporary := fmt.Sprintf("%s.%d.tmp", file.Path, os.Getpid())
		staged = append(staged, temporary)
		if err := os.WriteFile(temporary, file.Text, 0o666); err != nil {
			return unwritable(file.Path, err)
		}
		if written, err := os.ReadFile(temporary); err != nil || !bytes.Equal(written, file.Text) {
			return errors.Join(fmt.Errorf("%s does not contain what was written", file.Path), err)
		}
	}
	for i, file := range files {
		if err := os.Rename(staged[i], file.Path); err != nil {
			return unwritable(file.Path, err)
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
	return fmt.Errorf("%s cannot be written: %w", path, err)
}

func Exists(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
