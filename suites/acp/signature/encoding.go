package signature

import (
	"encoding/base64"
	"encoding/hex"
	"strings"

	"github.com/mr-tron/base58"
)

const (
	multibasePrefix = "z" // base58btc
	// The limits of the length of a signature in base58btc, in bytes: a DER signature has 8 to 72.
	minLength, maxLength = 8, 72
	// The limits of the length of a signature in other encodings, in bytes. A hash is shorter, and so is
	// a word that happens to be valid in an encoding.
	minOtherLength, maxOtherLength = 64, 132
	maxTextLength                  = 256
)

// Decode returns the bytes of a signature. The text does not define how a signature is written, so
// encodings other than that of the profiles are accepted. The error is ErrEncoding.
func Decode(text string) ([]byte, error) {
	if all := decodings(text); len(all) > 0 {
		return all[0], nil
	}
	return nil, ErrEncoding
}

// HasProfileEncoding reports whether a signature has the encoding of the profiles: base58btc multibase.
func HasProfileEncoding(text string) bool {
	_, ok := decodeBase58btc(text)
	return ok
}

// decodings returns all byte strings that a text may encode. A text may be valid in several encodings.
func decodings(text string) [][]byte {
	if raw, ok := decodeBase58btc(text); ok {
		return [][]byte{raw}
	}
	if len(text) > maxTextLength || strings.HasPrefix(text, multibasePrefix) && !strings.ContainsAny(text, "+/-_=.") {
		return nil // a damaged signature in the encoding of the profiles
	}
	var all [][]byte
	for _, e := range encodings {
		rest, ok := strings.CutPrefix(text, e.prefix)
		if !ok {
			continue
		}
		if raw, err := e.decode(rest); err == nil && len(raw) >= minOtherLength && len(raw) <= maxOtherLength {
			all = append(all, raw)
		}
	}
	return all
}

func decodeBase58btc(text string) ([]byte, bool) {
	rest, ok := strings.CutPrefix(text, multibasePrefix)
	if !ok || len(text) > maxTextLength {
		return nil, false
	}
	raw, err := base58.Decode(rest)
	return raw, err == nil && len(raw) >= minLength && len(raw) <= maxLength
}

// encodings are other encodings of signatures: other multibase encodings, encodings without a prefix,
// and a compact JWS.
var encodings = []struct {
	prefix string
	decode func(string) ([]byte, error)
}{
	{"", hex.DecodeString}, {"0x", hex.DecodeString}, {"f", hex.DecodeString}, {"F", hex.DecodeString},
	{"", base58.Decode}, {"", decodeBase64}, {"u", decodeBase64}, {"U", decodeBase64}, {"m", decodeBase64},
	{"M", decodeBase64},
	{"", signatureOfJWS},
}

// decodeBase64 decodes base64 in both alphabets, with or without padding.
func decodeBase64(text string) ([]byte, error) {
	text = strings.NewReplacer("-", "+", "_", "/").Replace(strings.TrimRight(text, "="))
	return base64.RawStdEncoding.DecodeString(text)
}

// signatureOfJWS returns the signature of a compact JWS.
func signatureOfJWS(text string) ([]byte, error) {
	parts := strings.Split(text, ".")
	if len(parts) != 3 {
		return nil, ErrEncoding
	}
	return decodeBase64(parts[2])
}
