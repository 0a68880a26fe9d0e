package nearest

import (
	"bytes"
	"cmp"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/capconform/capconform/reports"
)

// patterns contains one Pattern per line. `make patterns` writes them, and a test of package proof repeats the runs.
//
//go:embed patterns/*.jsonl
var patterns embed.FS

// Pattern is what a run finds on the reference with one defect.
type Pattern struct {
	Defect  string   `json:"defect"`  // the name of the mutant
	Summary string   `json:"summary"` // what it does, in one sentence
	Found   []Breach `json:"found"`
}

// Breach is one way in which a requirement was broken.
type Breach struct {
	Requirement string   `json:"requirement"`
	Message     string   `json:"message"` // as reports.Failure.Message
	Got         []string `json:"got"`     // the words in reports.Failure.Got, without those that differ from run to run
}

// mostWords bounds the words of a breach, and mostBreaches the breaches of a report.
const (
	mostWords    = 40
	mostBreaches = 400
)

// Found returns the breaches in the report of a suite, in the order of the catalogue.
func Found(s *reports.Suite) []Breach {
	var all []Breach
	for _, q := range s.Requirements {
		if q.Status != reports.Failed {
			continue
		}
		for _, sc := range q.Scenarios {
			if sc.Failure == nil || sc.Status != reports.Failed {
				continue
			}
			kinds := sc.Failure.Kinds
			if len(kinds) == 0 {
				kinds = []reports.FailureKind{{Message: sc.Failure.Message, Got: sc.Failure.Got}}
			}
			for _, k := range kinds {
				all = append(all, Breach{Requirement: q.ID, Message: k.Message, Got: wordsOf(k.Got)})
			}
		}
	}
	return all[:min(len(all), mostBreaches)]
}

// word matches a word of a value as its group, and a value that differs from run to run without a group.
var word = regexp.MustCompile(`(?:^|[ :,\[])(-[0-9]+|"[0-9]+")|` + // numbers of a wrong form, see wordsOf
	`[0-9]{4}-[0-9]{2}-[0-9T:.Z+-]+|` + // times
	`[A-Za-z_.-]*\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9A-Za-z_.-]+|"(?:capconf|evt)[^"]*"|capconform-[0-9a-z-]+|` + // ids
	`\b[0-9a-fA-F-]{8,}\b|[0-9]{8,}|` + // digests and numbers
	`([A-Za-z_][A-Za-z_0-9.-]*|[0-9]+|\[\]|\{\}|"")`)

// wordsOf returns the words of a value, sorted. A number in quotes is "1", a negative one -1: only the form is stable.
func wordsOf(text string) []string {
	all := []string{}
	for _, m := range word.FindAllStringSubmatch(text, -1) {
		w := m[2]
		switch {
		case strings.HasPrefix(m[1], `"`):
			w = `"1"`
		case m[1] != "":
			w = "-1"
		}
		if w != "" && !slices.Contains(all, w) && len(all) < mostWords {
			all = append(all, w)
		}
	}
	slices.Sort(all)
	return all
}

// The likeness of two patterns is the sum of four shares: of the requirements, of the demands, of the messages and of
// the words. A pattern is named if enough demands agree, and if few others are almost as near: of many, none says what
// is wrong.
const (
	ofRequirements = 0.5
	ofDemands      = 0.6
	ofMessages     = 0.4
	ofWords        = 0.6
	leastDemands   = 0.5
	almost         = 0.2
	mostNamed      = 4
)

// Defects returns the known defects that the failures of a suite resemble, the nearest first. It returns none if
// nothing is near, if too many are, or if the program has no patterns of the suite.
func Defects(s *reports.Suite) ([]Pattern, error) {
	found := Found(s)
	if len(found) == 0 {
		return nil, nil
	}
	known, err := Patterns(s.Suite)
	if err != nil || known == nil {
		return nil, err
	}
	return Among(known, found), nil
}

// Hint states in one sentence which known defects the failures of a whole run look like, and names the first of them.
// Both are empty if there is none.
func Hint(r *reports.Report) (sentence, defect string) {
	for i := range r.Suites {
		all, err := Defects(&r.Suites[i])
		if err != nil || len(all) == 0 || r.Run.Partial || r.Suites[i].TextDigest != "" {
			continue // a report is complete without a hint
		}
		sentence = "The failures of " + r.Suites[i].Suite + " look like those of " + all[0].Defect + ": " + all[0].Summary
		for j, other := range all[1:] {
			sentence += []string{" Or of ", ", or of "}[min(j, 1)] + other.Defect
		}
		if len(all) > 1 {
			sentence += "."
		}
		return sentence, all[0].Defect
	}
	return "", ""
}

