package signature

import (
	"encoding/base64"
	"encoding/hex"
	"strings"

	"github.com/mr-tron/base58"
)

const (
	multibasePrefix = "z" // base58btc
	// The lengths of signatures in base58btc: DER begins at 8 bytes and ends at 72.
	shortest, longest = 8, 72
	// The lengths of signatures in other encodings. A hash is shorter, and so is a word that
	// happens to be in the alphabet of an encoding.
	shortestOther, longestOther = 64, 132
	longestText                 = 256
)

// Decode returns the bytes of a signature. The text does not say how a signature is written, so
// encodings other than that of the profiles are read too. The error is ErrEncoding.
func Decode(text string) ([]byte, error) {
	if all := readings(text); len(all) > 0 {
		return all[0], nil
	}
	return nil, ErrEncoding
}

// InProfile reports whether a signature is written as the profiles write it: in base58btc
// multibase.
func InProfile(text string) bool {
	_, ok := inBase58btc(text)
	return ok
}

// readings returns what a text may encode. Some texts are in the alphabets of several encodings.
func readings(text string) [][]byte {
	if raw, ok := inBase58btc(text); ok {
		return [][]byte{raw}
	}
	if len(text) > longestText || strings.HasPrefix(text, multibasePrefix) && !strings.ContainsAny(text, "+/-_=.") {
		return nil // a damaged signature of the profiles
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

// encodings are other encodings of signatures: those of multibase, those without a prefix, and the
// last part of a JWS.
var encodings = []struct {
	prefix string
	decode func(string) ([]byte, error)
}{
	{"", hex.DecodeString}, {"0x", hex.DecodeString}, {"f", hex.DecodeString}, {"F", hex.DecodeString},
	{"", base58.Decode}, {"", inBase64}, {"u", inBase64}, {"U", inBase64}, {"m", inBase64}, {"M", inBase64},
	{"", ofJWS},
}

// inBase64 reads both alphabets, with padding or without.
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
