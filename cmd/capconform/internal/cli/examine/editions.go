package examine

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/capconform/capconform/cmd/capconform/internal/cli/access"
	"github.com/capconform/capconform/cmd/capconform/internal/cli/process"
	"github.com/capconform/capconform/cmd/capconform/internal/cli/scope"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver/mcpdriver"
)

// severalEditions returns the editions of a suite that the flags or the target file name, none if they are not several.
func (f *RunFlags) severalEditions(c *cobra.Command, args []string) ([]string, error) {
	names, given := f.Suites, f.editions
	if len(args) == 1 && access.IsTargetFile(args[0]) {
		to, _, err := f.Read(c.Name(), args, c.ArgsLenAtDash())
		if err != nil {
			return nil, err
		}
		if len(names) == 0 {
			names = to.File.Suites
		}
		if len(given) == 0 {
			given = to.File.Editions
		}
	}
	all, err := scope.InEditions(names, given)
	if err != nil || len(all) < 2 {
		return nil, err
	}
	for _, other := range []struct {
		given bool
		name  string
	}{{f.watch, "watch"}, {len(f.via) > 0, "via"}, {f.baseline.file != "", "baseline"},
		{f.baseline.write != "", "write-baseline"}} {
		if other.given {
			return nil, process.Misuse("--%s: it is for one edition; give one command for each edition", other.name)
		}
	}
	return all, f.checkPaths("several editions")
}

// examineEditions examines the target in each of several editions. Each has its own session, report and record:
// a session negotiates one edition, and an id may be that of a requirement of each. The files of the first edition that
// is examined have the paths of the flags; those of the others have its name before the extension.
func examineEditions(a *process.App, c *cobra.Command, f *RunFlags, args, editions []string) error {
	var exits []reports.Exit
	var refused []error
	for _, edition := range editions {
		part := *f
		part.editions, part.apart = []string{edition}, true
		if len(exits) > 0 {
			if err := part.nameFiles(edition); err != nil {
				return err
			}
		}
		_, err := examineTarget(a, c, &part, args)
		exit, err := verdictOf(err)
		switch other := (*suites.EditionError)(nil); {
		case err == nil:
			exits = append(exits, exit)
		case errors.As(err, &other), errors.Is(err, mcpdriver.ErrVersion):
			refused = append(refused, fmt.Errorf("not examined in the edition %s: %w", edition, err))
		default:
			return err
		}
	}
	for _, err := range refused {
		if status := process.ExitOf(err, a.Err); len(exits) == 0 {
			exits = append(exits, status)
		}
	}
	return process.ExitError(reports.WorstExit(exits...))
}
