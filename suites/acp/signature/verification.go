package signature

import (
	"errors"
	"slices"
	"time"

	"github.com/capconform/capconform/suites/acp/did"
)

// The reasons why a signature is not valid.
var (
	ErrEncoding = errors.New("signature: it cannot be decoded, or does not have the length of a signature")
	ErrNoKey    = errors.New("signature: the author's document contains no key of a known type")
	ErrMismatch = errors.New("signature: no key of the author signed the file")
	ErrExpired  = errors.New("signature: the signing key has expired")
)

// VerifyIgnoringExpiry returns nil if a key of an author made a signature of a file by one of the
// profiles. It accepts keys that have expired since. Its error is that of VerifyAny.
func VerifyIgnoringExpiry(profiles []Profile, file []byte, signature string, author did.Document) error {
	_, _, err := VerifyAny(profiles, file, signature, author, time.Time{})
	return err
}

// VerifyAny tries profiles in order and returns the first one by which a signature is valid. If there is
// none, the error is that of Verify by the first profile.
func VerifyAny(
	profiles []Profile, file []byte, signature string, author did.Document, now time.Time,
) (Profile, did.Method, error) {
	var firstErr error
	for _, profile := range profiles {
		method, err := Verify(profile, file, signature, author, now)
		if err == nil {
			return profile, method, nil
		}
		if firstErr == nil {
			firstErr = err
		}
	}
	return "", did.Method{}, firstErr
}

// Verify returns the key of an author that made a signature of a file. It tries keys for assertions
// first. The error is one of the reasons of this package, or states why the file has no message in the
// profile.
func Verify(profile Profile, file []byte, signature string, author did.Document, now time.Time) (did.Method, error) {
	decoded := decodings(signature)
	if len(decoded) == 0 {
		return did.Method{}, ErrEncoding
	}
	if len(author.Methods) == 0 {
		return did.Method{}, ErrNoKey
	}
	digest, err := Digest(profile, file)
	if err != nil {
		return did.Method{}, err
	}
	reason := ErrMismatch
	for _, method := range author.Methods {
		switch {
		case !slices.ContainsFunc(decoded, func(raw []byte) bool { return method.Key.Verify(digest, raw) }):
		case method.Expired(now):
			reason = ErrExpired
		default:
			return method, nil
		}
	}
	return did.Method{}, reason
}
