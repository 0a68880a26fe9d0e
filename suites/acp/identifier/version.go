package identifier

import "golang.org/x/mod/semver"

// Version is the part of a capability URI after the at sign.
type Version string

// Valid reports whether a version is a semantic version: three numbers of any length without v, then
// optionally pre-release and build.
func (v Version) Valid() bool {
	text := "v" + string(v)
	return semver.Canonical(text)+semver.Build(text) == text
}

// Compare compares two versions in the order of SemVer. An invalid version is lower than a valid one.
func (v Version) Compare(w Version) int { return semver.Compare("v"+string(v), "v"+string(w)) }
