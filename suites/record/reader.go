package record

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"iter"

	jsonv2 "github.com/go-json-experiment/json"
	json "github.com/go-json-experiment/json/v1" // decodes what encoding/json decodes, in less time
)

// ErrIncomplete reports that the record has no end: it was cut, or its run did not finish.
var ErrIncomplete = errors.New("record: it has no last line, so it was cut or its run did not finish")

// maxLine bounds one line of a record, in bytes. A writer stores long lists by element, so it
// writes no longer line.
const maxLine = 48 << 20

// maxKept is the total length of lines, in bytes, up to which a record keeps its entries decoded.
const maxKept = 8 << 20

// Record is a record that was read. It keeps the places of elements, not the elements, and the
// entries of a small record. Close it after use.
type Record struct {
	Header Header
	Digest string // SHA-256 of the whole record, in hexadecimal

	spool    *spool
	begin    int64 // where the lines after the header begin
	entries  int
	elements map[Digest]span
	loaded   []Entry // nil: the entries are in the spool
	lines    int     // the bytes of the lines of entries
}

// span is the place of the text of an element.
type span struct{ offset, length int64 }

// Read reads a record and checks it: the header, each line, the order of the ticks, each digest and
// the end. An error names the line.
func Read(in io.Reader) (*Record, error) {
	r := &Record{spool: &spool{limit: memoryLimit}, elements: map[Digest]span{}}
	if err := r.read(in); err != nil {
		_ = r.Close() // the error states why there is no record
		return nil, err
	}
	return r, nil
}

// scan is the state of one pass through a record.
type scan struct {
	sum    hash.Hash
	number int
	ended  bool
}

func (r *Record) read(in io.Reader) error {
	lines := bufio.NewReaderSize(in, 1<<16)
	s := scan{sum: sha256.New()}
	for {
		line, err := readLine(lines)
		if errors.Is(err, io.EOF) && len(line) == 0 {
			break
		}
		s.number++
		if errors.Is(err, ErrIncomplete) {
			return err
		}
		if err != nil {
			return fmt.Errorf("record: line %d: %w", s.number, err)
		}
		if err := r.take(&s, line); err != nil {
			return fmt.Errorf("record: line %d: %w", s.number, err)
		}
	}
	switch {
	case s.number == 0:
		return errors.New("record: it is empty")
	case !s.ended:
		return ErrIncomplete
	}
	r.Digest = hex.EncodeToString(s.sum.Sum(nil))
	return nil
}

// readLine returns a line with its line feed. A last line without one is an error, because the
// writer ends each line.
func readLine(in *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		if len(line) == 0 && len(part) > 0 && part[0] != '{' {
			return nil, errors.New("it does not begin with {: a line of a record is a JSON object")
		}
		line = append(line, part...)
		switch {
		case len(line) > maxLine:
			return nil, fmt.Errorf("it is longer than %d MiB", maxLine>>20)
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF) && len(line) > 0:
			return nil, ErrIncomplete
		default:
			return line, err
		}
	}
}

// The beginnings of the lines that are not entries, in the form of the writer.
var (
	beginElement = []byte(`{"element":`)
	beginEnd     = []byte(`{"end":`)
)

func (r *Record) take(s *scan, line []byte) error {
	read := r.entry
	switch {
	case s.ended:
		return errors.New("it is after the end")
	case s.number == 1:
		read = r.header
	case bytes.HasPrefix(line, beginEnd):
		read, s.ended = func(line []byte) error { return r.end(s, line) }, true
	case bytes.HasPrefix(line, beginElement):
		read = r.element
	}
	if err := read(line); err != nil {
		return err
	}
	s.sum.Write(line)
	if _, err := r.spool.Write(line); err != nil {
		return err
	}
	if s.number == 1 {
		r.begin = r.spool.size
	}
	return nil
}

func (r *Record) header(line []byte) error {
	if err := strict(line, &r.Header); err != nil {
		return err
	}
	if r.Header.Kind != Kind {
		return fmt.Errorf("the kind is %q, want %q: this is not a record", r.Header.Kind, Kind)
	}
	if r.Header.SchemaVersion != SchemaVersion {
		return fmt.Errorf("the schema version is %q, this build reads %q", r.Header.SchemaVersion, SchemaVersion)
	}
	return nil
}

