package judge

import (
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/acd/history"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

// exposureSentences are the sentences of the judgements in this file.
var exposureSentences = []verdict.Sentence[channels]{
	verdict.Say(`no channel exposes a shell`, channels.NoShellOnChannels),
	verdict.Say(`the whole agent can be operated through the CLI`, channels.OperatedByCLI),
}

const noShell = "no shell capability on any channel"

// NoShellOnChannels judges descriptors, manifests, declarations, projections and calls.
func (j channels) NoShellOnChannels() verdict.Verdict {
	r, usable := j.both()
	if !usable {
		return *r
	}
	shells := slices.DeleteFunc(j.Descriptors(),
		func(i *history.Item) bool { return history.Substrate(i.Members) != shell })
	if len(shells) == 0 {
		return notObserved(noShells())
	}
	for _, i := range shells {
		r.Judged++
		channels := jsonvalue.Texts(history.Member(i.Members, "exposure.channels"))
		if history.Text(i.Members, "exposure.scope") == "channel" || len(channels) > 0 {
			r.AddBreach([]record.Tick{i.Entry}, "a shell capability is exposed to channels", "no channels and another scope",
				i.ID+": "+jsonvalue.Print(i.Members["exposure"]))
		}
	}
	if len(j.Channels()) == 0 && len(r.Breaches) == 0 {
		return notObserved(noChannels())
	}
	for _, i := range shells {
		for _, c := range j.Channels() {
			if slices.Contains(c.Exposes(), i.ID) {
				j.showsShell(r, c.In, i.ID, c.ID)
			}
		}
		for _, c := range j.Of(history.OpDeclare) {
			if slices.Contains(c.Declares(), i.ID) {
				j.showsShell(r, c, i.ID, c.Channel)
			}
		}
		for _, c := range j.Of(history.OpProject) {
			if c.ID == i.ID && c.Accepted() {
				j.showsShell(r, c, i.ID, c.Channel)
			}
		}
		for _, c := range j.Invocations() {
			if c.ID == i.ID && c.Channel != "" && c.Accepted() {
				r.AddBreach([]record.Tick{c.Entry}, "a shell capability runs through a channel", noShell, c.Got())
			}
		}
	}
	j.copiesOfShells(r)
	return *r
}

func noShells() error {
	return &verdict.Inconclusive{
		Reason: "no registered capability has the substrate shell", Supply: "register one, such as conformance.shell",
	}
}

// showsShell confirms that a channel shows a shell: other callers may change both.
func (j channels) showsShell(r *verdict.Verdict, c *history.Call, id, channel string) {
	if c.IsConfirmation() {
		return
	}
	projected := c.Operation == history.OpProject
	message, stimulus := "a channel lists a shell capability", history.ShownAgain
	if projected {
		message, stimulus = "a channel projects a shell capability", history.ProjectAgain
	}
	b := verdict.Breach{Message: message, Want: noShell, Got: id + " on " + channel, Entries: []record.Tick{c.Entry}}
	about := map[string]string{history.AboutID: id, history.AboutChannel: channel}
	j.confirm(r, stimulus, about, b, func(answers history.Confirmation) bool {
		switch now := j.channelOf(answers[1], channel); {
		case !showsSteadily(answers, id, func(now history.Object) bool { return history.Substrate(now) == shell }):
			return false
		case projected:
			return answers[1].Accepted()
		default:
			return now != nil && slices.Contains(now.Exposes(), id) ||
				slices.Contains(answers[2].Declares(), id)
		}
	})
}

// copiesOfShells judges copies with the substrate shell: projections, declarations and calls through channels.
func (j channels) copiesOfShells(r *verdict.Verdict) {
	isShell := func(id string, c *history.Call) bool {
		s := j.StateAt(id, c)
		return s != nil && s.Given != nil && history.Substrate(s.Given) == shell
	}
	for _, c := range j.Of(history.OpProject) {
		if c.Accepted() && isShell(c.ID, c) {
			r.AddBreach([]record.Tick{c.Entry}, "a channel projects a shell capability", noShell, c.Got())
		}
	}
	for _, c := range j.Of(history.OpDeclare) {
		for _, id := range c.Declares() {
			if isShell(id, c) {
				r.AddBreach([]record.Tick{c.Entry}, "a channel lists a shell capability", noShell, id)
			}
		}
	}
	for _, i := range j.Invocations() {
		if i.Channel == "" || !isShell(i.ID, i.Call) {
			continue
		}
		ran := i.Accepted()
		if log := j.LogAfter(i.Done); log != nil {
			ran = ran || log.Runs(i.ID) > 0
		}
		if ran {
			r.AddBreach([]record.Tick{i.Entry}, "a shell capability runs through a channel",
				"an error, and nothing that ran", i.Got())
		}
	}
}

// OperatedByCLI judges whether each capability for people can be reached through the channel cli.
func (j channels) OperatedByCLI() verdict.Verdict {
	r, usable := j.both()
	if !usable {
		return *r
	}
	at := slices.IndexFunc(j.Channels(), func(c history.Channel) bool { return strings.EqualFold(c.ID, ChannelCLI) })
	if at < 0 {
		r.AddBreach([]record.Tick{j.Manifest().Entry}, "the agent has no channel cli",
			"the channel cli in the manifest", j.Manifest().Got())
		return *r
	}
	cli := j.Channels()[at].ID
	for _, c := range j.Of(history.OpProject) {
		id := c.ID
		if c.Channel != cli || c.IsConfirmation() {
			continue
		}
		if err := c.Missing(); err != nil {
			return notObserved(err)
		}
		j.reachedByCLI(r, c, id, cli)
	}
	for _, i := range j.Invocations() {
		entry := j.entry(i.ID)
		if i.Channel != cli || i.Stimulus != history.ThroughCLI || entry == nil || i.IsConfirmation() {
			continue
		}
		if i.Refused() && j.refusedAgain(i) && j.forHumansStill(i.ID, cli) {
			r.AddBreach([]record.Tick{i.Entry}, "a capability for people does not run through the CLI",
				"an output, as without a channel",
				i.ID+" in the mode "+i.Mode+": "+i.Got())
		}
	}
	return r.OpenUnlessJudged(verdict.Undecided("no capability is for people"))
}

// reachedByCLI judges the projection of a capability for people.
func (j channels) reachedByCLI(r *verdict.Verdict, c *history.Call, id, cli string) {
	entry := j.entry(id)
	if s := j.StateAt(id, c); s != nil && c.Stimulus == history.ThroughCLI && s.Given != nil && j.isEffective(s) {
		r.Judged++
		if c.Refused() && !j.shownAfter(c, id, cli) {
			r.AddBreach([]record.Tick{c.Entry}, "a capability that was created for people cannot be reached through the CLI",
				"it on the channel cli", c.Got())
		}
	}
	if entry == nil || !history.ForHumans(entry.Members, cli) {
		return
	}
	r.Judged++
	if c.Accepted() || j.shownOn(id, cli) {
		return
	}
	b := verdict.Breach{
		Message: "a capability for people cannot be reached through the CLI", Want: id + " on the channel cli", Got: c.Got(),
		Entries: []record.Tick{c.Entry},
	}
	about := map[string]string{history.AboutID: id, history.AboutChannel: cli}
	j.confirm(r, history.ProjectAgain, about, b, func(answers history.Confirmation) bool {
		return !answers[1].Accepted() && showsSteadily(answers, id,
			func(now history.Object) bool { return history.ForHumans(now, cli) })
	})
}

// shownOn reports whether the manifest or a declaration of a channel ever showed an id there.
func (j channels) shownOn(id, channel string) bool {
	return slices.ContainsFunc(j.Channels(),
		func(c history.Channel) bool { return c.ID == channel && slices.Contains(c.Exposes(), id) }) ||
		slices.ContainsFunc(j.Of(history.OpDeclare), func(c *history.Call) bool { return declares(c, channel, id) })
}

// shownAfter reports whether a channel declares an id after a call.
func (j channels) shownAfter(after *history.Call, id, channel string) bool {
	return slices.ContainsFunc(j.Of(history.OpDeclare),
		func(c *history.Call) bool { return c.Entry > after.Entry && declares(c, channel, id) })
}

func declares(c *history.Call, channel, id string) bool {
	return c.Channel == channel && slices.Contains(c.Declares(), id)
}

// forHumansStill reports whether each list of the registry shows an entry as a capability for people.
func (j channels) forHumansStill(id, channel string) bool {
	return !slices.ContainsFunc(j.Registries(), func(c *history.Call) bool {
		i := c.EntryOf(id)
		return c.Listed && (i == nil || !history.ForHumans(i.Members, channel))
	})
}

// entriesRejected judges the entries that channels must reject for a reason but project, declare or expose. Other
// callers may change entries and channels, so each breach is confirmed.
func (j channels) entriesRejected(r *verdict.Verdict, reason string) {
	f := rejections[reason]
	bars := func(d history.Object, channel string) bool {
		all := j.entryObstacles(d, channel)
		return len(all) == 1 && all[0] == reason
	}
	judge := func(c *history.Call, id, channel string, isShown func(history.Confirmation) bool, stimulus, message string) {
		entry := j.entry(id)
		if c.IsConfirmation() || entry == nil || entry.Members == nil || !bars(entry.Members, channel) {
			return
		}
		r.Judged++
		about := map[string]string{history.AboutID: id, history.AboutChannel: channel}
		if history.Text(entry.Members, "exposure.scope") == "internal" && stimulus == history.ProjectAgain {
			message = f.internal
		}
		b := verdict.Breach{Message: message, Want: "an error, and no exposure on " + channel,
			Got: id + ": " + jsonvalue.Print(exposureOf(entry.Members)), Entries: []record.Tick{c.Entry}}
		j.confirm(r, stimulus, about, b, func(answers history.Confirmation) bool {
			return isShown(answers) && showsSteadily(answers, id, func(now history.Object) bool { return bars(now, channel) })
		})
	}
	for _, c := range j.Of(history.OpProject) {
		if c.Accepted() {
			judge(c, c.ID, c.Channel, func(answers history.Confirmation) bool { return answers[1].Accepted() },
				history.ProjectAgain, f.message)
		}
	}
	for _, c := range j.Of(history.OpDeclare) {
		for _, id := range c.Declares() {
			judge(c, id, c.Channel, func(answers history.Confirmation) bool {
				return slices.Contains(answers[2].Declares(),
					id)
			},
				history.ShownAgain, declaresRejected)
		}
	}
	for _, c := range j.Channels() {
		for _, id := range c.Exposes() {
			judge(c.In, id, c.ID, func(answers history.Confirmation) bool {
				now := j.channelOf(answers[1], c.ID)
				return now != nil && slices.Contains(now.Exposes(), id)
			}, history.ShownAgain, "the manifest exposes on a channel a capability that the channel must reject")
		}
	}
}

// entryObstacles returns the reasons for which a channel must reject an entry. An adapter is not projected. A
// channel that the manifest lacks may be the name of a kind of channels.
func (j channels) entryObstacles(d history.Object, channel string) (all []string) {
	substrate := history.Substrate(d)
	if !history.Enabled(d) || substrate == shell || substrate == "transport" {
		return nil
	}
	supported, modes := j.ModesOf(channel), history.ModesOf(d)
	shared := func(mode string) bool { return slices.Contains(supported, mode) }
	if len(supported) > 0 && len(modes) > 0 && !slices.ContainsFunc(modes, shared) {
		all = append(all, NoMode)
	}
	only := jsonvalue.Texts(history.Member(d, "exposure.channels"))
	unknown := func(name string) bool {
		return !slices.ContainsFunc(j.Channels(), func(c history.Channel) bool { return strings.EqualFold(c.ID, name) })
	}
	is := func(name string) bool { return strings.EqualFold(name, channel) }
	excluded := len(only) > 0 && !slices.ContainsFunc(only, unknown) && !slices.ContainsFunc(only, is)
	if excluded || history.Text(d, "exposure.scope") == "internal" {
		all = append(all, LeftOut)
	}
	return all
}

// exposureOf returns the members of a descriptor by which channels reject it.
func exposureOf(d history.Object) history.Object {
	return history.Object{"exposure": d["exposure"], "modes": history.ModesOf(d)}
}
