package suites

import (
	"encoding/json"
	"fmt"
)

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
func (r Role) Missing(suite string) *Inconclusive {
	return &Inconclusive{
		Reason: "no capability plays " + r.Name + ", one that " + r.Purpose,
		Supply: fmt.Sprintf("register %s, or name yours in the target file: roles: {%s: {%s: {capability: ID}}}",
			r.Capability, suite, r.Name),
	}
}

// NotObserved says that nobody plays a role that is optional, so that what it would do
// did not occur in this run.
func (r Role) NotObserved(suite string) *NotApplicable {
	missing := r.Missing(suite)
	return NotObserved("%s; %s", missing.Reason, missing.Supply)
}
