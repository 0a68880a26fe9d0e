package act

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acd/history"
	"github.com/capconform/capconform/suites/driver"
)

// object is a JSON object of the text.
type object = history.Object

// bench is where one stimulus works. What it registers is deleted when the stimulus is over.
type bench struct {
	*Caller
	lab    *suites.Laboratory
	about  map[string]string // of every call, until it is changed
	copies []string

	origins map[string]string // of what a copy is one
}

// call carries an operation. The entry says what came of it.
func (b *bench) call(ctx context.Context, operation string, params object) *history.Call {
	if b.History.Unheard() && strings.HasPrefix(operation, history.OpPath) {
		// others than what it serves get no answer at all
		return &history.Call{Operation: operation, Outcome: "not-provided"}
	}
	if params == nil {
		params = object{}
	}
	op := driver.Operation{Name: operation, Params: suites.Encode(params), List: history.Lists(operation)}
	entry, _, err := b.lab.Do(ctx, suites.Call{About: b.labels(params), Operation: op})
	if c := b.History.At(entry.Begun); c != nil {
		return c
	}
	return &history.Call{Observed: suites.Observed{Lost: err}, Operation: operation, Params: params}
}

// labels are the parameters of a call: of what a copy is one, where the call makes one.
func (b *bench) labels(params object) map[string]string {
	made := history.Text(params, "descriptor.capability_id")
	if made == "" {
		made = history.Text(params, "input.descriptor.capability_id")
	}
	of, copied := b.origins[made]
	if !copied {
		return b.about
	}
	about := map[string]string{history.AboutCopyOf: of}
	maps.Copy(about, b.about)
	return about
}

// use is one call of the engine.
type use struct {
	id, mode, channel string
	held              []string
	input             any
}

func (b *bench) invoke(ctx context.Context, u use) *history.Call {
	return b.call(ctx, history.OpInvoke, paramsOf(u))
}

func paramsOf(u use) object {
	held := []any{}
	for _, p := range u.held {
		held = append(held, p)
	}
	params := object{
		"capability_id": u.id, "mode": u.mode, "input": u.input, "principal": object{"id": "capconform", "permissions": held},
	}
	if u.input == nil {
		params["input"] = object{}
	}
	if u.channel != "" {
		params["channel"] = u.channel
	}
	return params
}

// copyOf makes a descriptor like another, under an id that nobody has. The gate takes it for
// the other one, whose code it runs.
func (b *bench) copyOf(of *history.Item, edit func(object)) object {
	made := history.Deep(of.Members)
	id := history.ProbePrefix + uuid.NewString()[:8]
	made["capability_id"], made["name"] = id, "Probe "+strings.TrimPrefix(id, history.ProbePrefix)
	made["description"] = "A copy that capconform has registered and deletes again: " + id + "."
	history.Put(made, "invocation.command_aliases", []any{})
	drop(made, "exposure.channels") // an empty list might mean none
	delete(made, "lifecycle")
	if history.Flag(made, "status.signed", false) {
		history.Put(made, "status.signed", false) // a copy has no signature that holds
	}
	history.Put(made, "kind", "atomic") // others need a language model
	history.Put(made, "status.mutable", true)
	history.Put(made, "status.enabled", history.Enabled(made))
	if edit != nil {
		edit(made)
	}
	if edited := history.Text(made, "capability_id"); history.Ours(edited) {
		b.Gate.Copy(edited, of.ID)
		b.copies = append(b.copies, edited)
		if b.origins == nil {
			b.origins = map[string]string{}
		}
		b.origins[edited] = of.ID
	}
	return made
}

// offer asks the registry to create a copy.
func (b *bench) offer(ctx context.Context, of *history.Item, edit func(object)) (*history.Item, *history.Call, error) {
	if b.Subject.Invoke == suites.InvokeNone {
		return nil, nil, suites.Undecided("nothing is registered with --invoke none")
	}
	made := b.copyOf(of, edit)
	c := &history.Item{ID: history.Text(made, "capability_id"), Members: made}
	return c, b.call(ctx, history.OpCreate, object{"descriptor": made}), nil
}

// register creates a copy. The error says that it is not taken: the text says of no
// descriptor that it must be.
func (b *bench) register(ctx context.Context, of *history.Item, edit func(object)) (*history.Item, error) {
	c, created, err := b.offer(ctx, of, edit)
	if err != nil {
		return nil, err
	}
	if err := taken(of, created); err != nil {
		return nil, err
	}
	b.switchOn(ctx, c, created)
	return c, nil
}

// taken says why a copy that was offered was not taken, nil if it was.
func taken(of *history.Item, created *history.Call) error {
	switch {
	case created.Missing() != nil:
		return created.Missing()
	case created.Malformed():
		return suites.Undecided("the answer to %s is no response of the binding", created.Operation)
	case created.Refused():
		return suites.Undecided("the registry does not take a copy of %s: %s", of.ID, created.Got)
	}
	return nil
}

