package history

import (
	"bytes"
	"cmp"
	"errors"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/transcript"
)

// Listing is one answer to capability.list, read element by element.
type Listing struct {
	Call
	List
	superseded bool // the call was repeated: a later answer replaces it
}

// List is the content of an answer. Equal answers share it.
type List struct {
	Same         record.Tick    // the first entry with the same answer
	Flaws        []Flaw         // why it is not a list of manifests
	Elements     []Element      // every element that is an object and a manifest
	Capabilities []*RawManifest // those that can be referred to, each pair once
	More         string         // the member that indicates a further page, "" if none
	known        map[Ref]*RawManifest
	limit        error // a limit of the harness that the answer exceeds
}

// Flaw is one kind of defect of a list, with an example.
type Flaw struct{ Message, Want, Got string }

// Element is a manifest and its place in a list.
type Element struct {
	*RawManifest
	Index int
}

// Pointer returns the JSON pointer of the element in the list.
func (e Element) Pointer() string { return "/" + strconv.Itoa(e.Index) }

// Empty reports whether the list contains no manifest.
func (l *List) Empty() bool { return len(l.Elements) == 0 }

// Find returns what is listed under a reference, nil if nothing is.
func (l *List) Find(r Ref) *RawManifest { return l.known[r] }

// Readable reports whether the answer is a list.
func (l *Listing) Readable() bool { return l.Lost == nil && l.Returned }

// Pairs returns the references of the list, sorted.
func (l *List) Pairs() []Ref {
	all := make([]Ref, 0, len(l.Capabilities))
	for _, s := range l.Capabilities {
		all = append(all, s.Ref())
	}
	slices.SortFunc(all, func(a, b Ref) int { return cmp.Compare(a.String(), b.String()) })
	return all
}

// reader reads one list.
type reader struct {
	*List
	history *History
	text    []byte
}

// readList accepts both forms of the list: an array, and an object whose member capabilities is
// an array.
func (h *History) readList(text []byte) *List {
	r := reader{&List{known: map[Ref]*RawManifest{}}, h, bytes.TrimSpace(text)}
	var path []string
	if len(r.text) > 0 && r.text[0] == '{' {
		path = []string{MemberListed}
		r.More = continuation(r.text)
	}
	n := 0
	for item, err := range schemas.Elements(r.text, h.limits, path...) {
		if err != nil {
			r.unreadable(err)
			break
		}
		r.readElement(n, item)
		n++
	}
	return r.List
}

func (r reader) unreadable(err error) {
	var refused *schemas.DecodeError
	if errors.As(err, &refused) && refused.OurLimit() {
		r.limit = transcript.LostCall(record.Entry{Error: &record.Fault{Kind: record.TooLarge, Message: refused.Message}})
		return
	}
	r.Flaws = append(r.Flaws, Flaw{"the answer to capability.list is not a list", "an array of manifests",
		err.Error() + ": " + jsonvalue.Clip(string(r.text))})
}

func (r reader) readElement(index int, item []byte) {
	value, err := schemas.Decode(item, schemas.Limits{})
	if err != nil {
		r.unreadable(err)
		return
	}
	m, isObject := value.(map[string]any)
	if wrapped, has := m[MemberWrapped].(map[string]any); has && m[MemberInput] == nil {
		r.addFlaw("the list contains Capability objects instead of manifests", "the manifests themselves", value)
		m = wrapped // so that the other requirements can still be judged
		item = jsonvalue.Encode(wrapped)
	} else if !isObject {
		r.addFlaw("the list contains something that is not a manifest", "objects, each a manifest", value)
		return
	}
	if isReference(m) {
		r.addFlaw("the list contains references instead of manifests", "the manifests themselves", value)
		return
	}
	s := r.history.rawManifest(item, m)
	r.Elements = append(r.Elements, Element{s, index})
	if s.ID == "" || s.Version == "" || r.Find(s.Ref()) != nil {
		return
	}
	r.known[s.Ref()] = s
	r.Capabilities = append(r.Capabilities, s)
}

// isReference reports whether an object names a capability and contains nothing else.
func isReference(m Manifest) bool {
	return m[MemberID] != nil && m[MemberKind] == nil && m[MemberName] == nil && m[MemberDescription] == nil &&
		m[MemberInput] == nil
}

// addFlaw adds a kind of flaw once, with its first example.
func (r reader) addFlaw(message, want string, value any) {
	if !slices.ContainsFunc(r.Flaws, func(f Flaw) bool { return f.Message == message }) {
		r.Flaws = append(r.Flaws, Flaw{message, want, jsonvalue.Print(value)})
	}
}

// continuations are members that indicate a further page. The text defines no pages: list()
// takes no parameter that could request the next one.
var continuations = []string{
	"next_cursor", "nextCursor", "next_page", "nextPage", "next_page_token", "nextPageToken", "next", "has_more",
	"hasMore", "has_next", "hasNext", "has_next_page", "hasNextPage", "truncated",
}

// pageMembers are members whose object describes pages.
var pageMembers = []string{"links", "_links", "meta", "metadata", "page", "page_info", "pageInfo", "paging",
	"pagination"}

// continuation returns such a member beside the list, or in an object there that describes pages. It
// does not decode the list.
func continuation(raw []byte) string {
	d := jsontext.NewDecoder(bytes.NewReader(raw))
	if _, err := d.ReadToken(); err != nil {
		return ""
	}
	for d.PeekKind() == jsontext.KindString {
		name, err := d.ReadToken()
		if err != nil {
			return ""
		}
		member := name.String()
		pages := slices.Contains(pageMembers, member) && d.PeekKind() == jsontext.KindBeginObject
		if !pages && !slices.Contains(continuations, member) {
			if d.SkipValue() != nil {
				return ""
			}
			continue
		}
		value, err := d.ReadValue()
		if err != nil {
			return ""
		}
		if pages {
			if below := continuation(value); below != "" {
				return member + "." + below
			}
			continue
		}
		if !slices.Contains([]string{"null", "false", `""`}, string(value)) {
			return member
		}
	}
	return ""
}
