package judge

import (
	"maps"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/acd/history"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

// creationSentences are the sentences of the judgements in this file.
var creationSentences = []verdict.Sentence[creations]{
	verdict.SayOf(
		`capability.(create|enable|bind) does what its name says and nothing else`,
		creations.MetaCapability),
	verdict.SayOf(`no (composite|proxy) is created without a language model`, creations.NeedsModel),
}

// metas are the stimuli of the meta-capabilities, and the members that each of them must not change.
var metas = map[string]struct {
	stimulus string
	keeps    []string
}{
	"create": {history.ByCreate, []string{"execution", "permissions"}},
	"enable": {history.ByEnable, []string{"kind", "execution", "invocation", "exposure", "permissions", "audit", "status"}},
	"bind":   {history.ByBind, []string{"kind", "execution", "permissions"}},
}

// MetaCapability judges whether there is a meta-capability, and whether it does only what its name states. If it
// refuses the input of the suite, the verdict is open, because the text defines no input.
func (j creations) MetaCapability(name string) verdict.Verdict {
	r, usable := j.registry()
	if !usable {
		return *r
	}
	if err := j.engine(); err != nil {
		return notObserved(err)
	}
	first := []record.Tick{j.Registry().Entry}
	c := j.Meta(name)
	if c == nil {
		r.AddBreach(first, "there is no capability capability."+name,
			"capability."+name+" or cap.capability."+name+", enabled",
			"a registry without it")
		return *r
	}
	if len(c.Modes()) == 0 {
		r.AddBreach(first, "capability."+name+" has no mode", "a mode", c.Members)
		return *r
	}
	for _, s := range j.States() {
		if s.By != c.ID || s.Given == nil || !s.Change.Accepted() {
			continue
		}
		got, listed := j.readingsOf(s)
		if len(got) == 0 {
			continue
		}
		r.Judged++
		at := []record.Tick{s.Change.Entry, got[0].Call.Entry}
		if !j.hadEffect(name, s, got[0].Shown) {
			r.AddBreach(at, "capability."+name+" changes nothing", "its effect on a copy", got[0].Call.Got())
			continue
		}
		j.keepsGuards(r, name, s, got[0])
		switch {
		case name != "create" || len(listed) == 0:
		case listed[0].Shown == nil:
			r.AddBreach(at, "a capability that capability.create created is not listed", s.ID, "a list without it")
		case !listed[0].IDOnly && listed[0].Call != got[0].Call:
			j.keepsGuards(r, name, s, listed[0])
		}
		if name != "bind" && j.copyRan() {
			j.runsAtOnce(r, s,
				"a capability that capability."+name+" "+
					map[string]string{"create": "created", "enable": "enabled"}[name]+" cannot be invoked")
		}
	}
	if name == "enable" {
		j.enablesOthers(r, c.ID)
	}
	if err := j.Conclusion(metas[name].stimulus); err != nil && len(r.Breaches) == 0 {
		return notObserved(err)
	}
	return r.OpenUnlessJudged(j.unperformed(metas[name].stimulus))
}

// copyRan reports whether a copy that the registry created ran. If none ran, ACD-SDK3-01 judges that.
func (j creations) copyRan() bool {
	return slices.ContainsFunc(j.Invocations(), func(i *history.Invocation) bool {
		s := j.StateAt(i.ID, i.Call)
		return i.Accepted() && s != nil && s.By == history.OpCreate
	})
}

// readingsOf returns the readings of a state by get, or those of the whole list if there are none by get. It also
// returns the readings of the whole list.
func (j creations) readingsOf(s *history.State) (got, listed []history.Reading) {
	if got, listed = j.readings(s); len(got) == 0 {
		got = listed
	}
	return got, listed
}

// hadEffect reports whether a meta-capability had its effect. A created capability may start disabled.
func (j creations) hadEffect(name string, s *history.State, shown history.Object) bool {
	switch {
	case shown == nil:
		return false
	case name == "enable":
		return history.Enabled(shown)
	case name != "bind":
		return true
	}
	before, _ := j.readingsOf(s.Before)
	if len(before) < 2 || before[len(before)-2].Shown == nil || before[len(before)-1].Shown == nil {
		return true // the descriptor before the call is not known
	}
	first, second := leaves("", before[len(before)-2].Shown), leaves("", before[len(before)-1].Shown)
	for path, value := range leaves("", shown) {
		if first[path] != value && first[path] == second[path] { // skips members that change with each reading
			return true
		}
	}
	return false
}

// leaves returns the values of an object that are not objects, by path.
func leaves(path string, v any) map[string]string {
	members, is := v.(history.Object)
	if !is {
		return map[string]string{path: string(jsonvalue.Encode(v))}
	}
	all := map[string]string{}
	for name, value := range members {
		maps.Copy(all, leaves(path+"/"+name, value))
	}
	return all
}

// describeDifference returns the members in which two descriptors differ, as they are listed and as they are read.
func describeDifference(listed, read history.Object) (want, got string) {
	const most = 5
	there, here := leaves("", listed), leaves("", read)
	var wanted, found []string
	for _, path := range slices.Sorted(maps.Keys(there)) {
		value, has := here[path]
		if value == there[path] || len(wanted) == most {
			continue
		}
		if !has {
			value = "absent"
		}
		wanted = append(wanted, PathOf(path)+": "+jsonvalue.Clip(there[path]))
		found = append(found, PathOf(path)+": "+jsonvalue.Clip(value))
	}
	of := history.Text(listed, "capability_id")
	return of + " with " + strings.Join(wanted, ", "), of + " with " + strings.Join(found, ", ")
}

// keepsGuards judges whether a meta-capability kept the members that it must not change.
func (j creations) keepsGuards(r *verdict.Verdict, name string, s *history.State, one history.Reading) {
	now, asked := history.Filled(one.Shown), history.OfText(s.Given)
	for _, member := range metas[name].keeps {
		if !history.HoldsAll(now[member], asked[member]) {
			r.AddBreach([]record.Tick{one.Call.Entry, s.Change.Entry}, "capability."+name+" changes more than was requested",
				jsonvalue.Print(s.Given), one.Shown)
			return
		}
	}
}

// enablesOthers judges whether a disabled copy was enabled together with another one.
func (j creations) enablesOthers(r *verdict.Verdict, meta string) {
	for _, s := range j.States() {
		if s.Given == nil || history.Enabled(s.Given) {
			continue
		}
		got, _ := j.readingsOf(s)
		for _, one := range got {
			by := j.lastChange(s.ID, s.Change, one.Call)
			if one.Shown != nil && history.Enabled(one.Shown) && by != nil && by.ID == meta {
				r.AddBreach([]record.Tick{by.Entry, one.Call.Entry},
					"capability.enable enables a capability that was not requested",
					jsonvalue.Print(s.Given), one.Call.Got())
				break
			}
		}
	}
}

// created completes the message for a capability that was created without the consent of the model.
var created = map[string]string{
	history.StepFails: "although the language model fails", history.StepNoModel: "without a language model",
}

// NeedsModel judges whether a capability of a kind is created only if the language model was asked and did not fail.
func (j creations) NeedsModel(kind string) verdict.Verdict {
	r, usable := j.registry()
	if !usable {
		return *r
	}
	stimulus := map[string]string{"composite": history.Composites, "proxy": history.Proxies}[kind]
	made := false
	id, configured := "", false
	for _, c := range j.Of(history.OpConfigure) {
		configured = configured || c.Stimulus == stimulus && c.Accepted()
	}
	for _, c := range slices.Concat(j.Of(history.OpGet), j.Registries()) {
		step := c.About[history.AboutStep]
		if c.Stimulus != stimulus || step == "" {
			continue
		}
		if id = c.ID; id == "" {
			id = j.createdBefore(c)
		}
		kept := c.EntryOf(id)
		if kept == nil || history.Text(kept.Members, "kind") != kind {
			continue
		}
		at, got := []record.Tick{c.Entry}, jsonvalue.Print(kept.Members)
		switch {
		case step == history.StepModel && !j.askedModel(id, c, configured):
			made = true
			r.AddBreach(at, "a "+kind+" is created without asking the language model", "a request to the model", got)
		case step == history.StepModel:
			made = true
		case step == history.StepUpdate:
			r.AddBreach(at, "an update makes a "+kind+" without a language model", "an error, and the entry as before", got)
		default:
			r.AddBreach(at, "a "+kind+" is created "+created[step], "an error, and no entry", got)
		}
	}
	switch {
	case j.Conclusion(stimulus) != nil:
		r.Open = j.Conclusion(stimulus)
	case !made:
		return notObserved(verdict.Undecided("no %s can be created with a language model", kind))
	case !configured: // the count that the subject reports proves nothing
		r.Open = verdict.MissingInstrument("acd", history.OpConfigure)
	default:
		r.Judged++
	}
	return *r
}

// askedModel reports whether the language model was asked before a call shows a new capability. If the model of the
// suite cannot be configured, the count of the agent decides.
func (j creations) askedModel(id string, shown *history.Call, configured bool) bool {
	all := slices.Concat(j.Of(history.OpCreate), j.Of(history.OpInvoke))
	at := slices.IndexFunc(all, func(c *history.Call) bool { return history.MadeBy(c) == id })
	if at < 0 {
		return false
	}
	if configured {
		return j.AskedModel(all[at], shown)
	}
	before, after := -1, -1
	for _, c := range j.Of(history.OpCalls) {
		switch n := history.Number(c.Value, "calls"); {
		case c.Done < all[at].Entry:
			before = n
		case c.Entry < shown.Entry:
			after = n
		}
	}
	return before != after
}

// createdBefore returns the id of the copy that was created last before a call.
func (j creations) createdBefore(c *history.Call) string {
	gets := j.Of(history.OpGet) // the copy was read by its id before the whole list
	for _, g := range slices.Backward(gets) {
		if g.Entry < c.Entry {
			return g.ID
		}
	}
	return ""
}
