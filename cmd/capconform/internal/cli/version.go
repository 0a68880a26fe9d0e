package cli

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/capconform/capconform/cmd/capconform/internal/cli/process"
	"github.com/capconform/capconform/cmd/capconform/internal/cli/scope"
)

func versionCommand(a *process.App) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "version",
		Short: "Print version, commit and Go version",
		Args:  process.NoArguments,
		RunE:  func(*cobra.Command, []string) error { return printVersion(a, asJSON) },
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print an object, with the platform and the editions of the texts")
	return c
}

// release is the output of version --json.
type release struct {
	Name    string        `json:"name"`
	Version string        `json:"version"`
	Commit  string        `json:"commit"`
	Go      string        `json:"go"`
	OS      string        `json:"os"`
	Arch    string        `json:"arch"`
	Suites  []releaseText `json:"suites"`
}

// releaseText is the text of a suite.
type releaseText struct {
	Suite       string `json:"suite"`
	SpecVersion string `json:"spec_version"`
	Edition     string `json:"edition"`
}

func printVersion(a *process.App, asJSON bool) error {
	v, c := process.Build()
	if c == "" {
		c = "unknown"
	}
	if !asJSON {
		_, err := fmt.Fprintf(a.Out, "capconform %s (commit %s, %s)\n", v, c, runtime.Version())
		return err
	}
	catalogues, err := scope.LoadCatalogues(nil)
	if err != nil {
		return err
	}
	r := release{Name: "capconform", Version: v, Commit: c, Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH}
	for i, one := range catalogues {
		r.Suites = append(r.Suites, releaseText{scope.SuiteNames()[i], one.Version, one.Edition})
	}
	return process.WriteJSON(a.Out, r)
}
