// Package chp2host is a capability host of the Capability Host Protocol that speaks its wire version 0.2 over the HTTP
// binding: a hash chain for each correlation, signed bundles, the gates of the pipeline in their order, and replay of
// recorded results. Its state is in memory. It shares no code with the suite.
package chp2host

import (
	"cmp"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"slices"
	"sync"
	"time"
)

// The tiers of evidence.
const (
	None      = "none"
	HashChain = "hash-chain"
	Signed    = "signed"
)

// object is a JSON object.
type object = map[string]any

// Settings are what a lawful host may choose. The zero value is a signed host that speaks both versions.
type Settings struct {
	ID        string
	Tier      string   // None, HashChain or Signed
	Prefers   string   // the version that the descriptor names: 0.2 or 0.1
	Versions  []string // those that it lists; an empty list that is not nil leaves the member out
	Canon     string   // of the header of a bundle: chp-stable-v1 or chp-jcs-v1
	OldHashes bool     // events have the first scheme of hashes
	// ChainOfStore: the events of all correlations are one chain, except in a bundle of one correlation, which the host
	// does not serve then.
	ChainOfStore bool
	HidesHashes  bool              // replays leave the hashes out
	Keys         map[string]string // by the names of callers; empty admits everyone
	Strict       bool              // results are held to the output schema
	Unassessed   bool              // there is no safety evaluator
	Nulls        bool              // optional members without a value are null
	CountsAll    bool              // the count of a part of a replay is that of all its events
	// ForgetsStreams: a stream is neither replayed nor resumed.
	ForgetsStreams bool
	Capabilities   []*Capability // nil for the fixtures
}

// Host is a capability host. It is safe for concurrent use.
type Host struct {
	Settings
	key      ed25519.PrivateKey
	began    time.Time
	mu       sync.Mutex
	sequence int
	chains   map[string][]object // the events, by their correlation
	last     map[string]string   // the hash of the last event of a chain
	results  map[string]object   // by invocation
	streams  map[string][]any    // the chunks of each stream, by invocation
}

// New returns a host.
func New(s Settings) *Host {
	s.ID, s.Tier, s.Prefers = cmp.Or(s.ID, "chp2host"), cmp.Or(s.Tier, Signed), cmp.Or(s.Prefers, "0.2")
	s.Canon = cmp.Or(s.Canon, "chp-stable-v1")
	if s.Versions == nil {
		s.Versions = []string{"0.1", "0.2"}
	}
	if s.Capabilities == nil {
		s.Capabilities = Fixtures()
	}
	seed := sha256.Sum256([]byte("a key for tests: " + s.ID))
	return &Host{Settings: s, key: ed25519.NewKeyFromSeed(seed[:]), began: time.Now(), chains: map[string][]object{},
		last: map[string]string{}, results: map[string]object{}, streams: map[string][]any{}}
}

// speaks reports whether the host accepts a wire version.
func (h *Host) speaks(version string) bool {
	if len(h.Versions) == 0 {
		return version == h.Prefers
	}
	return slices.Contains(h.Versions, version)
}

// publicKey returns the public key in base64, and its id.
func (h *Host) publicKey() (key, id string) {
	public := h.key.Public().(ed25519.PublicKey)
	sum := sha256.Sum256(public)
	return base64.StdEncoding.EncodeToString(public), hex.EncodeToString(sum[:])[:16]
}

// sign returns the signature of a text in base64.
func (h *Host) sign(text string) string {
	return base64.StdEncoding.EncodeToString(ed25519.Sign(h.key, []byte(text)))
}

// identity returns the attestation that binds the host to its key.
func (h *Host) identity() object {
	key, id := h.publicKey()
	claim := object{"host_id": h.ID, "public_key": key, "key_id": id, "valid_from": stamp(h.began), "valid_until": nil}
	claim["signature"] = h.sign(stable(claim))
	return claim
}

// keys adds to an object what a host of the tier shows of its key.
func (h *Host) keys(to object) object {
	to["assurance"] = h.Tier
	if h.Tier == Signed {
		to["public_key"], to["key_id"] = h.publicKey()
		to["host_identity"] = h.identity()
	}
	return to
}

// descriptor returns the descriptor of the host.
func (h *Host) descriptor(caller string) object {
	all := object{"id": h.ID, "version": "1.0.0", "host_version": "1.0.0", "protocol_version": h.Prefers, "kind": "local",
		"capabilities": h.visible(caller), "evidence": object{"store": "memory", "append_only": true}}
	if len(h.Versions) > 0 {
		all["supported_versions"] = h.Versions
	}
	return h.keys(all)
}

// visible returns the descriptors of the capabilities that a caller may invoke, all of them for an unknown caller.
func (h *Host) visible(caller string) []any {
	all := []any{}
	for _, c := range h.Capabilities {
		if caller == "" || c.allows(caller) {
			all = append(all, c.Descriptor)
		}
	}
	return all
}

// stamp returns a time as the texts of the host show it.
func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000000Z") }
