package acphost

import (
	"context"
	"crypto/ed25519"
	"strings"

	"github.com/capconform/capconform/reference/rpc"
)

// Transaction asks the registry to record a version.
type Transaction struct {
	URI, Version, CID, Hash string
	Author                  Author // zero: nobody's
	// Signature is the author's, over the four values.
	Signature []byte
	// Owner is who published the name first, empty if nobody did.
	Owner string
	// Before is what is recorded of this version, nil if nothing is.
	Before object
}

// Author is who publishes.
type Author struct {
	DID, KeyID string
	Key        ed25519.PrivateKey
}

// Gate is something that a transaction has to pass.
type Gate struct {
	Name  string
	Check func(ctx context.Context, t *Transaction) error
}

// NewAuthor makes an author that nobody knows, a did:key.
func NewAuthor() Author {
	// The source of randomness does not fail.
	public, key, _ := ed25519.GenerateKey(nil)
	did := DIDOf(public)
	return Author{did, did + "#" + strings.TrimPrefix(did, "did:key:"), key}
}

// readAuthor reads whom an operation is done for, ok false if it names nobody.
func readAuthor(params object) (by Author, ok bool, err error) {
	given := members(params["author"])
	if given == nil {
		return Author{}, false, nil
	}
	key, err := privateKey(word(given["private_key"]))
	return Author{word(given["did"]), word(given["key_id"]), key}, true, err
}

// member is an author as an operation takes it.
func (a Author) member() object {
	return object{"did": a.DID, "key_id": a.KeyID, "private_key": multibase(a.Key.Seed())}
}

// statement is what an author signs of a transaction.
func (t *Transaction) statement() []byte { return rpc.Append(nil, four(t)) }

func four(t *Transaction) object {
	return object{"cap_uri": t.URI, "semver": t.Version, "cid": t.CID, "sha256": t.Hash}
}
