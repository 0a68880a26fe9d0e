package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
)

// placedFile is a file that is written completely or not at all. A regular file is
// written beside its path and takes its place at the end, so that nobody reads half
// of it.
type placedFile struct {
	path string // "-" is stdout
	file *os.File
	once sync.Once
}

// open shows that the path can be written.
func (p *placedFile) open() error {
	if p.path == "-" {
		return nil
	}
	info, err := os.Stat(p.path)
	switch {
	case p.path == "":
		return errors.New("the path is empty")
	case err == nil && info.IsDir():
		return fmt.Errorf("%s is a folder", p.path)
	case err == nil && !info.Mode().IsRegular(): // a pipe or a device keeps its place
		p.file, err = os.OpenFile(p.path, os.O_WRONLY, 0)
		return err
	}
	temporary := fmt.Sprintf("%s.%d.tmp", filepath.Base(p.path), os.Getpid())
	p.file, err = os.OpenFile(filepath.Join(filepath.Dir(p.path), "."+temporary), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	var in *os.PathError
	if errors.As(err, &in) {
		return fmt.Errorf("%s can't be written: %w", p.path, in.Err)
	}
	return err
}

// temporary reports whether what is written has yet to take its place.
func (p *placedFile) temporary() bool { return p.file != nil && p.file.Name() != p.path }

// place ends the file: it takes its place if it was written without an error, and is
// removed otherwise. The error is the one that was given, or the one of placing it.
func (p *placedFile) place(written error) error {
	var placed error
	p.once.Do(func() {
		placed = p.file.Close()
		if written == nil && placed == nil && p.temporary() {
			placed = os.Rename(p.file.Name(), p.path)
		}
		if (written != nil || placed != nil) && p.temporary() {
			_ = os.Remove(p.file.Name())
		}
	})
	return errors.Join(written, placed)
}

// discard removes a file that was not placed.
func (p *placedFile) discard() {
	if p.file == nil {
		return
	}
	p.once.Do(func() {
		_ = p.file.Close()
		if p.temporary() {
			_ = os.Remove(p.file.Name())
		}
	})
}