// Patterns returns the patterns of a suite, nil without an error if the program has none.
func Patterns(suite string) ([]Pattern, error) {
	text, err := patterns.ReadFile("patterns/" + suite + ".jsonl")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("nearest: %w", err)
	}
	var all []Pattern
	for line := range bytes.Lines(text) {
		var p Pattern
		if err := json.Unmarshal(line, &p); err != nil {
			return nil, fmt.Errorf("nearest: patterns of %s: %w", suite, err)
		}
		all = append(all, p)
	}
	return all, nil
}

// Among returns those of the known patterns that breaches resemble, as Defects does.
func Among(known []Pattern, found []Breach) []Pattern {
	type candidate struct {
		Pattern
		likeness float64
	}
	patterns := make([]breaches, len(known))
	for i, p := range known {
		patterns[i] = newBreaches(p.Found)
	}
	mine, distinctive := newBreaches(found), distinctiveWords(patterns)
	var near []candidate
	best, enough := 0.0, false
	for i, p := range known {
		likeness, demands := mine.likeness(patterns[i], distinctive)
		if likeness > best {
			best, enough = likeness, demands >= leastDemands
		}
		if demands >= leastDemands {
			near = append(near, candidate{p, likeness})
		}
	}
	near = slices.DeleteFunc(near, func(c candidate) bool { return c.likeness < best-almost })
	if !enough || len(near) > mostNamed {
		return nil
	}
	slices.SortStableFunc(near, func(a, b candidate) int { return cmp.Compare(b.likeness, a.likeness) })
	var named []Pattern
	for _, c := range near {
		named = append(named, c.Pattern)
	}
	return named
}

// breaches are the breaches of a pattern as sets.
type breaches struct {
	requirements set
	demands      set            // the messages without what they are about
	words        map[string]set // by message
	messages     set
}

func newBreaches(all []Breach) breaches {
	b := breaches{set{}, set{}, map[string]set{}, set{}}
	for _, one := range all {
		key := one.Requirement + " " + one.Message
		about, demand, is := strings.Cut(one.Message, ": ")
		if !is {
			demand = about
		}
		b.requirements[one.Requirement], b.messages[key], b.demands[one.Requirement+" "+demand] = true, true, true
		if b.words[key] == nil {
			b.words[key] = set{}
		}
		for _, w := range one.Got {
			b.words[key][w] = true
		}
	}
	return b
}

// distinctiveWords returns, by message, the words by which the patterns with the message differ. A word that they
// share, or that none of them has, says nothing about the defect: it is that of a host.
func distinctiveWords(patterns []breaches) map[string]set {
	distinctive, shared := map[string]set{}, map[string]set{}
	for _, p := range patterns {
		for message, words := range p.words {
			if distinctive[message] == nil {
				distinctive[message], shared[message] = set{}, maps.Clone(words)
			}
			maps.Copy(distinctive[message], words)
			maps.DeleteFunc(shared[message], func(w string, _ bool) bool { return !words[w] })
		}
	}
	for message, words := range distinctive {
		maps.DeleteFunc(words, func(w string, _ bool) bool { return shared[message][w] })
	}
	return distinctive
}

// likeness returns the likeness of two patterns, and the share of the demands in it.
func (b breaches) likeness(other breaches, distinctive map[string]set) (likeness, demands float64) {
	demands = b.demands.share(other.demands)
	words := 0.0
	for message := range b.messages {
		if other.messages[message] {
			mine, theirs := b.words[message].among(distinctive[message]), other.words[message].among(distinctive[message])
			words += mine.share(theirs) / float64(b.messages.common(other.messages))
		}
	}
	return ofRequirements*b.requirements.share(other.requirements) + ofDemands*demands +
		ofMessages*b.messages.share(other.messages) + ofWords*words, demands
}

// set is a set of texts.
type set map[string]bool

// common returns how many elements both sets have.
func (s set) common(other set) int {
	both := 0
	for e := range s {
		if other[e] {
			both++
		}
	}
	return both
}

// among returns the elements of a set that another set has as well.
func (s set) among(other set) set {
	both := set{}
	for e := range s {
		if other[e] {
			both[e] = true
		}
	}
	return both
}

// distance returns how many elements only one of two sets has.
func (s set) distance(other set) int { return len(s) + len(other) - 2*s.common(other) }

// share returns the part of the elements of two sets that both have, 1 if both are empty.
func (s set) share(other set) float64 {
	all := len(s) + len(other) - s.common(other)
	if all == 0 {
		return 1
	}
	return float64(s.common(other)) / float64(all)
}
