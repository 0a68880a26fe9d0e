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

// weight orders the causes from the least to the most important. If several occurred, the most important
// one is named.
var weight = []cause{
	otherCreated, otherChanged, created, otherDeleted, restarted, deleted, recreated, changed, upgraded,
	history.BreaksPatch, history.BreaksSchema, history.BreaksScope, history.BreaksVerb, history.BreaksURI,
}

// thing is one object that the model created.
type thing struct {
	id, owner string // owner is the label of its package
	uri       string
	origin    cause          // why it must not be there, where it must not
	want      history.Object // nil: it is not there
	removed   []string       // the members that a patch removed
	patched   any            // the last patch since the last look
	certain   bool           // the last look showed what was wanted, or that it is gone
	narrow    bool           // its schema asks for much: a subject may have reasons not to store it
	named     bool           // its members have unusual names or values: as above
	hung      bool           // nobody knows what it is: the next look shows
	causes    []cause        // since the last look
	by        []record.Tick  // the entries of the causes
}

// finding is the result of one query about an object.
type finding struct {
	cause  cause
	broken bool
	gone   bool // the query found nothing
	extra  bool // the object must not exist
	look   *history.Action
	by     []record.Tick
	want   history.Object
	patch  any // the last one of the object before the look
}

// ledger contains what is known of every object, and what each query showed.
type ledger struct {
	things   map[string]*thing
	order    []*thing
	findings []finding
	works    bool // a created object was found
	whole    bool // the first object that was found was unchanged
	narrow   bool // an object whose schema has many keywords was found
	queries  []judgedQuery
}

// judgedQuery is a query with a filter, and what was known of the objects at that time.
type judgedQuery struct {
	*history.Action
	fit, unfit []*thing // the objects with a known state that match, or do not match, the filter
	removed    []*thing // the deleted objects
}

func (l *ledger) restart(c *history.Call) {
	for _, t := range l.order {
		t.add(restarted, c.Entry)
	}
}

func (t *thing) add(c cause, entries ...record.Tick) {
	t.causes = append(t.causes, c)
	t.by = append(t.by, entries...)
}

func (l *ledger) take(d *history.Action) {
	if bindsBuiltIn(d.By) { // ACP-EXEC-03 covers the objects of such a package
		return
	}
	switch d.Verb {
	case sample.Query:
		l.look(d)
	case sample.Create:
		l.create(d)
	default:
		l.alter(d)
	}
}

// bindsBuiltIn reports whether a package has a binding for a built-in tool.
func bindsBuiltIn(p *sample.Package) bool {
	return slices.ContainsFunc(p.Bindings, func(b environment.Binding) bool { return strings.HasPrefix(b.Tool, "state.") })
}

// create records a created object. If the call must have no effect, want remains nil.
func (l *ledger) create(d *history.Action) {
	if t := l.things[d.ID]; t != nil && t.origin == deleted && d.Breaks == "" {
		t.createAgain(d)
		return
	}
	if d.ID == "" || l.things[d.ID] != nil {
		return
	}
	t := &thing{id: d.ID, owner: d.By.Label, uri: d.URI}
	t.add(since(d, created), d.Entries()...)
	if d.Breaks == "" {
		t.want, t.narrow = d.Object, d.About[history.AboutForm] == history.FormNarrow
		t.named = d.About[history.AboutForm] == history.FormNamed
	} else {
		t.origin = since(d, cause(d.Breaks))
		t.causes = []cause{t.origin}
	}
	l.others(t, otherCreated, d)
	l.things[d.ID] = t
	l.order = append(l.order, t)
}

// createAgain records that a deleted object is created again. A runtime may refuse to use an id twice.
func (t *thing) createAgain(d *history.Action) {
	if d.Result.Outcome() != history.Success {
		t.hung = true
		return
	}
	t.want, t.removed, t.origin = d.Object, nil, ""
	t.add(recreated, d.Entries()...)
}

// since returns the cause of a call: upgraded if the previous version lacked the verb, c otherwise.
func since(d *history.Action, c cause) cause {
	if d.About[history.AboutSince] == history.SinceUpgrade {
		return upgraded
	}
	return c
}

// others adds a cause to all other objects of the same package.
func (l *ledger) others(t *thing, c cause, d *history.Action) {
	for _, other := range l.order {
		if other != t && other.owner == t.owner {
			other.add(c, d.Entry)
		}
	}
}

// alter records a change or a deletion.
func (l *ledger) alter(d *history.Action) {
	t := l.things[d.ID]
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
		t.add(changed, d.Entries()...)
		t.hung = t.hung || !refused // the text requires validation only on creation
	case d.Breaks != "":
		t.add(cause(d.Breaks), d.Entries()...)
	case d.Verb == sample.Update:
		t.add(since(d, changed), d.Entries()...)
		t.patch(d.Patch)
		l.others(t, otherChanged, d)
	default:
		t.add(deleted, d.Entries()...)
		l.others(t, otherDeleted, d)
		if mode := d.About[history.AboutMode]; refused && (mode == "hard" || mode == history.ModeUnstated) {
			// a hard deletion may need more than the verb, and a runtime may require the mode
			t.hung = true
			return
		}
		t.want, t.origin = nil, deleted
	}
}

