package acphost

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mr-tron/base58"
)

// ed25519Prefix is the multicodec prefix of an Ed25519 key.
const ed25519Prefix = "\xed\x01"

// Key is a key of a DID document.
type Key struct {
	ID      string
	Public  ed25519.PublicKey
	Expires time.Time // zero if it never expires
	// Asserts reports whether the document lists the key for assertions.
	Asserts bool
}

// DIDOf returns the did:key of a key.
func DIDOf(public ed25519.PublicKey) string {
	return "did:key:z" + base58.Encode(append([]byte(ed25519Prefix), public...))
}

// decodeMultikey returns an Ed25519 key in base58btc multibase, with or without its multicodec prefix.
func decodeMultikey(text string) (ed25519.PublicKey, error) {
	encoded, isBase58 := strings.CutPrefix(text, "z")
	decoded, err := base58.Decode(encoded)
	decoded = bytes.TrimPrefix(decoded, []byte(ed25519Prefix))
	if !isBase58 || err != nil || len(decoded) != ed25519.PublicKeySize {
		return nil, fmt.Errorf("acphost: %.80q is not an Ed25519 key", text)
	}
	return decoded, nil
}

// readKeys returns the Ed25519 keys of a document. It omits keys of other kinds.
func readKeys(document object) []Key {
	methods, _ := document["verificationMethod"].([]any)
	asserting, _ := document["assertionMethod"].([]any)
	var asserts []string
	for _, element := range asserting {
		if id := stringOf(element); id != "" {
			asserts = append(asserts, id)
			continue
		}
		asserts = append(asserts, stringOf(objectOf(element)["id"]))
		methods = append(methods, element)
	}
	did := stringOf(document["id"])
	var keys []Key
	for _, element := range methods {
		method := objectOf(element)
		public, err := publicKey(method)
		if err != nil {
			continue
		}
		key := Key{ID: stringOf(method["id"]), Public: public}
		// A relative id is relative to the document.
		key.Asserts = slices.Contains(asserts, key.ID) || slices.Contains(asserts, strings.TrimPrefix(key.ID, did)) ||
			slices.Contains(asserts, did+key.ID)
		key.Expires, _ = time.Parse(time.RFC3339, stringOf(method["expires"]))
		keys = append(keys, key)
	}
	return keys
}

func publicKey(method object) (ed25519.PublicKey, error) {
	jwk := objectOf(method["publicKeyJwk"])
	if jwk == nil {
		return decodeMultikey(stringOf(method["publicKeyMultibase"]))
	}
	decoded, err := base64.RawURLEncoding.DecodeString(stringOf(jwk["x"]))
	if jwk["crv"] != "Ed25519" || err != nil || len(decoded) != ed25519.PublicKeySize {
		return nil, errors.New("acphost: the key is not an Ed25519 key")
	}
	return decoded, nil
}

// decodePrivateKey returns the key with a 32-byte seed in base58btc multibase.
func decodePrivateKey(text string) (ed25519.PrivateKey, error) {
	encoded, isBase58 := strings.CutPrefix(text, "z")
	seed, err := base58.Decode(encoded)
	if !isBase58 || err != nil || len(seed) != ed25519.SeedSize {
		return nil, errors.New("acphost: the private key is not a seed of 32 bytes")
	}
	return ed25519.NewKeyFromSeed(seed), nil
}
