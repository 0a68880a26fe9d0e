package acpsuite

import (
	"errors"
	"time"

	"github.com/capconform/capconform/suites/acp/did"
	"github.com/capconform/capconform/suites/acp/signature"
	"github.com/capconform/capconform/suites/document"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/lint"
)

// looksSigned is the length from which a text that can't be decoded is a damaged
// signature and no placeholder.
const looksSigned = 64

// judgeSignature judges what the author signed, by a profile of ours. In a draft
// a signature may still be missing.
func (m *manifest) judgeSignature() {
	if m.meta == nil {
		return
	}
	n, value := m.signatureText()
	_, err := signature.Decode(value)
	author, self, whose := m.author()
	if !m.settings.publishable {
		m.Hold(heldDrafts)
	}
	if m.settings.publishable || err == nil || len(value) >= looksSigned {
		m.Hold(heldSignatures)
	}
	switch {
	case value == "":
		m.unsigned(n, "the package is not signed%s", m.signatureHint(n))
	case err != nil && author != nil && len(value) >= looksSigned:
		m.breach(idSignature, n,
			"the signature can't be decoded: it is no base58btc multibase, or not of a signature's length")
	case err != nil:
		m.unsigned(n,
			"the signature %s can't be decoded: want base58btc multibase, z and 87 characters or so", jsonvalue.Print(value))
	case author == nil:
		m.Leave(idSignature, "the signature of %s can't be verified: %s", m.file.Path, whose)
		m.warn(idSignature, n, "the signature can't be verified: %s", whose)
	default:
		m.verify(n, value, *author, self)
	}
}

// signatureText gives the signature and where it stands. One that comes detached
// is the text of the file whose name ends in .sig.
func (m *manifest) signatureText() (*document.Node, string) {
	if m.settings.profiles[0] == signature.Detached {
		return m.root, m.settings.detached(m.file.Path)
	}
	n := m.meta.Get("signature")
	switch {
	case n.Absent():
		return at(m.meta, "signature"), ""
	case !n.Is(document.String):
		return n, lint.Described(n)
	}
	return n, n.Text
}

func (m *manifest) signatureHint(n *document.Node) string {
	if m.settings.profiles[0] == signature.Detached {
		return ": there is no signature in " + m.file.Path + signatureSuffix
	}
	if n == m.meta {
		return lint.Misspelt(m.meta, "signature", metadataKeys)
	}
	return ""
}

// unsigned is advice for a draft and a breach of what is to be published.
func (m *manifest) unsigned(n *document.Node, format string, args ...any) {
	id := idDraft
	if m.settings.publishable {
		id = idSignature
	}
	m.breach(id, n, format, args...)
}

// author gives who is said to have signed: by the command line, else by the package
// itself. Where there is no key it says why.
func (m *manifest) author() (author *did.Document, self bool, why string) {
	if m.settings.named != "" {
		return m.settings.author, false, m.settings.named + " is not resolved here; give its document by --did-document"
	}
	text := m.meta.Get("author", "did").Str()
	if text == "" {
		return nil, false, "nobody says who the author is; give --author-did or --did-document"
	}
	document, err := did.FromKey(text)
	switch {
	case errors.Is(err, did.ErrMethod):
		return nil, true, jsonvalue.Print(text) + ", whom only the package names, is not resolved here; give --did-document"
	case err != nil:
		return nil, true, "the author " + jsonvalue.Print(text) + ", whom only the package names, is no did:key that can be read"
	}
	return &document, true, ""
}

// verify tries the profiles, the one that is asked for first.
func (m *manifest) verify(n *document.Node, value string, author did.Document, self bool) {
	profile, method, err := signature.VerifyAny(m.settings.profiles, m.file.Text, value, author, time.Now())
	if err != nil {
		m.breach(idSignature, n, "the signature does not hold for the author %s: %s (profile %s)", author.DID, reason(err),
			m.settings.profiles[0])
		return
	}
	if profile != m.settings.profiles[0] {
		m.notice(idSignature, n, "the signature is one of the profile %s, and not of %s", profile, m.settings.profiles[0])
	}
	if self {
		m.notice(idSignature, n,
			"the signature is self-asserted: only the package names %s as its author; --author-did says who it has to be",
			author.DID)
	}
	if method.Key.Odd != "" {
		m.notice(idSignature, n, "the key of the author is written in an unusual way: %s", method.Key.Odd)
	}
}

// reason is an error of package signature in the words of a finding.
func reason(err error) string {
	switch {
	case errors.Is(err, signature.ErrMismatch):
		return "it is none of this file by a key of theirs"
	case errors.Is(err, signature.ErrExpired):
		return "the key that made it has expired or was revoked"
	case errors.Is(err, signature.ErrNoKey):
		return "their document holds no key that is known here"
	}
	return err.Error()
}
