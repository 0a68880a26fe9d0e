package environment

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/json"
	"fmt"

	"github.com/mr-tron/base58"
)

// ed25519Prefix is the multicodec of an Ed25519 public key, as a varint.
const ed25519Prefix = "\xed\x01"

// Author is the signer of packages: a DID with one Ed25519 key.
type Author struct {
	DID   string
	KeyID string // the DID with the key as its fragment
	Key   ed25519.PrivateKey
}

// NewAuthor returns a new author, a did:key.
func NewAuthor() (Author, error) {
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return Author{}, fmt.Errorf("environment: %w", err)
	}
	key := multibase(public)
	return Author{DID: "did:key:" + key, KeyID: "did:key:" + key + "#" + key, Key: private}, nil
}

func multibase(public ed25519.PublicKey) string {
	return "z" + base58.Encode(append([]byte(ed25519Prefix), public...))
}

// PublicKey returns the public key in multibase, as a DID document contains it.
func (a Author) PublicKey() string {
	return multibase(a.Key.Public().(ed25519.PublicKey)) // the public key of an Ed25519 key always has this type
}

// PrivateKey returns the 32-byte seed as base58btc multibase, as an adapter receives it.
func (a Author) PrivateKey() string { return "z" + base58.Encode(a.Key.Seed()) }

// Credentials returns the member author of acp.publish and acp.author.
func (a Author) Credentials() map[string]string {
	return map[string]string{"did": a.DID, "key_id": a.KeyID, "private_key": a.PrivateKey()}
}

// Document returns the author's DID document. The members are added to its only verification method, or
// replace those of the same name: {"expires": "..."}, {"publicKeyMultibase": ...}.
func (a Author) Document(members map[string]any) json.RawMessage {
	method := map[string]any{
		"id": a.KeyID, "type": "Ed25519VerificationKey2020", "controller": a.DID, "publicKeyMultibase": a.PublicKey(),
	}
	for name, value := range members {
		method[name] = value
	}
	document := map[string]any{
		"@context": []string{"https://www.w3.org/ns/did/v1", "https://w3id.org/security/suites/ed25519-2020/v1"},
		"id":       a.DID, "verificationMethod": []any{method},
		"authentication": []string{a.KeyID}, "assertionMethod": []string{a.KeyID},
	}
	raw, err := json.Marshal(document)
	if err != nil {
		return json.RawMessage("null") // only if members cannot be encoded as JSON
	}
	return raw
}
