// Package rule judges a history by rules that are data. A rule connects a sentence of a feature with one
// demand in CEL, the Common Expression Language, on the objects of a history:
//
//   - sentence: each outcome {outcome} emits {event}
//     each: attempt
//     if: attempt.outcome == outcome
//     must: attempt.evidence.exists(e, e.type == event)
//     message: the outcome {outcome} emits no {event}
//     want: "{event} in the evidence of {{attempt.name}}"
//     got: attempt.event_types
//
// Evaluation knows three values. What was not observed is unknown: an answer that was lost is unknown as a
// whole, and a list that may lack elements ends with an unknown element (see Gap). A missing member of an
// answer is an error of evaluation: the rule cannot be judged at this object, since another requirement
// demands the member.
//
// A suite describes its objects by kinds (see Kind). Evaluation is pure and bounded: a rule reads the
// history alone, and it ends with an error if it exceeds its budget.
package rule

import (
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/capconform/capconform/suites/part"
)

// Rule is one sentence of the features with the demand that it stands for.
type Rule struct {
	Sentence text
	Each     []variable
	By       text // the key of the groups that pairs are formed in; the kind's name stands for the object
	If       text // which objects the rule is about; all if empty
	Demands  []demand
	CountsIf text // which objects show, when they satisfy the demands, that the requirement holds; all if empty
	Needs    text // what the subject needs to show this, such as "role fails"; the suite says what is missing
	Stimulus text // the stimulus that provokes this
	// WholeStimulus states that nothing is decided unless the whole stimulus was performed.
	WholeStimulus bool
	// Otherwise is the reason if nothing was judged, NotObserved the event that nobody caused.
	Otherwise, NotObserved text
	// HoldsIfNone states that the sentence holds if there is no such object. Another sentence of the scenario then
	// needs to see what the scenario is about.
	HoldsIfNone bool

	file     string
	compiled func() (*program, error)
}

// variable is a variable of a rule, with its source: the name of a kind, or an expression for a list.
type variable struct {
	name   text
	source text
}

// demand is a condition, and what a breach of it says. Message, Want, At and Hint are templates. At is the JSON Pointer
// of the value that breaks it, in the object. Breaches of a greater severity, a whole number, are reported first.
type demand struct {
	Must     text
	Message  text
	Want     text
	Got      text
	At       text
	Hint     text
	Severity text
}

// text is a scalar of a rule file with its position.
type text = part.Text

// Set is the rules of one suite.
type Set struct {
	Rules []*Rule
}

var parameter = regexp.MustCompile(`\{([a-z_]+)\}`)

// Expression returns the regular expression of a rule's sentence, without anchors. A parameter {name} matches
// one word.
func (r *Rule) Expression() string {
	var b strings.Builder
	rest := r.Sentence.Value
	for {
		at := parameter.FindStringIndex(rest)
		if at == nil {
			return b.String() + regexp.QuoteMeta(rest)
		}
		b.WriteString(regexp.QuoteMeta(rest[:at[0]]) + `([\w./-]+)`)
		rest = rest[at[1]:]
	}
}

// Parameters returns the names of the parameters of the sentence, in order.
func (r *Rule) Parameters() []string {
	var names []string
	for _, m := range parameter.FindAllStringSubmatch(r.Sentence.Value, -1) {
		names = append(names, m[1])
	}
	return names
}

// String returns the sentence.
func (r *Rule) String() string { return r.Sentence.Value }

// Place returns where the rule begins, FILE:LINE.
func (r *Rule) Place() string { return fmt.Sprintf("%s:%d", r.file, r.Sentence.Line) }

// prepare makes the rule compile at its first use.
func (r *Rule) prepare(v *Vocabulary) {
	r.compiled = sync.OnceValues(func() (*program, error) { return v.compile(r) })
}
