package judge

import (
	"slices"
	"sync"

	"github.com/capconform/capconform/suites/acd/history"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/shape"
	"github.com/capconform/capconform/suites/verdict"
)

// evidence is the history, with the conclusions that the judgements of several subjects need.
type evidence struct {
	*history.History
	DescriptorShape *shape.Shape
	ManifestShape   *shape.Shape
	Echo            string // the id of the capability with the role echo, "" if there is none
	Shell           string // the id of the capability with the role shell, "" if there is none
	SDK             bool   // the target file declares that the subject is an SDK

	mu          sync.Mutex
	conclusions *conclusions
}

// notObserved returns the verdict about something that was not observed.
func notObserved(why error) verdict.Verdict { return verdict.Verdict{Open: why} }

// confirm adds a doubt. If all confirmations agree, it adds a breach instead: other callers may change their own
// entries at the same time.
func (j *evidence) confirm(
	r *verdict.Verdict, stimulus string, about map[string]string, b verdict.Breach, stays func(history.Confirmation) bool,
) {
	s := verdict.Settle{Stimulus: stimulus, About: about, Of: b.Entries[0]}
	confirmations := j.Confirmations(s)
	switch {
	case len(confirmations) == 0:
		r.Doubts = append(r.Doubts, verdict.Doubt{Breach: b, Settle: s})
	case !slices.ContainsFunc(confirmations, func(answers history.Confirmation) bool { return !stays(answers) }):
		r.Breaches = append(r.Breaches, b)
	}
}

// showsSteadily reports whether the first and the last call of a confirmation both show an entry with a property.
func showsSteadily(answers history.Confirmation, id string, isSo func(history.Object) bool) bool {
	for _, c := range []*history.Call{answers[0], answers[len(answers)-1]} {
		if i := c.EntryOf(id); i == nil || i.Members == nil || !isSo(i.Members) {
			return false
		}
	}
	return true
}

// everListed reports whether a list of the registry ever showed an id as a reading does. This happens if other
// callers change the entry with every call.
func (j *evidence) everListed(id string, read *history.Item) bool {
	return slices.ContainsFunc(j.Registries(), func(c *history.Call) bool {
		shown := c.EntryOf(id)
		if shown == nil || read == nil {
			return c.Listed && shown == read
		}
		return history.Keeps(read.Members, shown.Members)
	})
}

// usable begins a verdict about the answer to an operation. An answer that is not a response of the binding is a
// breach of each requirement that needs the answer.
func usable(c *history.Call) (r *verdict.Verdict, usable bool) {
	r = &verdict.Verdict{}
	if c.Malformed() {
		r.AddBreach([]record.Tick{c.Entry}, "the answer to "+c.Operation+" is not a response of the binding",
			"a result or an error", c.Got())
		return r, false
	}
	r.Open = c.Missing()
	return r, r.Open == nil
}

// wellFormed adds each answer to an operation that is not a response of the binding.
func (j *evidence) wellFormed(r *verdict.Verdict, operation string) {
	for _, c := range j.Of(operation) {
		if c.Malformed() {
			j.notAResponse(r, c)
		}
	}
}

// notAResponse adds an answer that is not a response of the binding, or a connection that was closed in its place.
func (j *evidence) notAResponse(r *verdict.Verdict, c *history.Call) {
	r.AddBreach([]record.Tick{c.Entry}, "the answer to "+c.Operation+" is not a response of the binding",
		"a result or an error", c.Got())
}

// registry begins a verdict about the entries of the registry.
func (j *evidence) registry() (r *verdict.Verdict, usableNow bool) {
	first := j.Registry()
	if r, usableNow = usable(first); !usableNow {
		return r, false
	}
	r.Open = j.NoEntries()
	return r, r.Open == nil
}

// manifest begins a verdict about manifests.
func (j *evidence) manifest() (r *verdict.Verdict, usableNow bool) {
	first := j.Manifest()
	if r, usableNow = usable(first); !usableNow {
		return r, false
	}
	if members, is := first.Value.(history.Object); !is || len(members) == 0 {
		r.Open = verdict.Undecided("the agent shows no manifest: %s", first.Got())
	}
	return r, r.Open == nil
}

