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
	shortest, longest = 8, 72
	// The limits of the length of a signature in other encodings, in bytes. A hash is shorter, and so is
	// a word that happens to be valid in an encoding.
	shortestOther, longestOther = 64, 132
	longestText                 = 256
)

// Decode returns the bytes of a signature. The text does not define how a signature is written, so
// encodings other than that of the profiles are accepted. The error is ErrEncoding.
func Decode(text string) ([]byte, error) {
	if all := readings(text); len(all) > 0 {
		return all[0], nil
	}
	return nil, ErrEncoding
}

// InProfile reports whether a signature has the encoding of the profiles: base58btc multibase.
func InProfile(text string) bool {
	_, ok := inBase58btc(text)
	return ok
}

// readings returns all byte strings that a text may encode. A text may be valid in several encodings.
func readings(text string) [][]byte {
	if raw, ok := inBase58btc(text); ok {
		return [][]byte{raw}
	}
	if len(text) > longestText || strings.HasPrefix(text, multibasePrefix) && !strings.ContainsAny(text, "+/-_=.") {
		return nil // a damaged signature in the encoding of the profiles
	}
	var all [][]byte
	for _, e := range encodings {
		rest, ok := strings.CutPrefix(text, e.prefix)
		if !ok {
			continue
		}
		if raw, err := e.decode(rest); err == nil && len(raw) >= shortestOther && len(raw) <= longestOther {
			all = append(all, raw)
		}
	}
	return all
}

func inBase58btc(text string) ([]byte, bool) {
	rest, ok := strings.CutPrefix(text, multibasePrefix)
	if !ok || len(text) > longestText {
		return nil, false
	}
	raw, err := base58.Decode(rest)
	return raw, err == nil && len(raw) >= shortest && len(raw) <= longest
}

// encodings are other encodings of signatures: other multibase encodings, encodings without a prefix,
// and a compact JWS.
var encodings = []struct {
	prefix string
	decode func(string) ([]byte, error)
}{
	{"", hex.DecodeString}, {"0x", hex.DecodeString}, {"f", hex.DecodeString}, {"F", hex.DecodeString},
	{"", base58.Decode}, {"", inBase64}, {"u", inBase64}, {"U", inBase64}, {"m", inBase64}, {"M", inBase64},
	{"", ofJWS},
}

// inBase64 decodes base64 in both alphabets, with or without padding.
func inBase64(text string) ([]byte, error) {
	text = strings.NewReplacer("-", "+", "_", "/").Replace(strings.TrimRight(text, "="))
	return base64.RawStdEncoding.DecodeString(text)
}

// ofJWS returns the signature of a compact JWS.
func ofJWS(text string) ([]byte, error) {
	parts := strings.Split(text, ".")
	if len(parts) != 3 {
		return nil, ErrEncoding
	}
	return inBase64(parts[2])
}
