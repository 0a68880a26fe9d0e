package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

// The release build sets these two (-ldflags "-X ...cli.version=1.2.3"); a build
// from source takes what the Go tool recorded.
var version, commit string //nolint:gochecknoglobals // the linker can set nothing else

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print version, commit and Go version",
		Args:  none,
		RunE: func(*cobra.Command, []string) error {
			v, c := build()
			if c == "" {
				c = "unknown"
			}
			_, err := fmt.Fprintf(a.out, "capconform %s (commit %s, %s)\n", v, c, runtime.Version())
			return err
		},
	}
}

// build gives the version of this program and the commit it was built from,
// marked where the tree was changed.
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
