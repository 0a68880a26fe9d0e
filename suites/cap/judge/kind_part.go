package judge

import (
	"slices"

	"github.com/capconform/capconform/suites/cap/history"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

// part is the reduction of a skill as a whole, or one tool of it with a description of that tool.
type part struct {
	in          *evidence
	skill       *shown
	tool        any             // as in the reduction; nil for the whole
	description *history.Lookup // of the tool; nil if there is none
}

// IsReference reports whether the tool is named by id and version.
func (p *part) IsReference() bool { return p.tool == nil || p.Ref().ID != "" && p.Ref().Version != "" }

// IsTool reports whether the description is that of a tool.
func (p *part) IsTool() bool {
	return p.tool == nil || p.manifest()[history.MemberKind] == history.KindTool
}

// NeedsDeclaredPermissions reports whether the tool needs no permission that the skill does not declare.
func (p *part) NeedsDeclaredPermissions() bool {
	declared := p.skill.Manifest()[history.MemberPermissions]
	return declared == nil || Contains(declared, p.manifest()[history.MemberPermissions])
}

// Text and Got return the tool in the reduction, and its description, for messages.
func (p *part) Text() string { return jsonvalue.Print(p.tool) }
func (p *part) Got() string {
	if p.description == nil {
		return ""
	}
	return p.description.Got()
}

// parts returns the reductions of all skills, and the tools of those that are sound.
func (j *evidence) parts() []*part {
	var all []*part
	for _, s := range j.skills() {
		whole := &part{in: j, skill: s}
		all = append(all, whole)
		witness, ok := s.Manifest().Witness()
		if _, wrong := WitnessDefect(s.Manifest(), witness); !ok || wrong {
			continue
		}
		for _, tool := range listOf(witness["tools"]) {
			p := part{in: j, skill: s, tool: tool}
			described := slices.DeleteFunc(j.LookupsOf(history.Reduced),
				func(l *history.Lookup) bool { return l.Asked != p.Ref() || l.Settles() })
			if len(described) == 0 {
				all = append(all, &p)
			}
			for _, l := range described {
				all = append(all, &part{j, s, tool, l})
			}
		}
	}
	return all
}

// Ref returns the reference of the tool.
func (p *part) Ref() history.Ref {
	tool, _ := p.tool.(map[string]any)
	return history.RefOf(tool)
}

// Entries begin with the one to which a breach belongs: the manifest of the tool may have been shown before.
func (p *part) Entries() []record.Tick {
	if p.description == nil {
		return []record.Tick{p.skill.entry}
	}
	return []record.Tick{shownAt(p.description), p.skill.entry}
}

// shownAt returns the entry that first showed what a description contains.
func shownAt(l *history.Lookup) record.Tick {
	if l.Own() {
		return l.Shown.First
	}
	return l.Entry
}

// Flaw returns what is wrong with the reduction as a whole, null if nothing is.
func (p *part) Flaw() any {
	witness, ok := p.skill.Manifest().Witness()
	if !ok {
		return blocked(&verdict.Inconclusive{
			Reason: "the skill " + p.skill.Ref().ID + " shows no reduction", Supply: SupplyReduction,
		})
	}
	if d, wrong := WitnessDefect(p.skill.Manifest(), witness); wrong {
		return map[string]any{"message": d.Message, "want": d.Want, "got": p.skill.placed(d.Got)}
	}
	return nil
}

// manifest returns the manifest of the tool, nil if it was not described.
func (p *part) manifest() history.Manifest {
	if p.description == nil {
		return nil
	}
	m, _ := p.description.Manifest()
	return m
}

// Exists reports whether the tool is described.
func (p *part) Exists() any {
	switch {
	case p.tool == nil:
		return true
	case !p.in.Describes():
		return blocked(p.in.noDescription())
	case p.description == nil:
		return blocked(firstOf(p.in.Conclusion(history.Reduced),
			verdict.Undecided("the tool %s of a reduction was not described", p.Ref())))
	case p.description.Unanswered():
		return blocked(p.description.Lost)
	}
	return p.manifest() != nil
}

// Lasts is true if the description still holds: neither the skill nor the tool was changed, and no limit explains it.
func (p *part) Lasts() any {
	if p.description == nil { // there is nothing that could have changed
		return p.Exists()
	}
	members := append([]string{p.skill.Manifest().WitnessMember()}, history.ManifestMembers...)
	here := p.in.contractAround(p.skill.Ref(), &p.description.Call, members)
	there := p.in.contractAround(p.description.Asked, &p.description.Call, contractMembers)
	switch {
	case here == contractUnknown:
		return settledBy(history.ListNow, p.description.Entry)
	case here == contractChanged || there == contractChanged:
		return blocked(changed(p.skill.Ref()))
	}
	return p.in.lasts(p.description, func(again *history.Lookup) bool {
		other := &part{p.in, p.skill, p.tool, again}
		return other.IsTool() && other.NeedsDeclaredPermissions()
	})
}

// skillMember is a member that a skill declares if its Skills system has it.
type skillMember struct {
	in    *evidence
	skill *shown
	name  string
}

func (j *evidence) skillMembers() []*skillMember {
	var all []*skillMember
	for _, s := range j.skills() {
		all = append(all, each(SkillMembers, func(name string) *skillMember { return &skillMember{j, s, name} })...)
	}
	return all
}

// Entries returns that of the manifest.
func (m *skillMember) Entries() []record.Tick { return m.skill.Entries() }

// IsDeclared reports whether the skill has the member.
func (m *skillMember) IsDeclared() bool { return !lacksMember(m.skill.Manifest(), m.name) }

// Defect and Text say that it does not, for messages.
func (m *skillMember) Defect() string { return m.defect().Message }
func (m *skillMember) Text() string   { return m.skill.placed(m.defect().Got) }

func (m *skillMember) defect() Defect {
	return wrongType(m.skill.Manifest(), m.name, "present, since the source declares that its Skills system has it")
}

// IsSupported is true if the source declares that its Skills system has the member.
func (m *skillMember) IsSupported() any {
	if m.in.supported(m.name) {
		return true
	}
	return blocked(&verdict.Inconclusive{
		Reason: "a skill lacks " + m.name + ", and the source does not declare whether its Skills system has it",
		Supply: "declare what it has in the target file: " +
			"supports: {skills: [prompt_template, resources, required_permissions]}",
	})
}