// both begins a verdict about manifest and registry.
func (j *evidence) both() (r *verdict.Verdict, usableNow bool) {
	if r, usableNow = j.manifest(); !usableNow {
		return r, false
	}
	if len(jsonvalue.Texts(history.Member(j.Manifest().Value, "capabilities.list"))) == 0 {
		r.Open = verdict.Undecided("the manifest lists no capability: see ACD-MAN-07")
		return r, false
	}
	return j.registry()
}

// channelOf returns a channel of a manifest, or nil if there is none with the id.
func (j *evidence) channelOf(manifest *history.Call, id string) *history.Channel {
	all := history.ChannelsOf(manifest)
	if at := slices.IndexFunc(all, func(c history.Channel) bool { return c.ID == id }); at >= 0 {
		return &all[at]
	}
	return nil
}

// lastChange returns the last change of another copy between two readings.
func (j *evidence) lastChange(but string, from, to *history.Call) *history.Call {
	var last *history.Call
	for _, s := range j.States() {
		if s.ID != but && s.Change.Entry > from.Done && s.Change.Done < to.Entry &&
			(last == nil || s.Change.Entry > last.Entry) {
			last = s.Change
		}
	}
	return last
}

// logsAround returns the last log of executions before a state and the last one during it. A log is nil if there is
// none.
func (j *evidence) logsAround(s *history.State) (before, during *history.Call) {
	for _, c := range j.Of(history.OpExecLog) {
		switch {
		case !c.Accepted():
		case c.Done < s.Change.Entry:
			before = c
		case j.During(s, c):
			during = c
		}
	}
	return before, during
}

// demanded judges an operation that the text requires of an SDK and that is not served.
func (j *evidence) demanded(c *history.Call) verdict.Verdict {
	r, usable := usable(c)
	if usable || c.Served() || !j.isSDK() {
		return *r
	}
	r.Open = nil
	r.AddBreach([]record.Tick{c.Entry}, "the SDK does not serve "+c.Operation, "an answer to "+c.Operation, c.Got())
	return *r
}

// isSDK reports whether the target file declares that the subject is an SDK, or the subject serves deletions.
func (j *evidence) isSDK() bool {
	return j.SDK ||
		slices.ContainsFunc(j.Of(history.OpDelete),
			func(c *history.Call) bool { return c.Lost == nil && c.Served() && c.Outcome != record.NotSent })
}

// refusedAgain reports whether each repetition of a call was refused while the control beside it was accepted.
func (j *evidence) refusedAgain(i *history.Invocation) bool {
	refused, accepted := 0, 0
	for _, c := range j.Confirming(i.Entry) {
		switch {
		case c.About[history.AboutPart] == history.PartRefused && c.Refused():
			refused++
		case c.About[history.AboutPart] == history.PartControl && c.Accepted():
			accepted++
		}
	}
	return refused == history.MaxConfirmations && accepted == history.MaxConfirmations
}

// shown returns the manifests of the answers that are results.
func (j *evidence) shown() []*history.Call {
	return slices.DeleteFunc(slices.Clone(j.Manifests()), func(c *history.Call) bool { return !c.Returned() })
}

// statesAt returns the known state of each copy during a call.
func (j *evidence) statesAt(c *history.Call) []*history.State {
	var all []*history.State
	for _, one := range j.Copies() {
		if s := j.StateAt(one.ID, c); s != nil {
			all = append(all, s)
		}
	}
	return all
}

// unperformed returns why a stimulus proves nothing.
func (j *evidence) unperformed(stimulus string) error {
	if err := j.Conclusion(stimulus); err != nil {
		return err
	}
	return verdict.Undecided("no observation is relevant to this requirement")
}

