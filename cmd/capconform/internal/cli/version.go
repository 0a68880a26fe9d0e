package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

// The release build sets these two (-ldflags "-X ...cli.version=1.2.3"); a build from source uses
// what the Go tool recorded.
var version, commit string // the linker can set nothing else

func (a *app) versionCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "version",
		Short: "Print version, commit and Go version",
		Args:  none,
		RunE:  func(*cobra.Command, []string) error { return a.printVersion(asJSON) },
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

func (a *app) printVersion(asJSON bool) error {
	v, c := build()
	if c == "" {
		c = "unknown"
	}
	if !asJSON {
		_, err := fmt.Fprintf(a.out, "capconform %s (commit %s, %s)\n", v, c, runtime.Version())
		return err
	}
	catalogues, err := loadCatalogues(nil)
	if err != nil {
		return err
	}
	r := release{Name: "capconform", Version: v, Commit: c, Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH}
	for i, one := range catalogues {
		r.Suites = append(r.Suites, releaseText{suiteNames()[i], one.Version, one.Edition})
	}
	return writeJSON(a.out, r)
}

// build returns the version of this program and the commit from which it was built, marked if the
// working tree was modified.
func build() (v, c string) {
	v, c = version, commit
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v, c
	}
	if v == "" {
		v = strings.Trim(info.Main.Version, "()")
	}
	if c != "" {
		return v, c
	}
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			c = s.Value
		case s.Key == "vcs.modified" && s.Value == "true" && c != "":
			c += "-changed"
		}
	}
	return v, c
}
