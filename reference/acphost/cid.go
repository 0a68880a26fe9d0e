package acphost

import (
	"bytes"
	"crypto/sha256"
	"encoding/base32"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/mr-tron/base58"
)

// rawPrefix is the beginning of a CIDv1 of raw bytes: version, codec, hash function and length of the
// hash.
const rawPrefix = "\x01\x55\x12\x20"

func multibase32() *base32.Encoding {
	return base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)
}

// CIDOf returns the content identifier of some bytes: version 1, raw, SHA-256, in
// base 32.
func CIDOf(content []byte) string {
	digest := sha256.Sum256(content)
	return "b" + multibase32().EncodeToString(append([]byte(rawPrefix), digest[:]...))
}

// digestOf returns the SHA-256 that a CID of raw bytes contains.
func digestOf(cid string) ([]byte, error) {
	if cid == "" {
		return nil, errors.New("acphost: the CID is empty")
	}
	var binary []byte
	var err error
	switch cid[0] {
	case 'b':
		binary, err = multibase32().DecodeString(cid[1:])
	case 'z':
		binary, err = base58.Decode(cid[1:])
	default:
		return nil, fmt.Errorf("acphost: %.80q is not a CID of version 1", cid)
	}
	if err != nil {
		return nil, fmt.Errorf("acphost: %.80q is not a CID: %w", cid, err)
	}
	digest, isRaw := bytes.CutPrefix(binary, []byte(rawPrefix))
	if !isRaw || len(digest) != sha256.Size {
		return nil, fmt.Errorf("acphost: %.80q is not a CID of raw bytes by SHA-256", cid)
	}
	return digest, nil
}

// checkCID returns an error unless the bytes match the CID.
func checkCID(cid string, content []byte) error {
	want, err := digestOf(cid)
	if err != nil {
		return err
	}
	if got := sha256.Sum256(content); !bytes.Equal(want, got[:]) {
		return errors.New("acphost: the bytes do not match the CID")
	}
	return nil
}

// HashOf returns the SHA-256 of a file as a registry stores it: hexadecimal.
func HashOf(content []byte) string {
	digest := sha256.Sum256(content)
	return hex.EncodeToString(digest[:])
}

// isHash reports whether a text consists of 64 hexadecimal digits.
func isHash(text string) bool {
	decoded, err := hex.DecodeString(strings.ToLower(text))
	return err == nil && len(decoded) == sha256.Size
}

// InBase58 returns the same CID in base 58. A text that is not a CID of raw bytes is returned unchanged.
func InBase58(cid string) string {
	digest, err := digestOf(cid)
	if err != nil {
		return cid
	}
	return "z" + base58.Encode(append([]byte(rawPrefix), digest...))
}
