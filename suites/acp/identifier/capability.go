// Package identifier parses the two kinds of URIs of ACP: capability URIs and schema URIs. The text
// calls them DIDs, but neither conforms to the grammar of DIDs, so this project defines the grammars. A
// defect names the correct form.
package identifier

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/Masterminds/semver/v3"
)

// CapabilityPrefix is the prefix of every capability URI.
const CapabilityPrefix = "did:nuwa:cap:"

// longest limits the length of both kinds of URIs, in bytes.
const longest = 4096

// Capability is a capability URI, did:nuwa:cap:<name>@<semver>.
type Capability struct {
	Name    string
	Version Version
}

// Usual reports whether the name has only lower-case letters, digits, hyphens and underscores, which
// registries commonly accept.
func (c Capability) Usual() bool { return usualName.MatchString(c.Name) }

var (
	// The text does not define a name. It calls the URI a DID, so a name may have the characters of
	// the identifier in a DID.
	anyName   = regexp.MustCompile(`^(?:(?:[A-Za-z0-9._-]|%[0-9A-Fa-f]{2})*:)*(?:[A-Za-z0-9._-]|%[0-9A-Fa-f]{2})+$`)
	usualName = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]*$`)
	likeCap   = regexp.MustCompile(`(?i)^(?:did:)?(?:nuwa:)?(?:caps?|capability):(.*)$`)
	notInName = regexp.MustCompile(`[^A-Za-z0-9._-]+`)
)

// Defect is a text that is not a URI of its kind.
type Defect struct {
	Problem   string // a clause about what is wrong
	Likely    string // the form that was probably meant, "" if none
	OfVersion bool   // only the version is wrong
}

// Error returns the problem and the form that was probably meant.
func (d *Defect) Error() string {
	if d.Likely == "" {
		return "identifier: " + d.Problem
	}
	return fmt.Sprintf("identifier: %s; did you mean %q?", d.Problem, d.Likely)
}

// ParseCapability parses a capability URI. The error is a *Defect.
func ParseCapability(text string) (Capability, error) {
	if len(text) > longest {
		return Capability{}, &Defect{Problem: fmt.Sprintf("the URI is longer than %d bytes", longest)}
	}
	rest, ok := strings.CutPrefix(text, CapabilityPrefix)
	if !ok {
		return Capability{}, &Defect{Problem: "it does not begin with " + CapabilityPrefix, Likely: likely(text)}
	}
	name, version, _ := strings.Cut(rest, "@")
	switch {
	case name == "":
		return Capability{}, &Defect{Problem: "the name is empty"}
	case !anyName.MatchString(name):
		return Capability{},
			&Defect{Problem: "the name contains characters that the identifier of a DID cannot contain", Likely: likely(text)}
	case version == "":
		return Capability{}, &Defect{Problem: "the version after @ is missing", Likely: likely(text)}
	}
	parsed := Version(version)
	if !parsed.Valid() {
		return Capability{},
			&Defect{fmt.Sprintf("the version %q is not a semantic version of three numbers", clip(version)), likely(text),
				!strings.Contains(version, "@")}
	}
	return Capability{name, parsed}, nil
}

// likely returns the URI that was probably meant, "" if there is none.
func likely(text string) string {
	rest, ok := strings.CutPrefix(text, CapabilityPrefix)
	if !ok {
		parts := likeCap.FindStringSubmatch(text)
		switch {
		case parts != nil:
			rest = parts[1]
		case strings.ContainsAny(text, ":/ ") || text == "":
			return ""
		default:
			rest = text
		}
	}
	name, version, _ := strings.Cut(rest, "@")
	name = strings.Trim(notInName.ReplaceAllString(name, "-"), "-._")
	if version == "" {
		version = "1.0.0"
	}
	loose, err := semver.NewVersion(strings.TrimSpace(version))
	if name == "" || err != nil {
		return ""
	}
	guess := CapabilityPrefix + name + "@" + loose.String()
	if len(guess) > longest || guess == text {
		return ""
	}
	return guess
}

// clip shortens a text for a message.
func clip(text string) string {
	const most = 60
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "..."
	}
	return text
}
