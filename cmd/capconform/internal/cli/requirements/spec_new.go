package requirements

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/capconform/capconform/cmd/capconform/internal/cli/process"
	"github.com/capconform/capconform/suites/text"
)

func newCommand(a *process.App) *cobra.Command {
	var source string
	c := &cobra.Command{
		Use:   "new NAME --source TEXT",
		Short: "Make the folder of a suite from a text in Markdown",
		Long: `Make the folder NAME: a catalogue entry for each sentence of a text that has a key word of
RFC 2119, a schema for each JSON example, and a scenario for each entry that is marked
@todo. What is left to the author is marked with TODO.`,
		Example: "  capconform spec new clock --source clock.md",
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 || source == "" {
				return process.Misuse("spec new: want a name and --source")
			}
			markdown, err := readSource(a, source)
			if err != nil {
				return err
			}
			files, err := text.Draft(suiteName(args[0]), markdown, process.Release() != "")
			if err != nil {
				return process.Misuse("spec new: %v", err)
			}
			return writeDraft(a, args[0], files)
		},
	}
	c.Flags().StringVar(&source, "source", "", "the text, Markdown or plain, as `FILE`; - is stdin")
	return c
}

// suiteName returns the name of the suite in a folder: the letters of the name of the folder.
func suiteName(dir string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("-_.0123456789", r) {
			return -1
		}
		return r
	}, filepath.Base(dir))
}

// writeDraft writes the files of a new folder. It writes nothing if the folder exists.
func writeDraft(a *process.App, dir string, files map[string][]byte) error {
	if err := os.Mkdir(dir, 0o755); errors.Is(err, fs.ErrExist) {
		return process.Misuse("spec new: %s already exists", dir)
	} else if err != nil {
		return process.Misuse("spec new: %v", err)
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		err := os.MkdirAll(filepath.Dir(path), 0o755)
		if err == nil {
			err = os.WriteFile(path, files[name], 0o644)
		}
		if err != nil {
			return errors.Join(fmt.Errorf("spec new: %w", err), os.RemoveAll(dir))
		}
		_, _ = fmt.Fprintln(a.Out, process.OneLine(path))
	}
	_, err := fmt.Fprintf(a.Out, "\nWrite what is marked with TODO, then: capconform spec check %s\n",
		process.OneLine(folderFlag(dir)))
	return err
}

// folderFlag returns a folder as --suite takes it: with a separator.
func folderFlag(dir string) string {
	if filepath.Base(dir) == dir {
		return "." + string(filepath.Separator) + dir
	}
	return dir
}
