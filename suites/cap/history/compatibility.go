package history

import (
	"strings"

	"github.com/Masterminds/semver/v3"
)

// The text leaves the fallback between versions open and recommends semantic versioning with
// explicit declarations of compatibility. It defines no form for these declarations. A custom
// member of a manifest is recognised as such a declaration by its name.

// DeclaresCompatible reports whether a listed capability declares that it also serves a
// reference with the same id and another version.
func (l *List) DeclaresCompatible(asked Ref) bool {
	for _, s := range l.Capabilities {
		if s.ID == asked.ID && s.Manifest().compatibleWith(s.Version, asked.Version) {
			return true
		}
	}
	return false
}

// compatibleWith reports whether a custom member declares that a capability of one version serves
// another. A declaration that names versions or ranges covers these; any other covers the
// versions with the same major number.
func (m Manifest) compatibleWith(version, asked string) bool {
	for _, name := range m.Custom() {
		if !isCompatibility(name) || m[name] == nil || m[name] == false {
			continue
		}
		named, covered := coveredBy(m[name], asked)
		if covered || !named && sameMajor(version, asked) {
			return true
		}
	}
	return false
}

// isCompatibility reports whether a member is a declaration of compatibility, by its name.
func isCompatibility(name string) bool {
	name = strings.ToLower(name)
	return strings.Contains(name, "compatib") || strings.Contains(name, "version_alias") ||
		strings.Contains(name, "versionalias") ||
		strings.Contains(name, "version_fallback") || strings.Contains(name, "versionfallback")
}

// coveredBy looks for the version in the texts of a declaration. Named is true where
// one of them is a version or a range of versions.
func coveredBy(declared any, asked string) (named, covered bool) {
	switch d := declared.(type) {
	case string:
		if d == asked {
			return true, true
		}
		within, err := semver.NewConstraint(d)
		if err != nil {
			return false, false
		}
		version, err := semver.NewVersion(threeParts(asked))
		return true, err == nil && (within.Check(version) || within.Check(released(version)))
	case []any:
		for _, item := range d {
			n, c := coveredBy(item, asked)
			named, covered = named || n, covered || c
		}
	case map[string]any:
		for name, item := range d {
			n, c := coveredBy(item, asked)
			named, covered = named || n, covered || c || name == asked
		}
	}
	return named, covered
}

// released returns a version without its pre-release part: a host may count pre-releases within a
// range that this library excludes.
func released(version *semver.Version) *semver.Version {
	core, err := version.SetPrerelease("")
	if err != nil {
		return version
	}
	return &core
}

// sameMajor compares the major numbers of two versions.
func sameMajor(a, b string) bool {
	first, err := semver.NewVersion(threeParts(a))
	if err != nil {
		return false
	}
	second, err := semver.NewVersion(threeParts(b))
	return err == nil && first.Major() == second.Major()
}

// threeParts reads a version that is short, such as 1, longer than three numbers, or
// written as a range, such as ^1.2.0.
func threeParts(version string) string {
	parts := strings.SplitN(strings.TrimLeft(strings.TrimSpace(version), "^~="), ".", 4)
	return strings.Join(parts[:min(len(parts), 3)], ".")
}
