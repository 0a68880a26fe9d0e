package judge

import (
	"fmt"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/acd/history"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

// channelSentences are the sentences of the judgements in this file.
var channelSentences = []verdict.Sentence[channels]{
	verdict.SayOf(`each channel declares its (capabilities|modes)`, channels.ChannelsDeclare),
	verdict.SayOf(
		`each channel rejects capabilities (whose modes it does not support|that exclude it|that are not registered)`,
		channels.ChannelsReject),
	verdict.Say(`some capability is rendered differently on two channels`, channels.RenderedDifferently),
}

// The reasons for which a channel must reject a projection, in the words of the features, in addition to LeftOut and
// OnChannel.
const (
	NoMode        = "whose modes it does not support"
	NotRegistered = "that are not registered"
)

// projectionObstacles returns the reasons for which a channel must reject a copy or an unknown id, and whether they
// are known.
func (j channels) projectionObstacles(channel, id string, c *history.Call) (all []string, known bool) {
	if !history.IsCopyID(id) {
		return []string{NotRegistered}, !j.listed(id)
	}
	s := j.StateAt(id, c)
	switch {
	case s == nil:
		return nil, false
	case s.Given == nil:
		return []string{NotRegistered}, j.WasApplied(s)
	case !j.isEffective(s) || !history.Enabled(s.Given):
		return nil, false
	}
	modes := j.ModesOf(channel)
	if len(modes) == 0 {
		return nil, false
	}
	shared := slices.ContainsFunc(history.ModesOf(s.Given), func(mode string) bool { return slices.Contains(modes, mode) })
	if !shared {
		all = append(all, NoMode)
	}
	only := jsonvalue.Texts(history.Member(s.Given, "exposure.channels"))
	switch {
	case history.Substrate(s.Given) == shell:
		all = append(all, OnChannel)
	case len(only) > 0 && !slices.Contains(only, channel), history.Text(s.Given, "exposure.scope") == "internal":
		all = append(all, LeftOut)
	}
	return all, true
}

// rejections are the statements on what a channel rejects, by reason.
var rejections = map[string]struct{ message, internal, through, calls string }{
	NoMode: {
		message: "a channel projects a capability whose modes it does not support",
		through: Undeclared, calls: "a channel accepts calls in a mode that it does not declare",
	},
	LeftOut: {
		message:  "a channel projects a capability that names other channels",
		internal: "a channel projects an internal capability",
		through:  LeftOut, calls: "a channel accepts calls of a capability that excludes it",
	},
	NotRegistered: {message: "a channel projects a capability that is not registered"},
}

// ChannelsReject judges the projections that a channel must reject for a reason, its declarations of them, and calls
// through it.
func (j channels) ChannelsReject(reason string) verdict.Verdict {
	r, usable := j.both()
	if !usable {
		return *r
	}
	if len(j.Channels()) == 0 {
		return notObserved(noChannels())
	}
	if projections := j.Of(history.OpProject); len(projections) > 0 && projections[0].Missing() != nil {
		return notObserved(projections[0].Missing())
	}
	f := rejections[reason]
	for _, c := range j.Of(history.OpProject) {
		channel, id := c.Channel, c.ID
		bars, known := j.projectionObstacles(channel, id, c)
		if !known || len(bars) != 1 || bars[0] != reason || !j.projecting(channel) && !c.Malformed() {
			continue
		}
		if err := c.Missing(); err != nil {
			r.Open = err
			continue
		}
		r.Judged++
		message := f.message
		if s := j.StateAt(id, c); s != nil && history.Text(s.Given, "exposure.scope") == "internal" {
			message = f.internal
		}
		switch {
		case c.Malformed():
			j.notAResponse(r, c)
		case c.Accepted():
			r.AddBreach([]record.Tick{c.Entry}, message, "an error on "+channel, c.Got())
		}
	}
	if reason != NotRegistered {
		j.declaresRefused(r, reason)
		j.entriesRejected(r, reason)
	}
	for _, i := range j.Invocations() {
		if f.through != "" && i.Channel != "" && i.Accepted() && j.isOnlyReason(i, f.through) {
			r.AddBreach([]record.Tick{i.Entry}, f.calls, "an error on "+i.Channel+" in the mode "+i.Mode, i.Got())
		}
	}
	if f.through != "" {
		j.neverRan(r, f.through, f.calls)
	}
	if !slices.ContainsFunc(j.Channels(), func(c history.Channel) bool { return j.projecting(c.ID) }) {
		return r.OpenUnlessJudged(verdict.Undecided("no channel projects a capability that it declares"))
	}
	return r.OpenUnlessJudged(j.unperformed(history.Rejected))
}

const declaresRejected = "a channel declares a capability that it must reject"

// declaresRefused judges declarations that contain a copy that the channel must reject.
func (j channels) declaresRefused(r *verdict.Verdict, reason string) {
	for _, c := range j.Of(history.OpDeclare) {
		channel := c.Channel
		for _, id := range c.Declares() {
			if !history.IsCopyID(id) || !j.projecting(channel) {
				continue
			}
			if bars, known := j.projectionObstacles(channel, id, c); known && len(bars) == 1 && bars[0] == reason {
				r.AddBreach([]record.Tick{c.Entry}, declaresRejected, "a declaration without it", id)
			}
		}
	}
}

// projecting reports whether a channel projects something that it declares.
func (j channels) projecting(channel string) bool {
	return slices.ContainsFunc(j.Of(history.OpProject), func(c *history.Call) bool {
		return c.Channel == channel && c.Accepted() && !otherID(c) && !history.IsCopyID(c.ID)
	})
}

// otherID reports whether a projection names another capability than the requested one.
func otherID(c *history.Call) bool {
	result := history.Text(c.Value, "capability_id")
	return c.Accepted() && result != "" && result != c.ID
}

// ChannelsDeclare judges what each channel declares: "capabilities" or "modes".
func (j channels) ChannelsDeclare(what string) verdict.Verdict {
	r, usable := j.manifest()
	if !usable {
		return *r
	}
	for _, c := range j.Of(history.OpDeclare) {
		if c.IsConfirmation() || c.Missing() != nil {
			continue
		}
		channel := j.channelOf(j.Manifest(), c.Channel)
		if channel == nil {
			continue
		}
		r.Judged++
		if b := j.declaresWrong(c, channel, what); b.Message != "" {
			b.Entries = []record.Tick{c.Entry}
			j.confirm(r, history.DeclareAgain, map[string]string{history.AboutChannel: channel.ID}, b,
				func(answers history.Confirmation) bool {
					before, after := j.channelOf(answers[0], channel.ID), j.channelOf(answers[2], channel.ID)
					return answers[1].Missing() == nil && before != nil && after != nil &&
						j.declaresWrong(answers[1], before, what).Message != ""
				})
		}
	}
	if what == "capabilities" {
		j.ofOthers(r)
	}
	declarations := j.Of(history.OpDeclare)
	if len(declarations) > 0 && r.Judged == 0 {
		if what == "capabilities" && !declarations[0].Served() {
			return j.exposeAll(r)
		}
		r.Open = declarations[0].Missing()
	}
	return r.OpenUnlessJudged(noChannels())
}

// exposeAll judges the manifest if no declaration contains an id: the manifest also declares which capabilities the
// channels realize.
func (j channels) exposeAll(r *verdict.Verdict) verdict.Verdict {
	for _, c := range j.Channels() {
		r.Judged++
		if len(c.Exposes()) == 0 {
			r.AddBreach([]record.Tick{c.In.Entry}, "a channel declares no capabilities",
				"a list that is not empty, for "+c.ID, c.Members)
		}
	}
	return r.OpenUnlessJudged(noChannels())
}

// declaresWrong returns the breach of a declaration. A breach without a message means that the declaration is valid.
func (j channels) declaresWrong(c *history.Call, channel *history.Channel, what string) verdict.Breach {
	result := jsonvalue.Texts(history.Member(c.Value, what))
	if len(result) == 0 {
		return verdict.Breach{Message: "a channel declares no " + what,
			Want: "a list that is not empty, for " + channel.ID, Got: c.Got()}
	}
	if what == "modes" {
		list, _ := history.Member(c.Value, what).([]any)
		odd := slices.IndexFunc(list, func(mode any) bool {
			name, _ := mode.(string)
			return !slices.Contains(history.Modes, name)
		})
		if odd >= 0 {
			return verdict.Breach{
				Message: "a channel declares a mode that the text does not define", Want: strings.Join(history.Modes, ", "),
				Got: jsonvalue.Print(list[odd]) + " of " + channel.ID,
			}
		}
		return verdict.Breach{}
	}
	for _, id := range channel.Exposes() { // an adapter need not declare itself
		entry := j.entry(id)
		if entry != nil && history.Substrate(entry.Members) != "transport" && !slices.Contains(result, id) {
			return verdict.Breach{
				Message: "the manifest lists under a channel a capability that the channel does not declare",
				Want:    id + " in the declaration of " + channel.ID, Got: c.Got(),
			}
		}
	}
	return verdict.Breach{}
}

// ofOthers judges declarations that name unregistered or deleted capabilities, and projections that name another
// capability than the requested one.
func (j channels) ofOthers(r *verdict.Verdict) {
	judged := r.Judged
	registered(j.evidence, r, j.declaring(), "a channel declares what is not registered", func(n naming) string {
		return n.id + " of the channel " + jsonvalue.Print(n.about[history.AboutChannel])
	})
	r.Judged = judged
	for _, c := range j.Of(history.OpDeclare) {
		for _, id := range c.Declares() {
			if s := j.StateAt(id, c); s != nil && s.Given == nil && j.WasApplied(s) {
				r.AddBreach([]record.Tick{c.Entry}, "a channel declares a deleted capability", "ids of the registry",
					id+" of the channel "+c.Channel)
			}
		}
	}
	for _, c := range j.Of(history.OpProject) {
		if bars, known := j.projectionObstacles(c.Channel, c.ID, c); c.Malformed() && !(known && len(bars) > 0) {
			j.notAResponse(r, c)
		}
		if otherID(c) {
			r.AddBreach([]record.Tick{c.Entry}, "a channel projects another capability than the requested one",
				c.ID, c.Got())
		}
	}
	j.projectsUndeclared(r)
}

// projectsUndeclared judges whether a channel declares a copy that it projects and may project.
func (j channels) projectsUndeclared(r *verdict.Verdict) {
	for _, c := range j.Of(history.OpProject) {
		bars, known := j.projectionObstacles(c.Channel, c.ID, c)
		if !known || len(bars) > 0 || !c.Accepted() || c.Stimulus != history.Declared {
			continue
		}
		s := j.StateAt(c.ID, c)
		for _, declaration := range j.Of(history.OpDeclare) {
			if declaration.Channel == c.Channel && declaration.Accepted() && j.During(s, declaration) &&
				!slices.Contains(declaration.Declares(), c.ID) {
				r.AddBreach([]record.Tick{c.Entry, declaration.Entry}, "a channel projects a capability that it does not declare",
					c.ID+" in the declaration of "+c.Channel, declaration.Got())
				break
			}
		}
	}
}

// RenderedDifferently looks for a capability that two channels render differently. A difference in the names of the
// channels does not count.
func (j channels) RenderedDifferently() verdict.Verdict {
	r, usable := j.manifest()
	if !usable {
		return *r
	}
	seen := map[string]map[string]string{} // by capability and channel
	var last *history.Call
	for _, c := range j.Of(history.OpProject) {
		id, channel := c.ID, c.Channel
		if err := c.Missing(); err != nil {
			return notObserved(err)
		}
		if !c.Accepted() || history.IsCopyID(id) {
			continue
		}
		if seen[id] == nil {
			seen[id] = map[string]string{}
		}
		seen[id][channel] = strings.ReplaceAll(string(jsonvalue.Encode(history.Member(c.Value, "rendering"))), channel, "")
		last = c
	}
	alike := 0
	for _, on := range seen {
		var first *string
		for _, shown := range on {
			switch {
			case first == nil:
				first = &shown
			case *first != shown:
				r.Judged = 1
				return *r
			default:
				alike++
			}
		}
	}
	if alike == 0 {
		return notObserved(verdict.Undecided("no capability is projected on two channels"))
	}
	r.AddBreach([]record.Tick{last.Entry}, "every capability is rendered identically on all channels",
		"one that is rendered differently, such as a prompt and a button", fmt.Sprintf("%d projections compared", alike))
	return *r
}
