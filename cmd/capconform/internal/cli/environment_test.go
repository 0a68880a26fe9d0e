package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/cmd/capconform/internal/cli/examine"
	"github.com/capconform/capconform/cmd/capconform/internal/cli/process"
)

// everyCommand returns a command and all its subcommands.
func everyCommand(c *cobra.Command) []*cobra.Command {
	all := []*cobra.Command{c}
	for _, sub := range c.Commands() {
		all = append(all, everyCommand(sub)...)
	}
	return all
}

// TestEveryFlagHasItsVariable sets the variable of each flag of each command, with and without the flag itself.
func TestEveryFlagHasItsVariable(t *testing.T) {
	samples := map[string][2]string{ // by type: the value of the variable and the value of the flag
		"string": {"from-variable", "from-flag"}, "stringSlice": {"from-variable", "from-flag"},
		"stringArray": {"from-variable", "from-flag"},
		"bool":        {"true", "false"}, "duration": {"7s", "9s"}, "int": {"7", "9"}, "int64": {"7", "9"},
	}
	fresh := func() *cobra.Command { return root((&process.App{Out: &bytes.Buffer{}, Err: &bytes.Buffer{}})) }
	seen := 0
	for i, c := range everyCommand(fresh()) {
		c.LocalFlags().VisitAll(func(flag *pflag.Flag) {
			if slices.Contains(examine.WithoutVariable, flag.Name) {
				return
			}
			seen++
			sample, known := samples[flag.Value.Type()]
			require.True(t, known, "%s --%s is a %s", c.CommandPath(), flag.Name, flag.Value.Type())
			lookup := func(name string) string {
				return map[string]string{examine.Variable(flag.Name): sample[0]}[name]
			}
			for _, given := range []bool{false, true} {
				of := everyCommand(fresh())[i]
				want := sample[0]
				if given {
					want = sample[1]
					require.NoError(t, of.Flags().Set(flag.Name, want))
				}
				require.NoError(t, examine.SetFromEnvironment(of, lookup))
				got := strings.Trim(of.Flags().Lookup(flag.Name).Value.String(), "[]")
				if got != want || !of.Flags().Changed(flag.Name) {
					t.Errorf("%s --%s, given %t: want %q, got %q", c.CommandPath(), flag.Name, given, want, got)
				}
			}
		})
	}
	if seen < 60 {
		t.Errorf("only %d flags were checked, want at least 60", seen)
	}
}

// TestVariablesOverrideTargetFile: a variable overrides the same setting of a target file, and a flag overrides both.
func TestVariablesOverrideTargetFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.yaml")
	file := "name: file\nversion: 1.0.0\nsuites: [chp]\ndriver: http\nurl: http://127.0.0.1:1\nheaders: {User-Agent: file}\ndeadlines: {call: 1s}\n"
	require.NoError(t, os.WriteFile(path, []byte(file), 0o600))
	shown := func(e *examine.Examination) map[string]string {
		return map[string]string{
			"name": e.Subject.Name, "subject-version": e.Subject.Version, "suite": e.Suites[0].Name,
			"driver":       e.Subject.Driver.Target().Driver,
			"call-timeout": e.Subject.Deadlines.Call.String(),
		}
	}
	for _, row := range []struct{ flag, file, variable, given string }{
		{"name", "file", "variable", "flag"},
		{"subject-version", "1.0.0", "2.0.0", "3.0.0"},
		{"suite", "chp", "cap", "acd"},
		{"driver", "http", "mcp", "http"},
		{"call-timeout", "1s", "2s", "3s"},
	} {
		for _, want := range []string{row.file, row.variable, row.given} {
			c := &cobra.Command{Use: "run"}
			f := &examine.RunFlags{}
			f.Register(c)
			if want == row.given && want != row.file {
				require.NoError(t, c.Flags().Set(row.flag, row.given))
			}
			value := ""
			if want != row.file {
				value = row.variable
			}
			require.NoError(t, examine.SetFromEnvironment(c,
				func(name string) string { return map[string]string{examine.Variable(row.flag): value}[name] }))
			e, err := f.Prepare(c, []string{path})
			require.NoError(t, err)
			if got := shown(e)[row.flag]; got != want {
				t.Errorf("--%s: want %q, got %q", row.flag, want, got)
			}
			e.Close()
		}
	}
}
