package environment

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/ipfs/go-cid"
	"github.com/multiformats/go-multihash"
)

// CID gives the content identifier of bytes: version 1, codec raw, SHA-256, in
// base32.
func CID(content []byte) string {
	sum := sha256.Sum256(content)
	hash, err := multihash.Encode(sum[:], multihash.SHA2_256)
	if err != nil {
		return "" // SHA-256 is known to the library, and 32 bytes are its length
	}
	return cid.NewCidV1(cid.Raw, hash).String()
}

// SHA256 gives the digest of bytes in lower-case hexadecimal, as the registry
// keeps it.
func SHA256(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// canonical writes a CID in the one form by which contents are kept, whatever base
// a client prefers. What is no CID is kept as it is.
func canonical(text string) string {
	parsed, err := cid.Decode(text)
	if err != nil {
		return text
	}
	return cid.NewCidV1(parsed.Type(), parsed.Hash()).String()
}
