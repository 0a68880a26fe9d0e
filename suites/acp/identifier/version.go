package identifier

import "golang.org/x/mod/semver"

// Version is what stands behind the at sign of a capability URI.
type Version string

// Valid reports whether a version is a semantic version: three numbers of any length and no v,
// then pre-release and build.
func (v Version) Valid() bool {
	text := "v" + string(v)
	return semver.Canonical(text)+semver.Build(text) == text
}

// Compare compares two versions in the order of SemVer. What is none is lower than what is one.
func (v Version) Compare(w Version) int { return semver.Compare("v"+string(v), "v"+string(w)) }
