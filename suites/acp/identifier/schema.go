package identifier

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"github.com/Masterminds/semver/v3"
)

// Schema is a schema URI: an absolute URI, usually with a version after #.
type Schema struct {
	Text       string
	Base       string // without version
	Suggestion string // if there is no version: the URI with one
	Namespace  string // state, cap, core, app or user; "" for a form that ACP does not show
	// Owner is the capability that the URI names: in the namespace cap its capability, in the namespace
	// state the name of the state, "" otherwise.
	Owner string
	// Version has one to three numbers, with or without v. It is nil if there is no version, or one of
	// another form.
	Version *semver.Version
}

// namespaces are the forms of ACP itself and of the state model that ACP refers to.
var namespaces = []struct {
	name    string
	pattern *regexp.Regexp
}{
	{"state", regexp.MustCompile(`^did:nuwa:state:([^:#]+)$`)},
	{"core", regexp.MustCompile(`^did:nuwa:core:[^:#]+()$`)},
	{"cap", regexp.MustCompile(`^did:nuwa:cap:([^:#]+):state:[^:#]+$`)},
	{"app", regexp.MustCompile(`^did:nuwa:app:[^:#]+:state:[^:#]+()$`)},
	{"user", regexp.MustCompile(`^did:nuwa:user:[^:#]+:state:[^:#]+()$`)},
}

var (
	versionForm  = regexp.MustCompile(`^v?\d+(\.\d+(\.\d+)?)?$`)
	absoluteForm = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*:.`)
	versionTail  = regexp.MustCompile(`^(.*)[@:](v?\d[\w.]*)$`)
)

// ParseSchema parses a schema URI. The error is a *Defect.
func ParseSchema(text string) (Schema, error) {
	if len(text) > maxLength {
		return Schema{}, &Defect{Problem: fmt.Sprintf("the URI is longer than %d bytes", maxLength)}
	}
	base, version, _ := strings.Cut(text, "#")
	switch _, err := url.Parse(text); {
	case text == "":
		return Schema{}, &Defect{Problem: "it is empty"}
	case !absoluteForm.MatchString(base):
		return Schema{}, &Defect{Problem: "it is not an absolute URI", Suggestion: suggestSchema(text)}
	case err != nil || strings.ContainsAny(text, " \t\r\n<>\"{}|\\^`") || strings.Contains(version, "#"):
		return Schema{}, &Defect{Problem: "it is not a URI", Suggestion: suggestSchema(text)}
	}
	s := Schema{Text: text, Base: base}
	if version == "" {
		s.Suggestion = suggestSchema(text)
	}
	for _, n := range namespaces {
		if parts := n.pattern.FindStringSubmatch(base); parts != nil {
			s.Namespace, s.Owner = n.name, parts[1]
		}
	}
	if versionForm.MatchString(version) {
		s.Version, _ = semver.NewVersion(version)
	}
	return s, nil
}

// suggestSchema returns the URI that was probably meant, "" if there is none.
func suggestSchema(text string) string {
	base, version, _ := strings.Cut(text, "#")
	if parts := versionTail.FindStringSubmatch(base); parts != nil && version == "" {
		base, version = parts[1], parts[2]
	}
	if !versionForm.MatchString(version) {
		version = "v1"
	}
	if !absoluteForm.MatchString(base) {
		if !anyName.MatchString(base) {
			return ""
		}
		base = "did:nuwa:state:" + base
	}
	suggestion := base + "#" + version
	if _, err := url.Parse(suggestion); err != nil || suggestion == text || strings.ContainsAny(suggestion, " \t\r\n<>\"{}|\\^`") {
		return ""
	}
	return suggestion
}
