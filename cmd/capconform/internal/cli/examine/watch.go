package examine

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/spf13/cobra"

	"github.com/capconform/capconform/cmd/capconform/internal/cli/access"
	"github.com/capconform/capconform/cmd/capconform/internal/cli/process"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites/driver"
)

// settleTime is the time for which files must not change before a change counts as complete: a linker
// writes a binary in several steps.
const settleTime = 300 * time.Millisecond

// watch examines again after each change of the target file or of the program that it starts, until
// it is interrupted. It examines first what failed before; if that passes, everything.
func watch(a *process.App, c *cobra.Command, f *RunFlags, args []string) error {
	if len(args) == 1 && (args[0] == access.BuiltIn || strings.Contains(args[0], "://")) {
		return process.Misuse("run: --watch wants a target file or a command: %s is not a file", driver.MaskAddresses(args[0]))
	}
	changes, err := fsnotify.NewWatcher()
	if err != nil {
		return fmt.Errorf("watch: %w", err)
	}
	defer changes.Close() // nothing is written
	var failed []string
	for {
		var files []string
		failed, files, err = examineAgain(a, c, f, args, failed)
		if len(files) == 0 {
			files = watchedFiles(args)
		}
		if len(files) == 0 {
			return errors.Join(err, process.Misuse("run: --watch wants a target file or a command: nothing here is a file"))
		}
		if c.Context().Err() != nil {
			return err
		}
		process.ExitOf(err, a.Err) // states what went wrong; a change may mend it
		for _, file := range files {
			if err := changes.Add(filepath.Dir(file)); err != nil {
				return fmt.Errorf("watch: %s: %w", file, err)
			}
		}
		fmt.Fprintf(a.Err, "capconform: watching %d files; Ctrl-C ends\n", len(files))
		if waitErr := waitForChange(c.Context(), changes, files); waitErr != nil {
			return waitErr
		}
		if c.Context().Err() != nil {
			return err
		}
	}
}

// examineAgain examines what failed before, and everything if that passes now. It returns what fails, and
// the files to watch.
func examineAgain(a *process.App, c *cobra.Command, f *RunFlags, args, failed []string) ([]string, []string, error) {
	if len(failed) > 0 {
		part := *f
		part.Requirements, part.reports, part.baseline = failed, nil, baselineFlags{}
		still, files, err := examineOnce(a, c, &part, args)
		if err != nil {
			return still, files, err
		}
	}
	return examineOnce(a, c, f, args)
}

func examineOnce(a *process.App, c *cobra.Command, f *RunFlags, args []string) (failed, files []string, err error) {
	e, err := f.Prepare(c, args)
	if err != nil {
		return f.Requirements, nil, err
	}
	defer e.Close()
	files = watchedFiles(append(slices.Clone(args), e.file.Command...))
	err = examine(c.Context(), a, f, e)
	if e.report == nil {
		return f.Requirements, files, err
	}
	for _, s := range e.report.Suites {
		for _, q := range s.Requirements {
			if q.Status == reports.Failed && len(q.Scenarios) > 0 {
				failed = append(failed, q.ID)
			}
		}
	}
	return failed, files, err
}

// watchedFiles returns the words that name a file: a target file, a program, a script.
func watchedFiles(words []string) []string {
	var files []string
	for _, word := range words {
		if found, err := exec.LookPath(word); err == nil {
			word = found
		}
		if path, err := filepath.Abs(word); err == nil && process.Exists(path) && !slices.Contains(files, path) {
			files = append(files, path)
		}
	}
	return files
}

// waitForChange returns when one of the files has changed and all are settled, or when ctx ends. It watches
// the folders, because editors and linkers replace files.
func waitForChange(ctx context.Context, changes *fsnotify.Watcher, files []string) error {
	var still <-chan time.Time
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-still:
			return nil
		case event := <-changes.Events:
			if slices.Contains(files, event.Name) && !event.Has(fsnotify.Chmod) {
				still = time.After(settleTime)
			}
		case err := <-changes.Errors:
			return fmt.Errorf("watch: %w", err)
		}
	}
}
