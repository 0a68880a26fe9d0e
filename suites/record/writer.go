package record

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
)

// maxElements bounds the distinct elements of lists that a writer remembers. Further elements are
// stored within their lists.
const maxElements = 500_000

// minElement is the length in bytes from which an element is replaced by a digest.
const minElement = 96

// Writer takes the entries of one run. It is safe for concurrent use. Its creator must close it.
type Writer struct {
	mask func([]byte) []byte

	mu      sync.Mutex
	spool   *spool
	stored  map[[sha256.Size]byte]struct{}
	entries int
	header  Header
	err     error // the first one; later entries are not stored
}

// NewWriter returns a writer that passes each text through mask before it stores it. If mask is
// nil, nothing is masked.
func NewWriter(mask func([]byte) []byte) *Writer {
	if mask == nil {
		mask = func(text []byte) []byte { return text }
	}
	return &Writer{mask: mask, spool: &spool{limit: memoryLimit}, stored: map[[sha256.Size]byte]struct{}{}}
}

// Append stores an entry. An error is also kept and reported by Save, so that a caller may ignore
// it during a run.
func (w *Writer) Append(e Entry) error {
	e, err := w.masked(e)
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err != nil {
		return w.err
	}
	if w.err = w.store(e); w.err == nil {
		w.entries++
	}
	return w.err
}

// store writes the new elements, then the entry.
func (w *Writer) store(e Entry) error {
	for _, body := range []**Body{&e.Sent, &e.Received} {
		if err := w.intern(body); err != nil {
			return err
		}
	}
	return writeLine(w.spool, e)
}

// intern replaces the elements of the lists of a body by their digests. A list is the body itself
// or a member of it.
func (w *Writer) intern(at **Body) error {
	body := *at
	if !body.IsJSON() || len(body.JSON) < minElement {
		return nil
	}
	out := Body{JSON: body.JSON, Lists: map[string][]Digest{}}
	if elements, ok := elementsOf(body.JSON); ok {
		return w.replace(at, &out, "", elements, func() { out.JSON = json.RawMessage("[]") })
	}
	var members rawMembers
	if members.read(body.JSON) != nil {
		return nil
	}
	for i, member := range members {
		elements, ok := elementsOf(member.value)
		if !ok || members.index(member.pointer) < 0 {
			continue
		}
		empty := func() { members[i].value = json.RawMessage("[]") }
		if err := w.replace(at, &out, member.pointer, elements, empty); err != nil {
			return err
		}
	}
	if len(out.Lists) > 0 {
		out.JSON = members.text()
	}
	return nil
}

// replace stores the elements of one list by digest, if each of them is long enough.
func (w *Writer) replace(at **Body, out *Body, pointer string, elements []json.RawMessage, empty func()) error {
	long := 0
	for _, element := range elements {
		long += len(element)
	}
	if len(elements) == 0 || long < minElement*len(elements) || len(w.stored)+len(elements) > maxElements {
		return nil
	}
	digests := make([]Digest, len(elements))
	for i, element := range elements {
		d, err := w.element(element)
		if err != nil {
			return err
		}
		digests[i] = d
	}
	empty()
	out.Lists[pointer] = digests
	*at = out
	return nil
}

// elementLine is the line for an element that later entries use.
type elementLine struct {
	Element Digest          `json:"element"`
	Value   json.RawMessage `json:"value"`
}

func (w *Writer) element(text json.RawMessage) (Digest, error) {
	sum := sha256.Sum256(text)
	d := Digest(hex.EncodeToString(sum[:]))
	if _, known := w.stored[sum]; known {
		return d, nil
	}
	w.stored[sum] = struct{}{}
	// the same as elementLine, but the text is compact
	for _, part := range [][]byte{[]byte(`{"element":"`), []byte(d), []byte(`","value":`), text, []byte("}\n")} {
		if _, err := w.spool.Write(part); err != nil {
			return d, fmt.Errorf("record: %w", err)
		}
	}
	return d, nil
}

func writeLine(out io.Writer, v any) error {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return fmt.Errorf("record: %w", err)
	}
	return nil
}

// endLine is the last line of a record. A record without it was cut.
type endLine struct {
	End end `json:"end"`
}

type end struct {
	Entries int    `json:"entries"`
	SHA256  string `json:"sha256"` // of all bytes before this line
}

// Describe stores what the engine knows about the header until the record is saved.
func (w *Writer) Describe(h Header) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.header = h
}

// Described returns the known part of the header.
func (w *Writer) Described() Header {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.header
}

// Save writes the complete record: the header, the elements and entries in the order in which they
// were done, and the end. It returns the SHA-256 of what it wrote, in hexadecimal.
func (w *Writer) Save(out io.Writer, h Header) (string, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err != nil {
		return "", w.err
	}
	h.SchemaVersion, h.Kind = SchemaVersion, Kind
	sum := sha256.New()
	both := io.MultiWriter(out, sum)
	var header bytes.Buffer
	if err := writeLine(&header, h); err != nil {
		return "", err
	}
	if _, err := both.Write(w.mask(header.Bytes())); err != nil {
		return "", fmt.Errorf("record: %w", err)
	}
	if _, err := io.Copy(both, w.spool.reader()); err != nil {
		return "", fmt.Errorf("record: %w", err)
	}
	last := endLine{End: end{Entries: w.entries, SHA256: hex.EncodeToString(sum.Sum(nil))}}
	if err := writeLine(both, last); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// Close removes the spooled data.
func (w *Writer) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err == nil {
		w.err = errors.New("record: the writer was closed")
	}
	return w.spool.Close()
}
