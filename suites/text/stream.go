package text

import (
	"cmp"
	"context"
	"errors"
	"slices"
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
	s := &stream{log: log, call: &call{Operation: t.formOf(file), Outcome: "returned",
		document: &documentAnswer{file, nil, places, unheld}}}
	for _, k := range t.Kinds {
		if k.Each != "" && k.Of == s.call.Operation {
			s.kinds = append(s.kinds, k)
		}
	}
	return s
}

// unheld returns why a list of the objects of a kind lacks elements, nil if it does not.
func (h *history) unheld(name string) *rule.Gap {
	for _, s := range h.streams {
		for _, k := range s.kinds {
			if k.Name == name {
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
			e.begin(ctx, s)
		}
		for _, k := range s.kinds {
			kinds = append(kinds, k.Name)
		}
	}
	asked := slices.DeleteFunc(slices.Clone(e.text.asked), func(a rule.Asked) bool { // about other kinds
		at := slices.Index(a.Rule.Parameters(), "kind")
		return at >= 0 && !slices.Contains(kinds, a.Words[at])
	})
	e.View().JudgeStream(rule.Stream{Kinds: kinds, Gap: e.streams[0].call.document.unheld,
		Each: func(visit func(string, any)) *rule.Gap {
			var lost *rule.Gap
			for _, s := range e.streams {
				lost = cmp.Or(lost, s.judge(ctx, e.history, visit))
			}
			return lost
		}}, asked)
	e.streamed = ctx.Err() == nil
	return context.Cause(ctx)
}

// begin reads what the rules need to know of the whole stream: the members beside its lists, and its chains. An error
// is that of the second reading, too.
func (e *documentExamination) begin(ctx context.Context, s *stream) {
	chains, broken := map[string]*chainIndex{}, false
	for _, k := range s.kinds {
		if k.Chain != nil {
			chains[k.Name] = newChainIndex(k.Chain, s.log.Lines())
		}
	}
	head, err := s.each(ctx, func(k kind, value any, _ document.Entry) {
		if x := chains[k.Name]; x != nil {
			x.add(value)
			broken = broken || len(x.at) > 0
		}
	})
	if broken {
		_, err = s.each(ctx, func(k kind, value any, _ document.Entry) {
			if x := chains[k.Name]; x != nil {
				x.find(value)
			}
		})
	}
	if ctx.Err() != nil {
		return
	}
	s.call.chains = chains
	if head == nil || s.log.Lines() || err != nil {
		return
	}
	members, _ := head.Value().(object)
	for _, m := range head.Members {
		if m.Value.Is(document.Array) {
			members[m.Name] = s.call.document.unheld
		}
	}
	s.call.Result, s.call.document.root = members, head
	e.put(s.call)
}

// each visits the elements of a stream, each for each of its kinds. What is no JSON is an element without a value, so
// that its rules are broken at its place.
func (s *stream) each(ctx context.Context, visit func(kind, any, document.Entry)) (*document.Node, error) {
	show := func(entry document.Entry, any bool) {
		for _, k := range s.kinds {
			path, member, through := strings.Cut(k.Each, "[]")
			list := strings.TrimPrefix(strings.TrimPrefix(path, "result"), ".")
			value := entry.Node.Value()
			if through {
				value = valueAt(value, member)
			}
			if (any || s.log.Lines() || list == entry.List) && (value != nil || !through) {
				visit(k, value, entry)
			}
		}
	}
	head, err := s.log.Each(ctx, func(entry document.Entry) { show(entry, false) })
	if broken, is := errors.AsType[*document.Error](err); is {
		show(document.Entry{Err: broken}, true)
	}
	return head, err
}

// judge visits the elements of a stream as objects. It returns why some were not read.
func (s *stream) judge(ctx context.Context, in *history, visit func(kind string, x any)) *rule.Gap {
	var lost *rule.Gap
	readers, places := map[string]*chainReader{}, map[string]int{}
	for _, k := range s.kinds {
		readers[k.Name] = newChainReader(k.Chain, s.log.Lines())
	}
	_, _ = s.each(ctx, func(k kind, value any, entry document.Entry) {
		one := &subject{call: s.call, in: in, kind: k.Name, each: k.Each, place: places[k.Name], value: value,
			node: entry.Node, stand: readers[k.Name].next(value)}
		places[k.Name]++
		if err := entry.Err; err != nil {
			one.node = &document.Node{Line: err.Line, Column: err.Column}
			switch {
			case err.Kind == document.Limit:
				lost = cmp.Or(lost, &rule.Gap{Reason: &verdict.LimitError{Reason: err.Error()}})
				return
			case entry.Cut:
				lost = cmp.Or(lost, &rule.Gap{Reason: verdict.Undecided("%v", err)})
				return
			}
		}
		visit(k.Name, one)
		visit("object", one)
	})
	return lost
}
