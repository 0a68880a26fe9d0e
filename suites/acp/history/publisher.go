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

// AuthoredPackage is one package that a publisher received, and its result.
type AuthoredPackage struct {
	*Call
	Source     []byte
	ID         string      // the capability URI of the package
	Mark       string      // by which the package is recognised
	Author     string      // the DID of the author that the publisher was told to act for, "" if none
	Upload     *Upload     // nil: the file was not stored
	Submission *Submission // the last one; nil if none
}

// Upload is a file that a publisher stored at the gateway.
type Upload struct {
	Entry record.Tick
	CID   string
	Bytes []byte

	readings record.Readings
}

// Readings returns the store for values that are derived from the upload.
func (u *Upload) Readings() *record.Readings { return &u.readings }

// Values returns the stored package as plain values, nil if it is not a mapping.
func (u *Upload) Values() Object {
	return record.Keep(u.Readings(), func() fileValues { return fileValues{ParseFile(u.Bytes)} }).Object
}

// fileValues is a package as plain values.
type fileValues struct{ Object }

// SourceValues returns the package that the publisher received as plain values, nil if it is not a
// mapping.
func (i *AuthoredPackage) SourceValues() Object {
	return record.Keep(i.readings, func() fileValues { return fileValues{ParseFile(i.Source)} }).Object
}

// Submission is what a publisher submitted to the chain.
type Submission struct {
	Entry  record.Tick
	Values map[string]string // the four values
	Author string            // the DID that it names, "" if it names none
	Text   string            // the request as it arrived
}

// AuthoredPackages returns the packages that the publisher received. If it received a package several
// times, only the last call counts.
func (h *History) AuthoredPackages() []*AuthoredPackage {
	uploads, submissions := h.Uploads(), h.Submissions()
	var all []*AuthoredPackage
	for _, c := range h.Calls(OpAuthor) {
		file, _ := c.Params["file"].(string)
		marks := sample.Marks(file)
		if len(marks) == 0 {
			continue
		}
		i := &AuthoredPackage{Call: c, Source: []byte(file), Mark: marks[0]}
		metadata, _ := i.SourceValues()["metadata"].(Object)
		i.ID, _ = metadata["id"].(string)
		by, _ := c.Params["author"].(Object)
		i.Author, _ = by["did"].(string)
		i.findResults(uploads, submissions)
		all = append(slices.DeleteFunc(all, func(other *AuthoredPackage) bool { return other.Mark == i.Mark }), i)
	}
	return all
}

// findResults finds the file and the submission of a package: the file by its mark, and the submission
// by the id, or by the file or the name if the id is missing. A publisher may store further files with
// the same mark; the submitted digest selects one.
func (i *AuthoredPackage) findResults(uploads []*Upload, submissions []*Submission) {
	var stored []*Upload
	for _, u := range uploads {
		if bytes.Contains(u.Bytes, []byte(i.Mark)) {
			stored = append(stored, u)
			i.Upload = u
		}
	}
	keys := []string{i.ID}
	if i.Upload != nil {
		keys = append(keys, content.CID(i.Upload.Bytes), content.SHA256(i.Upload.Bytes))
	}
	keys = append(keys, NameOf(i.ID))
	for _, key := range keys {
		for _, s := range submissions {
			if strings.Contains(s.Text, key) {
				i.Submission = s
			}
		}
		if i.Submission != nil {
			break
		}
	}
	for _, u := range stored {
		if i.Submission != nil && content.SameDigest(i.Submission.Values[MemberDigest], content.SHA256(u.Bytes)) {
			i.Upload = u
		}
	}
}

// Uploads returns the files that the subject stored at the gateway.
func (h *History) Uploads() []*Upload {
	var all []*Upload
	for _, a := range h.RequestsTo(record.Gateway) {
		if a.Method != "POST" || a.Status != 200 {
			continue
		}
		all = append(all, record.Keep(a.Readings(), func() *Upload {
			u := &Upload{Entry: a.Entry, Bytes: uploadedFile(a.Sent)}
			u.CID, _ = schemas.ReadObject(a.Received)["Hash"].(string)
			return u
		}))
	}
	return all
}

// uploadedFile returns the first file of a multipart form, or the body itself if it is not a form.
func uploadedFile(body []byte) []byte {
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

// Submissions returns the submissions of the subject to the chain.
func (h *History) Submissions() []*Submission {
	var all []*Submission
	for _, a := range h.RequestsTo(record.Chain) {
		if s := record.Keep(a.Readings(), a.submission); s != nil {
			all = append(all, s)
		}
	}
	return all
}

// submission returns the request as a submission, nil if it is another request.
func (a *SubjectRequest) submission() *Submission {
	method, params := a.ChainCall()
	if method != OpPublish {
		return nil
	}
	s := &Submission{Entry: a.Entry, Values: map[string]string{}, Text: string(a.Sent)}
	for _, name := range ValueNames() {
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

// ParseFile returns a package as plain values, nil if the file is not a YAML mapping.
func ParseFile(file []byte) Object {
	var value Object
	if yaml.Unmarshal(file, &value) != nil {
		return nil
	}
	return value
}

// Plain returns a YAML value as it is after encoding and decoding as JSON.
func Plain(value any) any { return schemas.ReadValue(jsonvalue.Encode(value)) }
