package act

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"github.com/capconform/capconform/suites/acd/history"
	"github.com/capconform/capconform/suites/live"
	"github.com/capconform/capconform/suites/verdict"
)

// registrar registers, changes and deletes copies of entries.
type registrar struct{ *laboratory }

// first returns the entry of which copies are made that need not run.
func (b registrar) first() *history.Item {
	outside := func(c *history.Item) bool {
		return slices.Contains([]string{"shell", "transport"}, history.Substrate(c.Members))
	}
	for _, fits := range []func(*history.Item) bool{
		func(c *history.Item) bool {
			return b.Gate.ReasonAgainst(c.ID, "") == "" && !history.ChangesRegistry(c.ID) && !outside(c)
		},
		func(c *history.Item) bool { return !outside(c) },
	} {
		if i := slices.IndexFunc(b.Entries, fits); i >= 0 {
			return b.Entries[i]
		}
	}
	return b.Entries[0]
}

// needEntries returns an error if there is no entry of which a copy can be made.
func (b registrar) needEntries() error {
	if len(b.Entries) > 0 {
		return nil
	}
	if err := b.History.NoEntries(); err != nil {
		return err
	}
	return verdict.Undecided("no descriptor has an id: see ACD-DESC-03")
}

// copyOf returns a descriptor like that of an entry, with a new id. The gate treats an invocation of the copy as one
// of the entry.
func (b registrar) copyOf(of *history.Item, edit func(object)) object {
	made := history.Deep(of.Members)
	id := history.ProbePrefix + uuid.NewString()[:8]
	made["capability_id"], made["name"] = id, "Probe "+strings.TrimPrefix(id, history.ProbePrefix)
	made["description"] = "A copy that capconform has registered and deletes again: " + id + "."
	history.Set(made, "invocation.command_aliases", []any{})
	drop(made, "exposure.channels") // an empty list might exclude all channels
	delete(made, "lifecycle")
	if history.Flag(made, "status.signed", false) {
		history.Set(made, "status.signed", false) // a copy has no valid signature
	}
	history.Set(made, "kind", "atomic") // composites and proxies need a language model
	history.Set(made, "status.mutable", true)
	history.Set(made, "status.enabled", history.Enabled(made))
	if edit != nil {
		edit(made)
	}
	if edited := history.Text(made, "capability_id"); history.IsCopyID(edited) {
		b.Gate.Copy(edited, of.ID)
		b.copies = append(b.copies, edited)
		if b.origins == nil {
			b.origins = map[string]string{}
		}
		b.origins[edited] = of.ID
	}
	return made
}

// offer requests the creation of a copy from the registry.
func (b registrar) offer(
	ctx context.Context, of *history.Item, edit func(object),
) (*history.Item, *history.Call, error) {
	if b.Subject.Invoke == live.InvokeNone {
		return nil, nil, verdict.Undecided("nothing is registered with --invoke none")
	}
	made := b.copyOf(of, edit)
	c := &history.Item{ID: history.Text(made, "capability_id"), Members: made}
	return c, b.call(ctx, history.OpCreate, object{"descriptor": made}), nil
}

// register creates a copy. It returns an error if the registry refuses the copy, which the text permits.
func (b registrar) register(ctx context.Context, of *history.Item, edit func(object)) (*history.Item, error) {
	c, created, err := b.offer(ctx, of, edit)
	if err != nil {
		return nil, err
	}
	if err := creationError(of, created); err != nil {
		if !created.Served() {
			b.forget(c.ID)
		}
		return nil, err
	}
	b.switchOn(ctx, c, created)
	return c, nil
}

// creationError returns an error if a copy was not created.
func creationError(of *history.Item, created *history.Call) error {
	switch {
	case created.Missing() != nil:
		return created.Missing()
	case created.Malformed():
		return verdict.Undecided("the answer to %s is not a response of the binding", created.Operation)
	case created.Refused():
		return verdict.Undecided("the registry refuses a copy of %s: %s", of.ID, created.Got())
	}
	return nil
}

// switchOn enables a copy that is disabled after its creation although its descriptor has enabled, by
// capability.enable or otherwise by an update. The answer to the creation shows the state, otherwise the registry
// does.
func (b registrar) switchOn(ctx context.Context, c *history.Item, creation *history.Call) {
	kept := history.DescriptorIn(creation.Value)
	if history.Text(kept, "capability_id") != c.ID {
		kept = b.get(ctx, c.ID)
	}
	if kept == nil || !history.Flag(c.Members, "status.enabled", false) || history.Enabled(kept) {
		return
	}
	if by := b.meta("enable"); by != nil {
		b.invoke(ctx, invocation{id: by.ID, mode: modeOf(by), held: by.Required(), input: object{"capability_id": c.ID}})
		if kept := b.get(ctx, c.ID); kept != nil && history.Enabled(kept) {
			return
		}
	}
	b.change(ctx, c)
}

