package judge

import (
	"cmp"
	"slices"
	"strings"

	jsonpatch "github.com/evanphx/json-patch/v5"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites/acp/environment"
	"github.com/capconform/capconform/suites/acp/history"
	"github.com/capconform/capconform/suites/acp/sample"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
)

// cause is an event that determines the state of an object.
type cause string

// The causes. If a call breaks a rule on purpose, its cause is a value of history.AboutBreaks.
const (
	created      cause = "created"
	changed      cause = "changed"
	deleted      cause = "deleted"
	restarted    cause = "restarted"
	upgraded     cause = "upgraded"
	otherChanged cause = "another object changed"
	otherDeleted cause = "another object deleted"
	otherCreated cause = "another object created"
	recreated    cause = "created again after its deletion"
)

// causesByWeight orders the causes from the least to the most important. If several occurred, the most
// important one is named.
var causesByWeight = []cause{
	otherCreated, otherChanged, created, otherDeleted, restarted, deleted, recreated, changed, upgraded,
	history.BreaksPatch, history.BreaksSchema, history.BreaksScope, history.BreaksVerb, history.BreaksURI,
}

// trackedObject is one object that the model created.
type trackedObject struct {
	id, owner    string // owner is the label of its package
	uri          string
	absenceCause cause          // why it must not be there, where it must not
	want         history.Object // nil: it is not there
	removed      []string       // the members that a patch removed
	patched      any            // the last patch since the last look
	confirmed    bool           // the last look showed what was wanted, or that it is gone
	manyKeywords bool           // its schema asks for much: a subject may have reasons not to store it
	unusualNames bool           // its members have unusual names or values: as above
	stateUnknown bool           // nobody knows what it is: the next look shows
	causes       []cause        // since the last look
	causeEntries []record.Tick  // the entries of the causes
}

// observation is the result of one query about an object.
type observation struct {
	cause        cause
	broken       bool
	missing      bool // the query found nothing
	mustNotExist bool // the object must not exist
	query        *history.Action
	causeEntries []record.Tick
	want         history.Object
	patch        any // the last one of the object before the look
}

// ledger contains what is known of every object, and what each query showed.
type ledger struct {
	objects           map[string]*trackedObject
	ordered           []*trackedObject
	observations      []observation
	objectFound       bool // a created object was found
	firstUnchanged    bool // the first object that was found was unchanged
	manyKeywordsFound bool // an object whose schema has many keywords was found
	queries           []judgedQuery
}

// judgedQuery is a query with a filter, and what was known of the objects at that time.
type judgedQuery struct {
	*history.Action
	matching, nonMatching []*trackedObject // the objects with a known state that match, or do not match, the filter
	deleted               []*trackedObject // the deleted objects
}

func (l *ledger) recordRestart(c *history.Call) {
	for _, t := range l.ordered {
		t.addCause(restarted, c.Entry)
	}
}

func (t *trackedObject) addCause(c cause, entries ...record.Tick) {
	t.causes = append(t.causes, c)
	t.causeEntries = append(t.causeEntries, entries...)
}

func (l *ledger) recordAction(d *history.Action) {
	if bindsBuiltIn(d.Package) { // ACP-EXEC-03 covers the objects of such a package
		return
	}
	switch d.Verb {
	case sample.Query:
		l.recordQuery(d)
	case sample.Create:
		l.recordCreation(d)
	default:
		l.recordChange(d)
	}
}

// bindsBuiltIn reports whether a package has a binding for a built-in tool.
func bindsBuiltIn(p *sample.Package) bool {
	return slices.ContainsFunc(p.Bindings, func(b environment.Binding) bool { return strings.HasPrefix(b.Tool, "state.") })
}

// recordCreation records a created object. If the call must have no effect, want remains nil.
func (l *ledger) recordCreation(d *history.Action) {
	if t := l.objects[d.ID]; t != nil && t.absenceCause == deleted && d.Breaks == "" {
		t.recordRecreation(d)
		return
	}
	if d.ID == "" || l.objects[d.ID] != nil {
		return
	}
	t := &trackedObject{id: d.ID, owner: d.Package.Label, uri: d.URI}
	t.addCause(causeOf(d, created), d.Entries()...)
	if d.Breaks == "" {
		t.want, t.manyKeywords = d.Object, d.About[history.AboutForm] == history.FormManyKeywords
		t.unusualNames = d.About[history.AboutForm] == history.FormUnusualNames
	} else {
		t.absenceCause = causeOf(d, cause(d.Breaks))
		t.causes = []cause{t.absenceCause}
	}
	l.addCauseToOthers(t, otherCreated, d)
	l.objects[d.ID] = t
	l.ordered = append(l.ordered, t)
}

