package text

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"github.com/capconform/capconform/suites/document"
	"github.com/capconform/capconform/suites/rule"
	"github.com/capconform/capconform/suites/verdict"
)

// stream is a document that is too long to be held, or a log of lines. Its elements are read one at a time.
type stream struct {
	call  *call
	log   *document.Log
	kinds []kind // those of elements
}

func (t *Text) newStream(file string, log *document.Log, places *documentPlaces) *stream {
	unheld := &rule.Gap{Blocks: true, Reason: &verdict.LimitError{
		Reason: file + ": the file is too long, or a log, so that its elements are not compared with each other"}}
	c := &call{Operation: t.formOf(file), Outcome: "returned", document: &documentAnswer{file, nil, places, unheld}}
	return &stream{c, log, t.listKinds(c.Operation)}
}

// listKinds returns the kinds of elements in the results of an operation.
func (t *Text) listKinds(operation string) []kind {
	var all []kind
	for _, k := range t.Kinds {
		if k.Each != "" && (k.Of == "" || k.Of == operation) {
			all = append(all, k)
		}
	}
	return all
}

// unheld returns why a list of the objects of a kind lacks elements, nil if it does not.
func (h *history) unheld(k kind) *rule.Gap {
	for _, s := range h.streams {
		for _, one := range s.kinds {
			if one.Name == k.Name {
				return s.call.document.unheld
			}
		}
	}
	return nil
}

// result returns the result of the call of an object. An element of a stream does not know the others.
func (s *subject) result() any {
	if s.node != nil {
		return s.document.unheld
	}
	return s.Result
}

// readStreams reads the documents that are not held, and judges their elements, once.
func (e *documentExamination) readStreams(ctx context.Context) error {
	if e.streamed || len(e.streams) == 0 {
		return nil
	}
	kinds := []string{"object"}
	for _, s := range e.streams {
		if s.call.chains == nil {
			if err := e.begin(ctx, s); err != nil {
				return err
			}
		}
		for _, k := range s.kinds {
			kinds = append(kinds, k.Name)
		}
	}
	e.View().JudgeStream(rule.Stream{Kinds: kinds, Gap: e.streams[0].call.document.unheld,
		Each: func(visit func(string, any)) *rule.Gap {
			var lost *rule.Gap
			for _, s := range e.streams {
				lost = cmp.Or(lost, s.judge(ctx, e.history, visit))
			}
			return lost
		}}, e.text.asked)
	e.streamed = ctx.Err() == nil
	return context.Cause(ctx)
}

// begin reads what the rules need to know of the whole stream: the members beside its lists, and its chains.
func (e *documentExamination) begin(ctx context.Context, s *stream) error {
	chains, displaced := map[string]*chainIndex{}, false
	for _, k := range s.kinds {
		if k.Chain != nil {
			chains[k.Name] = newChainIndex(k.Chain, s.log.Lines())
		}
	}
	head, err := s.each(ctx, func(k kind, value any) {
		if x := chains[k.Name]; x != nil {
			x.add(value)
			displaced = displaced || len(x.at) > 0
		}
	})
	if displaced {
		_, err = s.each(ctx, func(k kind, value any) {
			if x := chains[k.Name]; x != nil {
				x.find(value)
			}
		})
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	s.call.chains = chains
	if head == nil || s.log.Lines() || err != nil {
		return nil // judge reports the error
	}
	members, _ := head.Value().(object)
	for _, m := range head.Members {
		if m.Value.Is(document.Array) {
			members[m.Name] = s.call.document.unheld
		}
	}
	s.call.Result, s.call.document.root = members, head
	e.put(s.call)
	return nil
}

// each visits the elements of a stream, each for each of its kinds. An entry that is no JSON is the value nil.
func (s *stream) each(ctx context.Context, visit func(k kind, value any)) (*document.Node, error) {
	return s.log.Each(ctx, func(entry document.Entry) {
		for _, k := range s.kinds {
			if value, is := s.element(k, entry); is {
				visit(k, value)
			}
		}
	})
}

// element returns the element of a kind that an entry is.
func (s *stream) element(k kind, entry document.Entry) (any, bool) {
	path, member, through := strings.Cut(k.Each, "[]")
	if list := strings.TrimPrefix(strings.TrimPrefix(path, "result"), "."); !s.log.Lines() && list != entry.List {
		return nil, false
	}
	value := entry.Node.Value()
	if through {
		value = valueAt(value, member)
		return value, value != nil
	}
	return value, true
}

// judge visits the elements of a stream as objects. What is not JSON is an element without a value, so that its rules
// are broken at its place.
func (s *stream) judge(ctx context.Context, in *history, visit func(kind string, x any)) *rule.Gap {
	var lost *rule.Gap
	readers, places := map[string]*chainReader{}, map[string]int{}
	for _, k := range s.kinds {
		readers[k.Name] = newChainReader(k.Chain, s.log.Lines())
	}
	show := func(entry document.Entry) {
		if err := entry.Err; err != nil {
			if err.Kind == document.Limit {
				lost = cmp.Or(lost, &rule.Gap{Reason: &verdict.LimitError{Reason: err.Error()}})
			} else if entry.Cut {
				lost = cmp.Or(lost, &rule.Gap{Reason: verdict.Undecided("%v", err)})
			}
			entry.Node = &document.Node{Line: err.Line, Column: err.Column}
		}
		for _, k := range s.kinds {
			value, is := s.element(k, entry)
			if !is {
				continue
			}
			one := &subject{call: s.call, in: in, kind: k.Name, each: k.Each, place: places[k.Name], value: value,
				node: entry.Node, stand: readers[k.Name].next(value)}
			places[k.Name]++
			if entry.Err == nil || entry.Err.Kind != document.Limit && !entry.Cut {
				visit(k.Name, one)
				visit("object", one)
			}
		}
	}
	_, err := s.log.Each(ctx, show)
	if broken, is := errors.AsType[*document.Error](err); is {
		for _, k := range s.kinds {
			path, _, _ := strings.Cut(k.Each, "[]")
			show(document.Entry{Err: broken, List: strings.TrimPrefix(strings.TrimPrefix(path, "result"), ".")})
		}
	}
	return lost
}
