package capsuite

import (
	"slices"

	"github.com/capconform/capconform/suites/cap/act"
	"github.com/capconform/capconform/suites/cap/history"
	"github.com/capconform/capconform/suites/live"
	"github.com/capconform/capconform/suites/verdict"
)

// roles returns the roles that the profile, the target file or discovery assign.
func roles() []live.Role {
	return []live.Role{
		{Name: act.Echo, Capability: "conformance.echo", Purpose: "returns its input"},
		{Name: act.Fails, Capability: "conformance.fail", Purpose: "fails during execution on every valid input"},
		{Name: act.Slow, Capability: "conformance.slow", Purpose: "exceeds its deadline"},
		{Name: act.Restricted, Capability: "conformance.restricted",
			Purpose: "needs a permission that the harness does not have"},
		{Name: act.Malformed, Capability: "conformance.malformed",
			Purpose: "has a handler whose output breaks its output_schema"},
		{Name: act.Skill, Capability: history.FixtureSkill, Purpose: "is a skill that may be invoked", Listed: true},
		{Name: act.Counter, Capability: "conformance.counter", Purpose: "reports how many handlers were executed"},
		{Name: act.Replace, Capability: "conformance.replace", Purpose: "replaces a pair"},
		{Name: act.Attach, Capability: "conformance.attach", Purpose: "attaches an MCP server or a folder of skills"},
	}
}

// purpose returns what the capability of a role does.
func purpose(role string) string {
	i := slices.IndexFunc(roles(), func(r live.Role) bool { return r.Name == role })
	if i < 0 {
		return "plays " + role
	}
	return roles()[i].Purpose
}

// assignRoles assigns the roles: by the target file first, then by the fixture profile, then by discovery.
func (e *examination) assignRoles() {
	e.Caller.Players = map[string]*act.Player{}
	assigned, notes := live.Assign(roles(), e.subject.Roles["cap"], func(id, version string) (*history.RawManifest, bool) {
		c := e.byID(id, version)
		return c, c != nil
	})
	for role, p := range assigned {
		e.Caller.Players[role] = &act.Player{Capability: e.capability(p.Capability), Given: p.Input}
		if p.Named {
			e.named[p.Capability.Ref()] = true
		}
	}
	e.profile.Notes = append(e.profile.Notes, notes...)
}

// assignSkill assigns the role skill to any skill that may be invoked if none is named.
func (e *examination) assignSkill() {
	if e.Caller.Players[act.Skill] == nil {
		if i := slices.IndexFunc(e.list.Capabilities,
			func(s *history.RawManifest) bool { return s.Kind == history.KindSkill && e.reasonAgainst(s) == "" }); i >= 0 {
			e.Caller.Players[act.Skill] = &act.Player{Capability: e.capability(e.list.Capabilities[i])}
		}
	}
}

// byID finds the first listed capability of an id, in a version if one is given.
func (e *examination) byID(id, version string) *history.RawManifest {
	for _, s := range e.list.Capabilities {
		if s.ID == id && (version == "" || s.Version == version) {
			return s
		}
	}
	return nil
}

// isSpecial reports whether a capability is never invoked as an ordinary one: instruments, and those
// whose valid invocation must not succeed. If the target file gives an input for such a role, only that
// input must fail, and others are ordinary as far as the policy admits the capability without its name.
func (e *examination) isSpecial(s *history.RawManifest) bool {
	for _, role := range []string{act.Counter, act.Replace, act.Attach} {
		if e.Caller.Plays(s.Ref(), role) {
			return true
		}
	}
	return slices.ContainsFunc([]string{act.Fails, act.Slow, act.Restricted, act.Malformed}, func(role string) bool {
		return e.Caller.Plays(s.Ref(), role) &&
			(e.Caller.Players[role].Always(role) || !e.gate.AdmitsUnnamed(e.candidate(s.Ref(), s.Manifest())))
	})
}

// lacksWitness returns the condition of the tag @with:name. The role is optional.
func (e *examination) lacksWitness(name string) error {
	if name == "restart" {
		if e.subject.Restartable() {
			return nil
		}
		return verdict.NotObserved("a restart; name the command in the target file: restart: [COMMAND, ARGS...]")
	}
	if e.Caller.Players[name] != nil {
		return nil
	}
	for _, r := range roles() {
		if r.Name == name {
			return r.NotObserved("cap")
		}
	}
	return verdict.Undecided("unknown role %s", name)
}

// lacksRole returns the condition of the tag @role:name.
func (e *examination) lacksRole(name string) error {
	p := e.Caller.Players[name]
	switch {
	case p == nil && name == act.Skill && !e.list.Empty() && len(e.skills()) == 0:
		return verdict.Inapplicable("no skill is listed")
	case p != nil && e.reasonAgainst(p.RawManifest) != "":
		return live.NotInvoked(p.ID, "it plays "+name+" and "+e.reasonAgainst(p.RawManifest))
	case p != nil:
		return nil
	}
	for _, r := range roles() {
		if r.Name == name {
			return r.Missing("cap")
		}
	}
	return verdict.Undecided("unknown role %s", name)
}
