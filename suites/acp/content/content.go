// Package content computes content identifiers and digests of files as ACP uses them.
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

// SameCID reports whether two texts are the same CID, in any base.
func SameCID(a, b string) bool { return Canonical(a) == Canonical(b) }

// Matches reports whether a CID belongs to some bytes: to the bytes themselves, or to one UnixFS block
// that contains them. If the CID has another form, known is false.
func Matches(text string, content []byte) (matches, known bool) {
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
		return Canonical(text) == UnixFS(content), len(content) <= MaxBlock
	}
	return false, false
}

// MaxBlock is the size, in bytes, up to which IPFS stores a file in one block.
const MaxBlock = 256 << 10

// UnixFS returns the CID of a file as one UnixFS block: a dag-pb node whose data are a UnixFS file (type
// 2) with content and size.
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

// CID returns the content identifier of bytes: version 1, codec raw, SHA-256, in base32.
func CID(content []byte) string {
	sum := sha256.Sum256(content)
	hash, err := multihash.Encode(sum[:], multihash.SHA2_256)
	if err != nil {
		return "" // cannot happen: SHA-256 and its length are known to the library
	}
	return cid.NewCidV1(cid.Raw, hash).String()
}

// SHA256 returns the digest of bytes in lower-case hexadecimal, the form in a registry.
func SHA256(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// SameDigest reports whether a text is a SHA-256 digest, which is given in lower-case hexadecimal. The
// text may have any notation that Digest reads.
func SameDigest(text, digest string) bool { return Digest(text) == digest }

// Digest returns a SHA-256 digest in lower-case hexadecimal. The text may be hexadecimal in either case,
// with the prefix 0x, sha256: or that of a multihash, or base64. Any other text is returned unchanged.
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

// Canonical returns a CID in the form by which contents are stored, independent of its base. A text that
// is not a CID is returned unchanged.
func Canonical(text string) string {
	parsed, err := cid.Decode(text)
	if err != nil {
		return text
	}
	return cid.NewCidV1(parsed.Type(), parsed.Hash()).String()
}
