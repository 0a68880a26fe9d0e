package acdsuite

import (
	"slices"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites/acd/history"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/live"
)

// uses returns, for each operation of ACD, the function that reads which capabilities it
// invokes and how it changes the registry.
func uses() map[string]func(driver.Operation) live.Use {
	edit := func(op driver.Operation) live.Use {
		params := schemas.ReadObject(op.Params)
		return live.Use{Edits: edited(params), Also: hooked(params)}
	}
	return map[string]func(driver.Operation) live.Use{
		history.OpCreate: edit, history.OpUpdate: edit, history.OpDelete: edit,
		history.OpInvoke: func(op driver.Operation) live.Use {
			params := schemas.ReadObject(op.Params)
			use := live.Use{Invokes: true}
			use.ID, _ = params["capability_id"].(string)
			if history.ChangesRegistry(use.ID) {
				input, _ := params["input"].(object)
				use.Edits, use.Also = edited(input), hooked(input)
			}
			return use
		},
	}
}

// edited returns the entries that an operation on the registry changes.
func edited(params object) []string {
	var all []string
	for _, id := range []string{history.Text(params, "capability_id"), history.Text(params, "descriptor.capability_id")} {
		if id != "" {
			all = append(all, id)
		}
	}
	return all
}

// hooked returns the capabilities that a descriptor, or a new hook, makes run.
func hooked(params object) []string {
	all := jsonvalue.Texts(params["hook"])
	if one, _ := params["hook"].(string); one != "" {
		all = append(all, one)
	}
	for _, kind := range []string{"pre_invoke", "post_invoke", "on_error"} {
		all = append(all, jsonvalue.Texts(history.Member(params, "descriptor.lifecycle.hooks."+kind))...)
	}
	return all
}

// offerEntries offers the entries of the registry to the gate. If an agent has registered the echo of
// the adapter page, its registry is prepared for the examination. The suite then also invokes
// capabilities that change the registry, but only on its own copies.
func (e *examination) offerEntries() {
	p, assigned := e.players[roleEcho]
	prepared := assigned && p.Capability.ID == history.EchoID
	for _, c := range e.entries {
		named := slices.ContainsFunc(roles(),
			func(r live.Role) bool { return e.plays(c, r.Name) && e.players[r.Name].Named })
		candidate := live.Candidate{
			ID: c.ID, Version: history.Text(c.Members, "version"), Named: named || prepared && history.ChangesRegistry(c.ID),
			Name: history.Text(c.Members, "name"), Description: history.Text(c.Members, "description"), Members: c.Members,
		}
		if history.Substrate(c.Members) == substrateShell && !named && !e.plays(c, roleShell) &&
			!slices.Contains(e.subject.Admitted, c.ID) {
			candidate.Forbidden = "its substrate is shell"
		}
		e.gate.Offer(candidate)
	}
	e.followHooks()
}

// followHooks excludes the capabilities that run an excluded capability as a hook.
func (e *examination) followHooks() {
	for range e.entries { // a hook may have hooks
		more := false
		for _, c := range e.entries {
			for _, hook := range hooked(object{"descriptor": c.Members}) {
				if e.reasonAgainst(c) == "" && e.find(hook) != nil && e.gate.ReasonAgainst(hook, "") != "" {
					e.gate.Offer(live.Candidate{ID: c.ID, Version: history.Text(c.Members, "version"),
						Forbidden: "it runs " + hook + " as a hook"})
					more = true
				}
			}
		}
		if !more {
			return
		}
	}
}

// reasonAgainst returns why a capability must not be invoked, "" if it may be.
func (e *examination) reasonAgainst(c *history.Item) string { return e.gate.ReasonAgainst(c.ID, "") }
