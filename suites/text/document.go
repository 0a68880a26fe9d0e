package text

import (
	"context"
	"math"
	"path"
	"strconv"
	"strings"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/document"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/rule"
	"github.com/capconform/capconform/suites/verdict"
)

// documentAnswer is a file that is judged as the answer of an operation.
type documentAnswer struct {
	file   string
	root   *document.Node
	places *documentPlaces
	unheld *rule.Gap // why its elements are not known together, nil if they are
}

// documentPlaces are the values of documents that rules can be about, by the tick that stands for each.
type documentPlaces struct {
	next record.Tick
	at   map[record.Tick]documentPlace
}

type documentPlace struct {
	file string
	node *document.Node
}

func (p *documentPlaces) add(file string, n *document.Node) record.Tick {
	p.next++
	p.at[p.next] = documentPlace{file, n}
	return p.next
}

// elementTick returns the tick for an element of a list in the result: the entry of the call, or the place in a
// document.
func (c *call) elementTick(list string, index int) record.Tick {
	if c.document == nil {
		return c.Entry
	}
	names := append(strings.Split(list, ".")[1:], strconv.Itoa(index))
	n := c.document.root.At("/" + strings.Join(names, "/"))
	if n == nil {
		return c.Entry
	}
	return c.document.places.add(c.document.file, n)
}

// formOf returns the operation of which a file is an answer, "" if its name fits none.
func (p *protocol) formOf(file string) string {
	for _, d := range p.Documents {
		if fits, err := path.Match(d.Files, path.Base(file)); fits && err == nil {
			return d.Operation
		}
	}
	return ""
}

// recognises returns the function that recognises the documents of the text, nil if it has none.
func (t *Text) recognises() func(*suites.Document) bool {
	if len(t.Documents) == 0 {
		return nil
	}
	return func(d *suites.Document) bool { return d.Err == nil && t.formOf(d.Path) != "" }
}

// inspect returns the function that examines documents, nil if the text has none.
func (t *Text) inspect() func(*suites.Subject) (suites.Examination, error) {
	if len(t.Documents) == 0 {
		return nil
	}
	return func(subject *suites.Subject) (suites.Examination, error) { return t.readDocuments(subject), nil }
}

// readDocuments makes a history in which each document is the answer of a call.
func (t *Text) readDocuments(subject *suites.Subject) *documentExamination {
	e := &documentExamination{
		examination: &examination{history: newHistory(), text: t, subject: subject},
		places:      &documentPlaces{at: map[record.Tick]documentPlace{}}, unread: subject.Unread,
	}
	e.profile = suites.Profile{Actors: []string{t.Actor}, Shown: []string{t.Actor}}
	if len(subject.Actors) > 0 {
		e.profile.Actors = subject.Actors
	}
	for _, file := range subject.Documents {
		if file.Log != nil {
			e.streams = append(e.streams, t.newStream(file.Path, file.Log, e.places))
		}
		for _, root := range file.Roots {
			e.add(t.formOf(file.Path), &documentAnswer{file: file.Path, root: root, places: e.places})
		}
	}
	return e
}

// documentExamination is the examination of documents.
type documentExamination struct {
	*examination
	places *documentPlaces
	unread []string // documents, each with the reason why it was not read
	// streamed states that the streams were read.
	streamed bool
}

func (e *documentExamination) add(operation string, d *documentAnswer) {
	c := &call{Operation: operation, Outcome: "returned", document: d}
	text := jsonvalue.Encode(d.root.Value())
	c.Result = schemas.ReadValue(text)
	c.Show(string(text))
	e.put(c)
}

// put adds a document to the history.
func (e *documentExamination) put(c *call) {
	c.Returned = true
	d := c.document
	// Nobody knows which of two documents is older, so none is before another.
	c.Entry, c.Done = e.places.add(d.file, d.root), math.MaxInt
	e.numbers[c.Operation]++
	c.Number, c.First = e.numbers[c.Operation], e.numbers[c.Operation]
	e.size++
	e.Put(c.Entry, c)
	e.calls = append(e.calls, c)
}

// Steps implements suites.Examination.
func (e *documentExamination) Steps(voc suites.Vocabulary, sc *suites.Scenario) {
	judge := func(ctx context.Context, judgement func() verdict.Verdict) error {
		return sc.Judge(ctx, func() verdict.Verdict {
			if err := e.readStreams(ctx); err != nil {
				return verdict.Verdict{Open: &verdict.LimitError{Reason: err.Error()}}
			}
			return e.locate(judgement())
		})
	}
	for _, s := range e.text.sentences {
		voc.Step(s.Expression(), s.Handler(e.examination, judge))
	}
}

// locate adds the places in the files to the breaches of a verdict. A document that was not read leaves every rule
// open.
func (e *documentExamination) locate(v verdict.Verdict) verdict.Verdict {
	for i := range v.Breaches {
		b := &v.Breaches[i]
		if len(b.Entries) == 0 {
			continue
		}
		at := e.places.at[b.Entries[len(b.Entries)-1]]
		n := at.node.At(b.At)
		b.Finding = &reports.Finding{File: at.file, Line: n.Line, Column: n.Column, Message: b.Message}
	}
	if len(e.unread) > 0 {
		v.Open = &verdict.LimitError{Reason: e.unread[0]}
	}
	return v
}

// Control implements suites.Examination: documents always answer.
func (e *documentExamination) Control(context.Context, driver.Session) error { return nil }
