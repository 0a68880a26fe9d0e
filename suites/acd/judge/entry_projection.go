package judge

import (
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/acd/history"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

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