// meta returns a capability of FR-SDK-3 that can be invoked, under its name with or without the prefix cap.
func (b registrar) meta(name string) *history.Item {
	for _, id := range []string{"capability." + name, "cap.capability." + name} {
		if c := b.find(id); c != nil && b.isUsable(c) {
			return c
		}
	}
	return nil
}

// isUsable reports whether an entry is enabled, has a mode and may be invoked.
func (b registrar) isUsable(c *history.Item) bool {
	return history.Enabled(c.Members) && len(c.Modes()) > 0 && b.Gate.ReasonAgainst(c.ID, "") == ""
}

// modeOf returns the mode in which a meta-capability is invoked.
func modeOf(c *history.Item) string {
	if slices.Contains(c.Modes(), "direct") {
		return "direct"
	}
	return c.Modes()[0]
}

// change updates a copy. If the update is refused, it tries again with a new version, which a registry may require.
func (b registrar) change(ctx context.Context, c *history.Item) *history.Call {
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

// newerVersion increments the last number of a version.
func newerVersion(version string) string {
	head := strings.TrimRight(version, "0123456789")
	last, err := strconv.Atoi(version[len(head):])
	if err != nil {
		return version + ".1"
	}
	return head + strconv.Itoa(last+1)
}

// updates changes a copy, and reports whether the registry shows the change.
func (b registrar) updates(ctx context.Context, c *history.Item) bool {
	b.change(ctx, c)
	kept := b.get(ctx, c.ID)
	return kept != nil && history.Keeps(kept, c.Members)
}

// deletes deletes a copy, and reports whether the registry no longer shows it.
func (b registrar) deletes(ctx context.Context, c *history.Item) bool {
	deleted := b.call(ctx, history.OpDelete, object{"capability_id": c.ID})
	if b.get(ctx, c.ID) != nil || !deleted.Accepted() {
		return false
	}
	b.forget(c.ID)
	return true
}

func (b registrar) forget(id string) {
	b.copies = slices.DeleteFunc(b.copies, func(one string) bool { return one == id })
}

// clean deletes the copies of a stimulus. A copy that cannot be deleted remains. Its description explains its
// purpose.
func (b registrar) clean(ctx context.Context) {
	for _, id := range slices.Backward(b.copies) {
		b.call(ctx, history.OpDelete, object{"capability_id": id})
	}
	b.copies = nil
}

// setAllMembers sets every member of the text in a copy: to another value than the default, and lists to several
// values. The registry may refuse the copy.
func (b registrar) setAllMembers(d object) {
	id := history.Text(d, "capability_id")
	known := []string{b.first().ID}
	for _, c := range slices.Backward(b.Entries) {
		if c.ID != known[0] && b.Gate.ReasonAgainst(c.ID, "") == "" { // a hook runs
			known = append(known, c.ID)
			break
		}
	}
	hooks := toAnys(known...)
	nested := object{"type": "object", "required": toAnys("a", "b"), "properties": object{
		"a": object{"type": "object", "properties": object{"inner": object{"type": "string"}}},
		"b": object{"type": "array", "items": object{"enum": toAnys("x", "y")}},
	}}
	for path, value := range map[string]any{
		"name": "Whole " + id,
		"description": "A copy of capconform, " + id + ", in many words: " +
			strings.Repeat("größer, œuvre, 能力, ", 16) + "end.",
		"invocation.modes":           toAnys("command", "event", "message"),
		"invocation.command_aliases": toAnys("alias-of-"+id, "other-alias-of-"+id),
		"exposure":                   object{"scope": "agent", "channels": toAnys("cli", "web")},
		"execution.runtime":          "runtime-of-" + id,
		"permissions": object{
			"required": toAnys(history.FirstPermission, history.SecondPermission), "granted_by_default": true,
			"danger_level": "high",
		},
		"inputs":       object{"schema": nested, "required": toAnys("a", "b")},
		"outputs":      object{"schema": object{"type": "array", "items": nested}},
		"dependencies": object{"capabilities": hooks, "resources": toAnys("filesystem", "gpu")},
		"lifecycle":    object{"hooks": object{"pre_invoke": hooks, "post_invoke": hooks, "on_error": hooks}},
		"delegation":   object{"allowed": false, "creates_subagent": false},
		"audit":        object{"log_invocation": false, "log_inputs": true, "log_outputs": true},
		"status":       object{"enabled": false, "mutable": true, "signed": false},
	} {
		history.Set(d, path, value)
	}
}

// drop deletes the member at a path.
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

func toAnys(all ...string) []any {
	list := make([]any, len(all))
	for i, s := range all {
		list[i] = s
	}
	return list
}
