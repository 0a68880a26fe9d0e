package capsuite

import (
	"encoding/json"
	"slices"

	"github.com/capconform/capconform/suites"
)

// The roles of the fixture profile (DESIGN section 10).
const (
	roleEcho       = "echo"
	roleFails      = "fails"
	roleSlow       = "slow"
	roleRestricted = "restricted"
	roleMalformed  = "malformed"
	roleSkill      = "skill"
	roleCounter    = "counter"
	roleReplace    = "replace"
	roleAttach     = "attach"
)

// fixtureSkill is the skill of the fixture profile.
const fixtureSkill = "conformance.brief"

// roles are the parts that the profile, the target file or discovery fill.
func roles() []suites.Role {
	return []suites.Role{
		{Name: roleEcho, Capability: "conformance.echo", Purpose: "gives its input back"},
		{Name: roleFails, Capability: "conformance.fail", Purpose: "fails during execution on every sound input"},
		{Name: roleSlow, Capability: "conformance.slow", Purpose: "exceeds its deadline"},
		{Name: roleRestricted, Capability: "conformance.restricted", Purpose: "needs a permission that the harness does not have"},
		{Name: roleMalformed, Capability: "conformance.malformed", Purpose: "has a handler that yields what its output_schema forbids"},
		{Name: roleSkill, Capability: fixtureSkill, Purpose: "is a skill that may be invoked"},
		{Name: roleCounter, Capability: "conformance.counter", Purpose: "tells how many handlers ran so far"},
		{Name: roleReplace, Capability: "conformance.replace", Purpose: "exchanges a pair for another"},
		{Name: roleAttach, Capability: "conformance.attach", Purpose: "attaches an MCP server or a folder of skills"},
	}
}

// player is a listed capability in a role.
type player struct {
	*capability
	given json.RawMessage // the input of the target file, nil: made from the schema
}

// cast fills the roles: the target file first, then the fixture profile, then
// what discovery shows.
func (e *examination) cast() {
	e.players = map[string]*player{}
	cast, notes := suites.Assign(roles(), e.subject.Roles["cap"], func(id, version string) (*capability, bool) {
		c := e.byID(id, version)
		return c, c != nil
	})
	for role, p := range cast {
		e.players[role] = &player{capability: p.Capability, given: p.Input}
		if p.Named {
			e.named[p.Capability.ref()] = true
		}
	}
	e.profile.Notes = append(e.profile.Notes, notes...)
}

// castSkill takes any skill that may be invoked where none is named.
func (e *examination) castSkill() {
	if e.players[roleSkill] == nil {
		if i := slices.IndexFunc(e.list.capabilities, func(c *capability) bool { return c.kind == kindSkill && e.reasonAgainst(c) == "" }); i >= 0 {
			e.players[roleSkill] = &player{capability: e.list.capabilities[i]}
		}
	}
}

// byID finds the first listed capability of an id, in a version if one is given.
func (e *examination) byID(id, version string) *capability {
	for _, c := range e.list.capabilities {
		if c.id == id && (version == "" || c.version == version) {
			return c
		}
	}
	return nil
}

// isInstrument tells the capabilities that let us look inside: they are invoked
// as what they are and never as one of the ordinary ones.
func (e *examination) isInstrument(c *capability) bool {
	return e.plays(c, roleCounter) || e.plays(c, roleReplace) || e.plays(c, roleAttach)
}

// playsFailure tells the capabilities whose sound invocation must not succeed.
func (e *examination) playsFailure(c *capability) bool {
	return e.plays(c, roleFails) || e.plays(c, roleSlow) || e.plays(c, roleRestricted) || e.plays(c, roleMalformed)
}

func (e *examination) plays(c *capability, role string) bool {
	p := e.players[role]
	return p != nil && p.capability == c
}

// lacksWitness answers the tag @with:name. What it would show is optional.
func (e *examination) lacksWitness(name string) error {
	if name == "restart" {
		if e.subject.Restartable() {
			return nil
		}
		return suites.NotObserved("a restart; name the command in the target file: restart: [COMMAND, ARGS...]")
	}
	if e.players[name] != nil {
		return nil
	}
	for _, r := range roles() {
		if r.Name == name {
			return r.NotObserved("cap")
		}
	}
	return suites.Undecided("unknown role %s", name)
}

// lacksRole answers the tag @role:name.
func (e *examination) lacksRole(name string) error {
	p := e.players[name]
	switch {
	case p == nil && name == roleSkill && !e.list.empty() && len(e.skills()) == 0:
		return suites.Inapplicable("no skill is listed")
	case p != nil && e.reasonAgainst(p.capability) != "":
		return suites.NotInvoked(p.id, "it plays "+name+" and "+e.reasonAgainst(p.capability))
	case p != nil:
		return nil
	}
	for _, r := range roles() {
		if r.Name == name {
			return r.Missing("cap")
		}
	}
	return suites.Undecided("unknown role %s", name)
}
