package text

import (
	"slices"
	"strconv"

	"github.com/capconform/capconform/suites/document"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/rule"
)

// subject is what a rule is about: a call, or an element of a list in its result.
type subject struct {
	*call
	in    *history
	kind  string
	each  string      // the path of the list, "" for a call
	place int         // of the element, -1 for the call itself
	value any         // the element
	tick  record.Tick // 0 until it is needed, of an element that nothing holds
	node  *document.Node
	stand stand // in the chain, if the elements form one
}

// entry returns the entry that shows the object.
func (s *subject) entry() record.Tick {
	if s.tick == 0 && s.node != nil {
		s.tick = s.document.places.add(s.document.file, s.node)
	}
	return s.tick
}

// members are those of the objects of every kind.
func members() []*rule.Member {
	return []*rule.Member{
		rule.Text("kind", func(s *subject) string { return s.kind }).Sent(),
		rule.Text("operation", func(s *subject) string { return s.Operation }).Sent(),
		rule.Text("stimulus", func(s *subject) string { return s.Stimulus }).Sent(),
		rule.Value("about", func(s *subject) any { return about(s.About) }).Sent(),
		rule.Number("n", func(s *subject) int { return s.Number }).Sent(),   // among the calls of the operation, from 1
		rule.Number("list", func(s *subject) int { return s.First }).Sent(), // the n of the first page
		rule.Value("sent", func(s *subject) any { return s.Sent }).Sent(),
		rule.Value("answered", func(s *subject) any { return s.Outcome != "" && s.Outcome != silent }).InAnswer(),
		rule.Value("outcome", func(s *subject) any { return s.in.outcome(s.call) }).InAnswer(),
		rule.Value("result", (*subject).result).InAnswer(),
		rule.Value("error", func(s *subject) any { return orNull(s.Error) }).InAnswer(),
		rule.Number("status", func(s *subject) int { return s.Status }).InAnswer(),
		rule.Number("place", func(s *subject) int { return s.place }).Sent(),
		rule.Value("value", func(s *subject) any { return s.value }),
		rule.Text("answer", func(s *subject) string { return s.Got() }), // for messages
	}
}

func orNull(o object) any {
	if o == nil {
		return nil
	}
	return o
}

func about(of map[string]string) object {
	all := object{}
	for name, word := range of {
		all[name] = word
	}
	return all
}

// newKind describes objects to rules.
func newKind(name string, list func(*history) []*subject) *rule.Kind {
	k := rule.NewKind(name, list, func(s *subject) []record.Tick { return []record.Tick{s.entry()} }, members()...)
	return rule.Losing(k, (*subject).lost)
}

// lost returns the gap of a call without an answer, nil if there was one, or if the target closed the connection
// instead of answering, or ignored a message. A target that was only overloaded for a moment does not make a
// requirement undecided.
func (s *subject) lost() *rule.Gap {
	if s.Lost == nil || s.in.unanswered(s.call) {
		return nil
	}
	return &rule.Gap{Reason: s.Lost, Blocks: !s.Throttled}
}

// vocabulary returns what the rules of a text can be about: its kinds, every call, every object of its kinds, and the
// whole run.
func (p *protocol) vocabulary(functions []rule.Function) *rule.Vocabulary {
	every := func(h *history) []*subject {
		var all []*subject
		for _, k := range p.Kinds {
			all = append(all, h.of(k)...)
		}
		return all
	}
	kinds := []*rule.Kind{newKind("call", (*history).everyCall), rule.Listing(newKind("object", every), listing(p.Kinds...))}
	ofRun := []*rule.Member{rule.Many("calls", "call", func(h *history) rule.List[*subject] {
		return rule.List[*subject]{Elements: h.everyCall()}
	}), rule.Text("binding", func(h *history) string { return h.binding })}
	for _, k := range p.Kinds {
		kinds = append(kinds, rule.Listing(newKind(k.Name, func(h *history) []*subject { return h.of(k) }), listing(k)))
		ofRun = append(ofRun, rule.Many(k.Name+"s", k.Name, func(h *history) rule.List[*subject] {
			return rule.List[*subject]{Elements: h.of(k), Open: h.unheld(k.Name)}
		}))
	}
	run := rule.NewKind(rule.Run, func(h *history) []*history { return []*history{h} },
		func(*history) []record.Tick { return nil }, ofRun...)
	return rule.NewVocabulary(append(kinds, run), slices.Concat(functions, []rule.Function{
		rule.FunctionOfTwo("repeats", func(s *subject, name string) any {
			if s.node != nil {
				return s.document.unheld
			}
			return s.in.repeats(s, name)
		}),
		rule.FunctionOfTwo("before", func(a, b *subject) any { return a.Done < b.Entry }),
	})...)
}

// listing returns the function that returns the entries of the calls whose answers have the elements of kinds.
func listing(kinds ...kind) func(*history) []record.Tick {
	return func(h *history) []record.Tick {
		var all []record.Tick
		for _, c := range h.all() {
			if slices.ContainsFunc(kinds, func(k kind) bool { return k.Each != "" && k.Of == c.Operation }) {
				all = append(all, c.Entry)
			}
		}
		return all
	}
}

// repeats reports whether an earlier object of the same list has the same value of a member.
func (h *history) repeats(s *subject, name string) bool {
	key := s.kind + " " + name
	if h.firsts[key] == nil {
		first := map[string]*subject{}
		for _, other := range h.of(kind{Name: s.kind, Of: s.Operation, Each: s.each}) {
			if members, is := other.value.(object); is && has(members, name) {
				text := strconv.Itoa(other.First) + " " + string(jsonvalue.Encode(members[name]))
				if first[text] == nil {
					first[text] = other
				}
			}
		}
		h.firsts[key] = first
	}
	members, _ := s.value.(object)
	return h.firsts[key][strconv.Itoa(s.First)+" "+string(jsonvalue.Encode(members[name]))] != s
}

func (h *history) everyCall() []*subject { return h.of(kind{Name: "call"}) }

// of returns the objects of a kind, those of every operation if it names none. Each object is made once, so that it
// equals itself in every list.
func (h *history) of(k kind) []*subject {
	var all []*subject
	for _, c := range h.all() {
		if k.Of != "" && c.Operation != k.Of {
			continue
		}
		if _, made := c.subjects[k.Name]; !made {
			if c.subjects == nil {
				c.subjects = map[string][]*subject{}
			}
			c.subjects[k.Name] = c.make(h, k)
		}
		all = append(all, c.subjects[k.Name]...)
	}
	return all
}

// make returns the objects of a kind in a call: the call, or the elements of a list.
func (c *call) make(in *history, k kind) []*subject {
	if k.Each == "" {
		return []*subject{{call: c, in: in, kind: k.Name, place: -1, value: c.Result, tick: c.Entry}}
	}
	var all []*subject
	r := newChainReader(k.Chain, false)
	for i, value := range listAt(c.Result, k.Each) {
		all = append(all, &subject{call: c, in: in, kind: k.Name, each: k.Each, place: i, value: value,
			tick: c.elementTick(k.Each, i), stand: r.next(value)})
	}
	return all
}
