package judge

import (
	"slices"
	"strings"
	"sync"

	"github.com/capconform/capconform/suites/acp/environment"
	"github.com/capconform/capconform/suites/acp/history"
	"github.com/capconform/capconform/suites/acp/sample"
	"github.com/capconform/capconform/suites/acp/signature"
)

// upgrades reports whether a package is a newer version of another, which was served before it.
func (j *evidence) upgrades(p *sample.Package) bool {
	for _, other := range j.Packages() {
		if other.Label == p.Label {
			return other.ID != p.ID
		}
	}
	return false
}

// actedSilently returns a question that shows that a message reached the package whose trigger it matches, and which
// does not show the message; nil if another one shows it.
func (j *evidence) actedSilently(t *history.Turn) *history.Question {
	if len(t.Questions) > 0 {
		return nil
	}
	for _, q := range j.ActingSilently(t) {
		if slices.ContainsFunc(q.Acting, func(p *sample.Package) bool { return triggered(p, t.Text) && !j.Flawed(p) }) {
			return q
		}
	}
	return nil
}

// why returns the reason why nothing was observed of a stimulus.
func (j *evidence) why(stimulus string) error {
	if err := j.Blocked(); err != nil {
		return err
	}
	return j.Conclusion(stimulus)
}

// likeFault reports whether something is told in the form in which the subject tells that a tool
// failed: its words may be those of a language that is not read here.
func (j *evidence) likeFault(result history.ToolResult) bool {
	var fails, works []string
	for _, t := range j.Turns() {
		if t.Stimulus != history.Failing || !t.AnsweredModel() {
			continue
		}
		if shape := t.ToolResult(0).Shape(); t.About[history.AboutForm] == history.FormFails {
			fails = shape
		} else {
			works = shape
		}
	}
	form := result.Shape()
	return len(form) > 0 && slices.Equal(form, fails) && !slices.Equal(form, works)
}

// evidence is the history, and what the judgements of several subjects conclude from it.
type evidence struct {
	*history.History
	Offer   Offer              // what the subject showed before the first call
	Profile signature.Profile  // by which the subject is known to take signatures; empty: it is not known
	Known   []*history.Release // what the target file says that an index lists

	mu     sync.Mutex
	kept   *ledger
	keptOf int // the number of calls that it was made of
}

// Blocked returns the reason why no package can be installed, or none is reached by messages.
func (j *evidence) Blocked() error {
	if err := j.Conclusion(history.Installs); err != nil {
		return err
	}
	return j.Conclusion(history.Reaches)
}

// triggered reports whether one of the triggers of a package matches a text.
func triggered(p *sample.Package, text string) bool {
	return history.Matches(p, text) || slices.ContainsFunc(p.Triggers,
		func(by environment.Trigger) bool { return strings.Contains(text, by.Value) })
}
