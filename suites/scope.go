package suites

import (
	"slices"

	"github.com/capconform/capconform/spec"
)

// scope returns the actors that a plan examines, and the actors that the subject shows and the
// target file omits, both in the order of the catalogue.
func scope(c *spec.Catalogue, mode Mode, profile Profile) (examined, leftOut []string) {
	kind := spec.Live
	if mode == Documents {
		kind = spec.Document
	}
	for _, r := range c.Requirements {
		switch {
		case !r.Check.Covers(kind):
		case slices.Contains(profile.Actors, r.Actor):
			examined = appendNew(examined, r.Actor)
		case slices.Contains(profile.Shown, r.Actor):
			leftOut = appendNew(leftOut, r.Actor)
		}
	}
	return examined, leftOut
}

// The bounds on the declared versions in a report. The subject chooses their number and length.
const (
	maxDeclared      = 8
	maxVersionLength = 40 // characters
)

// declared returns the versions for a report: without duplicates, and bounded in number and length.
func declared(versions []string) []string {
	var all []string
	for _, version := range versions {
		if text := []rune(version); len(text) > maxVersionLength {
			version = string(text[:maxVersionLength]) + "…"
		}
		if version != "" && len(all) < maxDeclared {
			all = appendNew(all, version)
		}
	}
	return all
}

func appendNew(all []string, word string) []string {
	if slices.Contains(all, word) {
		return all
	}
	return append(all, word)
}
