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

// maxLength limits the length of both kinds of URIs, in bytes.
const maxLength = 4096

// Capability is a capability URI, did:nuwa:cap:<name>@<semver>.
type Capability struct {
	Name    string
	Version Version
}

// HasUsualName reports whether the name has only lower-case letters, digits, hyphens and underscores,
// which registries commonly accept.
func (c Capability) HasUsualName() bool { return usualName.MatchString(c.Name) }

var (
	// The text does not define a name. It calls the URI a DID, so a name may have the characters of
	// the identifier in a DID.
	anyName       = regexp.MustCompile(`^(?:(?:[A-Za-z0-9._-]|%[0-9A-Fa-f]{2})*:)*(?:[A-Za-z0-9._-]|%[0-9A-Fa-f]{2})+$`)
	usualName     = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]*$`)
	similarPrefix = regexp.MustCompile(`(?i)^(?:did:)?(?:nuwa:)?(?:caps?|capability):(.*)$`)
	notInName     = regexp.MustCompile(`[^A-Za-z0-9._-]+`)
)

// Defect is a text that is not a URI of its kind.
type Defect struct {
	Problem     string // a clause about what is wrong
	Suggestion  string // the form that was probably meant, "" if none
	OnlyVersion bool   // only the version is wrong
}

// Error returns the problem and the form that was probably meant.
func (d *Defect) Error() string {
	if d.Suggestion == "" {
		return "identifier: " + d.Problem
	}
	return fmt.Sprintf("identifier: %s; did you mean %q?", d.Problem, d.Suggestion)
}

// ParseCapability parses a capability URI. The error is a *Defect.
func ParseCapability(text string) (Capability, error) {
	if len(text) > maxLength {
		return Capability{}, &Defect{Problem: fmt.Sprintf("the URI is longer than %d bytes", maxLength)}
	}
	rest, ok := strings.CutPrefix(text, CapabilityPrefix)
	if !ok {
		return Capability{}, &Defect{Problem: "it does not begin with " + CapabilityPrefix, Suggestion: suggest(text)}
	}
	name, version, _ := strings.Cut(rest, "@")
	switch {
	case name == "":
		return Capability{}, &Defect{Problem: "the name is empty"}
	case !anyName.MatchString(name):
		return Capability{},
			&Defect{Problem: "the name contains characters that the identifier of a DID cannot contain",
				Suggestion: suggest(text)}
	case version == "":
		return Capability{}, &Defect{Problem: "the version after @ is missing", Suggestion: suggest(text)}
	}
	parsed := Version(version)
	if !parsed.Valid() {
		return Capability{},
			&Defect{fmt.Sprintf("the version %q is not a semantic version of three numbers", clip(version)), suggest(text),
				!strings.Contains(version, "@")}
	}
	return Capability{name, parsed}, nil
}

// suggest returns the URI that was probably meant, "" if there is none.
func suggest(text string) string {
	rest, ok := strings.CutPrefix(text, CapabilityPrefix)
	if !ok {
		parts := similarPrefix.FindStringSubmatch(text)
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
	parsed, err := semver.NewVersion(strings.TrimSpace(version))
	if name == "" || err != nil {
		return ""
	}
	suggestion := CapabilityPrefix + name + "@" + parsed.String()
	if len(suggestion) > maxLength || suggestion == text {
		return ""
	}
	return suggestion
}

// clip shortens a text for a message.
func clip(text string) string {
	const maxRunes = 60
	if runes := []rune(text); len(runes) > maxRunes {
		return string(runes[:maxRunes]) + "..."
	}
	return text
}
