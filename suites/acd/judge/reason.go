package judge

import (
	"slices"

	"github.com/capconform/capconform/suites/acd/history"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

// Why the engine has to refuse a call, in the words of the features where a sentence names it. A
// call for which there are two reasons shows neither.
const (
	Unknown    = "of an id that nobody has"
	Deleted    = "deleted"
	Disabled   = "of what is disabled"
	OtherMode  = "in a mode that is not listed"
	Permission = "by a caller who lacks a required permission"
	Unsaid     = "missing permission, granted_by_default left out"
	Revoked    = "missing permission, granted no longer"
	OfShell    = "missing permission of a shell"
	Undeclared = "mode that the channel does not declare"
	LeftOut    = "leaves it out"
	OnChannel  = "shell on a channel"
)

// shell is the substrate of shells.
const shell = "shell"

// reasons gives the reasons for which a call has to be refused by what is known of its
// capability. Nothing is known where the capability may have changed meanwhile.
func (j *evidence) reasons(i *history.Invocation) (all []string, known bool) {
	k := kept(j, func(m *memory) *found[*history.Invocation, bars] { return &m.bars }, i, func() bars {
		all, known := j.whyRefuse(i)
		return bars{all, known}
	})
	return k.reasons, k.known
}

// bars are the reasons for which a call has to be refused, and whether they are known.
type bars struct {
	reasons []string
	known   bool
}

func (j *evidence) whyRefuse(i *history.Invocation) (all []string, known bool) {
	if !history.Ours(i.ID) {
		return []string{Unknown}, !j.listed(i.ID)
	}
	s := j.StateAt(i.ID, i.Call)
	switch {
	case s == nil:
		return nil, false
	case s.Given == nil:
		return []string{Deleted}, j.Took(s)
	case !j.stands(s):
		return nil, false
	}
	return j.barred(s, s.Given, i), true
}

// stands tells whether a copy can be taken for what it was told to be: an update has to be
// seen to have taken effect, and nothing that was read of a new copy contradicts it.
func (j *evidence) stands(s *history.State) bool {
	return kept(j, func(m *memory) *found[*history.State, bool] { return &m.stand }, s,
		func() bool { return j.uncontradicted(s) })
}

func (j *evidence) uncontradicted(s *history.State) bool {
	got, listed := j.readings(s)
	for _, r := range append(slices.Clone(got), listed...) {
		if r.Shown != nil && !r.IDOnly && !s.Loose && !guardedAlike(r.Shown, s) {
			return false
		}
	}
	return s.Created() || s.Loose || s.By != history.OpUpdate || j.Took(s)
}

// guarding are the members by which calls are routed and refused.
var guarding = []string{"execution.substrate", "invocation.modes", "exposure", "permissions"}

// guardedAlike tells whether a reading shows what guards a copy as it was given.
func guardedAlike(shown history.Object, s *history.State) bool {
	now, told := history.Filled(shown), history.OfText(s.Given)
	for _, path := range guarding {
		if !history.HoldsAll(history.Member(now, path), history.Member(told, path)) {
			return false
		}
	}
	return history.Enabled(shown) == history.Enabled(s.Given) || s.Created() && history.Enabled(s.Given)
}

// barred gives the reasons that lie in a descriptor.
func (j *evidence) barred(s *history.State, d history.Object, i *history.Invocation) (all []string) {
	if !history.Enabled(d) {
		all = append(all, Disabled)
	}
	if !slices.Contains(history.ModesOf(d), i.Mode) {
		all = append(all, OtherMode)
	}
	if lacks(d, i.Held) {
		all = append(all, lacking(s, d))
	}
	return append(all, j.channelBars(d, i)...)
}

// lacks tells whether a caller lacks what a descriptor asks for.
func lacks(d history.Object, held []string) bool {
	return history.Guarded(d) &&
		slices.ContainsFunc(history.RequiredBy(d), func(p string) bool { return !slices.Contains(held, p) })
}

// lacking says which statement a missing permission is about.
func lacking(s *history.State, d history.Object) string {
	granted := history.Member(d, "permissions.granted_by_default")
	switch {
	case history.Substrate(d) == shell:
		return OfShell
	case granted == nil && s != nil:
		return Unsaid
	case s != nil && s.Before != nil && s.Before.Given != nil &&
		history.Flag(s.Before.Given, "permissions.granted_by_default", false):
		return Revoked
	default:
		return Permission
	}
}

// channelBars gives the reasons that lie in the channel of a call.
func (j *evidence) channelBars(d history.Object, i *history.Invocation) (all []string) {
	if i.Channel == "" {
		return nil
	}
	if modes := j.ModesOf(i.Channel); len(modes) > 0 && !slices.Contains(modes, i.Mode) {
		all = append(all, Undeclared)
	}
	if history.Substrate(d) == shell {
		return append(all, OnChannel)
	}
	only := jsonvalue.Texts(history.Member(d, "exposure.channels"))
	if len(only) > 0 && !slices.Contains(only, i.Channel) || history.Text(d, "exposure.scope") == "internal" {
		all = append(all, LeftOut)
	}
	return all
}

// listed tells whether any answer showed an id as one of the registry.
func (j *evidence) listed(id string) bool {
	return kept(j, func(m *memory) *found[string, bool] { return &m.listed }, id,
		func() bool { return j.shownAnywhere(id) })
}

func (j *evidence) shownAnywhere(id string) bool {
	shows := func(c *history.Call) bool { return c.Shows(id) }
	return slices.ContainsFunc(j.Registries(), shows) || slices.ContainsFunc(j.Of(history.OpGet), shows)
}

// sole tells whether a reason is the only one for which a call has to be refused.
func (j *evidence) sole(i *history.Invocation, reason string) bool {
	all, known := j.reasons(i)
	return known && len(all) == 1 && all[0] == reason
}

// free tells whether nothing bars a call of a copy.
func (j *evidence) free(i *history.Invocation) bool {
	all, known := j.reasons(i)
	return known && len(all) == 0
}

// refusal is a statement that calls are refused for a reason.
type refusal struct {
	reason, stimulus, message string
	// control finds a call that shows that the engine runs what may run, and lacking says that
	// there is none.
	control func(*evidence, *history.Invocation) bool
	lacking string
}

func anyCopy(*evidence, *history.Invocation) bool { return true }

func needy(_ *evidence, i *history.Invocation) bool {
	return len(i.Held) > 0
}

// refusals are the statements, by reason.
var refusals = map[string]refusal{
	Disabled: {Disabled, history.Disabled, "a disabled capability is not refused", anyCopy,
		"no copy that is enabled runs"},
	OtherMode: {OtherMode, history.OtherModes, "a call in a mode that the descriptor does not list is not refused",
		anyCopy, "no copy runs in the mode that it declares"},
	Permission: {Permission, history.Permissions,
		"a caller who lacks a required permission is not refused", needy, noneAllowed},
	Unsaid: {Unsaid, history.Unsaid, "a caller who lacks a required permission is not refused", needy, noneAllowed},
}

const noneAllowed = "no copy runs for a caller who has what it requires"

// Refuses judges whether calls are refused that have to be, for a reason.
func (j *evidence) Refuses(reason string) verdict.Verdict {
	if reason == Unknown {
		return j.unknownRefused()
	}
	f := refusals[reason]
	r := &verdict.Verdict{}
	ran := false
	for _, i := range j.Invocations() {
		if i.Accepted() && i.Stimulus == f.stimulus && history.Ours(i.ID) && j.free(i) && f.control(j, i) {
			ran = true
		}
		if !j.sole(i, reason) {
			continue
		}
		r.Judged++
		if i.Accepted() {
			r.Broken([]record.Tick{i.Entry}, f.message, "an error", i.Got)
		}
	}
	j.neverRan(r, reason, f.message)
	j.entriesRefuse(r, reason, f.message)
	switch {
	case j.engine() != nil:
		r.Open = j.engine()
	case r.Judged == 0:
		r.Open = j.unperformed(f.stimulus)
	case !ran:
		r.Open = verdict.Undecided("%s", f.lacking)
	}
	return *r
}

// unperformed says why a stimulus shows nothing.
func (j *evidence) unperformed(stimulus string) error {
	if err := j.Conclusion(stimulus); err != nil {
		return err
	}
	return verdict.Undecided("nothing was observed that this is about")
}

// engine says why the engine shows nothing, nil if something ran.
func (j *evidence) engine() error {
	if j.Template() != nil {
		return nil
	}
	why := "no capability came back with an output"
	if len(j.Trials()) == 0 {
		why = "no registered capability may be invoked"
	}
	for _, i := range j.Invocations() {
		if !i.Served() {
			why = i.Operation + " is not served"
		}
	}
	return &verdict.Inconclusive{
		Reason: why,
		Supply: "name one with an input that works in the target file: roles: {acd: {echo: {capability: ID, input: {...}}}}",
	}
}

// attempt is a way in which a call may have run a copy.
type attempt struct {
	reasons []string
	call    *history.Invocation
	known   bool
}

// attempts gives the ways in which calls may have run an id: a call of it, or a call of a copy
// that has it as a hook.
func (j *evidence) attempts(id string) []attempt {
	return kept(j, func(m *memory) *found[string, []attempt] { return &m.attempts }, id,
		func() []attempt { return j.ways(id) })
}

func (j *evidence) ways(id string) []attempt {
	var all []attempt
	for _, i := range j.Invocations() {
		if i.ID == id {
			reasons, known := j.reasons(i)
			all = append(all, attempt{reasons, i, known})
			continue
		}
		s := j.StateAt(i.ID, i.Call)
		if s == nil || !slices.Contains(hooksOf(s.Given), id) {
			continue
		}
		hook := j.StateAt(id, i.Call)
		if hook == nil || hook.Given == nil {
			all = append(all, attempt{call: i})
			continue
		}
		one := attempt{call: i, known: j.stands(hook)}
		if !history.Enabled(hook.Given) {
			one.reasons = append(one.reasons, Disabled)
		}
		if lacks(hook.Given, i.Held) {
			one.reasons = append(one.reasons, lacking(hook, hook.Given))
		}
		all = append(all, one)
	}
	return all
}

// hooksOf gives all hooks of a descriptor.
func hooksOf(d history.Object) []string {
	hooks, _ := history.Member(d, "lifecycle.hooks").(history.Object)
	if len(hooks) == 0 {
		return nil
	}
	var all []string
	for _, kind := range []string{"pre_invoke", "post_invoke", "on_error"} {
		all = append(all, jsonvalue.Texts(hooks[kind])...)
	}
	return all
}

// neverRan judges by the log of executions: what was called for one reason alone to refuse
// it, as often as it was called, is not in the log.
func (j *evidence) neverRan(r *verdict.Verdict, reason, message string) {
	blamed := map[string]bool{}
	for _, log := range j.Of(history.OpExecLog) {
		if !log.Accepted() {
			continue
		}
		seen := map[string]bool{}
		for _, one := range log.Items {
			nameless := one.ID == "" && one.Members["capability_id"] != "" // the log does not say what ran
			if nameless || seen[one.ID] || blamed[one.ID] || !history.Ours(one.ID) && j.listed(one.ID) {
				continue
			}
			seen[one.ID] = true
			if last := barredBefore(log, one.ID, j.attempts(one.ID), reason); last != nil {
				blamed[one.ID] = true
				r.Broken([]record.Tick{last.Entry, log.Entry}, message, "an error, and nothing that ran",
					"an entry of "+one.ID+" in the log of executions")
			}
		}
	}
}

// barredBefore returns the last of the attempts to run a capability before its log was read, nil if there
// is none or if not each of them had to be refused for the reason alone.
func barredBefore(log *history.Call, id string, all []attempt, reason string) (last *history.Invocation) {
	for _, a := range all {
		if a.call.Entry > log.Entry {
			continue
		}
		if !a.known || len(a.reasons) != 1 || a.reasons[0] != reason || a.call.Accepted() && a.call.ID == id {
			return nil
		}
		last = a.call
	}
	return last
}

// entriesRefuse judges calls of entries that are not ours. They may be changed by others, so
// that a call is made again, between two readings of the entry.
func (j *evidence) entriesRefuse(r *verdict.Verdict, reason, message string) {
	if reason != OtherMode && reason != Permission {
		return
	}
	seen := map[string]bool{}
	for _, i := range j.Invocations() {
		entry := j.entry(i.ID)
		if entry == nil || i.IsLook() || i.Channel != "" || !j.solely(entry.Members, i, reason) {
			continue
		}
		r.Judged++
		about := map[string]string{history.AboutID: i.ID, history.AboutMode: i.Mode, history.AboutHeld: history.HeldAll}
		if reason == Permission {
			about[history.AboutHeld] = history.HeldNone
		}
		key := string(jsonvalue.Encode(about))
		if !i.Accepted() || seen[key] {
			continue
		}
		seen[key] = true
		b := verdict.Breach{Message: message, Want: "an error", Got: i.Got, Entries: []record.Tick{i.Entry}}
		j.confirm(r, history.RefuseAgain, about, b, func(look history.Look) bool {
			return look[1].Accepted() && steadily(look, i.ID, func(now history.Object) bool { return j.solely(now, i, reason) })
		})
	}
}

// solely tells whether a reason that lies in the descriptor of an entry is the only one.
func (j *evidence) solely(d history.Object, i *history.Invocation, reason string) bool {
	all := j.barred(nil, d, i)
	return len(all) == 1 && all[0] == reason
}

// entry gives an entry of the registry that is not ours, as it was seen first; nil where
// there is none.
func (j *evidence) entry(id string) *history.Item {
	if history.Ours(id) || id == "" {
		return nil
	}
	i := j.Registry().EntryOf(id)
	if i == nil || i.Members == nil {
		return nil
	}
	return i
}