// recordRecreation records that a deleted object is created again. A runtime may refuse to use an id
// twice.
func (t *trackedObject) recordRecreation(d *history.Action) {
	if d.Result.Outcome() != history.Success {
		t.stateUnknown = true
		return
	}
	t.want, t.removed, t.absenceCause = d.Object, nil, ""
	t.addCause(recreated, d.Entries()...)
}

// causeOf returns the cause of a call: upgraded if the previous version lacked the verb, c otherwise.
func causeOf(d *history.Action, c cause) cause {
	if d.About[history.AboutSince] == history.SinceUpgrade {
		return upgraded
	}
	return c
}

// addCauseToOthers adds a cause to all other objects of the same package.
func (l *ledger) addCauseToOthers(t *trackedObject, c cause, d *history.Action) {
	for _, other := range l.ordered {
		if other != t && other.owner == t.owner {
			other.addCause(c, d.Entry)
		}
	}
}

// recordChange records a change or a deletion.
func (l *ledger) recordChange(d *history.Action) {
	t := l.objects[d.ID]
	if t == nil {
		return
	}
	refused := d.Result.Outcome() == history.Refusal
	if d.Verb == sample.Update {
		t.patched = d.Patch
	}
	unapplied := slices.Contains(refusable, d.About[history.AboutForm]) && d.Result.Outcome() != history.Success
	switch {
	case d.Breaks == history.BreaksPatch, unapplied:
		t.addCause(changed, d.Entries()...)
		t.stateUnknown = t.stateUnknown || !refused // the text requires validation only on creation
	case d.Breaks != "":
		t.addCause(cause(d.Breaks), d.Entries()...)
	case d.Verb == sample.Update:
		t.addCause(causeOf(d, changed), d.Entries()...)
		t.patch(d.Patch)
		l.addCauseToOthers(t, otherChanged, d)
	default:
		t.addCause(deleted, d.Entries()...)
		l.addCauseToOthers(t, otherDeleted, d)
		if mode := d.About[history.AboutMode]; refused && (mode == "hard" || mode == history.ModeUnstated) {
			// a hard deletion may need more than the verb, and a runtime may require the mode
			t.stateUnknown = true
			return
		}
		t.want, t.absenceCause = nil, deleted
	}
}

// refusable are the forms of patches that a subject may refuse as a whole.
var refusable = []string{history.FormNull, history.FormWhole}

// patch applies a JSON Patch. A patch that cannot be applied as a whole changes nothing.
func (t *trackedObject) patch(patch any) {
	if t.want == nil {
		return
	}
	decoded, err := jsonpatch.DecodePatch(jsonvalue.Encode(patch))
	if err != nil {
		return
	}
	text, err := decoded.Apply(jsonvalue.Encode(t.want))
	if err != nil {
		return
	}
	t.become(schemas.ReadObject(text))
}

// become sets what is wanted, and notes which members it no longer has.
func (t *trackedObject) become(after history.Object) {
	names := t.removed
	for name := range t.want {
		names = append(names, name)
	}
	t.removed = slices.DeleteFunc(names, func(name string) bool { _, exists := after[name]; return exists })
	t.want = after
}

// is reports whether an object that was found is the wanted one.
func (t *trackedObject) is(found history.Object) bool {
	return t.want != nil && history.Contains(found, t.want) &&
		!slices.ContainsFunc(t.removed, func(name string) bool { return found[name] != nil })
}

// recordQuery compares the result of a query with what is known.
func (l *ledger) recordQuery(d *history.Action) {
	if d.ID == "" {
		l.addFilterQuery(d)
		return
	}
	t := l.objects[d.ID]
	found := d.Result.About(d.ID)
	if t == nil || d.Lost != nil {
		return
	}
	switch {
	case d.Breaks != "": // such a query must return nothing
		l.observe(observation{cause: cause(d.Breaks), broken: len(found) > 0, mustNotExist: true, query: d,
			causeEntries: t.causeEntries})
		return
	case t.owner != d.Package.Label:
		if t.want == nil { // the object was created without permission
			l.compare(t, d, found)
		}
		return
	}
	l.addQueryByID(d)
	if t.want != nil && len(found) == 0 && l.showsOtherObjects(d) {
		return // the subject ignores the filter, and its list may be incomplete
	}
	l.compare(t, d, found)
}

