// Package signature signs packages of ACP and verifies their signatures. According to ACP, the author
// signs the SHA-256 of the file, and the signature is inside the file. ACP does not define which bytes
// are signed, how, or in which form. This project therefore defines profiles. In each profile, the
// digest is the SHA-256 of the message. Ed25519 signs the digest as its message, and ECDSA uses it as
// the prehash. The signature is base58btc multibase.
package signature

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/capconform/capconform/suites/document"
)

// Profile defines which bytes of a file are signed.
type Profile string

// The profiles.
const (
	BlankToken Profile = "blank-token-ed25519" // the file with "" in place of metadata.signature
	RemoveLine Profile = "remove-line"         // the file without the line of metadata.signature
	JCS        Profile = "jcs"                 // RFC 8785 of the document without metadata.signature
	Detached   Profile = "detached"            // the unchanged file; the signature is stored elsewhere
)

// Profiles returns all profiles, the default first.
func Profiles() []Profile { return []Profile{BlankToken, RemoveLine, JCS, Detached} }

// Message returns the bytes of a file that a profile signs.
func Message(profile Profile, file []byte) ([]byte, error) {
	var t token
	if profile == BlankToken || profile == RemoveLine {
		var err error
		if t, err = locate(file); err != nil {
			return nil, err
		}
	}
	return message(profile, file, t)
}

// message returns the bytes that a profile signs in a file whose signature is at t.
func message(profile Profile, file []byte, t token) ([]byte, error) {
	switch profile {
	case BlankToken:
		return splice(file, t.start, t.end, `""`), nil
	case RemoveLine:
		return removeLine(file, t)
	case JCS:
		return canonical(file)
	case Detached:
		return file, nil
	}
	return nil, fmt.Errorf("signature: no profile %q", string(profile))
}

// Digest returns the SHA-256 of the message, which is signed. It differs from the SHA-256 of the file.
func Digest(profile Profile, file []byte) ([sha256.Size]byte, error) {
	message, err := Message(profile, file)
	if err != nil {
		return [sha256.Size]byte{}, err
	}
	return sha256.Sum256(message), nil
}

// Value returns metadata.signature of a file, in any YAML style.
func Value(file []byte) (string, error) {
	meta, err := metadata(file)
	if err != nil {
		return "", err
	}
	n := meta.Get("signature")
	if n.Absent() || !n.Is(document.String) {
		return "", ErrUnsigned
	}
	return n.Text, nil
}

func splice(file []byte, start, end int, by string) []byte {
	out := make([]byte, 0, len(file)-(end-start)+len(by))
	return append(append(append(out, file[:start]...), by...), file[end:]...)
}

// removeLine returns the file without the line of the token. The line must contain nothing else.
func removeLine(file []byte, t token) ([]byte, error) {
	begin := bytes.LastIndexByte(file[:t.start], '\n') + 1
	end := len(file)
	if next := bytes.IndexByte(file[t.end:], '\n'); next >= 0 {
		end = t.end + next + 1
	}
	before, behind := bytes.TrimSpace(file[begin:max(begin, t.key)]), bytes.TrimLeft(file[t.end:end], " \t\r\n,")
	if t.key < begin || len(before) > 0 || len(behind) > 0 && behind[0] != '#' {
		return nil, errors.New("signature: the line of metadata.signature contains more than that")
	}
	return splice(file, begin, end, ""), nil
}

// canonical returns the document in the form of RFC 8785, without its signature.
func canonical(file []byte) ([]byte, error) {
	parsed, err := document.Parse("package.yaml", file, document.Limits{})
	if err != nil {
		return nil, fmt.Errorf("signature: %w", err)
	}
	if len(parsed.Roots) != 1 {
		return nil, errors.New("signature: the file contains several documents")
	}
	value := parsed.Roots[0].Value()
	if root, ok := value.(map[string]any); ok {
		if meta, ok := root["metadata"].(map[string]any); ok {
			delete(meta, "signature")
		}
	}
	text, err := json.Marshal(value)
	if err != nil {
		return nil, fmt.Errorf("signature: %w", err)
	}
	out := jsontext.Value(text)
	if err := out.Canonicalize(); err != nil {
		return nil, fmt.Errorf("signature: %w", err)
	}
	return out, nil
}