// refusable are the forms of patches that a subject may refuse as a whole.
var refusable = []string{history.FormNull, history.FormWhole}

// patch applies a JSON Patch. A patch that cannot be applied as a whole changes nothing.
func (t *thing) patch(patch any) {
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
func (t *thing) become(after history.Object) {
	names := t.removed
	for name := range t.want {
		names = append(names, name)
	}
	t.removed = slices.DeleteFunc(names, func(name string) bool { _, exists := after[name]; return exists })
	t.want = after
}

// is reports whether an object that was found is the wanted one.
func (t *thing) is(found history.Object) bool {
	return t.want != nil && history.Contains(found, t.want) &&
		!slices.ContainsFunc(t.removed, func(name string) bool { return found[name] != nil })
}

// look compares the result of a query with what is known.
func (l *ledger) look(d *history.Action) {
	if d.ID == "" {
		l.filter(d)
		return
	}
	t := l.things[d.ID]
	about := d.Result.About(d.ID)
	if t == nil || d.Lost != nil {
		return
	}
	switch {
	case d.Breaks != "": // such a query must return nothing
		l.enter(finding{cause: cause(d.Breaks), broken: len(about) > 0, extra: true, look: d, by: t.by})
		return
	case t.owner != d.By.Label:
		if t.want == nil { // the object was created without permission
			l.judge(t, d, about)
		}
		return
	}
	l.keepQueryByID(d)
	if t.want != nil && len(about) == 0 && l.showsOthers(d) {
		return // the subject ignores the filter, and its list may be incomplete
	}
	l.judge(t, d, about)
}

// showsOthers reports whether the result of a query by id contains other objects.
func (l *ledger) showsOthers(d *history.Action) bool {
	return slices.ContainsFunc(l.order, func(t *thing) bool { return t.id != d.ID && len(d.Result.About(t.id)) > 0 })
}

func (l *ledger) judge(t *thing, d *history.Action, about []history.Object) {
	f := finding{cause: t.heaviest(len(about) == 0), look: d, by: t.by, want: t.want, patch: t.patched}
	if f.cause == "" { // nothing happened since the last look
		f.cause = cmp.Or(t.origin, created)
	}
	fits := slices.ContainsFunc(about, t.is)
	switch {
	case t.hung:
		t.hung = false
	case t.want == nil:
		f.broken, f.extra = len(about) > 0, true
		if slices.Contains([]cause{otherCreated, otherChanged, otherDeleted}, f.cause) {
			f.cause = t.origin
		}
		l.enter(f)
	default:
		f.gone, f.broken = len(about) == 0, !fits
		if !l.works && !f.gone { // the first object is the control for judgements that depend on single members
			l.works, l.whole = true, fits
		}
		l.narrow = l.narrow || t.narrow && !f.gone
		if !(t.narrow || t.named) || !f.gone {
			l.enter(f)
		}
	}
	t.certain = fits || t.want == nil && len(about) == 0
	switch {
	case len(about) == 0:
		t.want = nil
	case !fits:
		t.become(t.known(about[0]))
	}
	t.causes, t.by, t.patched = nil, nil, nil
}

// known returns those members of a found object that the object is expected to have. Members that the
// runtime adds may change by themselves.
func (t *thing) known(found history.Object) history.Object {
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

func (l *ledger) enter(f finding) { l.findings = append(l.findings, f) }

// heaviest returns the most important cause, "" if nothing happened. The deletion of another object can
// explain that an object is gone, but not that it differs.
func (t *thing) heaviest(gone bool) cause {
	best := -1
	for _, c := range t.causes {
		if c == otherDeleted && !gone && t.want != nil {
			continue
		}
		best = max(best, slices.Index(weight, c))
	}
	if best < 0 {
		return ""
	}
	return weight[best]
}

// filter adds a query with a filter to the queries that the judgements on filters read.
func (l *ledger) filter(d *history.Action) {
	if d.Breaks != "" || d.Query == nil {
		return
	}
	q := judgedQuery{Action: d}
	for _, t := range l.order {
		if t.owner != d.By.Label || t.uri != d.URI || !t.certain || len(t.serious()) > 0 {
			continue
		}
		switch {
		case t.want == nil:
			q.removed = append(q.removed, t)
		case fits(d.Query, t.want):
			q.fit = append(q.fit, t)
		default:
			q.unfit = append(q.unfit, t)
		}
	}
	l.queries = append(l.queries, q)
}

// serious returns the causes since the last query that may have changed the object.
func (t *thing) serious() []cause {
	return slices.DeleteFunc(slices.Clone(t.causes), func(c cause) bool { return c == otherCreated })
}

// keepQueryByID adds a query by id as a query with a filter: it must find no other object.
func (l *ledger) keepQueryByID(d *history.Action) {
	q := judgedQuery{Action: d}
	for _, t := range l.order {
		if t.id != d.ID && t.owner == d.By.Label && t.want != nil && t.certain {
			q.unfit = append(q.unfit, t)
		}
	}
	l.queries = append(l.queries, q)
}