// showsOtherObjects reports whether the result of a query by id contains other objects.
func (l *ledger) showsOtherObjects(d *history.Action) bool {
	return slices.ContainsFunc(l.ordered, func(t *trackedObject) bool {
		return t.id != d.ID &&
			len(d.Result.About(t.id)) > 0
	})
}

func (l *ledger) compare(t *trackedObject, d *history.Action, found []history.Object) {
	f := observation{cause: t.mainCause(len(found) == 0), query: d, causeEntries: t.causeEntries, want: t.want,
		patch: t.patched}
	if f.cause == "" { // nothing happened since the last look
		f.cause = cmp.Or(t.absenceCause, created)
	}
	fits := slices.ContainsFunc(found, t.is)
	switch {
	case t.stateUnknown:
		t.stateUnknown = false
	case t.want == nil:
		f.broken, f.mustNotExist = len(found) > 0, true
		if slices.Contains([]cause{otherCreated, otherChanged, otherDeleted}, f.cause) {
			f.cause = t.absenceCause
		}
		l.observe(f)
	default:
		f.missing, f.broken = len(found) == 0, !fits
		if !l.objectFound && !f.missing { // the first object is the control for judgements that depend on single members
			l.objectFound, l.firstUnchanged = true, fits
		}
		l.manyKeywordsFound = l.manyKeywordsFound || t.manyKeywords && !f.missing
		if !(t.manyKeywords || t.unusualNames) || !f.missing {
			l.observe(f)
		}
	}
	t.confirmed = fits || t.want == nil && len(found) == 0
	switch {
	case len(found) == 0:
		t.want = nil
	case !fits:
		t.become(t.expectedMembers(found[0]))
	}
	t.causes, t.causeEntries, t.patched = nil, nil, nil
}

// expectedMembers returns those members of a found object that the object is expected to have. Members
// that the runtime adds may change by themselves.
func (t *trackedObject) expectedMembers(found history.Object) history.Object {
	o := history.Object{sample.MemberID: t.id}
	for name := range t.want {
		if value, exists := found[name]; exists {
			o[name] = value
		}
	}
	for _, name := range t.removed {
		if value := found[name]; value != nil {
			o[name] = value
		}
	}
	return o
}

func (l *ledger) observe(f observation) { l.observations = append(l.observations, f) }

// mainCause returns the most important cause, "" if nothing happened. The deletion of another object can
// explain that an object is gone, but not that it differs.
func (t *trackedObject) mainCause(missing bool) cause {
	best := -1
	for _, c := range t.causes {
		if c == otherDeleted && !missing && t.want != nil {
			continue
		}
		best = max(best, slices.Index(causesByWeight, c))
	}
	if best < 0 {
		return ""
	}
	return causesByWeight[best]
}

// addFilterQuery adds a query with a filter to the queries that the judgements on filters read.
func (l *ledger) addFilterQuery(d *history.Action) {
	if d.Breaks != "" || d.Query == nil {
		return
	}
	q := judgedQuery{Action: d}
	for _, t := range l.ordered {
		if t.owner != d.Package.Label || t.uri != d.URI || !t.confirmed || len(t.possibleChanges()) > 0 {
			continue
		}
		switch {
		case t.want == nil:
			q.deleted = append(q.deleted, t)
		case matchesFilter(d.Query, t.want):
			q.matching = append(q.matching, t)
		default:
			q.nonMatching = append(q.nonMatching, t)
		}
	}
	l.queries = append(l.queries, q)
}

// possibleChanges returns the causes since the last query that may have changed the object.
func (t *trackedObject) possibleChanges() []cause {
	return slices.DeleteFunc(slices.Clone(t.causes), func(c cause) bool { return c == otherCreated })
}

// addQueryByID adds a query by id as a query with a filter: it must find no other object.
func (l *ledger) addQueryByID(d *history.Action) {
	q := judgedQuery{Action: d}
	for _, t := range l.ordered {
		if t.id != d.ID && t.owner == d.Package.Label && t.want != nil && t.confirmed {
			q.nonMatching = append(q.nonMatching, t)
		}
	}
	l.queries = append(l.queries, q)
}
