package verification

import (
	"bytes"
	"context"
	"crypto"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"

	"github.com/secure-systems-lab/go-securesystemslib/dsse"

	"github.com/capconform/capconform/reports"
)

// payloadType is the type of an in-toto statement in DSSE.
const payloadType = "application/vnd.in-toto+json"

// signer signs with Ed25519 for DSSE.
type signer struct{ key ed25519.PrivateKey }

// Sign implements dsse.Signer.
func (s signer) Sign(_ context.Context, data []byte) ([]byte, error) {
	return s.key.Sign(nil, data, crypto.Hash(0))
}

// KeyID implements dsse.Signer.
func (s signer) KeyID() (string, error) { return dsse.SHA256KeyID(s.key.Public()) }

// verifier verifies with Ed25519 for DSSE.
type verifier struct{ key ed25519.PublicKey }

// Verify implements dsse.Verifier.
func (v verifier) Verify(_ context.Context, data, signature []byte) error {
	if !ed25519.Verify(v.key, data, signature) {
		return errors.New("the signature is not by this key")
	}
	return nil
}

// KeyID implements dsse.Verifier.
func (v verifier) KeyID() (string, error) { return dsse.SHA256KeyID(v.key) }

// Public implements dsse.Verifier.
func (v verifier) Public() crypto.PublicKey { return v.key }

// ParsePrivateKey parses an Ed25519 key: PKCS 8 in PEM, as OpenSSL writes it. The error never
// contains any of it.
func ParsePrivateKey(text []byte) (ed25519.PrivateKey, error) {
	return parseKey[ed25519.PrivateKey](text, x509.ParsePKCS8PrivateKey,
		"a private Ed25519 key in PKCS 8", "openssl genpkey -algorithm ed25519")
}

// ParsePublicKey parses an Ed25519 key: PKIX in PEM, as OpenSSL writes it.
func ParsePublicKey(text []byte) (ed25519.PublicKey, error) {
	return parseKey[ed25519.PublicKey](text, x509.ParsePKIXPublicKey,
		"a public Ed25519 key", "openssl pkey -in KEY -pubout")
}

// parseKey parses a key in PEM. The error names the wanted kind, and the command that makes one.
func parseKey[K any](text []byte, parse func([]byte) (any, error), kind, command string) (key K, err error) {
	block, _ := pem.Decode(text)
	if block == nil {
		return key, fmt.Errorf("reports: not a key in PEM (%s makes one)", command)
	}
	parsed, err := parse(block.Bytes)
	key, ok := parsed.(K)
	if err != nil || !ok {
		return key, fmt.Errorf("reports: not %s (%s makes one)", kind, command)
	}
	return key, nil
}

// Sign signs the test-result statement about a report, given as the bytes of its document, and
// returns the DSSE envelope as one line of JSON. It returns an error for a partial run (ErrPartial)
// and for a text that is not a report document.
func Sign(ctx context.Context, document []byte, key ed25519.PrivateKey) ([]byte, error) {
	r, err := reports.Read(bytes.NewReader(document))
	if err != nil {
		return nil, err
	}
	if err := r.Whole("sign"); err != nil {
		return nil, err
	}
	payload, err := json.Marshal(statementOf(r, document))
	if err != nil {
		return nil, fmt.Errorf("reports: sign: %w", err)
	}
	by, err := dsse.NewEnvelopeSigner(signer{key})
	if err != nil {
		return nil, fmt.Errorf("reports: sign: %w", err)
	}
	envelope, err := by.SignPayload(ctx, payloadType, payload)
	if err != nil {
		return nil, fmt.Errorf("reports: sign: %w", err)
	}
	return encodeEnvelope(envelope)
}

// encodeEnvelope returns an envelope in the only form that this package writes.
func encodeEnvelope(envelope *dsse.Envelope) ([]byte, error) {
	line, err := json.Marshal(envelope)
	if err != nil {
		return nil, fmt.Errorf("reports: envelope: %w", err)
	}
	return append(line, '\n'), nil
}

// decodeEnvelope parses an envelope and its statement about the report with these bytes. The faults state
// why it is not the envelope of that report. It does not check the signature.
func decodeEnvelope(r *reports.Report, document, text []byte) (*dsse.Envelope, []string) {
	var envelope dsse.Envelope
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&envelope); err != nil {
		return nil, []string{"the signature is not a DSSE envelope"}
	}
	again, err := encodeEnvelope(&envelope)
	if err != nil || !bytes.Equal(again, text) {
		return nil, []string{"the envelope of the signature was rewritten"}
	}
	if envelope.PayloadType != payloadType || len(envelope.Signatures) != 1 {
		return nil, []string{"the envelope does not contain exactly one signed statement"}
	}
	payload, err := envelope.DecodeB64Payload()
	if err != nil {
		return nil, []string{"the envelope can't be decoded"}
	}
	want := statementOf(r, document)
	var got statement
	var read reading
	got.Subject = []descriptor{{Annotations: &read}}
	d = json.NewDecoder(bytes.NewReader(payload))
	d.DisallowUnknownFields()
	if err := d.Decode(&got); err != nil || len(got.Subject) != 1 {
		return nil, []string{"what was signed is not a test-result statement about one report"}
	}
	if got.Subject[0].Digest["sha256"] != want.Subject[0].Digest["sha256"] {
		return nil, []string{"the report is not the one that was signed: its digest differs"}
	}
	expected, err := json.Marshal(want)
	if err != nil || !bytes.Equal(expected, payload) {
		return nil, []string{"the signed statement does not follow from the report"}
	}
	return &envelope, nil
}

// signedBy returns the id of the key that made the signature of an envelope, or the reason why
// there is none.
func signedBy(ctx context.Context, envelope *dsse.Envelope, keys []ed25519.PublicKey) (id, fault string) {
	for _, key := range keys {
		id, err := dsse.SHA256KeyID(key)
		if err != nil || envelope.Signatures[0].KeyID != id {
			continue
		}
		with, err := dsse.NewEnvelopeVerifier(verifier{key})
		if err != nil {
			continue
		}
		if _, err := with.Verify(ctx, envelope); err != nil {
			return "", "the signature is invalid: what was signed, or the signature itself, was changed"
		}
		return id, ""
	}
	return "", "the signature is by another key"
}
