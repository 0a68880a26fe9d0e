package acphost

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"

	"go.etcd.io/bbolt"
	bbolterrors "go.etcd.io/bbolt/errors"

	"github.com/capconform/capconform/reference/rpc"
)

// Store is an embedded database. It contains objects with the log of their operations, installed files,
// and the chain. It opens its file on first use. A store is safe for concurrent use.
type Store struct {
	path      string
	temporary bool // Close removes the file

	mutex sync.Mutex
	db    *bbolt.DB
}

// The buckets of the database.
const (
	bucketSettings = "settings"
	bucketFiles    = "files"   // by sequence
	bucketObjects  = "objects" // by partition and id
	bucketLog      = "log"     // operations on objects, by sequence
	bucketRecords  = "records" // by capability URI
	bucketEvents   = "events"  // by sequence
)

// NewStore returns a store in a file. If path is empty, it is a temporary file that Close removes.
func NewStore(path string) *Store { return &Store{path: path, temporary: path == ""} }

// Close closes the file.
func (s *Store) Close() error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	err := s.close()
	if s.temporary && s.path != "" {
		err = errors.Join(err, os.Remove(s.path))
		s.path = ""
	}
	if err != nil {
		return fmt.Errorf("acphost: store: %w", err)
	}
	return nil
}

// Restart closes the file without removing it. The next use opens it again.
func (s *Store) Restart() error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if err := s.close(); err != nil {
		return fmt.Errorf("acphost: store: %w", err)
	}
	return nil
}

// Open opens the file. Without Open, the first use does.
func (s *Store) Open() error {
	_, err := s.open()
	return err
}

func (s *Store) close() error {
	if s.db == nil {
		return nil
	}
	err := s.db.Close()
	s.db = nil
	return err
}

func (s *Store) open() (*bbolt.DB, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.db != nil {
		return s.db, nil
	}
	if s.path == "" {
		file, err := os.CreateTemp("", "capconform-acp-*.db")
		if err != nil {
			return nil, fmt.Errorf("acphost: store: %w", err)
		}
		s.path = file.Name()
		_ = file.Close() // no data was written
	}
	// The data of a temporary file need not be written to disk.
	db, err := bbolt.Open(s.path, 0o600, &bbolt.Options{Timeout: time.Second, NoSync: s.temporary,
		NoFreelistSync: s.temporary})
	if err != nil {
		return nil, fmt.Errorf("acphost: store: %s: %w", s.path, err)
	}
	s.db = db
	return db, nil
}

// update runs a transaction that may write.
func (s *Store) update(transact func(tx transaction) error) error {
	db, err := s.open()
	if err != nil {
		return err
	}
	return db.Update(func(tx *bbolt.Tx) error { return transact(transaction{tx}) })
}

// view runs a transaction that only reads.
func (s *Store) view(transact func(tx transaction) error) error {
	db, err := s.open()
	if err != nil {
		return err
	}
	return db.View(func(tx *bbolt.Tx) error { return transact(transaction{tx}) })
}

// transaction gives access to the buckets.
type transaction struct{ tx *bbolt.Tx }

func (t transaction) get(bucket, key string) []byte {
	b := t.tx.Bucket([]byte(bucket))
	if b == nil {
		return nil
	}
	return b.Get([]byte(key))
}

func (t transaction) put(bucket, key string, value []byte) error {
	b, err := t.tx.CreateBucketIfNotExists([]byte(bucket))
	if err != nil {
		return fmt.Errorf("acphost: store: %w", err)
	}
	return b.Put([]byte(key), value)
}

func (t transaction) remove(bucket, key string) error {
	b := t.tx.Bucket([]byte(bucket))
	if b == nil {
		return nil
	}
	return b.Delete([]byte(key))
}

