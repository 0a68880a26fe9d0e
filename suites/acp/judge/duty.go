package judge

import (
	"slices"

	"github.com/capconform/capconform/suites/acp/history"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

// dutySentences are the sentences about the operations that an actor must serve, and about downloads.
var dutySentences = []verdict.Sentence[routes]{
	about(`the subject serves (acp\.[a-z]+)`, routes.Serves),
	decide(`the router downloaded each installed package by its CID`, routes.Downloaded),
}

// Serves judges whether the subject serves an operation that the actor needs. An error is an answer: the
// subject may refuse a request.
func (j routes) Serves(operation string) verdict.Verdict {
	v := &verdict.Verdict{}
	var lost error
	for _, c := range j.Calls(operation) {
		switch {
		case c.Outcome == record.NotProvided:
			v.AddBreach([]record.Tick{c.Entry}, "an operation that the actor needs is not served",
				operation+", with a result or an error", c.Got())
		case j.ClosedInsteadOfAnswer(c) && j.mustAnswer(c):
			v.AddBreach([]record.Tick{c.Entry}, "the connection is closed instead of an answer to "+operation,
				"an answer, as the target returns to other calls", c.Got())
		case c.Lost == nil, j.ClosedInsteadOfAnswer(c):
			v.Judged++
		default:
			lost = c.AnswerError()
		}
	}
	return v.OpenUnlessJudged(lost)
}

// mustAnswer reports whether a call is within the contract of its operation, so that the subject must
// answer it. The subject may refuse any other call in any way, also by closing the connection: an
// invalid publication, or a package with a signature that it does not accept.
func (j routes) mustAnswer(c *history.Call) bool {
	uri, _ := c.Params["cap_uri"].(string)
	switch c.Operation {
	case history.OpMessage:
		return true
	case history.OpUninstall:
		return slices.ContainsFunc(j.Calls(history.OpInstall), func(i *history.Call) bool {
			p := j.PackageOf(i)
			return i.Entry < c.Entry && i.Returned() && p != nil && p.ID == uri
		})
	}
	by, breaks := c.About[history.AboutBy], c.About[history.AboutBreaks]
	return breaks == "" && (by == history.ByAuthor || by == history.ByOtherAuthor)
}

// Downloaded judges whether each installed package was downloaded before it acted.
func (j routes) Downloaded() verdict.Verdict {
	v := &verdict.Verdict{}
	for _, c := range j.Calls(history.OpInstall) {
		cid, _ := c.Params["cid"].(string)
		if !c.Returned() || cid == "" {
			continue
		}
		v.Judged++
		end := endOfTime
		if t := j.firstTurnBetween(j.PackageOf(c), c.Entry, endOfTime); t != nil {
			end = t.Done
		}
		if !slices.ContainsFunc(j.FetchesOf(cid), func(a *history.SubjectRequest) bool { return a.Entry < end }) {
			v.AddBreach([]record.Tick{c.Entry}, "an installed package was not downloaded",
				"a request for its CID at the gateway", "none")
		}
	}
	return v.OpenUnlessJudged(verdict.Undecided("no package is installed"))
}
