package capsuite

import (
	"fmt"
	"regexp"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
)

// world is what one scenario knows. Nobody shares it.
type world struct {
	*examination
	sc         *suites.Scenario
	manifests  []sheet
	lookups    []lookup
	attempts   []attempt
	role       string
	lookedBack bool                 // the attempts are all those of the run
	list       *listing             // the first list of the run, or the one that a step took in its place
	lists      []*listing           // lists taken by this scenario
	restarted  bool                 // lies between list and lists
	old        []ref                // pairs that were exchanged
	fresh      []*capability        // what stands in their place
	shifted    map[*capability]bool // those found changed since they were listed
	attached   *attachment          // what became of the source that was attached
	limits     int                  // how many answers a limit may explain
}

// sheet is a manifest as it came, and the operation that showed it.
type sheet struct {
	raw    []byte
	kept   manifest // decoded, nil where there are too many to be kept
	by     string
	at     string // where in the answer
	answer driver.Answer
}

// shown is a sheet whose manifest is decoded.
type shown struct {
	manifest
	by     string
	at     string // where in the answer
	answer driver.Answer
}

// sentence is one step of the vocabulary.
type sentence struct {
	expression func() *regexp.Regexp
	bind       func(*world) any
}

// Steps implements suites.Examination.
func (e *examination) Steps(voc suites.Vocabulary, sc *suites.Scenario) {
	w := &world{examination: e, sc: sc, list: e.list}
	for _, s := range sentences {
		voc.Step(s.expression(), s.bind(w))
	}
}

// say makes a sentence whose whole text is the expression.
func say(expression string, bind func(*world) any) sentence {
	return sentence{suites.Expression(expression), bind}
}

// sentences is the vocabulary of the live half, by file of nouns.
var sentences = joined(listSentences, manifestSentences, describeSentences, invocationSentences, failingSentences, callerSentences, errorSentences, skillSentences, sourceSentences, stabilitySentences, attachmentSentences)

func joined(lists ...[]sentence) []sentence {
	var all []sentence
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

// needList leaves the question open where no list can be read.
func (w *world) needList() error {
	if w.list.err != nil {
		return w.list.err
	}
	if w.list.empty() {
		w.sc.Cite(w.list.answer, nil)
		return suites.Undecided("no capability is listed, so there is nothing to look at")
	}
	return nil
}

// violation reports what was wanted and what came, with the exchange.
func (w *world) violation(message, want string, answer driver.Answer, err error) error {
	w.sc.Cite(answer, err)
	return suites.Violated(message, want, suites.Received(answer, err))
}

// lost gives the first error of a call that brought no answer at all.
func lost(all []attempt) error {
	for _, a := range all {
		if a.err != nil && !suites.ClosedInFace(a.err) {
			return fmt.Errorf("no answer to %s of %s: %w", opInvoke, a.asked, a.err)
		}
	}
	return nil
}
