package acphost

import (
	"context"
	"crypto/ed25519"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/capconform/capconform/reference/rpc"
)

// registrar implements the registry.
type registrar struct{ *Host }

func (h registrar) chain() Chain {
	return Chain{
		Gates: []Gate{
			{"form", func(_ context.Context, t *Transaction) error { return wellFormed(t) }},
			{"hash", func(_ context.Context, t *Transaction) error { return hashFits(t) }},
			{"author", h.authentic},
			{"name", func(_ context.Context, t *Transaction) error {
				if t.Owner != "" && t.Owner != t.Author.DID {
					return errors.New("acphost: the name belongs to another author")
				}
				return nil
			}},
			{"version", func(_ context.Context, t *Transaction) error {
				if t.Before != nil {
					return errors.New("acphost: this version is published already")
				}
				return nil
			}},
		},
		Record:  func(t *Transaction) object { return withAuthor(four(t), t) },
		Event:   func(t *Transaction) []object { return []object{withAuthor(four(t), t)} },
		Refused: func(*Transaction) []object { return nil },
	}
}

func withAuthor(record object, t *Transaction) object {
	record["author"] = t.Author.DID
	return record
}

func wellFormed(t *Transaction) error {
	_, version, err := splitURI(t.URI)
	switch {
	case err != nil:
		return err
	case version.Original() != t.Version:
		return errors.New("acphost: semver is not the version of cap_uri")
	case t.CID == "":
		return errors.New("acphost: cid is empty")
	case !isHash(t.Hash):
		return errors.New("acphost: sha256 is not a hexadecimal SHA-256")
	}
	return nil
}

// hashFits compares the hash with the CID if the CID contains the hash of the file.
func hashFits(t *Transaction) error {
	held, err := digestOf(t.CID)
	if err == nil && hex.EncodeToString(held) != strings.ToLower(t.Hash) {
		return errors.New("acphost: cid and sha256 are of different files")
	}
	return nil
}

func (h registrar) authentic(ctx context.Context, t *Transaction) error {
	if t.Author.DID == "" {
		return errors.New("acphost: the transaction has no author")
	}
	keys, err := h.KeysOf(ctx, t.Author.DID)
	if err != nil {
		return err
	}
	for _, key := range keys {
		if ed25519.Verify(key.Public, t.statement(), t.Signature) {
			return nil
		}
	}
	return errors.New("acphost: the transaction is not signed by its author")
}

// publish implements acp.publish.
func (h registrar) publish(ctx context.Context, params object) (any, error) {
	t := &Transaction{URI: word(params["cap_uri"]), Version: word(params["semver"]), CID: word(params["cid"]),
		Hash: word(params["sha256"])}
	by, named, err := readAuthor(params)
	if err != nil {
		return nil, refuse("%s", plainly(err))
	}
	if named {
		t.Author, t.Signature = by, ed25519.Sign(by.Key, t.statement())
	}
	name, _, _ := strings.Cut(t.URI, "@")
	// One transaction at a time: two authors may claim the same name at the same time.
	h.chainTurn.Lock()
	defer h.chainTurn.Unlock()
	if err := h.Store.look(func(tx transaction) error { return readBefore(tx, t, name) }); err != nil {
		return nil, err
	}
	for _, gate := range h.Gates {
		if err := gate.Check(ctx, t); err != nil {
			if failed := h.Store.change(func(tx transaction) error { return emit(tx, h.Refused(t)) }); failed != nil {
				return nil, failed
			}
			return nil, refuse("%s", plainly(err))
		}
	}
	return object{}, h.Store.change(func(tx transaction) error {
		if err := tx.put(bucketRecords, t.URI, rpc.Append(nil, h.Record(t))); err != nil {
			return err
		}
		if t.Owner == "" {
			if err := tx.put(bucketRecords, name, rpc.Append(nil, object{"author": t.Author.DID})); err != nil {
				return err
			}
		}
		return emit(tx, h.Event(t))
	})
}

func readBefore(tx transaction, t *Transaction, name string) error {
	for key, take := range map[string]func(object){
		name:  func(owner object) { t.Owner = word(owner["author"]) },
		t.URI: func(record object) { t.Before = record },
	} {
		text := tx.get(bucketRecords, key)
		if text == nil || key == name && !strings.Contains(t.URI, "@") {
			continue
		}
		record, err := decodeObject(text)
		if err != nil {
			return err
		}
		take(record)
	}
	return nil
}

func emit(tx transaction, events []object) error {
	for _, event := range events {
		if _, err := tx.add(bucketEvents, rpc.Append(nil, event)); err != nil {
			return err
		}
	}
	return nil
}

// getRecord implements acp.get.
func (h registrar) getRecord(_ context.Context, params object) (any, error) {
	uri := word(params["cap_uri"])
	var record object
	err := h.Store.look(func(tx transaction) (err error) {
		if text := tx.get(bucketRecords, uri); text != nil && strings.Contains(uri, "@") {
			record, err = decodeObject(text)
		}
		return err
	})
	if err == nil && record == nil {
		return nil, rpc.Refuse("NOT_FOUND", fmt.Sprintf("%.120q is not published", uri))
	}
	return record, err
}

// events implements acp.events. Positions of events start at one.
func (h registrar) events(_ context.Context, params object) (any, error) {
	since, isWhole := whole(params["since"])
	if params["since"] != nil && (!isWhole || since < 0) {
		return nil, refuse("since must be a non-negative integer")
	}
	events := []any{}
	err := h.Store.look(func(tx transaction) error {
		after := ""
		if since > 0 {
			after = string(binary.BigEndian.AppendUint64(nil, uint64(since)))
		}
		var fault error
		tx.walk(bucketEvents, "", after, func(key string, text []byte) bool {
			var event object
			if event, fault = decodeObject(text); fault == nil {
				event["position"] = int64(binary.BigEndian.Uint64([]byte(key))) // the position counts events
				events = append(events, event)
			}
			return fault == nil
		})
		return fault
	})
	return object{"events": events}, err
}
