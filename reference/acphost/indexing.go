package acphost

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/Masterminds/semver/v3"

	"github.com/capconform/capconform/reference/rpc"
)

// indexer implements the index.
type indexer struct{ *Host }

func (h indexer) indexing() Indexing {
	return Indexing{
		AsksForEvents:  func(int) bool { return true },
		Learn:          h.learn,
		Newer:          func(a, b *semver.Version) bool { return a.GreaterThan(b) },
		FormatEntry:    func(e *Entry) object { return object{"acp_metadata": e.Metadata, "ipfs_cid": e.CID} },
		MatchesQuery:   containsWords,
		MatchesFilters: containsValues,
		FormatResults: func(entries []*Entry) any {
			results := []any{}
			for _, e := range entries {
				results = append(results, h.FormatEntry(e))
			}
			return object{"list_of_results": results}
		},
		AnswerUnknown: func(uri string) (any, error) {
			return nil, rpc.Refuse("NOT_FOUND", fmt.Sprintf("%.120q is unknown", uri))
		},
	}
}

// update reads the new events of the registry and returns the index.
func (h indexer) update(ctx context.Context) (*index, error) {
	h.mutex.Lock()
	i := h.index
	h.mutex.Unlock()
	i.updateMutex.Lock()
	defer i.updateMutex.Unlock()
	if !h.AsksForEvents(i.eventsRead) {
		return i, nil
	}
	result, err := h.callRegistry(ctx, OpEvents, object{"since": i.eventsRead})
	if err != nil {
		return nil, err
	}
	events, _ := result["events"].([]any)
	pending := i.pending
	for _, event := range events {
		pending = append(pending, objectOf(event))
	}
	i.eventsRead += len(events)
	i.pending = nil
	for _, event := range pending {
		e, err := h.Learn(ctx, event)
		switch {
		case errors.Is(err, ErrInvalid): // a retry cannot succeed
		case err != nil:
			i.pending = append(i.pending, event)
		default:
			i.add(e)
		}
	}
	return i, nil
}

func (h indexer) learn(ctx context.Context, event object) (*Entry, error) {
	cid := stringOf(event["cid"])
	content, err := h.Fetch(ctx, cid)
	if err != nil {
		return nil, err
	}
	p, err := h.parse(content)
	if h.CheckCID(cid, content) != nil || err != nil || HashOf(content) != event["sha256"] || p.URI != event["cap_uri"] ||
		p.Version == nil {
		return nil, ErrInvalid
	}
	return &Entry{URI: p.URI, Name: p.Name, CID: cid, Version: p.Version, Metadata: p.Metadata, Prompt: p.Prompt}, nil
}

// resolve implements resolve_capability. Without a version, it resolves the latest one.
func (h indexer) resolve(ctx context.Context, params object) (any, error) {
	uri := stringOf(params["cap_uri"])
	i, err := h.update(ctx)
	if err != nil {
		return nil, err
	}
	name := strings.TrimPrefix(uri, "did:nuwa:cap:")
	var latest *Entry
	for _, e := range i.all() {
		if e.URI == uri {
			return h.FormatEntry(e), nil
		}
		if e.Name == name && name != uri && (latest == nil || h.Newer(e.Version, latest.Version)) {
			latest = e
		}
	}
	if latest == nil {
		return h.AnswerUnknown(uri)
	}
	return h.FormatEntry(latest), nil
}

// search implements search_capabilities.
func (h indexer) search(ctx context.Context, params object) (any, error) {
	query, isText := params["query_string"].(string)
	filters, isObject := params["filters"].(object)
	if !isText || params["filters"] != nil && !isObject {
		return nil, refuse("query_string must be a string and filters an object")
	}
	i, err := h.update(ctx)
	if err != nil {
		return nil, err
	}
	hits := slices.DeleteFunc(i.all(), func(e *Entry) bool {
		return !h.MatchesQuery(e, query) ||
			!h.MatchesFilters(e, filters)
	})
	return h.FormatResults(hits), nil
}

// containsWords reports whether the metadata contain every word of a query.
func containsWords(e *Entry, query string) bool {
	text := strings.ToLower(string(rpc.Encode(e.Metadata)))
	for _, word := range strings.Fields(strings.ToLower(query)) {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}

// containsValues reports whether the metadata contain the values of the filters.
func containsValues(e *Entry, filters object) bool {
	for name, value := range filters {
		member, present := memberAt(e.Metadata, strings.Split(name, "."))
		if !present || !equals(member, value) {
			return false
		}
	}
	return true
}

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
