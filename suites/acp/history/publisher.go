package history

import (
	"bytes"
	"io"
	"mime/multipart"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites/acp/content"
	"github.com/capconform/capconform/suites/acp/sample"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
)

// Issue is one package that a publisher received, and its result.
type Issue struct {
	*Call
	Given     []byte
	ID        string      // the capability URI of the package
	Mark      string      // by which the package is known again
	Author    string      // the DID that the publisher was given, "" if none
	Stored    *Upload     // nil: the file was not stored
	Submitted *Submission // the last one; nil: none
}

// Upload is what a publisher stored at the gateway.
type Upload struct {
	Entry record.Tick
	CID   string
	Bytes []byte

	readings record.Readings
}

// Readings keep what is found out about the upload.
func (u *Upload) Readings() *record.Readings { return &u.readings }

// File is what was stored, as plain values.
func (u *Upload) File() Object {
	return record.Keep(u.Readings(), func() file { return file{ReadFile(u.Bytes)} }).Object
}

// file is a package as plain values.
type file struct{ Object }

// GivenFile is what the publisher was given, as plain values.
func (i *Issue) GivenFile() Object {
	return record.Keep(i.readings, func() file { return file{ReadFile(i.Given)} }).Object
}

// Submission is what a publisher submitted to the chain.
type Submission struct {
	Entry  record.Tick
	Values map[string]string // the four
	Author string            // the DID that it names, "" if it names none
	Text   string            // the params, as they came
}

// Issues are the packages that were given to the publisher, each as it was given for the last
// time.
func (h *History) Issues() []*Issue {
	uploads, submissions := h.Uploads(), h.Submissions()
	var all []*Issue
	for _, c := range h.Of(OpAuthor) {
		file, _ := c.Params["file"].(string)
		marks := sample.Marks(file)
		if len(marks) == 0 {
			continue
		}
		i := &Issue{Call: c, Given: []byte(file), Mark: marks[0]}
		metadata, _ := i.GivenFile()["metadata"].(Object)
		i.ID, _ = metadata["id"].(string)
		by, _ := c.Params["author"].(Object)
		i.Author, _ = by["did"].(string)
		i.find(uploads, submissions)
		all = append(slices.DeleteFunc(all, func(other *Issue) bool { return other.Mark == i.Mark }), i)
	}
	return all
}

// find looks for what became of a package: for files by the mark, and for submissions by the
// id, or by the file or the name where the id was lost on the way. A publisher may store more than the
// file: what was submitted tells which it is.
func (i *Issue) find(uploads []*Upload, submissions []*Submission) {
	var stored []*Upload
	for _, u := range uploads {
		if bytes.Contains(u.Bytes, []byte(i.Mark)) {
			stored = append(stored, u)
			i.Stored = u
		}
	}
	clues := []string{i.ID}
	if i.Stored != nil {
		clues = append(clues, content.CID(i.Stored.Bytes), content.SHA256(i.Stored.Bytes))
	}
	clues = append(clues, NameOf(i.ID))
	for _, clue := range clues {
		for _, s := range submissions {
			if strings.Contains(s.Text, clue) {
				i.Submitted = s
			}
		}
		if i.Submitted != nil {
			break
		}
	}
	for _, u := range stored {
		if i.Submitted != nil && content.SameDigest(i.Submitted.Values[MemberDigest], content.SHA256(u.Bytes)) {
			i.Stored = u
		}
	}
}

// Uploads are what the subject stored at the gateway.
func (h *History) Uploads() []*Upload {
	var all []*Upload
	for _, a := range h.Asked(record.Gateway) {
		if a.Method != "POST" || a.Status != 200 {
			continue
		}
		all = append(all, record.Keep(a.Readings(), func() *Upload {
			u := &Upload{Entry: a.Entry, Bytes: uploaded(a.Sent)}
			u.CID, _ = schemas.ReadObject(a.Received)["Hash"].(string)
			return u
		}))
	}
	return all
}

// uploaded returns the file of a multipart form, or the bytes themselves.
func uploaded(body []byte) []byte {
	line, _, _ := bytes.Cut(body, []byte("\r\n"))
	boundary, isForm := bytes.CutPrefix(line, []byte("--"))
	if !isForm {
		return body
	}
	part, err := multipart.NewReader(bytes.NewReader(body), string(boundary)).NextRawPart()
	if err != nil {
		return body
	}
	file, err := io.ReadAll(part)
	if err != nil {
		return body
	}
	return file
}

// Submissions are what the subject submitted to the chain.
func (h *History) Submissions() []*Submission {
	var all []*Submission
	for _, a := range h.Asked(record.Chain) {
		if s := record.Keep(a.Readings(), a.submission); s != nil {
			all = append(all, s)
		}
	}
	return all
}

// submission reads what was submitted, nil if the chain was asked for something else.
func (a *Asked) submission() *Submission {
	method, params := a.Operation()
	if method != OpPublish {
		return nil
	}
	s := &Submission{Entry: a.Entry, Values: map[string]string{}, Text: string(a.Sent)}
	for _, name := range Values() {
		s.Values[name], _ = params[name].(string)
	}
	switch by := params["author"].(type) {
	case string:
		s.Author = by
	case Object:
		s.Author, _ = by["did"].(string)
	}
	return s
}

// ReadFile reads a package as plain values. Nil stands for what is no mapping.
func ReadFile(file []byte) Object {
	var value Object
	if yaml.Unmarshal(file, &value) != nil {
		return nil
	}
	return value
}

// Plain returns a value of YAML as JSON has it.
func Plain(value any) any { return schemas.ReadValue(jsonvalue.Encode(value)) }
