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
	decide(`each uninstalled package acts again after it is installed again`, routes.CameBack),
	decide(`each upgraded package acts only in its newest version`, routes.NewestActs),
	decide(`each downloaded package still acts when the gateway no longer has it`, routes.Kept),
}

const lostMessage = "a message does not reach the installed package that its trigger matches"

// Uninstalled judges whether anything of an uninstalled package reaches the model before the package is
// installed again. Other packages must continue to act.
func (j routes) Uninstalled() verdict.Verdict {
	v := &verdict.Verdict{}
	for _, c := range j.Of(history.OpUninstall) {
		uri, _ := c.Params["cap_uri"].(string)
		for _, p := range j.named(uri) {
			j.absent(v, p, c)
		}
	}
	j.reach(v, history.CaseOther, "a package no longer acts after another one was uninstalled", history.Removed)
	return j.routed(v, history.Removed)
}

// absent judges the messages between the uninstallation and the next installation of a package.
func (j routes) absent(v *verdict.Verdict, p *sample.Package, gone *history.Call) {
	if j.acts(p, 0, gone.Entry) == nil || gone.Outcome == record.NotProvided || gone.Lost != nil {
		return
	}
	until := never
	for _, c := range j.Of(history.OpInstall) {
		if q := j.PackageAt(c); c.Entry > gone.Done && q != nil && q.Mark == p.Mark {
			until = min(until, c.Entry)
		}
	}
	for _, t := range j.Turns() {
		if t.Entry < gone.Done || t.Entry > until {
			continue
		}
		at := slices.IndexFunc(t.Questions, func(q *history.Question) bool { return q.Shows(p) })
		switch {
		case at >= 0:
			v.Broken(t.Entries(), "an uninstalled package still reaches the model", "nothing of "+p.ID,
				"its prompt or its tools")
		case history.Matches(p, t.Text):
			v.Judged++
		}
	}
}

// named returns the valid packages with a capability URI.
func (j routes) named(uri string) []*sample.Package {
	var all []*sample.Package
	for _, p := range j.Packages() {
		if p.ID == uri && p.Flaw == "" &&
			!slices.ContainsFunc(all, func(other *sample.Package) bool { return other.Mark == p.Mark }) {
			all = append(all, p)
		}
	}
	return all
}

// CameBack judges whether an uninstalled package can be installed again and then acts.
func (j routes) CameBack() verdict.Verdict {
	v := &verdict.Verdict{}
	for _, c := range j.Of(history.OpInstall) {
		if c.About[history.AboutCase] == history.CaseAgain && c.Lost == nil && !c.Returned() {
			v.Broken([]record.Tick{c.Entry}, "an uninstalled package is not installed again",
				"an installation, as the first time", c.Got)
		}
	}
	j.reach(v, history.CaseOwn, lostMessage, history.Removed)
	if v.Judged > 0 { // later messages are about the second uninstallation
		return *v
	}
	return j.routed(v, history.Removed)
}

// Kept judges whether a package still acts when the gateway no longer has it.
func (j routes) Kept() verdict.Verdict {
	v := &verdict.Verdict{}
	j.reach(v, history.CaseOwn, lostMessage, history.Unserved)
	return j.routed(v, history.Unserved)
}

// NewestActs judges whether a newer version replaces the previous one in conversations that begin after
// the upgrade.
func (j routes) NewestActs() verdict.Verdict {
	v := &verdict.Verdict{}
	installs := j.Of(history.OpInstall)
	for i, c := range installs {
		p := j.PackageAt(c)
		if p == nil || p.Flaw != "" || c.Lost != nil || !j.upgrades(p) {
			continue
		}
		if c.Returned() {
			j.onlyNewest(v, p, c)
		} else if !slices.ContainsFunc(installs[i+1:], func(later *history.Call) bool { return j.PackageAt(later) == p }) {
			v.Broken([]record.Tick{c.Entry}, "a newer version is not installed", p.ID+" in place of the previous version", c.Got)
		}
	}
	stimuli := []string{history.Upgraded, history.Replaced}
	j.reach(v, history.CaseOwn, lostMessage, stimuli...)
	return j.routed(v, stimuli...)
}

// onlyNewest judges the conversations that begin after an upgrade.
func (j routes) onlyNewest(v *verdict.Verdict, p *sample.Package, upgrade *history.Call) {
	open := map[string]bool{}
	for _, t := range j.Turns() {
		if t.Entry < upgrade.Done {
			open[t.Conversation] = true
		}
		if open[t.Conversation] {
			continue
		}
		for _, q := range t.Questions {
			if slices.ContainsFunc(slices.Concat(q.Shown.Prompts, q.Shown.Tools), func(other *sample.Package) bool {
				return other.Label == p.Label && other.Mark != p.Mark
			}) {
				v.Broken(t.Entries(), "the model receives something of the replaced version",
					"the prompt and the tools of "+p.ID, "those of the previous version")
				break
			}
		}
	}
}
