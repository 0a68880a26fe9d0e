package act

import (
	"context"
	"slices"

	"github.com/capconform/capconform/suites/acd/history"
	"github.com/capconform/capconform/suites/live"
)

// orthogonals are copies that differ in members that must not affect permissions, modes, the state and the audit: the
// text calls the members of a descriptor orthogonal.
type orthogonals struct{ bench }

// variations are the values of the members that vary. Each of them is one copy.
var variations = []map[string]any{
	{
		"exposure.scope": "internal", "permissions.danger_level": "low", "audit.log_inputs": true, "audit.log_outputs": true,
	},
	{
		"exposure.scope": "agent", "permissions.danger_level": "medium", "delegation.allowed": false,
		"dependencies.resources": []any{"network"},
	},
	{"exposure.scope": "channel", "permissions.danger_level": "high"},
	{"exposure.scope": "human", "permissions.danger_level": "critical"},
	{"exposure.scope": "public", "kind": "template"},
	{"invocation.command_aliases": []any{"capconform-orthogonal"}},
}

// guarded calls each copy without its permission, in a mode that it does not list, as it permits, and disabled. A
// registry may refuse a copy.
func (b orthogonals) guarded(ctx context.Context) error {
	t, of, err := b.template()
	if err != nil {
		return err
	}
	other := history.Modes[(slices.Index(history.Modes, t.Mode)+1)%len(history.Modes)]
	var copies []*history.Item
	for _, members := range b.variations(t) {
		c, err := b.register(ctx, of, func(d object) {
			for path, value := range members {
				history.Set(d, path, value)
			}
			history.Set(d, "permissions.required", toAnys(history.FirstPermission))
			history.Set(d, "permissions.granted_by_default", false)
			history.Set(d, "invocation.modes", toAnys(t.Mode))
			history.Set(d, "audit.log_invocation", true)
		})
		if err != nil {
			continue
		}
		copies = append(copies, c)
		b.readCopy(ctx, c)
		b.all(ctx, b.invocationOf(c, t.Mode))
		b.invoke(ctx, b.invocationOf(c, other, history.FirstPermission))
		b.invoke(ctx, b.invocationOf(c, t.Mode, history.FirstPermission))
	}
	for _, c := range copies {
		if b.audit(ctx, c, 1) < 1 {
			break // it waited long enough for the records of every copy
		}
	}
	for _, c := range copies {
		history.Set(c.Members, "status.enabled", false)
		if b.updates(ctx, c) {
			b.invoke(ctx, b.invocationOf(c, t.Mode, history.FirstPermission))
		}
	}
	return nil
}

// variations returns the variations that an agent can be asked to register. Only a copy of the capability with the
// role echo may have another substrate.
func (b orthogonals) variations(t *history.Template) []map[string]any {
	all := slices.Clone(variations)
	for _, channel := range history.ChannelsOf(b.History.Manifest()) {
		all = append(all, map[string]any{"exposure": object{"scope": "public", "channels": toAnys(channel.ID)}})
		break
	}
	if p, assigned := b.Players["echo"]; assigned && p.Capability.ID == t.ID && b.Subject.Invoke != live.InvokeNone {
		for _, substrate := range movable {
			all = append(all, map[string]any{"execution.substrate": substrate})
		}
	}
	return all
}
