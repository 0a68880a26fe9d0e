package live

import (
	"encoding/json"
	"fmt"

	"github.com/capconform/capconform/suites/verdict"
)

// Role is a part that a capability plays for some scenario.
type Role struct {
	Name       string
	Capability string // of the fixture profile (DESIGN section 10)
	Purpose    string // "a capability whose execution always fails"
}

// Player is a capability that the target file names for a role.
type Player struct {
	Capability string
	Version    string          // empty: any
	Input      json.RawMessage // nil: made from the input schema
}

// Cast is who plays a role.
type Cast[C any] struct {
	Capability C
	Input      json.RawMessage // of the target file; nil: made from the schema
	Named      bool            // the target file names it
}

// Assign fills roles from the target file and then from the fixture profile. A
// capability that the target file names and nobody lists is told in the notes.
func Assign[C any](
	all []Role, told map[string]Player, find func(id, version string) (C, bool),
) (map[string]Cast[C], []string) {
	players := map[string]Cast[C]{}
	var notes []string
	for _, r := range all {
		named, given := told[r.Name]
		if !given {
			if c, ok := find(r.Capability, ""); ok {
				players[r.Name] = Cast[C]{Capability: c}
			}
			continue
		}
		c, ok := find(named.Capability, named.Version)
		if !ok {
			notes = append(notes,
				fmt.Sprintf("the target file gives the role %s to %s, which is not listed", r.Name, named.Capability))
			continue
		}
		players[r.Name] = Cast[C]{Capability: c, Input: named.Input, Named: true}
	}
	return players, notes
}

// Missing says that nobody plays the role, and how to supply somebody.
func (r Role) Missing(suite string) *verdict.Inconclusive {
	return &verdict.Inconclusive{
		Reason: "no capability plays " + r.Name + ", one that " + r.Purpose,
		Supply: fmt.Sprintf("register %s, or name yours in the target file: roles: {%s: {%s: {capability: ID}}}",
			r.Capability, suite, r.Name),
	}
}

// NotObserved says that nobody plays a role that is optional, so that what it would do
// did not occur in this run.
func (r Role) NotObserved(suite string) *verdict.NotApplicable {
	missing := r.Missing(suite)
	return verdict.NotObserved("%s; %s", missing.Reason, missing.Supply)
}
