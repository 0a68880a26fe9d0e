package act

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"github.com/mr-tron/base58"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites/acp/content"
	"github.com/capconform/capconform/suites/acp/environment"
	"github.com/capconform/capconform/suites/acp/history"
	"github.com/capconform/capconform/suites/acp/sample"
	"github.com/capconform/capconform/suites/acp/signature"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/transcript"
	"github.com/capconform/capconform/suites/verdict"
)

// UnsignedLine is the line that environment.Package writes in place of a signature.
const UnsignedLine = "signature: \"\"\n"

// Sealed signs a text as an author and returns the signed file. It does not serve the file. For two
// profiles, it signs the bytes of the text, so that the text need not be valid YAML.
func (m *Maker) Sealed(text []byte, by environment.Author) ([]byte, error) {
	signed := text
	switch m.Signs.Profile {
	case signature.BlankToken:
	case signature.RemoveLine:
		before, behind, _ := bytes.Cut(text, []byte(UnsignedLine))
		signed = slices.Concat(bytes.TrimRight(before, " "), behind)
	default:
		file, _, err := signature.Sign(m.Signs.Profile, text, by.Key)
		if err != nil {
			return nil, fmt.Errorf("act: %w", err)
		}
		return file, nil
	}
	digest := sha256.Sum256(signed)
	return WithSignature(text, "z"+base58.Encode(ed25519.Sign(by.Key, digest[:])))
}

// WithSignature replaces the line that is reserved for a signature.
func WithSignature(unsigned []byte, value string) ([]byte, error) {
	return Replaced(unsigned, UnsignedLine, "signature: \""+value+"\"\n")
}

// Replaced replaces a text, which must occur exactly once, by another one.
func Replaced(file []byte, old, by string) ([]byte, error) {
	if strings.Count(string(file), old) != 1 {
		return nil, fmt.Errorf("act: %q does not stand in the package once", old)
	}
	return []byte(strings.Replace(string(file), old, by, 1)), nil
}

// Publish signs a package and makes it available for installation.
func (m *Maker) Publish(ctx context.Context, ask Asking, s *sample.Package) error {
	if m.Signs.Subject {
		return m.Authored(ctx, ask, s, m.Author)
	}
	file, err := m.Sealed(s.Text(), m.Author)
	if err != nil {
		return err
	}
	s.File, s.CID = file, m.Environment.Publish(s.ID, file, m.Author)
	m.Enter(s)
	return nil
}

// Authored has the subject sign and publish a package. The subject acts for the given author if it
// supports this, and otherwise as itself.
func (m *Maker) Authored(ctx context.Context, ask Asking, s *sample.Package, by environment.Author) error {
	m.Environment.Resolver.Know(by.DID, by.Document(nil))
	params := sample.Object{"file": string(s.Text())}
	if m.Supports[SupportsAuthors] {
		params["author"] = by.Credentials()
	}
	answer, err := ask(ctx, driver.Operation{Name: history.OpAuthor, Params: jsonvalue.Encode(params)})
	if err != nil {
		return err
	}
	s.CID, _ = schemas.ReadObject(answer.Result)["cid"].(string)
	if answer.Outcome != driver.Returned || s.CID == "" {
		return verdict.Undecided("the subject publishes no package: %s", transcript.Received(answer, err))
	}
	s.File = m.Environment.Gateway.Stored(s.CID)
	if s.File == nil {
		return verdict.Undecided("the gateway has no file under the CID that the subject returned")
	}
	m.Enter(s)
	return nil
}

// Enter adds a published package to the record.
func (m *Maker) Enter(s *sample.Package) {
	if m.Record == nil {
		return
	}
	begun := m.Record.Tick()
	m.Record.Enter(record.Entry{
		Begun: begun, Done: m.Record.Tick(), Party: record.Gateway, Operation: history.OpServe,
		Outcome: record.Returned, Sent: record.NewBody(jsonvalue.Encode(s)),
	})
}

// Release signs a package by a profile and publishes it on the chain that the suite plays, for an index
// to learn of. It adds an entry to the record.
func (m *Maker) Release(s *sample.Package, by signature.Profile, stimulus string) error {
	file, err := m.Signed(s, m.Author, by)
	if err != nil {
		return err
	}
	m.Environment.Register(s.ID, file, m.Author)
	if m.Record == nil {
		return nil
	}
	_, version, _ := strings.Cut(s.ID, "@")
	begun := m.Record.Tick()
	m.Record.Enter(record.Entry{
		Begun: begun, Done: m.Record.Tick(), Party: record.Chain, Operation: history.OpRegister, Stimulus: stimulus,
		Outcome: record.Returned, Sent: record.NewBody(jsonvalue.Encode(sample.Object{
			history.MemberURI: s.ID, history.MemberVersion: version, history.MemberCID: s.CID,
			history.MemberDigest: content.SHA256(file), "file": string(file), "profile": by,
		})),
	})
	return nil
}

// Signed signs a package as an author by a profile, serves it at the gateway, and returns its file.
func (m *Maker) Signed(s *sample.Package, by environment.Author, profile signature.Profile) ([]byte, error) {
	s.AuthorDID = by.DID
	file, _, err := signature.Sign(profile, s.YAML(), by.Key)
	if err != nil {
		return nil, fmt.Errorf("act: %w", err)
	}
	s.File, s.CID = file, m.Environment.Gateway.Serve(file)
	m.Environment.Resolver.Know(by.DID, by.Document(nil))
	m.Enter(s)
	return file, nil
}
