package judge

import (
	"regexp"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/acd/history"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/reading"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

// nameSentences are the sentences of the judgements in this file.
var nameSentences = []verdict.Sentence[documents]{
	verdict.Say(`each id that the agent names is registered`, documents.NamedRegistered),
	verdict.Say(`each capability that a channel exposes is registered`, documents.ExposedRegistered),
}

// naming is a capability id in an answer, with its place.
type naming struct {
	id    string
	in    *history.Call // the answer that contains the name
	about map[string]string
	names func(*history.Call) []string // returns the ids at the same place of another answer
}

// exposed returns the names under the channels of manifests.
func (j documents) exposed() []naming {
	var all []naming
	for _, c := range j.Channels() {
		names := func(m *history.Call) []string {
			var exposed []string
			for _, now := range history.ChannelsOf(m) {
				if now.ID == c.ID {
					exposed = append(exposed, now.Exposes()...)
				}
			}
			return exposed
		}
		for _, id := range c.Exposes() {
			about := map[string]string{history.AboutBy: history.ByManifest, history.AboutChannel: c.ID}
			all = append(all, naming{id, c.In, about, names})
		}
	}
	return all
}

// ExposedRegistered judges the capabilities that channels of manifests expose.
func (j documents) ExposedRegistered() verdict.Verdict {
	r, usable := j.both()
	if !usable {
		return *r
	}
	if len(j.Channels()) == 0 {
		return notObserved(noChannels())
	}
	registered(j.evidence, r, j.exposed(), "a channel exposes what is not registered", func(n naming) string {
		return n.id + " of the channel " + jsonvalue.Print(n.about[history.AboutChannel])
	})
	for _, n := range j.exposed() {
		if s := j.StateAt(n.id, n.in); s != nil && s.Given == nil && j.WasApplied(s) {
			r.AddBreach([]record.Tick{n.in.Entry, s.Change.Entry}, "a channel exposes a deleted capability",
				"ids of the registry",
				n.id+" of the channel "+jsonvalue.Print(n.about[history.AboutChannel]))
		}
	}
	r.Judged++
	return *r
}

// declaring returns the names in the declarations of channels.
func (j channels) declaring() []naming {
	var all []naming
	names := func(c *history.Call) []string { return c.Declares() }
	for _, c := range j.Of(history.OpDeclare) {
		channel := c.Channel
		for _, id := range names(c) {
			about := map[string]string{history.AboutBy: history.ByDeclaration, history.AboutChannel: channel}
			all = append(all, naming{id, c, about, names})
		}
	}
	return all
}

// hooking returns the hooks of descriptors.
func (j documents) hooking() []naming {
	var all []naming
	for _, i := range j.Descriptors() {
		for _, kind := range []string{"pre_invoke", "post_invoke", "on_error"} {
			path := "lifecycle.hooks." + kind
			names := func(c *history.Call) []string {
				if now := c.EntryOf(i.ID); now != nil {
					return jsonvalue.Texts(history.Member(now.Members, path))
				}
				return nil
			}
			for _, id := range jsonvalue.Texts(history.Member(i.Members, path)) {
				about := map[string]string{history.AboutBy: history.ByHook, history.AboutOf: i.ID}
				all = append(all, naming{id, &history.Call{Observed: reading.Observed{Entry: i.Entry}}, about, names})
			}
		}
	}
	return all
}

// NamedRegistered judges the capabilities that the agent names outside its lists: the hooks of descriptors, and the
// adapters of channels (ACD 1.1). ACD-SDK5-01 judges the declarations of channels.
func (j documents) NamedRegistered() verdict.Verdict {
	r, usable := j.registry()
	if !usable {
		return *r
	}
	r.Judged = len(j.Channels())
	adapted := slices.ContainsFunc(j.Descriptors(), func(i *history.Item) bool {
		return history.Substrate(i.Members) == "transport"
	})
	for _, m := range j.shown() {
		if channels := history.ChannelsOf(m); len(channels) > 0 && !adapted {
			r.AddBreach([]record.Tick{m.Entry}, "the agent has a channel, but no capability of the registry is an adapter",
				"a capability of the substrate transport", channels[0].Members)
			break
		}
	}
	registered(j.evidence, r, j.hooking(), "a descriptor hooks in what is not registered", func(n naming) string {
		return n.id + " in the hooks of " + n.about[history.AboutOf]
	})
	return r.OpenUnlessJudged(verdict.Undecided("the agent names neither channels nor hooks"))
}

// registered judges named ids. An id that the registry shows at any time is registered. For any other id, the
// registry is read again while an answer names it: other callers may remove entries that they registered.
func registered(j *evidence, r *verdict.Verdict, all []naming, message string, got func(naming) string) {
	known := map[string]bool{}
	for _, c := range slices.Concat(j.Registries(), j.Of(history.OpGet)) {
		for _, i := range c.Items {
			known[i.ID] = true
		}
		if id := c.ID; id != "" && c.Shows(id) {
			known[id] = true
		}
	}
	seen := map[string]bool{}
	for _, n := range all {
		r.Judged++
		if known[n.id] || history.IsCopyID(n.id) {
			continue
		}
		key := string(jsonvalue.Encode(n.about)) + n.id
		if seen[key] {
			continue
		}
		seen[key] = true
		about := map[string]string{history.AboutID: n.id}
		for name, value := range n.about {
			about[name] = value
		}
		b := verdict.Breach{Message: message, Want: "ids of the registry", Got: got(n), Entries: []record.Tick{n.in.Entry}}
		j.confirm(r, history.NamesAgain, about, b, func(answers history.Confirmation) bool {
			shown := slices.ContainsFunc(answers[1:], func(c *history.Call) bool { return c.Shows(n.id) })
			return slices.Contains(n.names(answers[0]), n.id) && !shown
		})
	}
}

// oldWords are the old types (ACD 1.2), as they are written in ids and member names.
var oldWords = []string{"skill", "command", "subagent", "sub_agent"}

// OldType reports whether a member restores an old type.
func OldType(name string, value any) bool {
	if value == nil {
		return false
	}
	name = snakeCase(name)
	for _, word := range oldWords {
		if name == word+"_type" || name == "is_"+word {
			return true
		}
	}
	word, _ := value.(string)
	return (name == "type" || name == "capability_type") && slices.Contains(oldWords, snakeCase(word))
}

// snakeCase returns a name as lower-case words joined by underscores.
func snakeCase(name string) string {
	return strings.ToLower(strings.NewReplacer("-", "_", " ", "_").Replace(camel.ReplaceAllString(name, "${1}_$2")))
}

var camel = regexp.MustCompile(`([a-z])([A-Z])`)

// OwnRegistry reports whether a member of a manifest contains a registry of an old type. A list of ids is a view; a
// number or a string is not a registry.
func OwnRegistry(name string, value any) bool {
	name = snakeCase(name)
	for _, word := range oldWords {
		switch name {
		case word + "_registry", word + "s_registry":
			return value != nil
		case word + "s":
			return holdsObjects(value)
		}
	}
	return false
}

func holdsObjects(v any) bool {
	switch v := v.(type) {
	case []any:
		return slices.ContainsFunc(v, func(item any) bool { _, is := item.(history.Object); return is })
	case history.Object:
		return len(v) > 0
	default:
		return false
	}
}

// behaviours are the names of members in which a channel would define behaviour.
var behaviours = []string{
	"command", "handler", "action", "behavior", "behaviour", "logic", "script", "code", "function", "skill",
	"tool", "prompt", "workflow", "entrypoint",
}

// Behaviour reports whether a member of a channel defines behaviour. A switch, a number and an empty value define
// none. A member with a compound name, such as slash_commands, defines behaviour only if it contains objects.
func Behaviour(name string, value any) bool {
	switch v := value.(type) {
	case nil, bool:
		return false
	case string:
		if v == "" {
			return false
		}
	case []any:
		if len(v) == 0 {
			return false
		}
	case history.Object:
		if len(v) == 0 {
			return false
		}
	default:
		return false
	}
	name = strings.TrimSuffix(snakeCase(name), "s")
	last := name[strings.LastIndexByte(name, '_')+1:]
	return slices.Contains(behaviours, name) || strings.HasPrefix(name, "on_") ||
		slices.Contains(behaviours, last) && holdsObjects(value)
}

// PathOf returns a JSON pointer as names joined by full stops.
func PathOf(pointer string) string {
	return strings.ReplaceAll(strings.TrimPrefix(pointer, "/"), "/", ".")
}