// engine returns why the engine proves nothing, or nil if a capability ran.
func (j *evidence) engine() error {
	if j.Template() != nil {
		return nil
	}
	why := "no capability returned an output"
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

// openUnlessRan returns a verdict on calls of copies. It is open if the engine proves nothing, an answer is missing,
// the stimulus was not performed, or no copy ran that must run.
func (j *evidence) openUnlessRan(
	r *verdict.Verdict, missing error, stimulus string, ran bool, lacking string,
) verdict.Verdict {
	switch {
	case j.engine() != nil:
		r.Open = j.engine()
	case missing != nil:
		r.Open = missing
	case r.Judged == 0:
		r.Open = j.unperformed(stimulus)
	case !ran:
		r.Open = verdict.Undecided("%s", lacking)
	}
	return *r
}

// entry returns an entry of the registry as the first answer showed it, or nil if there is none. A copy is not an
// entry.
func (j *evidence) entry(id string) *history.Item {
	if history.IsCopyID(id) || id == "" {
		return nil
	}
	i := j.Registry().EntryOf(id)
	if i == nil || i.Members == nil {
		return nil
	}
	return i
}

// listed reports whether any answer showed an id as one of the registry.
func (j *evidence) listed(id string) bool {
	return memoized(j, func(m *conclusions) *cache[string, bool] { return &m.listed }, id,
		func() bool { return j.shownAnywhere(id) })
}

func (j *evidence) shownAnywhere(id string) bool {
	shows := func(c *history.Call) bool { return c.Shows(id) }
	return slices.ContainsFunc(j.Registries(), shows) || slices.ContainsFunc(j.Of(history.OpGet), shows)
}

// conclusions stores the conclusions from a history until the history grows.
type conclusions struct {
	size      int
	obstacles cache[*history.Invocation, obstacles]
	effective cache[*history.State, bool]
	attempts  cache[string, []attempt]
	listed    cache[string, bool]
	readings  cache[*history.State, [2][]history.Reading]
	steady    cache[*history.State, bool]
	calls     cache[*history.State, []*history.Invocation]
	views     cache[bool, []*history.View] // true: of old lists
	flawed    cache[string, []flawed]      // the only key is ""
}

// cache contains conclusions by their key.
type cache[K comparable, V any] map[K]cached[V]

// cached is a conclusion, and the mappings that made the objects from which it was derived.
type cached[V any] struct {
	value    V
	mappings []string
}

// memoized returns the stored conclusion about a key, or finds and stores it.
func memoized[K comparable, V any](j *evidence, of func(*conclusions) *cache[K, V], key K, find func() V) V {
	size := j.Size()
	j.mu.Lock()
	if j.conclusions == nil || j.conclusions.size != size {
		j.conclusions = &conclusions{size: size}
	}
	values := of(j.conclusions)
	one, known := (*values)[key]
	j.mu.Unlock()
	if known {
		j.NoteMappings(one.mappings)
		return one.value
	}
	one.mappings = j.MappingsOf(func() { one.value = find() })
	j.mu.Lock()
	defer j.mu.Unlock()
	if *values == nil {
		*values = cache[K, V]{}
	}
	(*values)[key] = one
	return one.value
}

// readings returns the readings of a state by get and by the whole list of the registry.
func (j *evidence) readings(s *history.State) (got, listed []history.Reading) {
	both := memoized(j, func(m *conclusions) *cache[*history.State, [2][]history.Reading] { return &m.readings }, s,
		func() [2][]history.Reading {
			got, listed := j.Readings(s)
			return [2][]history.Reading{got, listed}
		})
	return both[0], both[1]
}

// queries returns the answers of queries.
func (j *evidence) queries() []*history.View {
	return memoized(j, func(m *conclusions) *cache[bool, []*history.View] { return &m.views }, false, j.Queries)
}

// oldLists returns the answers of old lists.
func (j *evidence) oldLists() []*history.View {
	return memoized(j, func(m *conclusions) *cache[bool, []*history.View] { return &m.views }, true, j.OldLists)
}

// attempt is a way in which a call may have run a copy.
type attempt struct {
	reasons []string
	call    *history.Invocation
	known   bool
}

// obstacles are the reasons for which a call must be refused, and whether they are known.
type obstacles struct {
	reasons []string
	known   bool
}

// flawed is a descriptor with members that are not valid.
type flawed struct {
	item  *history.Item
	flaws []shape.Flaw
}
