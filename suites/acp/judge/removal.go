package judge

import (
	"slices"

	"github.com/capconform/capconform/suites/acp/history"
	"github.com/capconform/capconform/suites/acp/sample"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

// removalSentences are the sentences about packages that are uninstalled, upgraded or cached.
var removalSentences = []verdict.Sentence[routes]{
	decide(`nothing of an uninstalled package reaches the model, and other packages still act`, routes.Uninstalled),
	decide(`each uninstalled package acts again after it is installed again`, routes.ReinstalledActs),
	decide(`each upgraded package acts only in its newest version`, routes.NewestActs),
	decide(`each downloaded package still acts when the gateway no longer has it`, routes.CachedActs),
}

const messageNotRouted = "a message does not reach the installed package that its trigger matches"

// Uninstalled judges whether anything of an uninstalled package reaches the model before the package is
// installed again. Other packages must continue to act.
func (j routes) Uninstalled() verdict.Verdict {
	v := &verdict.Verdict{}
	for _, c := range j.Calls(history.OpUninstall) {
		uri, _ := c.Params["cap_uri"].(string)
		for _, p := range j.validPackages(uri) {
			j.judgeAbsence(v, p, c)
		}
	}
	j.judgeReached(v, history.CaseOtherPackage, "a package no longer acts after another one was uninstalled",
		history.PackageRemoved)
	return j.conclude(v, history.PackageRemoved)
}

// judgeAbsence judges the messages between the uninstallation and the next installation of a package.
func (j routes) judgeAbsence(v *verdict.Verdict, p *sample.Package, uninstall *history.Call) {
	if j.firstTurnBetween(p, 0, uninstall.Entry) == nil || uninstall.Outcome == record.NotProvided ||
		uninstall.Lost != nil {
		return
	}
	end := endOfTime
	for _, c := range j.Calls(history.OpInstall) {
		if q := j.PackageOf(c); c.Entry > uninstall.Done && q != nil && q.Mark == p.Mark {
			end = min(end, c.Entry)
		}
	}
	for _, t := range j.Turns() {
		if t.Entry < uninstall.Done || t.Entry > end {
			continue
		}
		at := slices.IndexFunc(t.ModelRequests, func(q *history.ModelRequest) bool { return q.Shows(p) })
		switch {
		case at >= 0:
			v.AddBreach(t.Entries(), "an uninstalled package still reaches the model", "nothing of "+p.ID,
				"its prompt or its tools")
		case history.MatchesOwnTrigger(p, t.Text):
			v.Judged++
		}
	}
}

// validPackages returns the valid packages with a capability URI.
func (j routes) validPackages(uri string) []*sample.Package {
	var all []*sample.Package
	for _, p := range j.Packages() {
		if p.ID == uri && p.Flaw == "" &&
			!slices.ContainsFunc(all, func(other *sample.Package) bool { return other.Mark == p.Mark }) {
			all = append(all, p)
		}
	}
	return all
}

// ReinstalledActs judges whether an uninstalled package can be installed again and then acts.
func (j routes) ReinstalledActs() verdict.Verdict {
	v := &verdict.Verdict{}
	for _, c := range j.Calls(history.OpInstall) {
		if c.About[history.AboutCase] == history.CaseReinstall && c.Lost == nil && !c.Returned() {
			v.AddBreach([]record.Tick{c.Entry}, "an uninstalled package is not installed again",
				"an installation, as the first time", c.Got())
		}
	}
	j.judgeReached(v, history.CaseOwnTrigger, messageNotRouted, history.PackageRemoved)
	if v.Judged > 0 { // later messages are about the second uninstallation
		return *v
	}
	return j.conclude(v, history.PackageRemoved)
}

// CachedActs judges whether a package still acts when the gateway no longer has it.
func (j routes) CachedActs() verdict.Verdict {
	v := &verdict.Verdict{}
	j.judgeReached(v, history.CaseOwnTrigger, messageNotRouted, history.PackageUnserved)
	return j.conclude(v, history.PackageUnserved)
}

// NewestActs judges whether a newer version replaces the previous one in conversations that begin after
// the upgrade.
func (j routes) NewestActs() verdict.Verdict {
	v := &verdict.Verdict{}
	installs := j.Calls(history.OpInstall)
	for i, c := range installs {
		p := j.PackageOf(c)
		if p == nil || p.Flaw != "" || c.Lost != nil || !j.isUpgrade(p) {
			continue
		}
		if c.Returned() {
			j.judgeNewest(v, p, c)
		} else if !slices.ContainsFunc(installs[i+1:], func(later *history.Call) bool { return j.PackageOf(later) == p }) {
			v.AddBreach([]record.Tick{c.Entry}, "a newer version is not installed", p.ID+" in place of the previous version",
				c.Got())
		}
	}
	stimuli := []string{history.PackageUpgraded, history.PackageReplaced}
	j.judgeReached(v, history.CaseOwnTrigger, messageNotRouted, stimuli...)
	return j.conclude(v, stimuli...)
}

// judgeNewest judges the conversations that begin after an upgrade.
func (j routes) judgeNewest(v *verdict.Verdict, p *sample.Package, upgrade *history.Call) {
	openBefore := map[string]bool{}
	for _, t := range j.Turns() {
		if t.Entry < upgrade.Done {
			openBefore[t.Conversation] = true
		}
		if openBefore[t.Conversation] {
			continue
		}
		for _, q := range t.ModelRequests {
			if slices.ContainsFunc(slices.Concat(q.Shown.Prompts, q.Shown.Tools), func(other *sample.Package) bool {
				return other.Label == p.Label && other.Mark != p.Mark
			}) {
				v.AddBreach(t.Entries(), "the model receives something of the replaced version",
					"the prompt and the tools of "+p.ID, "those of the previous version")
				break
			}
		}
	}
}
