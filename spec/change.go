package spec

import (
	"cmp"
	"slices"
	"strconv"
)

// Change is how a sentence of a text differs from what a catalogue covers, or from an older text.
type Change struct {
	Kind ChangeKind
	// Was is the older sentence: the zero value if there is none.
	Was Sentence
	// Is is the block of the text: the zero value if there is none.
	Is Block
	// Similarity of the two, in percent.
	Similarity int
	// After is the owner of the last known sentence before the block, "" if there is none.
	After string
}

// ChangeKind is the kind of a change.
type ChangeKind string

// The kinds of changes.
const (
	Reworded ChangeKind = "reworded"
	New      ChangeKind = "new"
	Gone     ChangeKind = "gone" // or reworded, if the sentence has no sketch
)

// Sentence is a sentence as a catalogue or an older text has it.
type Sentence struct {
	Owner  string // a requirement, "not_normative", or the line of an older text
	Level  Level
	About  string // the summary of the requirement, or why the sentence obliges nobody
	Sketch Sketch

	Fingerprint string
}

// LevelNow returns the level that the keyword of the block stands for. A level without a keyword remains.
func (c Change) LevelNow() Level {
	if c.Is.Keyword == "" && !slices.Contains([]Level{Must, MustNot, Should, ShouldNot, May}, c.Was.Level) {
		return c.Was.Level
	}
	return levelOf[c.Is.Keyword]
}

// levelOf are the levels that keywords stand for.
var levelOf = map[string]Level{
	"MUST": Must, "SHALL": Must, "REQUIRED": Must, "MANDATORY": Must, "must": Must,
	"MUST NOT": MustNot, "SHALL NOT": MustNot, "must not": MustNot,
	"SHOULD": Should, "RECOMMENDED": Should, "should": Should,
	"SHOULD NOT": ShouldNot, "NOT RECOMMENDED": ShouldNot, "should not": ShouldNot,
	"MAY": May, "OPTIONAL": May,
}

// covered returns the sentences that a catalogue covers.
func (c *Catalogue) covered() []Sentence {
	sketches := c.sketches()
	var all []Sentence
	add := func(owner string, level Level, about, fingerprint string) {
		all = append(all, Sentence{owner, level, about, sketches[fingerprint[:2*prefixSize]], fingerprint})
	}
	for _, r := range c.Requirements {
		for _, fp := range r.Fingerprint {
			add(r.ID, r.Level, r.Summary, fp)
		}
	}
	for _, w := range c.NotNormative {
		add(notNormative, "", w.Why, w.Fingerprint)
	}
	return all
}

// Compare returns how a text differs from an older one. Only sentences with a keyword, in either, are compared.
func Compare(older, newer []byte) []Change {
	var sentences []Sentence
	for _, b := range Blocks(older) {
		sentences = append(sentences, Sentence{"line " + strconv.Itoa(b.Line), levelOf[b.Keyword], b.Text, SketchOf(b.Text),
			b.Fingerprint})
	}
	return changes(sentences, Blocks(newer), func(s Sentence) bool { return s.Level != "" })
}

// changes compares blocks with the sentences that were there before. The function counts reports which sentences are
// listed when they are gone.
func changes(before []Sentence, blocks []Block, counts func(Sentence) bool) []Change {
	now, owners := map[string]bool{}, map[string]string{}
	for _, b := range blocks {
		now[b.Fingerprint] = true
	}
	var lost []Sentence
	for _, s := range before {
		if owners[s.Fingerprint] = cmp.Or(owners[s.Fingerprint], s.Owner); !now[s.Fingerprint] {
			lost = append(lost, s)
		}
	}
	var fresh []Change
	after := ""
	for _, b := range blocks {
		if owner, known := owners[b.Fingerprint]; known {
			after = owner
			continue
		}
		fresh = append(fresh, Change{Kind: New, Is: b, After: after})
	}
	var all []Change
	taken := paired(lost, fresh, func(s Sentence, f Change, similarity int) {
		f.Kind, f.Was, f.Similarity = Reworded, s, similarity
		if f.Is.Normative() || counts(s) {
			all = append(all, f)
		}
	})
	for i, f := range fresh {
		if !taken[f.Is.Fingerprint] && f.Is.Normative() {
			all = append(all, fresh[i])
		}
	}
	for _, s := range lost {
		if !taken[s.Fingerprint] && counts(s) {
			all = append(all, Change{Kind: Gone, Was: s})
		}
	}
	slices.SortStableFunc(all, func(a, b Change) int { return cmp.Compare(a.Is.Line, b.Is.Line) })
	return all
}

// The least similarity of two versions of one sentence, in percent. Two sentences about different matters seldom reach
// it; a heading or an item of a few letters does so easily.
const (
	leastSimilarity        = 34
	leastSimilarityOfShort = 75
	short                  = 24 // letters and digits
)

// paired joins each lost sentence to the most similar new one, the best pairs first. A sentence that several
// requirements share is joined for each of them. It returns the fingerprints of all sentences that were joined.
func paired(lost []Sentence, fresh []Change, join func(Sentence, Change, int)) map[string]bool {
	type pair struct {
		lost, fresh, similarity int
	}
	var pairs []pair
	for j, f := range fresh {
		sketch, least := SketchOf(f.Is.Text), leastSimilarity
		if len(fingerprintText(f.Is.Text)) < short {
			least = leastSimilarityOfShort
		}
		for i, s := range lost {
			if similarity := int(100 * s.Sketch.Similarity(sketch)); similarity >= least {
				pairs = append(pairs, pair{i, j, similarity})
			}
		}
	}
	slices.SortStableFunc(pairs, func(a, b pair) int { return b.similarity - a.similarity })
	taken, of := map[string]bool{}, map[string]string{}
	for _, p := range pairs {
		s, f := lost[p.lost], fresh[p.fresh]
		if free := !taken[s.Fingerprint] && !taken[f.Is.Fingerprint]; free || of[s.Fingerprint] == f.Is.Fingerprint {
			taken[s.Fingerprint], taken[f.Is.Fingerprint], of[s.Fingerprint] = true, true, f.Is.Fingerprint
			join(s, f, p.similarity)
		}
	}
	return taken
}
