package signature

import (
	"errors"
	"strings"
	"time"

	"github.com/mr-tron/base58"

	"github.com/capconform/capconform/suites/acp/did"
)

const (
	multibasePrefix = "z" // base58btc
	// The lengths of signatures: DER begins at 8 bytes and ends at 72.
	shortest, longest = 8, 72
	longestText       = 256
)

// The reasons for which a signature does not hold.
var (
	ErrEncoding = errors.New("signature: it can't be decoded: it is no base58btc multibase, which begins with z, or not of a signature's length")
	ErrNoKey    = errors.New("signature: the author's document holds no key that is known here")
	ErrMismatch = errors.New("signature: it is none of the file by a key of the author's")
	ErrExpired  = errors.New("signature: the key that made it has expired")
)

// Decode returns the bytes of a signature. The error is ErrEncoding.
func Decode(text string) ([]byte, error) {
	rest, ok := strings.CutPrefix(text, multibasePrefix)
	if !ok || len(text) > longestText {
		return nil, ErrEncoding
	}
	raw, err := base58.Decode(rest)
	if err != nil || len(raw) < shortest || len(raw) > longest {
		return nil, ErrEncoding
	}
	return raw, nil
}

// Made reports whether a key of an author's made a signature of a file by one of some profiles,
// however long ago. The error is that of VerifyAny.
func Made(profiles []Profile, file []byte, signature string, author did.Document) error {
	_, _, err := VerifyAny(profiles, file, signature, author, time.Time{})
	return err
}

// VerifyAny tries profiles in their order, and returns the first by which a signature holds. The
// error is that of Verify by the first profile.
func VerifyAny(
	profiles []Profile, file []byte, signature string, author did.Document, now time.Time,
) (Profile, did.Method, error) {
	var first error
	for _, profile := range profiles {
		method, err := Verify(profile, file, signature, author, now)
		if err == nil {
			return profile, method, nil
		}
		if first == nil {
			first = err
		}
	}
	return "", did.Method{}, first
}

// Verify looks for the key of an author that made a signature of a file. Keys for
// assertions are tried first. The error wraps one of this package's reasons, or
// says why the file has no message in the profile.
func Verify(profile Profile, file []byte, signature string, author did.Document, now time.Time) (did.Method, error) {
	raw, err := Decode(signature)
	if err != nil {
		return did.Method{}, err
	}
	if len(author.Methods) == 0 {
		return did.Method{}, ErrNoKey
	}
	digest, err := Digest(profile, file)
	if err != nil {
		return did.Method{}, err
	}
	failed := ErrMismatch
	for _, method := range author.Methods {
		switch {
		case !method.Key.Verify(digest, raw):
		case method.Expired(now):
			failed = ErrExpired
		default:
			return method, nil
		}
	}
	return did.Method{}, failed
}
