// Package did reads the public keys that verify signatures: DIDs of the method key, and DID documents.
// It never resolves anything over a network.
package did

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"errors"
	"fmt"
	"math/big"
	"strings"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	secpecdsa "github.com/decred/dcrd/dcrec/secp256k1/v4/ecdsa"
	"github.com/mr-tron/base58"
)

// Algorithm is the algorithm of a key.
type Algorithm string

// The algorithms.
const (
	Ed25519   Algorithm = "Ed25519"
	P256      Algorithm = "P-256"
	Secp256k1 Algorithm = "secp256k1"
)

// PublicKey verifies signatures of SHA-256 digests.
type PublicKey struct {
	Algorithm Algorithm
	// Unsupported states what is unusual in the encoding of the key, "" if nothing is.
	Unsupported string

	ed25519   ed25519.PublicKey
	p256      *ecdsa.PublicKey
	secp256k1 *secp256k1.PublicKey
}

// codecs are the multicodec prefixes of public keys, as varints.
var codecs = []struct {
	prefix    string
	algorithm Algorithm
	odd       string
}{
	{"\xed\x01", Ed25519, ""},
	{"\xe7\x01", Secp256k1, ""},
	{"\x80\x24", P256, ""},
	{"\x12\x00", P256, "its multicodec prefix is written as 12 00, which is not a valid varint; the standard form begins with zDn"},
}

const (
	multibasePrefix = "z" // base58btc
	maxMultibase    = 256
	coordinateSize  = 32
)

// ParseMultibase parses a public key in base58btc multibase with its multicodec.
func ParseMultibase(text string) (PublicKey, error) {
	raw, err := decodeMultibase(text)
	if err != nil {
		return PublicKey{}, err
	}
	for _, c := range codecs {
		if rest, ok := bytes.CutPrefix(raw, []byte(c.prefix)); ok {
			key, err := newKey(c.algorithm, rest)
			key.Unsupported = c.odd
			return key, err
		}
	}
	return PublicKey{},
		errors.New("did: the multicodec prefix is of no key that is known here (Ed25519, P-256, secp256k1)")
}

func decodeMultibase(text string) ([]byte, error) {
	rest, ok := strings.CutPrefix(text, multibasePrefix)
	if !ok || len(text) > maxMultibase {
		return nil, errors.New("did: the key is not in base58btc multibase, which begins with z")
	}
	raw, err := base58.Decode(rest)
	if err != nil || len(raw) == 0 {
		return nil, errors.New("did: the key is not in base58btc multibase")
	}
	return raw, nil
}

func newKey(algorithm Algorithm, raw []byte) (PublicKey, error) {
	k := PublicKey{Algorithm: algorithm}
	wrong := fmt.Errorf("did: %d bytes are not a public key of %s", len(raw), algorithm)
	switch algorithm {
	case Ed25519:
		if len(raw) != ed25519.PublicKeySize {
			return PublicKey{}, wrong
		}
		k.ed25519 = ed25519.PublicKey(raw)
	case Secp256k1:
		key, err := secp256k1.ParsePubKey(raw)
		if err != nil {
			return PublicKey{}, wrong
		}
		k.secp256k1 = key
	case P256:
		key, err := p256(raw)
		if err != nil {
			return PublicKey{}, wrong
		}
		k.p256 = key
	}
	return k, nil
}

// p256 returns the key of a point, which may be compressed.
func p256(raw []byte) (*ecdsa.PublicKey, error) {
	if len(raw) == 1+coordinateSize {
		x, y := elliptic.UnmarshalCompressed(elliptic.P256(), raw)
		if x == nil {
			return nil, errors.New("did: no point of the curve P-256")
		}
		raw = encodePoint(4, x, y)
	}
	key, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), raw)
	if err != nil {
		return nil, fmt.Errorf("did: %w", err)
	}
	return key, nil
}

// encodePoint returns a leading byte and two coordinates as one slice.
func encodePoint(lead byte, x, y *big.Int) []byte {
	raw := make([]byte, 1+2*coordinateSize)
	raw[0] = lead
	x.FillBytes(raw[1 : 1+coordinateSize])
	y.FillBytes(raw[1+coordinateSize:])
	return raw
}

// Verify reports whether the key made a signature of the digest. Ed25519 signs the digest as its
// message. ECDSA uses the digest as the prehash; its signature is r and s with 32 bytes each, or DER.
func (k PublicKey) Verify(digest [32]byte, signature []byte) bool {
	switch k.Algorithm {
	case Ed25519:
		return len(signature) == ed25519.SignatureSize && ed25519.Verify(k.ed25519, digest[:], signature)
	case P256:
		if len(signature) != 2*coordinateSize {
			return ecdsa.VerifyASN1(k.p256, digest[:], signature)
		}
		r, s := new(big.Int).SetBytes(signature[:coordinateSize]), new(big.Int).SetBytes(signature[coordinateSize:])
		return ecdsa.Verify(k.p256, digest[:], r, s)
	case Secp256k1:
		return k.verifySecp256k1(digest, signature)
	}
	return false
}

func (k PublicKey) verifySecp256k1(digest [32]byte, signature []byte) bool {
	if len(signature) != 2*coordinateSize {
		parsed, err := secpecdsa.ParseDERSignature(signature)
		return err == nil && parsed.Verify(digest[:], k.secp256k1)
	}
	var r, s secp256k1.ModNScalar
	if r.SetByteSlice(signature[:coordinateSize]) || s.SetByteSlice(signature[coordinateSize:]) {
		return false // not below the order of the curve
	}
	return secpecdsa.NewSignature(&r, &s).Verify(digest[:], k.secp256k1)
}
