package acphost

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gowebpki/jcs"
	"github.com/mr-tron/base58"
	"go.yaml.in/yaml/v3"

	"github.com/capconform/capconform/reference/rpc"
)

// The signature profiles define which bytes of a file are signed. The text does not define them, so this
// project does.
const (
	BlankToken = "blank-token-ed25519" // the file with "" in place of the signature
	RemoveLine = "remove-line"         // the file without the line of the signature
	Canonical  = "jcs"                 // the document in the form of RFC 8785, without the signature
)

// emptySignature replaces the signature while a file is signed.
const emptySignature = `""`

// span is the position of the token of metadata.signature in a file, in bytes.
type span struct{ start, end int }

// findToken returns the position of the signature's token in a text, nil if there is none.
func (f *file) findToken(text []byte) *span {
	node := f.signature
	if node == nil || node.Kind != yaml.ScalarNode || node.Value == "" && node.Style == 0 {
		return nil
	}
	start := offset(text, node.Line, node.Column)
	if start > len(text) {
		return nil
	}
	end := start + len(node.Value)
	switch node.Style {
	case yaml.DoubleQuotedStyle:
		end = start + 1 + bytes.IndexByte(text[start+1:], '"') + 1
	case yaml.SingleQuotedStyle:
		end = start + 1 + bytes.IndexByte(text[start+1:], '\'') + 1
	}
	if end <= start || end > len(text) {
		return nil
	}
	return &span{start, end}
}

// offset returns the byte offset of a line and a column. Both start at one; columns count characters. If
// the line does not exist, the offset is greater than the length of the text.
func offset(text []byte, line, column int) int {
	at := 0
	for ; line > 1; line-- {
		next := bytes.IndexByte(text[at:], '\n')
		if next < 0 {
			return len(text) + 1
		}
		at += next + 1
	}
	for ; column > 1 && at < len(text); column-- {
		_, size := utf8.DecodeRune(text[at:])
		at += size
	}
	return at
}

// message returns the bytes of a file that a profile signs.
func message(profile string, text []byte, f *file) ([]byte, error) {
	if profile == Canonical {
		unsigned, metadata := maps.Clone(f.document), maps.Clone(objectOf(f.document["metadata"]))
		delete(metadata, "signature")
		unsigned["metadata"] = metadata
		canonical, err := jcs.Transform(rpc.Append(nil, unsigned))
		if err != nil {
			return nil, fmt.Errorf("acphost: canonical form: %w", err)
		}
		return canonical, nil
	}
	switch token := f.findToken(text); {
	case token == nil:
		return nil, errors.New("acphost: the file has no signature")
	case profile == BlankToken:
		return slices.Concat(text[:token.start], []byte(emptySignature), text[token.end:]), nil
	case profile == RemoveLine:
		start := bytes.LastIndexByte(text[:token.start], '\n') + 1
		end := len(text)
		if next := bytes.IndexByte(text[token.end:], '\n'); next >= 0 {
			end = token.end + next + 1
		}
		return slices.Concat(text[:start], text[end:]), nil
	}
	return nil, fmt.Errorf("acphost: unknown signature profile %q", profile)
}

// digest returns the SHA-256 of the bytes that a profile signs.
func digest(profile string, text []byte, f *file) ([]byte, error) {
	signed, err := message(profile, text, f)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(signed)
	return sum[:], nil
}

// IsSignature reports whether a text has the form of an Ed25519 signature in base58btc.
func IsSignature(text string) bool {
	_, ok := decodeSignature(text)
	return ok
}

func decodeSignature(text string) ([]byte, bool) {
	encoded, isBase58 := strings.CutPrefix(text, "z")
	signature, err := base58.Decode(encoded)
	return signature, isBase58 && err == nil && len(signature) == ed25519.SignatureSize
}

// Sign returns a file with its signature. It replaces an existing signature or a placeholder.
func Sign(profile string, text []byte, key ed25519.PrivateKey) ([]byte, error) {
	root, document, err := readDocument(text)
	if err != nil {
		return nil, err
	}
	f := fileOf(root, document)
	if f.findToken(text) == nil {
		if text, err = insertSignature(text, root); err != nil {
			return nil, err
		}
		if f, err = readFile(text); err != nil {
			return nil, err
		}
		if f.findToken(text) == nil {
			return nil, errors.New("acphost: no place for the signature")
		}
	}
	sum, err := digest(profile, text, f)
	if err != nil {
		return nil, err
	}
	signature := "z" + base58.Encode(ed25519.Sign(key, sum))
	token := f.findToken(text)
	return slices.Concat(text[:token.start], []byte(signature), text[token.end:]), nil
}

// insertSignature returns a file with an empty signature before the first member of metadata.
func insertSignature(text []byte, root *yaml.Node) ([]byte, error) {
	metadata := child(root, "metadata")
	if metadata == nil || metadata.Kind != yaml.MappingNode || len(metadata.Content) == 0 {
		return nil, errors.New("acphost: metadata is not a mapping with members")
	}
	first := metadata.Content[0]
	at := offset(text, first.Line, first.Column)
	entry := "signature: " + emptySignature + "\n" + strings.Repeat(" ", first.Column-1)
	if metadata.Style&yaml.FlowStyle != 0 {
		entry = "signature: " + emptySignature + ", "
	}
	return slices.Concat(text[:at], []byte(entry), text[at:]), nil
}
