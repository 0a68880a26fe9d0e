package capsuite

import (
	"slices"

	"github.com/capconform/capconform/suites/cap/history"
	"github.com/capconform/capconform/suites/cap/judge"
	"github.com/capconform/capconform/suites/document"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/lint"
)

// What the author must supply so that the requirements on skills can be decided.
const (
	supplyMember = "write the member, [] where there is nothing, or examine the source live with supports: {skills: [...]} in its target file"
)

// judgeSkills judges each skill, and its reduction by the manifests of its tools.
func (r *reading) judgeSkills() {
	known := map[history.Ref]manifestDocument{}
	for _, m := range r.manifests {
		known[m.pair()] = m
	}
	for _, m := range r.manifests {
		if m.IsSkill() {
			r.judgeSkill(m)
			r.judgeReduction(m, known)
		}
	}
}

// judgeSkill judges CAP-MAN-04: a skill has the members that its Skills system supports. The
// subject declares what its Skills system supports: without such a declaration, a missing member
// is not a violation.
func (r *reading) judgeSkill(m manifestDocument) {
	for _, member := range judge.SkillMembers {
		value := m.node.Get(member)
		empty := member == history.MemberPrompt && value.Is(document.String) && value.Text == ""
		switch {
		case !value.Absent() && !empty:
		case !slices.Contains(r.supports, member):
			r.LeaveOpenFor(idSkill, supplyMember,
				"a skill lacks %s, and the source does not declare whether its Skills system has it",
				member)
		case empty:
			r.Breach(idSkill, m.file, value, "%s is empty", member)
		default:
			r.Breach(idSkill, m.file, m.node, "%s is %s, and the Skills system supports it%s", member, absence(value),
				lint.Misspelt(m.node, member, history.ManifestMembers))
		}
	}
}

// judgeReduction judges CAP-GRAN-05 by the witness in a custom member of the manifest. It
// compares the witness with its skill and with the tools that it names.
func (r *reading) judgeReduction(m manifestDocument, known map[history.Ref]manifestDocument) {
	reduction := m.node.Get(m.WitnessMember())
	if !reduction.Has("skill", "tools", "prompt_instructions") {
		r.LeaveOpenFor(idReduction, judge.SupplyReduction, "a skill shows no reduction")
		return
	}
	witness, _ := reduction.Value().(map[string]any)
	if d, wrong := judge.WitnessDefect(m.Manifest, witness); wrong {
		r.Breach(idReduction, m.file, m.node.At(d.Pointer), "%s", d.Message)
		return
	}
	declared := m.Manifest[history.MemberPermissions]
	if declared == nil {
		declared = witness["permissions"] // CAP-MAN-04 judges a missing declaration
	}
	for _, item := range reduction.Get("tools").Items {
		named := history.Ref{ID: item.Get(history.MemberID).Str(), Version: item.Get(history.MemberVersion).Str()}
		tool, there := known[named]
		switch {
		case named.ID == "" || named.Version == "":
			r.Breach(idReduction, m.file, item, "a tool of the reduction is not a CapabilityRef")
		case !there && m.listed:
			r.Breach(idReduction, m.file, item, "%s is not in the list of which the skill is a part",
				jsonvalue.Print(named.String()))
		case !there:
			r.LeaveOpen(idReduction, "the tool %s of a reduction is not among the documents", jsonvalue.Print(named.String()))
		case tool.Manifest[history.MemberKind] != history.KindTool:
			r.Breach(idReduction, m.file, item, "%s is not a tool: see %s", jsonvalue.Print(named.ID), tool.place())
		case !judge.Contains(declared, tool.Manifest[history.MemberPermissions]):
			r.Breach(idReduction, m.file, item, "%s needs a permission that the skill does not declare: see %s",
				jsonvalue.Print(named.ID), tool.place())
		}
	}
}
