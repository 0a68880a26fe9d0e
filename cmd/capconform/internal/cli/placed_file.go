package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
)

// placedFile is a file that is written completely or not at all. A regular file is written to a
// temporary path and renamed at the end, so that nobody reads an incomplete file.
type placedFile struct {
	path  string   // "-" is stdout
	reads []string // the files that the command reads: none of them is replaced
	file  *os.File
	once  sync.Once
}

// open checks that the path can be written.
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
	case err == nil && info.Mode().IsRegular() && slices.ContainsFunc(p.reads, isFile(info)):
		return fmt.Errorf("%s is a file that this command reads; name another path", p.path)
	case err == nil && !info.Mode().IsRegular(): // a pipe or a device is not replaced
		p.file, err = os.OpenFile(p.path, os.O_WRONLY, 0)
		return err
	}
	temporary := fmt.Sprintf("%s.%d.tmp", filepath.Base(p.path), os.Getpid())
	p.file, err = os.OpenFile(filepath.Join(filepath.Dir(p.path), "."+temporary), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return unwritable(p.path, err)
	}
	return nil
}

// isFile returns a function that reports whether a path names a certain file.
func isFile(file os.FileInfo) func(path string) bool {
	return func(path string) bool {
		info, err := os.Stat(path)
		return err == nil && os.SameFile(info, file)
	}
}

// temporary reports whether the file is at a temporary path.
func (p *placedFile) temporary() bool { return p.file != nil && p.file.Name() != p.path }

// place closes the file. It renames the file if it was written without an error, and removes it
// otherwise. The error is the given one, or that of the renaming.
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
