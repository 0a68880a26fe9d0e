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

// Method is one key of a DID document.
type Method struct {
	ID        string
	Key       PublicKey
	Relations []string  // verification relationships that name it, such as assertionMethod
	Expires   time.Time // or was revoked, whichever is earlier; zero: never
}

// Expired reports whether the key may not be used any more.
func (m Method) Expired(now time.Time) bool { return !m.Expires.IsZero() && !now.Before(m.Expires) }

// Document is what is known of a DID.
type Document struct {
	DID     string
	Methods []Method // those for assertions first; keys of other kinds are left out
	Skipped []string // why methods were left out
}

// assertionMethod is the relationship that fits signing a package best.
const assertionMethod = "assertionMethod"

var relations = []string{assertionMethod, "authentication", "capabilityDelegation", "capabilityInvocation"}

// ErrMethod is a DID of a method that has to be resolved, which is not done here.
var ErrMethod = errors.New("did: only DIDs of the method key hold their key; for others give their DID document")

const keyMethod = "did:key:"

// FromKey returns the document that a did:key stands for. A fragment is left aside.
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

// ParseDocument reads a DID document in JSON, or the answer of a resolver that
// holds one. The error says why it is none.
func ParseDocument(text []byte) (Document, error) {
	file, err := document.Parse("did.json", text, document.Limits{Size: 1 << 20, Depth: 32})
	if err != nil {
		return Document{}, fmt.Errorf("did: the DID document is no JSON: %w", err)
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
			id = d.absolute(id)
			used[id] = append(used[id], relation)
		}
	}
	for _, n := range methods {
		d.add(n, used)
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

// absolute completes an id that is a fragment alone.
func (d *Document) absolute(id string) string {
	if strings.HasPrefix(id, "#") {
		return d.DID + id
	}
	return id
}

func (d *Document) add(n *document.Node, used map[string][]string) {
	id := d.absolute(n.Get("id").Str())
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

// algorithms are the words by which the type of a method tells the algorithm.
var algorithms = []struct {
	word      string
	algorithm Algorithm
}{{"ed25519", Ed25519}, {"secp256k1", Secp256k1}, {"secp256r1", P256}, {"p256", P256}, {"p-256", P256}}

// methodKey reads the key of a verification method. A multibase key may lack its
// multicodec; then its length and the type of the method tell what it is.
func methodKey(n *document.Node) (PublicKey, error) {
	if jwk := n.Get("publicKeyJwk"); jwk.Is(document.Object) {
		return webKey(jwk)
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

// multibase returns the key of a verification method as multibase, "" if there is
// none. Documents older than multibase write the bare key in base58 or hexadecimal.
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

// webKey reads a JSON Web Key.
func webKey(jwk *document.Node) (PublicKey, error) {
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
		if curve == string(a) && len(x) == coordinate && len(y) == coordinate {
			return newKey(a, slicesOf(4, new(big.Int).SetBytes(x), new(big.Int).SetBytes(y)))
		}
	}
	return PublicKey{}, fmt.Errorf("did: a JSON Web Key of the curve %q is not known here", curve)
}
