package corpus

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	jsonpatch "github.com/evanphx/json-patch/v5"
)

// Entry is the part of a record entry that an edit sees.
type Entry struct {
	Operation, Stimulus string
	About               map[string]string
	Again               bool            // it is linked to an earlier entry by retry-of
	Asks                bool            // the host sent the request, so its text is in Sent
	Sent, Received      json.RawMessage // nil if the body is not JSON
	Becomes             *Outcome        // set by Apply: the new outcome
}

// Run is a recorded run that can be edited any number of times.
type Run struct {
	entries        []Entry
	sent, received []any
}

// hostBody returns the body whose author is the host.
func (e *Entry) hostBody() *json.RawMessage {
	if e.Asks {
		return &e.Sent
	}
	return &e.Received
}

// NewRun decodes the bodies of the entries of a record.
func NewRun(entries []Entry) *Run {
	r := &Run{entries: entries}
	for _, e := range entries {
		r.sent, r.received = append(r.sent, decoded(e.Sent)), append(r.received, decoded(e.Received))
	}
	return r
}

// Apply returns the entries that an edit changes, by their index in the run. It returns an error if
// a change changes nothing.
func (r *Run) Apply(edit Edit) (map[int]Entry, error) {
	changed := map[int]Entry{}
	for n, change := range edit.Changes {
		if err := r.applyChange(changed, change); err != nil {
			return nil, fmt.Errorf("%s: change %d: %w", edit.Name, n+1, err)
		}
	}
	return changed, nil
}

func (r *Run) applyChange(changed map[int]Entry, c Change) error {
	some := r.selected(c.Entries)
	if len(some) == 0 {
		return errors.New("the selector matches no entry")
	}
	patch, err := r.patchOf(c)
	if err != nil {
		return err
	}
	for _, i := range some {
		e, again := changed[i]
		if !again {
			e = r.entries[i]
		}
		said := e.hostBody()
		before := *said
		switch {
		case c.Becomes != nil:
			e.Becomes, *said = c.Becomes, c.Becomes.Received
		case c.Each == nil:
			*said, err = patch.Apply(before)
		default:
			*said, err = c.Each.apply(before, patch)
		}
		if err != nil {
			return fmt.Errorf("entry %d: %w", i, err)
		}
		if c.Becomes == nil && bytes.Equal(before, *said) {
			return fmt.Errorf("entry %d stays as it is", i)
		}
		changed[i] = e
	}
	return nil
}

// patchOf returns the patch of a change, with the value that it copies from another entry.
func (r *Run) patchOf(c Change) (jsonpatch.Patch, error) {
	var patch jsonpatch.Patch
	if len(c.Patch) > 0 {
		var err error
		if patch, err = jsonpatch.DecodePatch(c.Patch); err != nil {
			return nil, err
		}
	}
	if c.Take == nil {
		return patch, nil
	}
	some := r.selected(c.Take.Entries)
	if len(some) == 0 {
		return nil, errors.New("take: the selector matches no entry")
	}
	side := r.received
	if c.Take.Side == "sent" {
		side = r.sent
	}
	value, known := valueAt(side[some[0]], c.Take.From)
	if !known {
		return nil, fmt.Errorf("take: there is nothing at %s", c.Take.From)
	}
	text, err := json.Marshal([]any{map[string]any{"op": "add", "path": c.Take.To, "value": value}})
	if err != nil {
		return nil, err
	}
	taken, err := jsonpatch.DecodePatch(text)
	return append(patch, taken...), err
}

// selected returns the indices of the entries that a selector selects.
func (r *Run) selected(s Selector) []int {
	var all []int
	for i, e := range r.entries {
		if e.Operation != s.Operation || s.Again && !e.Again || s.Stimulus != "" && e.Stimulus != s.Stimulus ||
			!containsAll(s.About, e.About) {
			continue
		}
		if hasMembers(r.sent[i], s.Sent) && hasMembers(r.received[i], s.Received) &&
			(s.Holds == nil || containsElement(r.received[i], *s.Holds)) {
			all = append(all, i)
		}
	}
	return nth(all, s.Nth)
}

