package text

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"

	"github.com/capconform/capconform/suites/part"
)

// The bounds of a folder. Its author may be a stranger.
const (
	maxFile  = 1 << 20 // bytes of one file
	maxFiles = 500
	maxAll   = 8 << 20 // bytes of all files
)

// folder is the files of a suite as they were when they were read.
type folder struct {
	dir   string // as it was given
	files map[string][]byte
	size  int // of all files, in bytes
}

// The files of a suite, and the folders with any number of files.
var (
	partNames   = []string{"catalogue.yaml", "protocol.yaml", "stimuli.yaml", "rules.yaml", "defects.yaml"}
	partFolders = map[string]*regexp.Regexp{
		"rules":    regexp.MustCompile(`^[a-zA-Z0-9][a-zA-Z0-9_.-]*\.yaml$`),
		"defects":  regexp.MustCompile(`^[a-zA-Z0-9][a-zA-Z0-9_.-]*\.yaml$`),
		"schemas":  regexp.MustCompile(`^[a-zA-Z0-9][a-zA-Z0-9_.-]*\.json$`),
		"features": regexp.MustCompile(`^[a-zA-Z0-9][a-zA-Z0-9_.-]*\.feature$`),
	}
)

// readFolder reads each file of a suite once, and ignores files that are not part of a suite. What is in several roots
// is that of the first.
func readFolder(dir string, roots ...fs.FS) (*folder, error) {
	f := &folder{dir: dir, files: map[string][]byte{}}
	for _, root := range roots {
		if err := f.read(root); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// read adds the files of a root.
func (f *folder) read(root fs.FS) error {
	names := slices.Clone(partNames)
	for below, pattern := range partFolders {
		some, err := namesIn(root, below, pattern)
		if err != nil {
			return fmt.Errorf("%s: %w", path.Join(f.dir, below), err)
		}
		names = append(names, some...)
	}
	for _, name := range names {
		if _, has := f.files[name]; has {
			continue
		}
		text, err := readFile(root, name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: %w", path.Join(f.dir, name), err)
		}
		f.files[name] = text
		if f.size += len(text); f.size > maxAll || len(f.files) > maxFiles {
			return fmt.Errorf("%s: a suite has at most %d files and %d MB", f.dir, maxFiles, maxAll>>20)
		}
	}
	return nil
}

func readFile(root fs.FS, name string) ([]byte, error) {
	info, err := fs.Stat(root, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, err
	case err != nil:
		return nil, errors.New("cannot be read: " + reason(err))
	case !info.Mode().IsRegular():
		return nil, errors.New("is not a file")
	}
	file, err := root.Open(name)
	if err != nil {
		return nil, errors.New("cannot be read: " + reason(err))
	}
	defer func() { _ = file.Close() }()
	text, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	switch {
	case err != nil:
		return nil, errors.New("cannot be read: " + reason(err))
	case len(text) > maxFile:
		return nil, fmt.Errorf("has more than %d MB", maxFile>>20)
	}
	return text, nil
}

// reason returns an error of the file system without the name of the file.
func reason(err error) string {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err.Error()
	}
	return err.Error()
}

// namesIn returns the names of the files of a suite in a folder below it, sorted.
func namesIn(root fs.FS, below string, pattern *regexp.Regexp) ([]string, error) {
	dir, err := root.Open(below)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, errors.New("cannot be read: " + reason(err))
	}
	defer func() { _ = dir.Close() }()
	reader, is := dir.(fs.ReadDirFile)
	if !is {
		return nil, errors.New("is not a folder")
	}
	entries, err := reader.ReadDir(maxFiles + 1)
	switch {
	case err != nil && !errors.Is(err, io.EOF):
		return nil, errors.New("is not a folder")
	case len(entries) > maxFiles:
		return nil, fmt.Errorf("has more than %d files", maxFiles)
	}
	var names []string
	for _, e := range entries {
		if pattern.MatchString(e.Name()) {
			names = append(names, path.Join(below, e.Name()))
		}
	}
	slices.Sort(names)
	return names, nil
}

// place returns the name of a file for messages.
func (f *folder) place(name string) string { return path.Join(f.dir, name) }

// in returns the names of the files below a folder, sorted.
func (f *folder) in(below string) []string {
	var names []string
	for name := range f.files {
		if path.Dir(name) == below {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// sources returns the files of a part: the one of its name, and those in the folder of its name.
func (f *folder) sources(of string) []part.Source {
	var all []part.Source
	for _, name := range slices.Concat([]string{of + ".yaml"}, f.in(of)) {
		all = append(all, part.Source{Name: f.place(name), Data: f.files[name]})
	}
	return all
}

// digest returns the SHA-256, in hexadecimal, of the names and texts of the files.
func (f *folder) digest() string {
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(f.files)) {
		fmt.Fprintf(h, "%s %d\n", name, len(f.files[name]))
		h.Write(f.files[name])
	}
	return hex.EncodeToString(h.Sum(nil))
}
