package rule

import (
	"slices"
	"strings"
)

// Stream gives the objects that a view does not hold, because there may be too many. They are read in one pass.
type Stream struct {
	Kinds []string
	Gap   *Gap // why the lists of these kinds, and pairs of their objects, are not known
	// Each visits the objects, each with the name of its kind. It returns why some were not read, nil if all were.
	Each func(visit func(kind string, x any)) *Gap
}

// Asked is a rule with the words of a sentence.
type Asked struct {
	Rule  *Rule
	Words []string
}

func (a Asked) key() string { return a.Rule.Place() + " " + strings.Join(a.Words, " ") }

// maxStreamed bounds the breaches of a rule that are kept. A rule that found so many is judged no further.
const maxStreamed = 1000

// JudgeStream judges sentences on what the view holds and on the objects of a stream, in one pass through the stream.
// Afterwards, Judge returns what was found.
func (v *View) JudgeStream(s Stream, asked []Asked) {
	judged := map[string]*evaluation{}
	about := map[string][]*evaluation{}
	for _, a := range asked {
		if judged[a.key()] != nil {
			continue
		}
		e, err := a.Rule.evaluate(v, a.Words)
		if err != nil {
			continue // Judge reports it
		}
		judged[a.key()] = e
		streamed := func(of source) bool { return of.kind != nil && slices.Contains(s.Kinds, of.kind.name) }
		if sources := e.program.sources; slices.ContainsFunc(sources[1:], streamed) {
			e.blocked = s.Gap.Reason
		} else if streamed(sources[0]) {
			about[sources[0].kind.name] = append(about[sources[0].kind.name], e)
		}
	}
	lost := s.Each(func(kind string, x any) {
		one := &object{kind: v.vocabulary.kinds[kind], x: x, view: v}
		for _, e := range about[kind] {
			if e.stopped == nil && len(e.verdict.Breaches) < maxStreamed {
				e.bind(0, nil, one)
			}
		}
	})
	for _, all := range about {
		for _, e := range all {
			if lost != nil && e.blocked == nil {
				e.blocked = lost.Reason
			}
		}
	}
	for key, e := range judged {
		v.judged[key] = e.conclude()
	}
}
