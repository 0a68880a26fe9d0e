package hostile

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reports"
)

// pasted is the number of commands of a report that are tried.
const pasted = 12

// commands runs the commands of a report as a user would who pastes them into a shell, with programs that do nothing,
// and returns the id of the first requirement that has an exchange.
func (r *trial) commands(report *reports.Report) (id string) {
	all := []string{report.Run.Command}
	for _, s := range report.Suites {
		for _, q := range s.Requirements {
			for _, c := range q.Scenarios {
				if c.Failure == nil {
					continue
				}
				all = append(all, c.Failure.Repeat)
				for _, e := range c.Failure.Exchanges {
					id, all = q.ID, append(all, e.Repeat)
				}
			}
		}
	}
	slices.Sort(all)
	all = slices.Compact(all)
	for i := 0; i < len(all); i += 1 + len(all)/pasted {
		r.paste(all[i])
	}
	return id
}

// paste passes a command to a shell that finds only programs that do nothing, and touch, which shows that something
// else ran. During fuzzing, the shell only parses the command.
func (r *trial) paste(command string) {
	if command == "" {
		return
	}
	if strings.ContainsFunc(strings.TrimRight(command, "\n"), acts) {
		r.Errorf("the command cannot be pasted safely: %q", command)
	}
	programs := r.path("programs")
	r.programs(programs)
	args := []string{"-c", command}
	if searching := flag.Lookup("test.fuzz"); searching != nil && searching.Value.String() != "" {
		args = []string{"-n", "-c", command}
	}
	c := exec.Command("/bin/sh", args...)
	c.Dir = r.folder
	c.Env = []string{"PATH=" + programs, "CAPCONFORM_CANARY=value"}
	out, err := c.CombinedOutput()
	if err != nil {
		r.Errorf("a shell refuses %q: %v: %s", command, err, out)
	}
	r.unharmed()
}

// programs creates the folder with these programs, once.
func (r *trial) programs(folder string) {
	if os.Mkdir(folder, 0o700) != nil {
		return
	}
	for _, name := range []string{"curl", "capconform", "sleep", "tr", "sed"} {
		require.NoError(r, os.WriteFile(filepath.Join(folder, name), []byte("#!/bin/sh\nexit 0\n"), 0o700))
	}
	touch, err := exec.LookPath("touch")
	require.NoError(r, err)
	require.NoError(r, os.Symlink(touch, filepath.Join(folder, "touch")))
}
