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

// isUpgrade reports whether a package is a newer version of another one that was served before it.
func (j *evidence) isUpgrade(p *sample.Package) bool {
	for _, other := range j.Packages() {
		if other.Label == p.Label {
			return other.ID != p.ID
		}
	}
	return false
}

// requestWithoutMessage returns a request to the model that shows that a message reached the package
// whose trigger it matches, but that does not contain the message. It returns nil if another request
// contains the message.
func (j *evidence) requestWithoutMessage(t *history.Turn) *history.ModelRequest {
	if len(t.ModelRequests) > 0 {
		return nil
	}
	for _, q := range j.RequestsWithoutMessage(t) {
		if slices.ContainsFunc(q.Acting, func(p *sample.Package) bool {
			return matchesTrigger(p, t.Text) &&
				!j.ServedWithFlaw(p)
		}) {
			return q
		}
	}
	return nil
}

// reasonNothingShown returns the reason why a stimulus showed nothing.
func (j *evidence) reasonNothingShown(stimulus string) error {
	if err := j.Blocked(); err != nil {
		return err
	}
	return j.Conclusion(stimulus)
}

// looksLikeFailure reports whether a result has the form in which the subject reports that a tool
// failed. The form is compared because the words may be in a language that the harness does not read.
func (j *evidence) looksLikeFailure(result history.ToolResult) bool {
	var fails, works []string
	for _, t := range j.Turns() {
		if t.Stimulus != history.FailingTool || !t.AnsweredModel() {
			continue
		}
		if shape := t.ToolResult(0).MemberNames(); t.About[history.AboutForm] == history.FormFails {
			fails = shape
		} else {
			works = shape
		}
	}
	form := result.MemberNames()
	return len(form) > 0 && slices.Equal(form, fails) && !slices.Equal(form, works)
}

// evidence is the history, with the conclusions that the judgements of several subjects share.
type evidence struct {
	*history.History
	Offer         Offer              // what the subject showed before the first call
	Profile       signature.Profile  // the signature profile that the subject is known to accept; empty if unknown
	KnownReleases []*history.Release // the versions that an index lists according to the target file

	mu           sync.Mutex
	cachedLedger *ledger
	cachedCalls  int // the number of calls from which kept was made
}

// Blocked returns the reason why no package can be installed, or why messages reach none; nil if neither
// holds.
func (j *evidence) Blocked() error {
	if err := j.Conclusion(history.Installs); err != nil {
		return err
	}
	return j.Conclusion(history.Reaches)
}

// matchesTrigger reports whether a trigger of a package matches a text.
func matchesTrigger(p *sample.Package, text string) bool {
	return history.MatchesOwnTrigger(p, text) || slices.ContainsFunc(p.Triggers,
		func(by environment.Trigger) bool { return strings.Contains(text, by.Value) })
}