func (r *Record) end(s *scan, text []byte) error {
	var line endLine
	if err := strict(text, &line); err != nil {
		return err
	}
	e := line.End
	if e.Entries != r.entries {
		return fmt.Errorf("the end counts %d entries, the record has %d", e.Entries, r.entries)
	}
	if got := hex.EncodeToString(s.sum.Sum(nil)); e.SHA256 != got {
		return errors.New("the digest in the end does not match the lines before it: the record was edited")
	}
	return nil
}

func (r *Record) element(text []byte) error {
	var line elementLine
	if err := strict(text, &line); err != nil {
		return err
	}
	if digest(line.Value) != line.Element {
		return errors.New("the element does not match its digest")
	}
	if _, twice := r.elements[line.Element]; twice {
		return errors.New("the element is duplicated")
	}
	at := bytes.LastIndex(text, line.Value)
	if at < 0 {
		return errors.New("the element cannot be found in its line")
	}
	r.elements[line.Element] = span{offset: r.spool.size + int64(at), length: int64(len(line.Value))}
	return nil
}

func (r *Record) entry(line []byte) error {
	var e Entry
	if err := strict(line, &e); err != nil {
		return err
	}
	r.entries++
	r.keep(e, len(line))
	if e.Begun <= 0 || e.Done < e.Begun {
		return fmt.Errorf("the entry begins at %d and is done at %d", e.Begun, e.Done)
	}
	for _, link := range e.Links {
		if link.To <= 0 || link.To >= e.Begun {
			return fmt.Errorf("the entry %d is linked to %d, which is not earlier", e.Begun, link.To)
		}
	}
	for _, body := range []*Body{e.Sent, e.Received} {
		if body == nil {
			continue
		}
		for _, digests := range body.Lists {
			for _, d := range digests {
				if _, known := r.elements[d]; !known {
					return fmt.Errorf("the entry %d uses the element %s, which no earlier line contains", e.Begun, d)
				}
			}
		}
	}
	return nil
}

// keep keeps a decoded entry, unless the record is too long for that.
func (r *Record) keep(e Entry, length int) {
	if r.lines += length; r.lines > maxKept {
		r.loaded = nil
		return
	}
	r.loaded = append(r.loaded, r.withElements(e))
}

// withElements enables the bodies of an entry to find their elements.
func (r *Record) withElements(e Entry) Entry {
	for _, body := range []*Body{e.Sent, e.Received} {
		if body != nil {
			body.elements = r.text
		}
	}
	return e
}

// strict decodes one value and returns an error for unknown members.
func strict(line []byte, into any) error {
	return jsonv2.Unmarshal(line, into, json.DefaultOptionsV1(), jsonv2.RejectUnknownMembers(true))
}

// Len returns the number of entries.
func (r *Record) Len() int { return r.entries }

// Entries returns the entries in the order in which they were done. For a long record, each call
// reads them from the spool, unless Load has read them.
func (r *Record) Entries() iter.Seq2[Entry, error] {
	if r.loaded != nil {
		return func(yield func(Entry, error) bool) {
			for _, e := range r.loaded {
				if !yield(e, nil) {
					return
				}
			}
		}
	}
	return func(yield func(Entry, error) bool) {
		lines := bufio.NewReaderSize(io.NewSectionReader(r.spool, r.begin, r.spool.size-r.begin), 1<<16)
		for {
			line, err := readLine(lines)
			if errors.Is(err, io.EOF) {
				return
			}
			e, isEntry, err := r.decode(line, err)
			if !isEntry && err == nil {
				continue
			}
			if !yield(e, err) || err != nil {
				return
			}
		}
	}
}

// decode returns the entry of a line. Lines of elements and the end are not entries.
func (r *Record) decode(line []byte, err error) (e Entry, isEntry bool, _ error) {
	if err != nil {
		return e, false, err
	}
	if bytes.HasPrefix(line, beginElement) || bytes.HasPrefix(line, beginEnd) {
		return e, false, nil
	}
	if err := json.Unmarshal(line, &e); err != nil {
		return e, false, fmt.Errorf("record: %w", err)
	}
	return r.withElements(e), true, nil
}

// text returns the text of an element.
func (r *Record) text(d Digest) (stdjson.RawMessage, error) {
	at, known := r.elements[d]
	if !known {
		return nil, fmt.Errorf("record: the element %s is missing", d)
	}
	text := make([]byte, at.length)
	if _, err := r.spool.ReadAt(text, at.offset); err != nil {
		return nil, fmt.Errorf("record: %w", err)
	}
	return text, nil
}

// Close removes the spooled data.
func (r *Record) Close() error {
	if r.spool == nil {
		return nil
	}
	return r.spool.Close()
}
