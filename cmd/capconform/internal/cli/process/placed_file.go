package process

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
)

// PlacedFile is a file that is written completely or not at all. A regular file is written to a
// temporary path and renamed at the end, so that nobody reads an incomplete file.
type PlacedFile struct {
	Path  string   // "-" is stdout
	Reads []string // the files that the command reads: none of them is replaced
	File  *os.File
	once  sync.Once
}

// Open checks that the path can be written.
func (p *PlacedFile) Open() error {
	if p.Path == "-" {
		return nil
	}
	info, err := os.Stat(p.Path)
	switch {
	case p.Path == "":
		return errors.New("the path is empty")
	case err == nil && info.IsDir():
		return fmt.Errorf("%s is a folder", p.Path)
	case err == nil && info.Mode().IsRegular() && slices.ContainsFunc(p.Reads, isFile(info)):
		return fmt.Errorf("%s is a file that this command reads; name another path", p.Path)
	case err == nil && !info.Mode().IsRegular(): // a pipe or a device is not replaced
		p.File, err = os.OpenFile(p.Path, os.O_WRONLY, 0)
		return err
	}
	temporary := fmt.Sprintf("%s.%d.tmp", filepath.Base(p.Path), os.Getpid())
	p.File, err = os.OpenFile(filepath.Join(filepath.Dir(p.Path), "."+temporary), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return unwritable(p.Path, err)
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
func (p *PlacedFile) temporary() bool { return p.File != nil && p.File.Name() != p.Path }

// Place closes the file. It renames the file if it was written without an error, and removes it
// otherwise. The error is the given one, or that of the renaming.
func (p *PlacedFile) Place(written error) error {
	var placed error
	p.once.Do(func() {
		placed = p.File.Close()
		if written == nil && placed == nil && p.temporary() {
			placed = os.Rename(p.File.Name(), p.Path)
		}
		if (written != nil || placed != nil) && p.temporary() {
			_ = os.Remove(p.File.Name())
		}
	})
	return errors.Join(written, placed)
}

// Discard removes a file that was not placed.
func (p *PlacedFile) Discard() {
	if p.File == nil {
		return
	}
	p.once.Do(func() {
		_ = p.File.Close()
		if p.temporary() {
			_ = os.Remove(p.File.Name())
		}
	})
}
