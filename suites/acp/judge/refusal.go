package judge

import (
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/acp/history"
	"github.com/capconform/capconform/suites/acp/sample"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

// refusalSentences are the sentences about packages that a router must refuse.
var refusalSentences = []verdict.Sentence[routes]{
	decide(`no package without a signature acts`, judgeRefused(history.FlawUnsigned)),
	decide(`no package whose signature cannot be verified acts`, judgeRefused(history.FlawUnverifiable)),
	decide(`no package that somebody else signed acts`, judgeRefused(history.FlawForeign)),
	decide(`no package that was changed after it was signed acts`, judgeRefused(history.FlawChanged)),
	decide(`no package that breaks a rule of the text acts`, judgeRefused(history.FlawInvalid)),
	decide(`no package whose comments or line ends were changed acts`, judgeRefused(history.FlawReformatted)),
	decide(`no package whose bytes belong to another CID acts`, judgeRefused(history.FlawMisplaced)),
	decide(`the router refuses a prompt that attacks the model, or warns about it`, routes.AttacksNoticed),
}

// judgeRefused returns the judgement on packages with one kind of flaw.
func judgeRefused(kind string) func(routes) verdict.Verdict {
	return func(j routes) verdict.Verdict { return j.Refused(kind) }
}

// Refused judges whether a package with one kind of flaw acts. The answer to acp.install does not count.
// The positive control is that the same package acts once its valid form is installed.
func (j routes) Refused(kind string) verdict.Verdict {
	v := &verdict.Verdict{}
	for _, c := range j.Calls(history.OpInstall) {
		if c.About[history.AboutFlaw] != kind {
			continue
		}
		p := j.PackageOf(c)
		valid := j.validFormOffered(p, c)
		turn, control := j.firstTurnBetween(p, c.Done, valid), j.firstTurnBetween(p, valid, endOfTime)
		switch {
		case turn != nil:
			what := "a package " + c.About[history.AboutWhat]
			if rule := c.About[history.AboutRule]; rule != "" {
				what += ", which breaks " + rule + ","
			}
			v.AddBreach(slices.Concat([]record.Tick{c.Entry}, j.fetchEntries(c), turn.Entries()), what+" is installed and acts",
				"a refusal, and nothing of it in requests to the model", c.Got()+", and the model receives "+idsOf(turn.Reached()))
		case control != nil && j.answeredBetween(c.Done, valid):
			v.Judged++
		case control != nil:
			v.Open = verdict.Undecided("no message was answered while the package %s was offered", c.About[history.AboutWhat])
		case v.Open == nil:
			v.Open = verdict.Undecided("the valid form of a package %s does not act either, so the refusal proves nothing",
				c.About[history.AboutWhat])
		}
	}
	if err := j.reasonNothingShown(history.FlawedPackages + kind); err != nil {
		v.Open = err
	}
	return *v
}

// endOfTime is later than every entry of a record.
const endOfTime = record.Tick(1<<63 - 1)

// validFormOffered returns the entry at which the valid form of a package was offered after a call,
// never if it was not.
func (j routes) validFormOffered(p *sample.Package, install *history.Call) record.Tick {
	for _, c := range j.Calls(history.OpInstall) {
		if c.Entry > install.Done && c.About[history.AboutFlaw] == "" && p != nil {
			if q := j.PackageOf(c); q != nil && q.Mark == p.Mark {
				return c.Entry
			}
		}
	}
	return endOfTime
}

// firstTurnBetween returns the first turn between two entries in which a package acts, nil if there is
// none.
func (j routes) firstTurnBetween(p *sample.Package, start, end record.Tick) *history.Turn {
	if p == nil {
		return nil
	}
	for _, t := range j.TurnsReaching(p.Mark) {
		if t.Entry > start && t.Entry < end {
			return t
		}
	}
	return nil
}

// answeredBetween reports whether a message that began between two entries was answered.
func (j routes) answeredBetween(start, end record.Tick) bool {
	return slices.ContainsFunc(j.Calls(history.OpMessage), func(c *history.Call) bool {
		return c.Entry > start && c.Entry < end && c.Lost == nil
	})
}

// fetchEntries returns the entries of the requests for the package of an installation.
func (j routes) fetchEntries(c *history.Call) []record.Tick {
	var all []record.Tick
	cid, _ := c.Params["cid"].(string)
	for _, a := range j.FetchesOf(cid) {
		all = append(all, a.Entry)
	}
	return all
}

// idsOf returns the ids of packages as one text.
func idsOf(all []*sample.Package) string {
	var names []string
	for _, p := range all {
		names = append(names, p.ID)
	}
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

// AttacksNoticed judges whether the router refuses at least one of the prompts that attack the model, or
// warns about it.
func (j routes) AttacksNoticed() verdict.Verdict {
	v := &verdict.Verdict{}
	var silent []record.Tick
	for _, c := range j.Calls(history.OpInstall) {
		switch {
		case c.Stimulus != history.AttackingPrompts || c.Lost != nil:
		case c.Returned() && !hasWarning(c.Result()):
			silent = append(silent, c.Entry)
		default:
			v.Judged++
		}
	}
	err := j.reasonNothingShown(history.AttackingPrompts)
	if v.Judged == 0 && err == nil && len(silent) > 0 {
		v.AddBreach(silent, "prompts that attack the model are mounted without a refusal or a warning",
			"a refusal, or a warning in the answer to acp.install", "neither")
	}
	return v.OpenUnlessJudged(err)
}

// hasWarning reports whether the answer to an installation contains more than the URI.
func hasWarning(result history.Object) bool {
	for name, value := range result {
		list, isList := value.([]any)
		if name != "cap_uri" && value != nil && value != "" && value != true && (!isList || len(list) > 0) {
			return true
		}
	}
	return false
}