// add appends a value to a bucket and returns its sequence number.
func (t transaction) add(bucket string, value []byte) (uint64, error) {
	b, err := t.tx.CreateBucketIfNotExists([]byte(bucket))
	if err != nil {
		return 0, fmt.Errorf("acphost: store: %w", err)
	}
	sequence, err := b.NextSequence()
	if err != nil {
		return 0, fmt.Errorf("acphost: store: %w", err)
	}
	return sequence, b.Put(binary.BigEndian.AppendUint64(nil, sequence), value)
}

func (t transaction) clear(bucket string) error {
	if err := t.tx.DeleteBucket([]byte(bucket)); err != nil && !isMissing(err) {
		return fmt.Errorf("acphost: store: %w", err)
	}
	return nil
}

// each calls visit for the keys with a prefix after a key, until visit returns false.
func (t transaction) each(bucket, prefix, after string, visit func(key string, value []byte) bool) {
	b := t.tx.Bucket([]byte(bucket))
	if b == nil {
		return
	}
	cursor := b.Cursor()
	key, value := cursor.Seek([]byte(prefix + after))
	if after != "" && string(key) == prefix+after {
		key, value = cursor.Next()
	}
	for ; key != nil; key, value = cursor.Next() {
		if len(key) < len(prefix) || string(key[:len(prefix)]) != prefix || !visit(string(key[len(prefix):]), value) {
			return
		}
	}
}

// removeOperations removes the operations on an object from the log.
func (t transaction) removeOperations(partition, id string) error {
	b := t.tx.Bucket([]byte(bucketLog))
	if b == nil {
		return nil
	}
	var stale [][]byte
	err := b.ForEach(func(key, text []byte) error {
		operation, err := decodeObject(text)
		if err == nil && operation["partition"] == partition && operation["id"] == id {
			stale = append(stale, key)
		}
		return err
	})
	for _, key := range stale {
		if err == nil {
			err = b.Delete(key)
		}
	}
	if err != nil {
		return fmt.Errorf("acphost: store: %w", err)
	}
	return nil
}

// ApplySettings stores the settings on which installed files and the chain depend. If they have changed,
// ApplySettings deletes the files and the chain, but not the objects.
func (s *Store) ApplySettings(settings []byte) (changed bool, err error) {
	err = s.update(func(tx transaction) error {
		before := tx.get(bucketSettings, "now")
		if changed = before == nil || string(before) != string(settings); !changed {
			return nil
		}
		for _, bucket := range []string{bucketFiles, bucketRecords, bucketEvents} {
			if err := tx.clear(bucket); err != nil {
				return err
			}
		}
		return tx.put(bucketSettings, "now", settings)
	})
	return changed, err
}

// Packages returns the installed packages, in the order of their installation.
func (s *Store) Packages(read func(text []byte) (*Package, error)) ([]*Package, error) {
	var packages []*Package
	var fault error
	err := s.view(func(tx transaction) error {
		tx.each(bucketFiles, "", "", func(key string, text []byte) bool {
			var p *Package
			if p, fault = read(bytes.Clone(text)); fault == nil {
				p.position = binary.BigEndian.Uint64([]byte(key))
				packages = append(packages, p)
			}
			return fault == nil
		})
		return fault
	})
	return packages, err
}

// ReplacePackages replaces the stored packages before by those in after.
func (s *Store) ReplacePackages(before, after []*Package) error {
	return s.update(func(tx transaction) error {
		for _, p := range before {
			if slices.Contains(after, p) {
				continue
			}
			if err := tx.remove(bucketFiles, string(binary.BigEndian.AppendUint64(nil, p.position))); err != nil {
				return err
			}
		}
		for _, p := range after {
			if slices.Contains(before, p) {
				continue
			}
			var err error
			if p.position, err = tx.add(bucketFiles, p.Text); err != nil {
				return err
			}
		}
		return nil
	})
}

func isMissing(err error) bool { return errors.Is(err, bbolterrors.ErrBucketNotFound) }

// decodeObject decodes a stored object.
func decodeObject(text []byte) (object, error) {
	value, err := rpc.Decode(text)
	if err != nil {
		return nil, fmt.Errorf("acphost: store: %w", err)
	}
	return objectOf(value), nil
}
