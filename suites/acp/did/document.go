package did

import (
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/mr-tron/base58"

	"github.com/capconform/capconform/suites/document"
)

// Method is one verification method of a DID document.
type Method struct {
	ID        string
	Key       PublicKey
	Relations []string  // the verification relationships that name it, such as assertionMethod
	Expires   time.Time // the time of expiry or revocation, whichever is earlier; zero if none
}

// Expired reports whether the key has expired or was revoked.
func (m Method) Expired(now time.Time) bool { return !m.Expires.IsZero() && !now.Before(m.Expires) }

// Document is the content of a DID document.
type Document struct {
	DID     string
	Methods []Method // the methods for assertions first; methods with unknown kinds of keys are omitted
	Skipped []string // why methods were omitted
}

// assertionMethod is the verification relationship that suits the signing of packages best.
const assertionMethod = "assertionMethod"

var relations = []string{assertionMethod, "authentication", "capabilityDelegation", "capabilityInvocation"}

// ErrMethod reports a DID of a method that must be resolved, which this package does not do.
var ErrMethod = errors.New("did: only DIDs of the method key contain their key; for others, supply the DID document")

const keyMethod = "did:key:"

// FromKey returns the document of a did:key. It ignores a fragment.
func FromKey(text string) (Document, error) {
	text, _, _ = strings.Cut(text, "#")
	encoded, ok := strings.CutPrefix(text, keyMethod)
	switch {
	case !ok && strings.HasPrefix(text, "did:"):
		return Document{}, ErrMethod
	case !ok:
		return Document{}, errors.New("did: a DID begins with the word did and a colon")
	}
	key, err := ParseMultibase(encoded)
	if err != nil {
		return Document{}, err
	}
	method := Method{ID: text + "#" + encoded, Key: key, Relations: relations}
	return Document{DID: text, Methods: []Method{method}}, nil
}

// ParseDocument parses a DID document in JSON, or the answer of a resolver that contains one.
func ParseDocument(text []byte) (Document, error) {
	file, err := document.Parse("did.json", text, document.Limits{Size: 1 << 20, Depth: 32})
	if err != nil {
		return Document{}, fmt.Errorf("did: the DID document is not JSON: %w", err)
	}
	root := file.Roots[0]
	if inner := root.Get("didDocument"); inner.Is(document.Object) {
		root = inner
	}
	d := Document{DID: root.Get("id").Str()}
	if !strings.HasPrefix(d.DID, "did:") {
		return Document{}, errors.New("did: the DID document has no id that is a DID")
	}
	used := map[string][]string{}
	methods := items(root.Get("verificationMethod"))
	for _, relation := range relations {
		for _, entry := range items(root.Get(relation)) {
			id := entry.Str()
			if entry.Is(document.Object) {
				id = entry.Get("id").Str()
				methods = append(methods, entry)
			}
			id = d.absoluteID(id)
			used[id] = append(used[id], relation)
		}
	}
	for _, n := range methods {
		d.addMethod(n, used)
	}
	slices.SortStableFunc(d.Methods, func(a, b Method) int { return rank(a) - rank(b) })
	return d, nil
}

func rank(m Method) int {
	if slices.Contains(m.Relations, assertionMethod) {
		return 0
	}
	return 1
}

func items(n *document.Node) []*document.Node {
	if n == nil {
		return nil
	}
	return n.Items
}

// absoluteID returns an id with the DID in front if it is only a fragment.
func (d *Document) absoluteID(id string) string {
	if strings.HasPrefix(id, "#") {
		return d.DID + id
	}
	return id
}

func (d *Document) addMethod(n *document.Node, used map[string][]string) {
	id := d.absoluteID(n.Get("id").Str())
	key, err := methodKey(n)
	if err != nil {
		d.Skipped = append(d.Skipped, fmt.Sprintf("%s: %v", id, err))
		return
	}
	m := Method{ID: id, Key: key, Relations: used[id]}
	for _, end := range []string{"expires", "revoked"} {
		text := n.Get(end).Str()
		if text == "" {
			continue
		}
		at, err := time.Parse(time.RFC3339, text)
		if err != nil {
			d.Skipped = append(d.Skipped, fmt.Sprintf("%s: did: %s is no time", id, end))
			return
		}
		if m.Expires.IsZero() || at.Before(m.Expires) {
			m.Expires = at
		}
	}
	d.Methods = append(d.Methods, m)
}

// algorithms maps words in the type of a verification method to algorithms.
var algorithms = []struct {
	word      string
	algorithm Algorithm
}{{"ed25519", Ed25519}, {"secp256k1", Secp256k1}, {"secp256r1", P256}, {"p256", P256}, {"p-256", P256}}

// methodKey returns the key of a verification method. If a multibase key lacks its multicodec, its
// length and the type of the method determine the algorithm.
func methodKey(n *document.Node) (PublicKey, error) {
	if jwk := n.Get("publicKeyJwk"); jwk.Is(document.Object) {
		return jwkKey(jwk)
	}
	text := multibase(n)
	if text == "" {
		return PublicKey{}, errors.New("did: no publicKeyMultibase and no publicKeyJwk")
	}
	key, failed := ParseMultibase(text)
	if failed == nil {
		return key, nil
	}
	raw, err := decodeMultibase(text)
	if err != nil {
		return PublicKey{}, err
	}
	kind := strings.ToLower(n.Get("type").Str())
	for _, a := range algorithms {
		if strings.Contains(kind, a.word) {
			if key, err := newKey(a.algorithm, raw); err == nil {
				key.Unsupported = "it lacks its multicodec prefix"
				return key, nil
			}
		}
	}
	return PublicKey{}, failed
}

// multibase returns the key of a verification method as multibase, "" if there is none. Older documents
// contain the key in base58 or hexadecimal without multibase.
func multibase(n *document.Node) string {
	if text := n.Get("publicKeyMultibase").Str(); text != "" {
		return text
	}
	if text := n.Get("publicKeyBase58").Str(); text != "" {
		return "z" + text
	}
	if raw, err := hex.DecodeString(n.Get("publicKeyHex").Str()); err == nil && len(raw) > 0 {
		return "z" + base58.Encode(raw)
	}
	return ""
}

// jwkKey returns the key in a JSON Web Key.
func jwkKey(jwk *document.Node) (PublicKey, error) {
	part := func(name string) []byte {
		raw, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(jwk.Get(name).Str(), "="))
		if err != nil {
			return nil
		}
		return raw
	}
	x, y := part("x"), part("y")
	curve := jwk.Get("crv").Str()
	if curve == string(Ed25519) {
		return newKey(Ed25519, x)
	}
	for _, a := range []Algorithm{P256, Secp256k1} {
		if curve == string(a) && len(x) == coordinateSize && len(y) == coordinateSize {
			return newKey(a, encodePoint(4, new(big.Int).SetBytes(x), new(big.Int).SetBytes(y)))
		}
	}
	return PublicKey{}, fmt.Errorf("did: a JSON Web Key of the curve %q is not known here", curve)
}
