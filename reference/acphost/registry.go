package acphost

import (
	"context"
	"crypto/ed25519"
	"strings"

	"github.com/capconform/capconform/reference/rpc"
)

// Transaction is a request to the registry to record a version.
type Transaction struct {
	URI, Version, CID, Hash string
	Author                  Author // zero if none
	// Signature is the author's signature over the four values.
	Signature []byte
	// Owner is the DID of the author who first published the name, "" if there is none.
	Owner string
	// Existing is the existing record of this version, nil if there is none.
	Existing object
}

// Author is the author of a publication.
type Author struct {
	DID, KeyID string
	Key        ed25519.PrivateKey
}

// TransactionCheck is a check that a transaction must pass.
type TransactionCheck struct {
	Name  string
	Check func(ctx context.Context, t *Transaction) error
}

// NewAuthor returns a new author, a did:key.
func NewAuthor() Author {
	// The source of randomness never fails.
	public, key, _ := ed25519.GenerateKey(nil)
	did := DIDOf(public)
	return Author{did, did + "#" + strings.TrimPrefix(did, "did:key:"), key}
}

// readAuthor returns the author in the params of an operation. The result ok is false if they name none.
func readAuthor(params object) (by Author, ok bool, err error) {
	given := objectOf(params["author"])
	if given == nil {
		return Author{}, false, nil
	}
	key, err := decodePrivateKey(stringOf(given["private_key"]))
	return Author{stringOf(given["did"]), stringOf(given["key_id"]), key}, true, err
}

// member returns an author in the form of the member author of an operation.
func (a Author) member() object {
	return object{"did": a.DID, "key_id": a.KeyID, "private_key": encodeMultibase(a.Key.Seed())}
}

// statement returns the bytes of a transaction that an author signs.
func (t *Transaction) statement() []byte { return rpc.Append(nil, fourValues(t)) }

func fourValues(t *Transaction) object {
	return object{"cap_uri": t.URI, "semver": t.Version, "cid": t.CID, "sha256": t.Hash}
}