// switchOn enables a copy that was to be enabled and starts disabled, as an agent may
// want it: by capability.enable, or else by an update. The answer to its creation says
// whether it does, or else the registry.
func (b *bench) switchOn(ctx context.Context, c *history.Item, creation *history.Call) {
	kept, _ := creation.Value.(object)
	if inner, is := history.Member(kept, "descriptor").(object); is {
		kept = inner
	}
	if history.Text(kept, "capability_id") != c.ID {
		kept = b.get(ctx, c.ID)
	}
	if kept == nil || !history.Flag(c.Members, "status.enabled", false) || history.Enabled(kept) {
		return
	}
	if by := b.meta("enable"); by != nil {
		b.invoke(ctx, use{id: by.ID, mode: modeOf(by), held: by.Required(), input: object{"capability_id": c.ID}})
		if kept := b.get(ctx, c.ID); kept != nil && history.Enabled(kept) {
			return
		}
	}
	b.change(ctx, c)
}

// meta finds a capability of FR-SDK-3 that can be invoked, with cap. before its name or
// without.
func (b *bench) meta(name string) *history.Item {
	for _, id := range []string{"capability." + name, "cap.capability." + name} {
		if c := b.find(id); c != nil && b.usable(c) {
			return c
		}
	}
	return nil
}

// usable tells whether an entry is enabled, has a mode and may be invoked.
func (b *bench) usable(c *history.Item) bool {
	return history.Enabled(c.Members) && len(c.Modes()) > 0 && b.Gate.Against(c.ID, "") == ""
}

// modeOf gives the mode in which a meta-capability is invoked.
func modeOf(c *history.Item) string {
	if slices.Contains(c.Modes(), "direct") {
		return "direct"
	}
	return c.Modes()[0]
}

// get reads one entry, by get or else in the whole list; nil where it is not there.
func (b *bench) get(ctx context.Context, id string) object {
	c := b.call(ctx, history.OpGet, object{"capability_id": id})
	if !c.Served() || c.Lost != nil {
		c = b.whole(ctx)
	}
	if i := c.EntryOf(id); i != nil {
		return i.Members
	}
	return nil
}

// whole asks for the whole registry.
func (b *bench) whole(ctx context.Context) *history.Call {
	return b.call(ctx, b.History.Registry().Operation, object{})
}

// change updates an entry of ours. A registry may want a new version for a change, so that
// an update that is refused is tried again with one.
func (b *bench) change(ctx context.Context, c *history.Item) *history.Call {
	first := b.call(ctx, history.OpUpdate, object{"descriptor": c.Members})
	if !first.Refused() {
		return first
	}
	newer := history.Deep(c.Members)
	newer["version"] = newerVersion(history.Text(c.Members, "version"))
	again := b.call(ctx, history.OpUpdate, object{"descriptor": newer})
	if !again.Accepted() {
		return first
	}
	c.Members["version"] = newer["version"]
	return again
}

// newerVersion counts the last number of a version up.
func newerVersion(version string) string {
	head := strings.TrimRight(version, "0123456789")
	last, err := strconv.Atoi(version[len(head):])
	if err != nil {
		return version + ".1"
	}
	return head + strconv.Itoa(last+1)
}

// updates changes an entry, and tells whether that took effect.
func (b *bench) updates(ctx context.Context, c *history.Item) bool {
	b.change(ctx, c)
	kept := b.get(ctx, c.ID)
	return kept != nil && history.Keeps(kept, c.Members)
}

// deletes removes an entry, and tells whether that took effect.
func (b *bench) deletes(ctx context.Context, c *history.Item) bool {
	deleted := b.call(ctx, history.OpDelete, object{"capability_id": c.ID})
	if b.get(ctx, c.ID) != nil || !deleted.Accepted() {
		return false
	}
	b.forget(c.ID)
	return true
}

func (b *bench) forget(id string) {
	b.copies = slices.DeleteFunc(b.copies, func(one string) bool { return one == id })
}

// clean deletes the copies of a stimulus. What can't be deleted stays, and says what it is.
func (b *bench) clean(ctx context.Context) {
	for _, id := range slices.Backward(b.copies) {
		b.call(ctx, history.OpDelete, object{"capability_id": id})
	}
	b.copies = nil
}

// pauses lie between the looks at what may be written a moment after the answer, such
// as a record: the text does not say when. They are a second together, as
// suites/acd/ADAPTER.md says.
var pauses = []time.Duration{20, 60, 120, 300, 500}

// soon looks until something is so, or the last pause is over.
func soon(ctx context.Context, isSo func() bool) bool {
	for _, pause := range pauses {
		if isSo() {
			return true
		}
		timer := time.NewTimer(pause * time.Millisecond)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return isSo()
		}
	}
	return isSo()
}

// drop takes a member away.
func drop(of object, path string) {
	at := strings.LastIndexByte(path, '.')
	if at < 0 {
		delete(of, path)
		return
	}
	if inner, is := history.Member(of, path[:at]).(object); is {
		delete(inner, path[at+1:])
	}
}

func anys(all ...string) []any {
	list := make([]any, len(all))
	for i, s := range all {
		list[i] = s
	}
	return list
}
