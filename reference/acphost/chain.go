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
		Checks: []TransactionCheck{
			{"form", func(_ context.Context, t *Transaction) error { return checkForm(t) }},
			{"hash", func(_ context.Context, t *Transaction) error { return checkHash(t) }},
			{"author", h.checkSignature},
			{"name", func(_ context.Context, t *Transaction) error {
				if t.Owner != "" && t.Owner != t.Author.DID {
					return errors.New("acphost: the name belongs to another author")
				}
				return nil
			}},
			{"version", func(_ context.Context, t *Transaction) error {
				if t.Existing != nil {
					return errors.New("acphost: this version is published already")
				}
				return nil
			}},
		},
		RecordOf:      func(t *Transaction) object { return withAuthor(fourValues(t), t) },
		EventsOf:      func(t *Transaction) []object { return []object{withAuthor(fourValues(t), t)} },
		RefusalEvents: func(*Transaction) []object { return nil },
	}
}

func withAuthor(record object, t *Transaction) object {
	record["author"] = t.Author.DID
	return record
}

func checkForm(t *Transaction) error {
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

// checkHash compares the hash with the CID if the CID contains the hash of the file.
func checkHash(t *Transaction) error {
	held, err := digestOf(t.CID)
	if err == nil && hex.EncodeToString(held) != strings.ToLower(t.Hash) {
		return errors.New("acphost: cid and sha256 are of different files")
	}
	return nil
}

func (h registrar) checkSignature(ctx context.Context, t *Transaction) error {
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
	t := &Transaction{URI: stringOf(params["cap_uri"]), Version: stringOf(params["semver"]), CID: stringOf(params["cid"]),
		Hash: stringOf(params["sha256"])}
	by, named, err := readAuthor(params)
	if err != nil {
		return nil, refuse("%s", messageOf(err))
	}
	if named {
		t.Author, t.Signature = by, ed25519.Sign(by.Key, t.statement())
	}
	name, _, _ := strings.Cut(t.URI, "@")
	// One transaction at a time: two authors may claim the same name at the same time.
	h.chainMutex.Lock()
	defer h.chainMutex.Unlock()
	if err := h.Store.view(func(tx transaction) error { return readExisting(tx, t, name) }); err != nil {
		return nil, err
	}
	for _, gate := range h.Checks {
		if err := gate.Check(ctx, t); err != nil {
			if failed := h.Store.update(func(tx transaction) error { return addEvents(tx, h.RefusalEvents(t)) }); failed != nil {
				return nil, failed
			}
			return nil, refuse("%s", messageOf(err))
		}
	}
	return object{}, h.Store.update(func(tx transaction) error {
		if err := tx.put(bucketRecords, t.URI, rpc.Append(nil, h.RecordOf(t))); err != nil {
			return err
		}
		if t.Owner == "" {
			if err := tx.put(bucketRecords, name, rpc.Append(nil, object{"author": t.Author.DID})); err != nil {
				return err
			}
		}
		return addEvents(tx, h.EventsOf(t))
	})
}

func readExisting(tx transaction, t *Transaction, name string) error {
	for key, take := range map[string]func(object){
		name:  func(owner object) { t.Owner = stringOf(owner["author"]) },
		t.URI: func(record object) { t.Existing = record },
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

func addEvents(tx transaction, events []object) error {
	for _, event := range events {
		if _, err := tx.add(bucketEvents, rpc.Append(nil, event)); err != nil {
			return err
		}
	}
	return nil
}

// getRecord implements acp.get.
func (h registrar) getRecord(_ context.Context, params object) (any, error) {
	uri := stringOf(params["cap_uri"])
	var record object
	err := h.Store.view(func(tx transaction) (err error) {
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
	since, isWhole := integerOf(params["since"])
	if params["since"] != nil && (!isWhole || since < 0) {
		return nil, refuse("since must be a non-negative integer")
	}
	events := []any{}
	err := h.Store.view(func(tx transaction) error {
		after := ""
		if since > 0 {
			after = string(binary.BigEndian.AppendUint64(nil, uint64(since)))
		}
		var fault error
		tx.each(bucketEvents, "", after, func(key string, text []byte) bool {
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
