package process

import (
	"runtime/debug"
	"strings"
)

// The release build sets these two (-ldflags "-X ...cli.version=1.2.3"); a build from source uses
// what the Go tool recorded.
var version, commit string // the linker can set nothing else

// Build returns the version of this program and the commit from which it was built, marked if the
// working tree was modified.
func Build() (v, c string) {
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
