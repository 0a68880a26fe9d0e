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

// upgrades reports whether a package is a newer version of another one that was served before it.
func (j *evidence) upgrades(p *sample.Package) bool {
	for _, other := range j.Packages() {
		if other.Label == p.Label {
			return other.ID != p.ID
		}
	}
	return false
}

// actedSilently returns a request to the model that shows that a message reached the package whose
// trigger it matches, but that does not contain the message. It returns nil if another request contains
// the message.
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

// why returns the reason why a stimulus showed nothing.
func (j *evidence) why(stimulus string) error {
	if err := j.Blocked(); err != nil {
		return err
	}
	return j.Conclusion(stimulus)
}

// likeFault reports whether a result has the form in which the subject reports that a tool failed. The
// form is compared because the words may be in a language that the harness does not read.
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

// evidence is the history, with the conclusions that the judgements of several subjects share.
type evidence struct {
	*history.History
	Offer   Offer              // what the subject showed before the first call
	Profile signature.Profile  // the signature profile that the subject is known to accept; empty if unknown
	Known   []*history.Release // the versions that an index lists according to the target file

	mu     sync.Mutex
	kept   *ledger
	keptOf int // the number of calls from which kept was made
}

// Blocked returns the reason why no package can be installed, or why messages reach none; nil if neither
// holds.
func (j *evidence) Blocked() error {
	if err := j.Conclusion(history.Installs); err != nil {
		return err
	}
	return j.Conclusion(history.Reaches)
}

// triggered reports whether a trigger of a package matches a text.
func triggered(p *sample.Package, text string) bool {
	return history.Matches(p, text) || slices.ContainsFunc(p.Triggers,
		func(by environment.Trigger) bool { return strings.Contains(text, by.Value) })
}
