// Package content names the bytes of files as ACP does: by content identifiers and digests.
package content

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"strings"

	"github.com/ipfs/go-cid"
	"github.com/multiformats/go-multihash"
)

// SameCID reports whether two texts are one CID, whatever their bases.
func SameCID(a, b string) bool { return Canonical(a) == Canonical(b) }

// Fits reports whether a CID is that of some bytes: of the bytes themselves, or of
// one UnixFS block that holds them. known is false where it cannot be told, because
// the CID is of another form.
func Fits(text string, content []byte) (fits, known bool) {
	parsed, err := cid.Decode(text)
	if err != nil {
		return false, true
	}
	kind := parsed.Prefix()
	if kind.MhType != multihash.SHA2_256 {
		return false, false
	}
	switch kind.Codec {
	case cid.Raw:
		return SameCID(text, CID(content)), true
	case cid.DagProtobuf:
		return Canonical(text) == UnixFS(content), len(content) <= OneBlock
	}
	return false, false
}

// OneBlock is the size up to which IPFS keeps a file in one block, in bytes.
const OneBlock = 256 << 10

// UnixFS is the CID of a file as one UnixFS block: a node of dag-pb whose data are a
// UnixFS file (type 2) with content and size.
func UnixFS(content []byte) string {
	file := []byte{0x08, 0x02}
	if len(content) > 0 {
		file = append(binary.AppendUvarint(append(file, 0x12), uint64(len(content))), content...)
	}
	file = binary.AppendUvarint(append(file, 0x18), uint64(len(content)))
	sum := sha256.Sum256(append(binary.AppendUvarint([]byte{0x0a}, uint64(len(file))), file...))
	hash, err := multihash.Encode(sum[:], multihash.SHA2_256)
	if err != nil {
		return "" // as in CID
	}
	return cid.NewCidV1(cid.DagProtobuf, hash).String()
}

// CID returns the content identifier of bytes: version 1, codec raw, SHA-256, in
// base32.
func CID(content []byte) string {
	sum := sha256.Sum256(content)
	hash, err := multihash.Encode(sum[:], multihash.SHA2_256)
	if err != nil {
		return "" // SHA-256 is known to the library, and 32 bytes are its length
	}
	return cid.NewCidV1(cid.Raw, hash).String()
}

// SHA256 returns the digest of bytes in lower-case hexadecimal, as the registry
// keeps it.
func SHA256(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// SameDigest reports whether a text is a SHA-256 that is given in lower-case
// hexadecimal: in either case, with a prefix 0x or that of a multihash, or in base64.
func SameDigest(text, digest string) bool { return Digest(text) == digest }

// Digest writes a SHA-256 in lower-case hexadecimal, in whatever notation it is given. What is
// none is kept as it is.
func Digest(text string) string {
	plain := strings.ToLower(text)
	for _, prefix := range []string{"0x", "sha256:", "sha256-", "1220", ""} {
		if rest, has := strings.CutPrefix(plain, prefix); has && len(rest) == hex.EncodedLen(sha256.Size) && isHex(rest) {
			return rest
		}
	}
	rest := strings.TrimPrefix(text, "sha256-")
	for _, form := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding, base64.RawStdEncoding,
		base64.RawURLEncoding} {
		if raw, err := form.DecodeString(rest); err == nil && len(raw) == sha256.Size {
			return hex.EncodeToString(raw)
		}
	}
	return text
}

func isHex(text string) bool {
	_, err := hex.DecodeString(text)
	return err == nil
}

// Canonical writes a CID in the one form by which contents are kept, whatever base
// a client prefers. What is no CID is kept as it is.
func Canonical(text string) string {
	parsed, err := cid.Decode(text)
	if err != nil {
		return text
	}
	return cid.NewCidV1(parsed.Type(), parsed.Hash()).String()
}
