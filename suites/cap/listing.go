package capsuite

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"sort"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/instance"
)

// listing is one answer to capability.list, read element by element.
type listing struct {
	shop         *instance.Workshop
	answer       driver.Answer
	err          error         // no answer came
	defects      []defect      // why it is no list of manifests (CAP-DIS-01)
	elements     []element     // every element that is an object and a manifest
	capabilities []*capability // those that can be referred to, each pair once
	known        map[ref]*capability
	more         string // the member that says that the list goes on, "" if none
}

// keptDecoded is up to how many bytes a list, or a manifest, is kept decoded.
const keptDecoded = 256 << 10

// element is a manifest as listed.
type element struct {
	pointer string
	raw     []byte
	kept    manifest // decoded, nil in a large list
	id      string   // "" where it has none that is a string
	version string
}

func (l *listing) empty() bool { return len(l.elements) == 0 }

// pairs are the references that the list bears, sorted.
func (l *listing) pairs() []ref {
	all := make([]ref, 0, len(l.capabilities))
	for _, c := range l.capabilities {
		all = append(all, c.ref())
	}
	sort.Slice(all, func(i, j int) bool { return all[i].String() < all[j].String() })
	return all
}

func (l *listing) find(r ref) *capability { return l.known[r] }

// readListing takes both forms of the list: an array, and an object whose
// member capabilities is one.
func (e *examination) readListing(answer driver.Answer, err error) *listing {
	if e.list != nil && bytes.Equal(answer.Result, e.list.answer.Result) {
		answer.Result = e.list.answer.Result // held once
	}
	l := &listing{shop: e.shop, answer: answer, err: err, known: map[ref]*capability{}}
	if err != nil || answer.Outcome != driver.Returned {
		return l
	}
	raw := bytes.TrimSpace(answer.Result)
	var path []string
	if len(raw) > 0 && raw[0] == '{' {
		path = []string{memberListed}
		l.more = continuation(raw)
	}
	limits := schemas.Limits{Size: int(e.subject.Limits.Message)}
	n := 0
	for item, err := range schemas.Elements(raw, limits, path...) {
		if err != nil {
			l.unreadable(err)
			return l
		}
		l.take(fmt.Sprintf("/%d", n), item)
		n++
	}
	return l
}

func (l *listing) unreadable(err error) {
	var refused *schemas.DecodeError
	if errors.As(err, &refused) && refused.OurLimit() {
		l.err = &driver.CallError{Kind: driver.ErrTooLarge, Detail: refused.Message, Exchange: l.answer.Exchange}
		return
	}
	l.defects = append(l.defects, defect{Message: "the answer to capability.list is no list", Want: "an array of manifests", Got: err.Error() + ": " + suites.Clip(string(l.answer.Result))})
}

func (l *listing) take(pointer string, item []byte) {
	value, err := schemas.Decode(item, schemas.Limits{})
	if err != nil {
		l.unreadable(err)
		return
	}
	m, isObject := value.(map[string]any)
	if wrapped, has := m[memberWrapped].(map[string]any); has && m[memberInput] == nil {
		l.wrong("the list holds Capability objects in place of manifests", "the manifests themselves", value)
		m = wrapped // so that the other requirements can still be judged
		item = suites.Encode(wrapped)
	} else if !isObject {
		l.wrong("the list holds something that is no manifest", "objects, each a manifest", value)
		return
	}
	if isReference(m) {
		l.wrong("the list holds references in place of manifests", "the manifests themselves", value)
		return
	}
	el := element{pointer: pointer, raw: item}
	if len(l.answer.Result) <= keptDecoded {
		el.kept = m
	}
	el.id, _ = manifest(m).text(memberID)
	el.version, _ = manifest(m).text(memberVersion)
	l.elements = append(l.elements, el)
	if el.id == "" || el.version == "" || l.find(ref{el.id, el.version}) != nil {
		return
	}
	kind, _ := manifest(m).text(memberKind)
	c := &capability{shop: l.shop, raw: item, id: el.id, version: el.version, kind: kind}
	if el.kept != nil {
		c.known.Store(&el.kept)
	}
	l.known[c.ref()] = c
	l.capabilities = append(l.capabilities, c)
}

// isReference tells an object that says which capability it is and nothing of it.
func isReference(m manifest) bool {
	return m[memberID] != nil && m[memberKind] == nil && m[memberName] == nil && m[memberDescription] == nil && m[memberInput] == nil
}

// wrong notes a kind of defect once, with its first example.
func (l *listing) wrong(message, want string, value any) {
	if !slices.ContainsFunc(l.defects, func(d defect) bool { return d.Message == message }) {
		l.defects = append(l.defects, defect{Message: message, Want: want, Got: suites.Print(value)})
	}
}

// continuations are members by which a list says that it is one page of more.
// The text knows no pages: list() takes nothing that could ask for the next.
var continuations = []string{
	"next_cursor", "nextCursor", "next_page", "nextPage", "next_page_token", "nextPageToken", "next", "has_more", "hasMore", "truncated",
}

// continuation finds such a member beside the list, without decoding the list.
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
		if !slices.Contains(continuations, member) {
			if d.SkipValue() != nil {
				return ""
			}
			continue
		}
		value, err := d.ReadValue()
		if err != nil {
			return ""
		}
		if !slices.Contains([]string{"null", "false", `""`}, string(value)) {
			return member
		}
	}
	return ""
}
