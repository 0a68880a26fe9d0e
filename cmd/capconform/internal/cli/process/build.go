package process

import (
	"runtime/debug"
	"strings"

	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
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

// Release returns the tag of the release that this program is, or "" if it is none: a build of a commit, or of a
// changed working tree. Files and messages refer to what a release publishes only if there is one.
func Release() string {
	v, _ := Build()
	if !semver.IsValid(v) || module.IsPseudoVersion(v) || semver.Build(v) != "" {
		return ""
	}
	return v
}
