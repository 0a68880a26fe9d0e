package record

import (
	"fmt"
	"slices"
)

// Load returns a copy of the record with its entries in memory, each body as one text. A program
// that edits a record many times reads it once: see Once.
func (r *Record) Load() (*Record, error) {
	whole := &Record{Header: r.Header, Digest: r.Digest, loaded: []Entry{}, entries: r.entries}
	for e, err := range r.Entries() {
		if err != nil {
			return nil, err
		}
		for _, body := range []**Body{&e.Sent, &e.Received} {
			if *body == nil || len((*body).Lists) == 0 {
				continue
			}
			text, err := (*body).Text()
			if err != nil {
				return nil, fmt.Errorf("record: the entry %d: %w", e.Begun, err)
			}
			*body = &Body{JSON: text}
		}
		e.readings = &Readings{}
		whole.loaded = append(whole.loaded, e)
	}
	return whole, nil
}

// With returns a copy of a record that Load made, in which some entries have another content. An
// entry is replaced by the given one that begins at the same tick. The copy has no digest, because
// no run wrote it.
func (r *Record) With(edited []Entry) *Record {
	other := &Record{Header: r.Header, loaded: slices.Clone(r.loaded), entries: r.entries}
	for _, e := range edited {
		if i := slices.IndexFunc(other.loaded, func(old Entry) bool { return old.Begun == e.Begun }); i >= 0 {
			e.readings = nil // they are those of the old content
			other.loaded[i] = e
		}
	}
	return other
}

// Only returns a copy of a record that Load made, with the entries for which keep returns true. The
// copy has no digest, because no run wrote it.
func (r *Record) Only(keep func(Entry) bool) *Record {
	other := &Record{Header: r.Header, loaded: []Entry{}}
	for _, e := range r.loaded {
		if keep(e) {
			other.loaded = append(other.loaded, e)
		}
	}
	other.entries = len(other.loaded)
	return other
}

// EditionOf returns the edition in which a suite was examined, "" if the run did not examine it.
func (r *Record) EditionOf(suite string) string {
	for _, s := range r.Header.Suites {
		if s.Suite == suite {
			return s.Edition
		}
	}
	return ""
}
