package live

import (
	"encoding/json"
	"fmt"

	"github.com/capconform/capconform/suites/verdict"
)

// Role is a behaviour for which scenarios need a capability.
type Role struct {
	Name       string
	Capability string // id in the fixture profile (DESIGN section 10)
	Purpose    string // what the capability does, as in "always fails"
	Listed     bool   // only a capability with a certain member in the list can play it, whatever its name
}

// Player is a capability that the target file assigns to a role.
type Player struct {
	Capability string
	Version    string          // if empty, any version
	Input      json.RawMessage // if nil, generated from the input schema
}

// Assignment is the capability that plays a role.
type Assignment[C any] struct {
	Capability C
	Input      json.RawMessage // from the target file; if nil, generated from the schema
	Named      bool            // the target file names it
}

// Assign assigns capabilities to roles, from the target file if it names the role and otherwise
// from the fixture profile. The notes report each capability that the target file names and the
// target does not list.
func Assign[C any](
	all []Role, result map[string]Player, find func(id, version string) (C, bool),
) (map[string]Assignment[C], []string) {
	players := map[string]Assignment[C]{}
	var notes []string
	for _, r := range all {
		named, given := result[r.Name]
		if !given {
			if c, ok := find(r.Capability, ""); ok {
				players[r.Name] = Assignment[C]{Capability: c}
			}
			continue
		}
		c, ok := find(named.Capability, named.Version)
		if !ok {
			notes = append(notes,
				fmt.Sprintf("the target file gives the role %s to %s, which is not listed", r.Name, named.Capability))
			continue
		}
		players[r.Name] = Assignment[C]{Capability: c, Input: named.Input, Named: true}
	}
	return players, notes
}

// Missing returns an Inconclusive that states that no capability plays the role, and how to supply
// one.
func (r Role) Missing(suite string) *verdict.Inconclusive {
	return &verdict.Inconclusive{
		Reason: "no capability plays " + r.Name + ", one that " + r.Purpose,
		Supply: fmt.Sprintf("register %s, or name yours in the target file: roles: {%s: {%s: {capability: ID}}}",
			r.Capability, suite, r.Name),
	}
}

// NotObserved returns a NotApplicable for an optional role that no capability plays: its behaviour
// did not occur in this run.
func (r Role) NotObserved(suite string) *verdict.NotApplicable {
	missing := r.Missing(suite)
	return verdict.NotObserved("%s; %s", missing.Reason, missing.Supply)
}
