package signature

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	secpecdsa "github.com/decred/dcrd/dcrec/secp256k1/v4/ecdsa"
	"github.com/mr-tron/base58"

	"github.com/capconform/capconform/suites/document"
)

// scalarSize is the length of r and of s, in bytes.
const scalarSize = 32

// Sign signs a file with an ed25519.PrivateKey, an *ecdsa.PrivateKey of P-256 or a
// *secp256k1.PrivateKey. It returns the signed file and the signature. If the file has no
// metadata.signature, Sign inserts one at the beginning of the section. The profile Detached leaves the
// file unchanged.
func Sign(profile Profile, file []byte, key crypto.PrivateKey) (signed []byte, signature string, err error) {
	var t token
	if profile != Detached {
		if file, t, err = prepare(file); err != nil {
			return nil, "", err
		}
	}
	text, err := message(profile, file, t)
	if err != nil {
		return nil, "", err
	}
	raw, err := signDigest(sha256.Sum256(text), key)
	if err != nil {
		return nil, "", err
	}
	signature = multibasePrefix + base58.Encode(raw)
	if profile == Detached {
		return file, signature, nil
	}
	return splice(file, t.start, t.end, t.quote+signature+t.quote), signature, nil
}

func signDigest(digest [32]byte, key crypto.PrivateKey) ([]byte, error) {
	switch key := key.(type) {
	case ed25519.PrivateKey:
		return ed25519.Sign(key, digest[:]), nil
	case *ecdsa.PrivateKey:
		if key.Curve != elliptic.P256() {
			return nil, errors.New("signature: of the curves of ECDSA only P-256 and secp256k1 are known")
		}
		r, s, err := ecdsa.Sign(rand.Reader, key, digest[:])
		if err != nil {
			return nil, fmt.Errorf("signature: %w", err)
		}
		return append(r.FillBytes(make([]byte, scalarSize)), s.FillBytes(make([]byte, scalarSize))...), nil
	case *secp256k1.PrivateKey:
		signature := secpecdsa.Sign(key, digest[:])
		r, s := signature.R(), signature.S()
		first, second := r.Bytes(), s.Bytes()
		return append(first[:], second[:]...), nil
	}
	return nil, fmt.Errorf("signature: a %T is not a signing key", key)
}

// prepare returns the file with a signature to replace, and its position.
func prepare(file []byte) ([]byte, token, error) {
	meta, err := metadata(file)
	if err != nil {
		return nil, token{}, err
	}
	t, err := tokenOf(file, meta)
	if !errors.Is(err, ErrUnsigned) {
		return file, t, err
	}
	for _, breaks := range []lineBreaks{lineFeeds, yamlBreaks} {
		if out, ok := insertEmpty(file, breaks, meta); ok {
			if t, err := locate(out); err == nil {
				return out, t, nil
			}
		}
	}
	return nil, token{}, errors.New("signature: metadata.signature is missing; add it with an empty string as its value")
}

// insertEmpty returns the file with an empty signature before the first member of the section. It
// returns false if there is no suitable place.
func insertEmpty(file []byte, breaks lineBreaks, meta *document.Node) ([]byte, bool) {
	if at := breaks.offset(file, meta.Line, meta.Column); at < len(file) && file[at] == '{' {
		member := `"signature": "", `
		if len(meta.Members) == 0 {
			member = strings.TrimSuffix(member, ", ")
		}
		return splice(file, at+1, at+1, member), true
	}
	if len(meta.Members) == 0 {
		return nil, false
	}
	at := breaks.offset(file, meta.Members[0].Line, meta.Members[0].Column)
	begin := bytes.LastIndexByte(file[:at], '\n') + 1
	indent := string(file[begin:at])
	if strings.Trim(indent, " ") != "" {
		return nil, false
	}
	ending := "\n"
	if next := bytes.IndexByte(file[at:], '\n'); next > 0 && file[at+next-1] == '\r' {
		ending = "\r\n"
	}
	return splice(file, begin, begin, indent+`signature: ""`+ending), true
}
