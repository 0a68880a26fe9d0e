package text

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"slices"

	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/rule"
	"github.com/capconform/capconform/suites/verdict"
)

// chain says how the elements of a list form a chain of hashes.
type chain struct {
	Hash   string // the member with the hash of the element
	Before string // the member with the hash of the element before
	// By is the path in an element of what names its chain, "" if there is one chain: a log of lines may contain
	// several. A list in an object is one chain.
	By string
}

// The bounds of what is kept of the chains of a list.
const (
	maxChains    = 100_000
	maxDisplaced = 100_000
)

// hashes returns the two hashes of an element, "" for one that it lacks.
func (c *chain) hashes(value any) (own, before string) {
	members, _ := value.(object)
	own, _ = members[c.Hash].(string)
	before, _ = members[c.Before].(string)
	return own, before
}

// stand is where an element stands: which hashes the element before it may have.
type stand struct {
	after []string // that of the element before it in the list, and that of the one in its chain
	first bool     // it may be the first of its chain
	open  bool     // an element before it is not known, or has no hash
}

// follows reports whether an element that names the hash stands after the element of the hash.
func (s stand) follows(before string) bool {
	return before == "" && s.first || before != "" && slices.Contains(s.after, before)
}

// chainReader reads the elements of a list in order.
type chainReader struct {
	of    *chain // nil if the list is no chain
	lines bool
	begun bool
	last  string            // the hash of the element before
	lasts map[string]string // of the last element of each chain
}

func newChainReader(of *chain, lines bool) *chainReader {
	return &chainReader{of: of, lines: lines, lasts: map[string]string{}}
}

// next returns where the next element stands.
func (r *chainReader) next(value any) stand {
	if r.of == nil {
		return stand{}
	}
	s := stand{first: !r.begun}
	if r.begun {
		s.after = append(s.after, r.last)
	}
	r.last, _ = r.of.hashes(value)
	r.begun = true
	if r.lines && r.of.By != "" {
		name := string(jsonvalue.Encode(valueAt(value, "."+r.of.By)))
		last, known := r.lasts[name]
		if s.first = !known; known {
			s.after = append(s.after, last)
		}
		if known || len(r.lasts) < maxChains {
			r.lasts[name] = r.last
		}
		s.open = len(r.lasts) == maxChains && !known
	}
	s.open = s.open || slices.Contains(s.after, "")
	return s
}

// chainIndex is what the rules about a list need to know of the whole list.
type chainIndex struct {
	reader *chainReader
	sum    hash.Hash
	whole  bool // each element has a hash
	count  int
	// at has the hashes that elements name which do not follow the element before, each with the place of the element of
	// that hash, or -1.
	at   map[string]int
	full bool
}

func newChainIndex(of *chain, lines bool) *chainIndex {
	return &chainIndex{reader: newChainReader(of, lines), sum: sha256.New(), whole: true, at: map[string]int{}}
}

func (x *chainIndex) add(value any) {
	s := x.reader.next(value)
	own, before := x.reader.of.hashes(value)
	x.whole = x.whole && own != ""
	_, _ = io.WriteString(x.sum, own+"\n")
	if before == "" || s.follows(before) {
		return
	}
	if x.full = x.full || len(x.at) == maxDisplaced; !x.full {
		x.at[before] = -1
	}
}

// find notes the place of an element. All elements were added before.
func (x *chainIndex) find(value any) {
	own, _ := x.reader.of.hashes(value)
	if place, wanted := x.at[own]; wanted && place < 0 {
		x.at[own] = x.count
	}
	x.count++
}

// chainOf returns the kind whose objects form a chain in the result of an object, and what is known of the chain.
func (t *Text) chainOf(s *subject) (*chain, *chainIndex) {
	for _, k := range t.Kinds {
		if k.Chain == nil || k.Of != s.Operation {
			continue
		}
		x := s.chains[k.Name]
		if x == nil {
			x = newChainIndex(k.Chain, false)
			elements := listAt(s.Result, k.Each)
			for _, one := range elements {
				x.add(one)
			}
			for _, one := range elements {
				x.find(one)
			}
			s.chains = map[string]*chainIndex{k.Name: x}
		}
		return k.Chain, x
	}
	return nil, nil
}

// ofChains are the functions by which rules judge chains:
//
//	follows(LINK)        whether the element names the hash of the element before it, and the first none
//	displaced(LINK)      what the place of an element that does not follow the one before it tells
//	chain_hash(OBJECT)   the hash of the hashes of the chain in the result, each followed by a line feed; null if an element
//	                     has none
func (t *Text) ofChains() []rule.Function {
	none := func(s *subject) any { return fmt.Errorf("the element is no part of a chain: %s", s.kind) }
	return []rule.Function{
		rule.FunctionOf("follows", func(s *subject) any {
			c, _ := t.chainOf(s)
			if _, is := s.value.(object); c == nil || !is {
				return none(s)
			}
			_, before := c.hashes(s.value)
			if follows := s.stand.follows(before); follows || !s.stand.open {
				return follows
			}
			return &rule.Gap{Reason: verdict.Undecided("the element before has no hash")}
		}),
		rule.FunctionOf("displaced", func(s *subject) any {
			c, x := t.chainOf(s)
			switch {
			case c == nil:
				return none(s)
			case x.full:
				return "the chain breaks at more places than are compared with each other"
			}
			return x.displaced(s)
		}),
		rule.FunctionOf("chain_hash", func(s *subject) any {
			c, x := t.chainOf(s)
			switch {
			case c == nil:
				return none(s)
			case !x.whole:
				return nil
			}
			return hex.EncodeToString(x.sum.Sum(nil))
		}),
	}
}

// displaced says what the place of an element tells. The next element of a removed one names a hash that no element
// has; after an inserted one, another element names the hash of the one before.
func (x *chainIndex) displaced(s *subject) string {
	own, before := x.reader.of.hashes(s.value)
	awaited := slices.ContainsFunc(s.stand.after, func(hash string) bool { _, named := x.at[hash]; return named })
	place, known := x.at[before]
	switch {
	case slices.Contains(s.stand.after, own):
		return "it repeats the one before it"
	case before == "":
		return "it names none, and was inserted or moved"
	case !known || place < 0 && awaited:
		return "it was inserted"
	case place < 0:
		return "the one that it follows was removed or replaced"
	case place == s.place-2 && !awaited:
		return "the one before it was inserted or moved"
	}
	return "it was moved or repeated"
}
