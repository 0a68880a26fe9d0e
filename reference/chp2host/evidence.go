package chp2host

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/google/uuid"
	"github.com/gowebpki/jcs"
)

// emit adds an event to the chain of an invocation, and its id to those of the result. The lock is held.
func (h *Host) emit(of *invocation, kind string, outcome any, payload object, members object) {
	h.sequence++
	event := object{"event_id": "evt-" + uuid.NewString(), "event_type": kind, "invocation_id": of.id,
		"capability_id": of.capability, "host_id": h.ID, "correlation": of.correlation, "timestamp": stamp(time.Now()),
		"sequence": h.sequence, "outcome": outcome, "payload": payload, "redacted": true, "subject": of.subject,
		"assurance": object{"level": "S1", "evidence_policy": "local-append-only"}}
	if of.actor != nil {
		event["actor"] = of.actor
	}
	maps.Copy(event, members)
	correlation := of.correlation["correlation_id"].(string)
	if h.Tier != None {
		chain := correlation
		if h.ChainOfStore {
			chain = ""
		}
		h.link(event, chain)
	}
	h.chains[correlation] = append(h.chains[correlation], event)
	of.evidence = append(of.evidence, event["event_id"])
}

// link gives an event its hashes.
func (h *Host) link(event object, chain string) {
	event["prev_hash"] = nil
	if before := h.last[chain]; before != "" {
		event["prev_hash"] = before
	}
	hashed := object{"correlation_id": event["correlation"].(object)["correlation_id"], "prev_hash": event["prev_hash"]}
	for _, name := range []string{"event_id", "event_type", "invocation_id", "capability_id", "host_id", "timestamp", "outcome"} {
		hashed[name] = event[name]
	}
	if h.OldHashes {
		hashed["payload"] = event["payload"]
	} else {
		event["hash_scheme"], event["payload_commitment"] = "chp-event-hash-v2", digest(stable(event["payload"]))
		hashed["payload_commitment"] = event["payload_commitment"]
	}
	h.last[chain] = digest(stable(hashed))
	event["content_hash"] = h.last[chain]
}

// replay returns the events of a correlation from a place in the sequence on, at most limit if that is not 0.
func (h *Host) replay(correlation string, since, limit int, payloads bool) object {
	events := []any{}
	for _, event := range h.chains[correlation] {
		if event["sequence"].(int) < since || limit > 0 && len(events) == limit {
			continue
		}
		shown := maps.Clone(event)
		if h.HidesHashes {
			for _, name := range []string{"content_hash", "prev_hash", "hash_scheme", "payload_commitment"} {
				delete(shown, name)
			}
		}
		if !payloads {
			shown["payload"] = object{}
		}
		events = append(events, shown)
	}
	count := len(events)
	if h.CountsAll {
		count = len(h.chains[correlation])
	}
	return object{"correlation_id": correlation, "events": events, "event_count": count, "replayed_at": stamp(time.Now())}
}

// bundle returns the evidence of a correlation, signed if the host has a key.
func (h *Host) bundle(correlation string) object {
	events, hashes := []any{}, ""
	for _, event := range h.chains[correlation] {
		events = append(events, event)
		if hash, is := event["content_hash"].(string); is {
			hashes += hash + "\n"
		}
	}
	all := object{"host_id": h.ID, "protocol_version": "0.2", "created_at": stamp(time.Now()), "canonicalization": h.Canon,
		"root_hash": digest(hashes)}
	header := maps.Clone(all)
	all["assurance"], all["events"] = h.Tier, events
	if h.Tier != Signed {
		return all
	}
	text := stable(header)
	if h.Canon == "chp-jcs-v1" {
		plain, _ := json.Marshal(header) // it has texts alone
		canonical, _ := jcs.Transform(plain)
		text = string(canonical)
	}
	key, id := h.publicKey()
	all["public_key"], all["host_identity"] = key, h.identity()
	all["signature"] = object{"algorithm": "ed25519", "key_id": id, "signature": h.sign(text)}
	return all
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// stable returns a value in the form chp-stable-v1: that of Go's encoder, with a space after each separator and in
// ASCII. The value has objects, lists, texts, whole numbers, true, false and null.
func stable(value any) string {
	switch v := value.(type) {
	case object:
		var all []string
		for _, name := range slices.Sorted(maps.Keys(v)) {
			all = append(all, stable(name)+": "+stable(v[name]))
		}
		return "{" + strings.Join(all, ", ") + "}"
	case []any:
		var all []string
		for _, one := range v {
			all = append(all, stable(one))
		}
		return "[" + strings.Join(all, ", ") + "]"
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(value)
	var ascii strings.Builder
	for _, r := range strings.TrimSpace(text.String()) {
		if r <= '~' {
			ascii.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&ascii, `\u%04x`, unit)
		}
	}
	return ascii.String()
}