func containsAll(some, all map[string]string) bool {
	for name, want := range some {
		if got, known := all[name]; want != got || !known && want != "" {
			return false
		}
	}
	return true
}

// nth keeps only the element with this number: counted from 1, or from the end if n is below 0. If
// n is 0, it keeps all.
func nth(all []int, n int) []int {
	switch {
	case n == 0:
		return all
	case n < 0:
		n = len(all) + n + 1
	}
	if n < 1 || n > len(all) {
		return nil
	}
	return all[n-1 : n]
}

func containsElement(v any, h Holding) bool {
	list, _ := valueAt(v, h.Of)
	elements, _ := list.([]any)
	return slices.ContainsFunc(elements, func(element any) bool { return hasMembers(element, h.Where) })
}

// hasMembers reports whether a value has all of these members.
func hasMembers(v any, where map[string]any) bool {
	for pointer, want := range where {
		got, _ := valueAt(v, pointer)
		if !reflect.DeepEqual(got, asDecoded(want)) {
			return false
		}
	}
	return true
}

// asDecoded returns a value of an edit in the form of decoded bodies.
func asDecoded(v any) any {
	text, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	return decoded(text)
}

// apply changes elements of the list.
func (e Each) apply(body json.RawMessage, patch jsonpatch.Patch) (json.RawMessage, error) {
	whole := decoded(body)
	list, _ := valueAt(whole, e.Of)
	elements, ok := list.([]any)
	if !ok {
		return nil, fmt.Errorf("there is no list at %s", e.Of)
	}
	var those []int
	for i, element := range elements {
		if hasMembers(element, e.Where) {
			those = append(those, i)
		}
	}
	those = nth(those, e.Nth)
	edited := []any{}
	for i, element := range elements {
		if !slices.Contains(those, i) {
			edited = append(edited, element)
			continue
		}
		some, err := e.element(element, patch)
		if err != nil {
			return nil, err
		}
		edited = append(edited, some...)
	}
	values := map[string]any{e.Of: edited}
	if e.Count != "" {
		values[e.Count] = len(edited)
	}
	return replaced(body, values)
}

// element returns the elements that replace one element.
func (e Each) element(element any, patch jsonpatch.Patch) ([]any, error) {
	if e.Do == "drop" {
		return nil, nil
	}
	text, err := json.Marshal(element)
	if err != nil {
		return nil, err
	}
	if text, err = patch.Apply(text); err != nil {
		return nil, err
	}
	if e.Do == "repeat" {
		return []any{element, decoded(text)}, nil
	}
	return []any{decoded(text)}, nil
}

func replaced(body json.RawMessage, values map[string]any) (json.RawMessage, error) {
	var patch []any
	for _, pointer := range slices.Sorted(maps.Keys(values)) {
		patch = append(patch, map[string]any{"op": "replace", "path": pointer, "value": values[pointer]})
	}
	text, err := json.Marshal(patch)
	if err != nil {
		return nil, err
	}
	operations, err := jsonpatch.DecodePatch(text)
	if err != nil {
		return nil, err
	}
	return operations.Apply(body)
}

// decoded returns a JSON value with its numbers as they are written, or nil if there is none.
func decoded(text []byte) any {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var v any
	if decoder.Decode(&v) != nil {
		return nil
	}
	return v
}

// valueAt returns the value at a JSON pointer.
func valueAt(v any, pointer string) (any, bool) {
	if pointer == "" {
		return v, true
	}
	for step := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		step = strings.NewReplacer("~1", "/", "~0", "~").Replace(step)
		switch of := v.(type) {
		case map[string]any:
			member, known := of[step]
			if !known {
				return nil, false
			}
			v = member
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(of) {
				return nil, false
			}
			v = of[i]
		default:
			return nil, false
		}
	}
	return v, true
}
