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

// EmptySignatureLine is the line that environment.Package writes in place of a signature.
const EmptySignatureLine = "signature: \"\"\n"

// Sign signs a text as an author and returns the signed file. It does not serve the file. For two
// profiles, it signs the bytes of the text, so that the text need not be valid YAML.
func (m *PackageMaker) Sign(text []byte, by environment.Author) ([]byte, error) {
	signed := text
	switch m.Signing.Profile {
	case signature.BlankToken:
	case signature.RemoveLine:
		before, behind, _ := bytes.Cut(text, []byte(EmptySignatureLine))
		signed = slices.Concat(bytes.TrimRight(before, " "), behind)
	default:
		file, _, err := signature.Sign(m.Signing.Profile, text, by.Key)
		if err != nil {
			return nil, fmt.Errorf("act: %w", err)
		}
		return file, nil
	}
	digest := sha256.Sum256(signed)
	return InsertSignature(text, "z"+base58.Encode(ed25519.Sign(by.Key, digest[:])))
}

// InsertSignature replaces the line that is reserved for a signature.
func InsertSignature(unsigned []byte, value string) ([]byte, error) {
	return ReplaceOnce(unsigned, EmptySignatureLine, "signature: \""+value+"\"\n")
}

// ReplaceOnce replaces a text, which must occur exactly once, by another one.
func ReplaceOnce(file []byte, old, by string) ([]byte, error) {
	if strings.Count(string(file), old) != 1 {
		return nil, fmt.Errorf("act: %q does not stand in the package once", old)
	}
	return []byte(strings.Replace(string(file), old, by, 1)), nil
}

// Publish signs a package and makes it available for installation.
func (m *PackageMaker) Publish(ctx context.Context, ask CallFunc, s *sample.Package) error {
	if m.Signing.BySubject {
		return m.PublishBySubject(ctx, ask, s, m.Author)
	}
	file, err := m.Sign(s.Text(), m.Author)
	if err != nil {
		return err
	}
	s.File, s.CID = file, m.Environment.Publish(s.ID, file, m.Author)
	m.RecordPackage(s)
	return nil
}

// PublishBySubject has the subject sign and publish a package. The subject acts for the given author if
// it supports this, and otherwise as itself.
func (m *PackageMaker) PublishBySubject(ctx context.Context, ask CallFunc, s *sample.Package,
	by environment.Author) error {
	m.Environment.Resolver.SetDocument(by.DID, by.Document(nil))
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
	m.RecordPackage(s)
	return nil
}

// RecordPackage adds a published package to the record.
func (m *PackageMaker) RecordPackage(s *sample.Package) {
	if m.Record == nil {
		return
	}
	begun := m.Record.Tick()
	m.Record.Enter(record.Entry{
		Begun: begun, Done: m.Record.Tick(), Party: record.Gateway, Operation: history.OpServe,
		Outcome: record.Returned, Sent: record.NewBody(jsonvalue.Encode(s)),
	})
}

// PublishOnChain signs a package by a profile and publishes it on the chain that the suite plays, for an
// index to learn of. It adds an entry to the record.
func (m *PackageMaker) PublishOnChain(s *sample.Package, by signature.Profile, stimulus string) error {
	file, err := m.SignAndServe(s, m.Author, by)
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

// SignAndServe signs a package as an author by a profile, serves it at the gateway, and returns its
// file.
func (m *PackageMaker) SignAndServe(s *sample.Package, by environment.Author,
	profile signature.Profile) ([]byte, error) {
	s.AuthorDID = by.DID
	file, _, err := signature.Sign(profile, s.YAML(), by.Key)
	if err != nil {
		return nil, fmt.Errorf("act: %w", err)
	}
	s.File, s.CID = file, m.Environment.Gateway.Serve(file)
	m.Environment.Resolver.SetDocument(by.DID, by.Document(nil))
	m.RecordPackage(s)
	return file, nil
}
