package chpdocument

import (
	"context"
	"errors"
	"hash/maphash"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/chp/judge"
	"github.com/capconform/capconform/suites/document"
	"github.com/capconform/capconform/suites/lint"
)

// reading judges all documents in one pass.
type reading struct {
	*evidence
	pairs map[string]facts // of descriptors that are not part of a list
}

func readDocuments(ctx context.Context, files []suites.Document, forms *judge.Forms, closed bool) (*reading, error) {
	r := &reading{&evidence{
		objects: &objects{Findings: lint.NewFindings(), forms: forms, rules: documents().set}, seed: maphash.MakeSeed(),
		results: map[string]*outcomeInLog{},
	}, map[string]facts{}}
	if closed {
		var err error
		if r.closed, err = compileClosed(); err != nil {
			return nil, err
		}
	}
	for _, file := range files {
		for _, root := range file.Roots {
			r.prepare(file.Path, root)
		}
	}
	for _, file := range files {
		var err error
		switch {
		case file.Log != nil && Recognises(&file):
			err = r.log(ctx, file.Path, file.Log)
		default:
			for _, root := range file.Roots {
				r.visit(file.Path, root)
			}
		}
		if err != nil {
			return nil, err
		}
	}
	r.judgeOutcomes()
	return r, nil
}

// prepare collects what must be known before evidence is judged.
func (r *reading) prepare(file string, n *document.Node) {
	switch formOf(n) {
	case formQuery:
		r.queries = append(r.queries, n)
	case formResult:
		r.expect(file, n)
	case formExchange:
		r.prepare(file, n.Get("query"))
	}
}

// visit judges one root of a file that was read as a whole.
func (r *reading) visit(file string, n *document.Node) {
	switch f := formOf(n); f {
	case formExchange:
		r.visit(file, n.Get("query"))
		r.visit(file, n.Get("result"))
	case formDescriptor:
		r.descriptor(file, n, r.pairs)
	case formHost:
		r.host(file, n)
		r.descriptors(file, items(n.Get("capabilities")))
	case formDiscovery:
		r.descriptors(file, append(items(n.Get("capabilities")), n.Items...))
	case formEvents, formReplay:
		events := n.Items
		if n.Is(document.Object) {
			events = items(n.Get("events"))
		}
		h := newEventLog(r.evidence, file, f == formReplay)
		for _, item := range events {
			h.item(item)
		}
		h.head(n)
		h.end()
		if h.needsSecondPass() {
			again := newSecondPass(h)
			for _, item := range events {
				again.add(item)
			}
		}
	case formEvent:
		e := newEntry(n)
		r.event(file, e)
		newEventLog(r.evidence, file, false).judgePayload(e)
	default:
		r.judgeObject(file, n, f)
	}
}

// log judges a file that is read value by value.
func (r *reading) log(ctx context.Context, file string, log *document.Log) error {
	h := newEventLog(r.evidence, file, !log.Lines())
	pairs := map[string]facts{}
	others := 0
	head, err := log.Each(ctx, func(e document.Entry) {
		switch {
		case e.Err != nil:
			h.unread(e.Err, e.Cut)
		case isItem(log, e):
			h.item(e.Node)
		case e.List == "capabilities" && e.Node.Is(document.Object):
			r.descriptor(file, e.Node, pairs)
		case e.List != "":
		case formOf(e.Node) == "":
			others++
		default:
			if formOf(e.Node) == formResult && r.expect(file, e.Node) {
				h.resultsInside = true
			}
			r.visit(file, e.Node)
		}
	})
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if broken, ok := errors.AsType[*document.Error](err); ok {
		h.stopReading(broken)
	} else if err != nil {
		return err
	}
	if others > 0 {
		h.Note("%s: %d lines are not documents of CHP and were omitted", file, others)
	}
	if head != nil && err == nil {
		headOfLog(h, head)
	}
	h.end()
	if !h.needsSecondPass() {
		return nil
	}
	again := newSecondPass(h)
	// The first pass reported what cannot be read, and ended at the same place.
	_, _ = log.Each(ctx, func(e document.Entry) {
		if e.Err == nil && isItem(log, e) {
			again.add(e.Node)
		}
	})
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

// isItem reports whether an entry of a log is at a place of an event.
func isItem(log *document.Log, e document.Entry) bool {
	if log.Lines() {
		return formOf(e.Node) == formEvent
	}
	return e.List == "" || e.List == "events"
}

// headOfLog judges the members of a long value, whose lists were read before.
func headOfLog(h *eventLog, head *document.Node) {
	if hostForm(head) == formHost {
		h.host(h.file, head)
		return
	}
	h.head(head)
}
