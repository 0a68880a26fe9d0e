package examine

import (
	"cmp"
	"io"
	"slices"

	"github.com/capconform/capconform/cmd/capconform/internal/cli/process"
	"github.com/capconform/capconform/suites/document"
)

// isStdin reports whether a path stands for stdin.
func isStdin(path string) bool { return path == "-" }

// stdin reads the document on stdin if one of the paths is -; it returns nil if none is.
func (f *lintFlags) stdin(in io.Reader, paths []string) (*loadedFile, error) {
	if !slices.ContainsFunc(paths, isStdin) {
		if f.stdinName != "" {
			return nil, process.Misuse("lint: --stdin-filename names the document on stdin, but no path is -")
		}
		return nil, nil
	}
	name, limits := cmp.Or(f.stdinName, "stdin"), document.Limits{}.WithDefaults()
	limits.Values = min(limits.Values, maxValues)
	text, err := io.ReadAll(io.LimitReader(in, int64(limits.Size)+1))
	if err != nil {
		return nil, process.Misuse("%s: can't be read: %v", name, err)
	}
	if len(text) == 0 {
		return nil, process.Misuse("%s: stdin is empty", name)
	}
	file, err := document.Parse(name, text, limits)
	return &loadedFile{name, file, err}, nil
}
