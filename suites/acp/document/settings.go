package acpdocument

import (
	"errors"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acp/did"
	"github.com/capconform/capconform/suites/acp/signature"
	"github.com/capconform/capconform/suites/jsonvalue"
)

// The options of a subject that ACP reads (see suites.Subject).
const (
	// OptionMode is draft, or publishable: then what is advice before a package is
	// published counts.
	OptionMode = "mode"
	// OptionAuthor is the DID of the author.
	OptionAuthor = "author-did"
	// OptionDocument is the text of the author's DID document, JSON.
	OptionDocument = "did-document"
	// OptionProfile is the signature profile; empty: the default, and the others
	// where it does not fit.
	OptionProfile = "signature-profile"
)

// The modes.
const (
	ModeDraft       = "draft"
	ModePublishable = "publishable"
)

// Modes lists the modes, the default first.
func Modes() []string { return []string{ModeDraft, ModePublishable} }

// settings are what is asked of packages, and by whom they are said to be signed.
type settings struct {
	publishable bool
	profiles    []signature.Profile // to be tried, in this order
	author      *did.Document       // named on the command line, else nil
	named       string              // the author, where only the DID is known
}

func newSettings(options map[string]string) (settings, error) {
	s := settings{profiles: []signature.Profile{signature.BlankToken, signature.RemoveLine, signature.JCS}}
	switch mode := options[OptionMode]; mode {
	case "", ModeDraft:
	case ModePublishable:
		s.publishable = true
	default:
		return s, unknown(OptionMode, mode)
	}
	if profile := signature.Profile(options[OptionProfile]); profile != "" {
		if !slices.Contains(signature.Profiles(), profile) {
			return s, unknown(OptionProfile, string(profile))
		}
		s.profiles = []signature.Profile{profile}
	}
	s.named = options[OptionAuthor]
	if text := options[OptionDocument]; text != "" {
		document, err := did.ParseDocument([]byte(text))
		if err != nil {
			return s, &suites.UsageError{Message: "--did-document: " + err.Error()}
		}
		if s.named != "" && s.named != document.DID {
			return s, &suites.UsageError{Message: "--did-document is the document of " + document.DID +
				", not of the DID that --author-did names"}
		}
		s.named, s.author = document.DID, &document
		return s, nil
	}
	if s.named == "" {
		return s, nil
	}
	document, err := did.FromKey(s.named)
	switch {
	case errors.Is(err, did.ErrMethod): // stays open, by name
	case err != nil:
		return s, &suites.UsageError{Message: "--author-did: " + err.Error()}
	default:
		s.author = &document
	}
	return s, nil
}

func unknown(option, value string) error {
	return &suites.UsageError{Message: "--" + option + ": unknown value " + jsonvalue.Print(value)}
}

// signatureSuffix ends the name of a file that holds a detached signature.
const signatureSuffix = ".sig"

// detached reads the signature that lies beside a file, "" if none does.
func (s settings) detached(path string) string {
	const most = 4096
	f, err := os.Open(path + signatureSuffix)
	if err != nil {
		return ""
	}
	defer f.Close() // nothing was written
	text, err := io.ReadAll(io.LimitReader(f, most))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}
