package capsuite

import (
	"slices"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/document"
	"github.com/capconform/capconform/suites/lint"
)

func (d *inspection) skills() []manifestDocument {
	return slices.DeleteFunc(slices.Clone(d.manifests), func(m manifestDocument) bool { return !m.isSkill() })
}

// skillsWhole is CAP-MAN-04. What the Skills system supports is for the subject
// to declare: a member that is missing without such a declaration accuses nobody.
func skillsWhole(d *inspection) ([]reports.Finding, error) {
	var findings []reports.Finding
	var open error
	for _, m := range d.skills() {
		for _, member := range skillMembers {
			value := m.node.Get(member)
			empty := member == memberPrompt && value.Is(document.String) && value.Text == ""
			switch {
			case !value.Absent() && !empty:
			case !slices.Contains(d.supports, member):
				open = &suites.Inconclusive{
					Reason: "a skill lacks " + member + ", and nothing tells whether its Skills system has it",
					Supply: "write the member, [] where there is nothing, or examine the source live with supports: {skills: [...]} in its target file",
				}
			case empty:
				findings = append(findings, findingAt(m.file, value, "%s is empty", member))
			default:
				findings = append(findings, findingAt(m.file, m.node, "%s is %s, and the Skills system supports it%s", member, absence(value), lint.Misspelt(m.node, member, manifestMembers)))
			}
		}
	}
	return findings, open
}

// skillsReducible is CAP-GRAN-05, by the witness in the custom member reduction.
func skillsReducible(d *inspection) ([]reports.Finding, error) {
	known := map[ref]manifestDocument{}
	for _, m := range d.manifests {
		known[ref{m.node.Get(memberID).Str(), m.node.Get(memberVersion).Str()}] = m
	}
	var findings []reports.Finding
	var open error
	for _, m := range d.skills() {
		reduction := m.node.Get(memberReduction)
		// A member of that name may mean something else: it is custom.
		if !reduction.Has("skill", "tools", "prompt_instructions") {
			open = &suites.Inconclusive{
				Reason: "a skill shows no reduction",
				Supply: "give its manifest a member reduction: {skill, tools, prompt_instructions, resources, permissions}",
			}
			continue
		}
		found, err := m.reduces(reduction, known)
		findings = append(findings, found...)
		if err != nil {
			open = err
		}
	}
	return findings, open
}

// reduces compares a witness with its skill and with the tools that it names.
func (m manifestDocument) reduces(reduction *document.Node, known map[ref]manifestDocument) ([]reports.Finding, error) {
	witness, _ := reduction.Value().(map[string]any)
	if d, wrong := witnessDefect(m.manifest, witness); wrong {
		return []reports.Finding{findingAt(m.file, m.node.At(d.Pointer), "%s", d.Message)}, nil
	}
	var findings []reports.Finding
	var open error
	declared := m.manifest[memberPermissions]
	if declared == nil {
		declared = witness["permissions"] // a missing declaration is CAP-MAN-04's
	}
	for _, item := range reduction.Get("tools").Items {
		named := ref{item.Get(memberID).Str(), item.Get(memberVersion).Str()}
		tool, there := known[named]
		switch {
		case named.ID == "" || named.Version == "":
			findings = append(findings, findingAt(m.file, item, "a tool of the reduction is no CapabilityRef"))
		case !there && m.listed:
			findings = append(findings, findingAt(m.file, item, "%s is not in the list of which the skill is a part", quote(named.String())))
		case !there:
			open = suites.Undecided("the tool %s of a reduction is not among the documents", quote(named.String()))
		case tool.manifest[memberKind] != kindTool:
			findings = append(findings, findingAt(m.file, item, "%s is no tool: see %s:%d:%d", quote(named.ID), tool.file, tool.node.Line, tool.node.Column))
		case !contains(declared, tool.manifest[memberPermissions]):
			findings = append(findings, findingAt(m.file, item, "%s needs a permission that the skill does not declare: see %s:%d:%d",
				quote(named.ID), tool.file, tool.node.Line, tool.node.Column))
		}
	}
	return findings, open
}
