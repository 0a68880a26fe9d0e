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

// The options of a subject that the suite acp reads (see suites.Subject).
const (
	// OptionMode is draft or publishable. In publishable mode, some advice for drafts becomes a
	// requirement.
	OptionMode = "mode"
	// OptionAuthor is the DID of the author.
	OptionAuthor = "author-did"
	// OptionDocument is the author's DID document as JSON text.
	OptionDocument = "did-document"
	// OptionProfile is the signature profile. If it is empty, the default profile is used, and the
	// others if the signature does not match it.
	OptionProfile = "signature-profile"
)

// The modes.
const (
	ModeDraft       = "draft"
	ModePublishable = "publishable"
)

// Modes returns the modes, the default first.
func Modes() []string { return []string{ModeDraft, ModePublishable} }

// settings contains the mode and the claimed author of the packages.
type settings struct {
	publishable bool
	profiles    []signature.Profile // to try, in this order
	author      *did.Document       // from the command line, or nil
	authorDID   string              // the DID of the author; author may be nil if only the DID is known
}

func newSettings(options map[string]string) (settings, error) {
	s := settings{profiles: []signature.Profile{signature.BlankToken, signature.RemoveLine, signature.JCS}}
	switch mode := options[OptionMode]; mode {
	case "", ModeDraft:
	case ModePublishable:
		s.publishable = true
	default:
		return s, unknownValue(OptionMode, mode)
	}
	if profile := signature.Profile(options[OptionProfile]); profile != "" {
		if !slices.Contains(signature.Profiles(), profile) {
			return s, unknownValue(OptionProfile, string(profile))
		}
		s.profiles = []signature.Profile{profile}
	}
	s.authorDID = options[OptionAuthor]
	if text := options[OptionDocument]; text != "" {
		document, err := did.ParseDocument([]byte(text))
		if err != nil {
			return s, &suites.UsageError{Message: "--did-document: " + err.Error()}
		}
		if s.authorDID != "" && s.authorDID != document.DID {
			return s, &suites.UsageError{Message: "--did-document is the document of " + document.DID +
				", not of the DID that --author-did names"}
		}
		s.authorDID, s.author = document.DID, &document
		return s, nil
	}
	if s.authorDID == "" {
		return s, nil
	}
	document, err := did.FromKey(s.authorDID)
	switch {
	case errors.Is(err, did.ErrMethod): // the DID remains unresolved
	case err != nil:
		return s, &suites.UsageError{Message: "--author-did: " + err.Error()}
	default:
		s.author = &document
	}
	return s, nil
}

func unknownValue(option, value string) error {
	return &suites.UsageError{Message: "--" + option + ": unknown value " + jsonvalue.Print(value)}
}

// signatureSuffix is the suffix of a file that contains a detached signature.
const signatureSuffix = ".sig"

// detachedSignature returns the detached signature of a file, "" if there is none.
func (s settings) detachedSignature(path string) string {
	const maxSize = 4096
	f, err := os.Open(path + signatureSuffix)
	if err != nil {
		return ""
	}
	defer f.Close() // the file was only read
	text, err := io.ReadAll(io.LimitReader(f, maxSize))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}
