package acphost

import (
	"errors"
	"slices"
	"sync"

	"github.com/Masterminds/semver/v3"
)

// Entry is a version that the index lists.
type Entry struct {
	URI, Name, CID string
	Version        *semver.Version
	Metadata       object
	Prompt         string
}

// index is what the index learned from the events of the registry.
type index struct {
	updateMutex sync.Mutex // held while events are read
	eventsRead  int
	pending     []object // events whose file is not available yet

	mutex   sync.RWMutex
	entries []*Entry
}

func newIndex() *index { return &index{} }

func (i *index) all() []*Entry {
	i.mutex.RLock()
	defer i.mutex.RUnlock()
	return slices.Clone(i.entries)
}

func (i *index) add(e *Entry) {
	i.mutex.Lock()
	defer i.mutex.Unlock()
	i.entries = append(slices.DeleteFunc(i.entries, func(other *Entry) bool { return other.URI == e.URI }), e)
}

// ErrInvalid reports a file that does not match its event, or that must not be listed.
var ErrInvalid = errors.New("acphost: the file is not valid")
