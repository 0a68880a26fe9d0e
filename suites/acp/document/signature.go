package acpdocument

import (
	"errors"
	"time"

	"github.com/capconform/capconform/suites/acp/did"
	"github.com/capconform/capconform/suites/acp/signature"
	"github.com/capconform/capconform/suites/document"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/lint"
)

// minDamagedLength is the length, in bytes, from which an undecodable text counts as a damaged signature
// instead of a placeholder.
const minDamagedLength = 64

// signing judges the signature.
type signing struct{ *manifest }

// judge verifies the signature of the author by a signature profile. A draft may lack a signature.
func (m signing) judge() {
	if m.meta == nil {
		return
	}
	n, value := m.signatureText()
	_, err := signature.Decode(value)
	author, self, why := m.author()
	if !m.settings.publishable {
		m.AddKind(kindDrafts)
	}
	if m.settings.publishable || err == nil || len(value) >= minDamagedLength {
		m.AddKind(kindSignatures)
	}
	switch {
	case value == "":
		m.reportUnsigned(n, "the package is not signed%s", m.signatureHint(n))
	case err != nil && author != nil && len(value) >= minDamagedLength:
		m.breach(IDSignature, n,
			"the signature cannot be decoded, or does not have the length of a signature")
	case err != nil:
		m.reportUnsigned(n,
			"the signature %s cannot be decoded: want base58btc multibase, z and about 87 characters", jsonvalue.Print(value))
	case author == nil:
		m.LeaveOpen(IDSignature, "the signature of %s cannot be verified: %s", m.file.Path, why)
		m.warn(IDSignature, n, "the signature cannot be verified: %s", why)
	default:
		m.verify(n, value, *author, self)
	}
}

// signatureText returns the signature and its position. A detached signature is the content of the file
// with the additional suffix .sig.
func (m signing) signatureText() (*document.Node, string) {
	if m.settings.profiles[0] == signature.Detached {
		return m.root, m.settings.detachedSignature(m.file.Path)
	}
	n := m.meta.Get("signature")
	switch {
	case n.Absent():
		return memberOr(m.meta, "signature"), ""
	case !n.Is(document.String):
		return n, lint.Described(n)
	}
	return n, n.Text
}

func (m signing) signatureHint(n *document.Node) string {
	if m.settings.profiles[0] == signature.Detached {
		return ": there is no signature in " + m.file.Path + signatureSuffix
	}
	if n == m.meta {
		return lint.Misspelt(m.meta, "signature", metadataKeys)
	}
	return ""
}

// reportUnsigned reports a missing signature: as advice for a draft, and as a breach in a package to be
// published.
func (m signing) reportUnsigned(n *document.Node, format string, args ...any) {
	id := IDDraft
	if m.settings.publishable {
		id = IDSignature
	}
	m.breach(id, n, format, args...)
}

// author returns the author that the command line names, or else the one that the package names. If
// there is no key, it returns the reason.
func (m signing) author() (author *did.Document, self bool, why string) {
	if m.settings.authorDID != "" {
		return m.settings.author, false, m.settings.authorDID + " is not resolved; supply its document by --did-document"
	}
	text := m.meta.Get("author", "did").Str()
	if text == "" {
		return nil, false, "the author is unknown; supply --author-did or --did-document"
	}
	document, err := did.FromKey(text)
	switch {
	case errors.Is(err, did.ErrMethod):
		return nil, true, jsonvalue.Print(text) + ", whom only the package names, is not resolved; supply --did-document"
	case err != nil:
		return nil, true, "the author " + jsonvalue.Print(text) + ", whom only the package names, is not a readable did:key"
	}
	return &document, true, ""
}

// verify tries the signature profiles in order; the requested one is first.
func (m signing) verify(n *document.Node, value string, author did.Document, self bool) {
	profile, method, err := signature.VerifyAny(m.settings.profiles, m.file.Text, value, author, time.Now())
	if err != nil && isUndefinedForm(value, err) {
		m.LeaveOpen(IDSignature, "the signature of %s has a form that no profile defines", m.file.Path)
		m.warn(IDSignature, n, "the signature cannot be verified: it has a form that no profile defines")
		return
	}
	if err != nil {
		m.breach(IDSignature, n, "the signature is not valid for the author %s: %s (profile %s)", author.DID, reason(err),
			m.settings.profiles[0])
		return
	}
	if profile != m.settings.profiles[0] {
		m.notice(IDSignature, n, "the signature has the profile %s, not %s", profile, m.settings.profiles[0])
	}
	if self {
		m.notice(IDSignature, n,
			"the signature is self-asserted: only the package names %s as its author; state the author by --author-did",
			author.DID)
	}
	if method.Key.Unsupported != "" {
		m.notice(IDSignature, n, "the key of the author is written in an unusual way: %s", method.Key.Unsupported)
	}
}

// isUndefinedForm reports whether a signature that no profile verifies has an encoding or a YAML style
// that the profiles do not define. The text does not define how a signature is written.
func isUndefinedForm(value string, err error) bool {
	return errors.Is(err, signature.ErrShape) || errors.Is(err, signature.ErrMismatch) &&
		!signature.HasProfileEncoding(value)
}

// reason returns an error of package signature as words for a finding.
func reason(err error) string {
	switch {
	case errors.Is(err, signature.ErrMismatch):
		return "no key of the author signed this file"
	case errors.Is(err, signature.ErrExpired):
		return "the signing key has expired or was revoked"
	case errors.Is(err, signature.ErrNoKey):
		return "the author's document contains no key of a known type"
	}
	return err.Error()
}
