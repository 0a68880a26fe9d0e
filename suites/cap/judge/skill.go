package judge

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/cap/history"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

var skillSentences = []verdict.Sentence[manifests]{
	verdict.Say(`each skill can be reduced to tools, prompt instructions, resources and permissions`,
		manifests.SkillsReduce),
	verdict.Say(`each skill has the members that its Skills system supports`, manifests.SkillsHaveMembers),
}

// SkillMembers are the members that a skill declares if its Skills system has them.
var SkillMembers = []string{history.MemberPrompt, history.MemberResources, history.MemberPermissions}

func lacksMember(m history.Manifest, member string) bool { return m[member] == nil || m[member] == "" }

// SkillsHaveMembers judges CAP-MAN-04: each skill has the members that its Skills system
// supports.
func (j manifests) SkillsHaveMembers() verdict.Verdict {
	r := j.newVerdict()
	for s := range j.skills() {
		r.Judged++
		for _, member := range SkillMembers {
			switch {
			case !lacksMember(s.Manifest, member):
			case j.supported(member):
				r.addDefect(s, wrongType(s.Manifest, member, "present, since the source declares that its Skills system has it"))
			default:
				r.open = &verdict.Inconclusive{
					Reason: "a skill lacks " + member + ", and the source does not declare whether its Skills system has it",
					Supply: "declare what it has in the target file: supports: {skills: [prompt_template, resources, required_permissions]}",
				}
			}
		}
	}
	return r.conclude(j.listed())
}

// SupplyReduction states how to show a reduction.
const SupplyReduction = "give its manifest a member conformance.reduction: {skill, tools, prompt_instructions, resources, permissions}"

// SkillsReduce judges CAP-GRAN-05: each skill can be reduced to tools, prompt instructions,
// resources and permissions. The text names no member for the reduction: see the resolution in
// the catalogue.
func (j manifests) SkillsReduce() verdict.Verdict {
	r := j.newVerdict()
	for s := range j.skills() {
		witness, ok := s.Witness()
		if !ok {
			r.open = &verdict.Inconclusive{Reason: "the skill " + s.Ref().ID + " shows no reduction", Supply: SupplyReduction}
			continue
		}
		r.Judged++
		if d, wrong := WitnessDefect(s.Manifest, witness); wrong {
			r.addDefect(s, d)
			continue
		}
		j.toolsResolve(r, s, witness)
	}
	return r.conclude(j.listed())
}

// toolsResolve judges the tools of a reduction by their descriptions: each exists, is a tool, and
// needs no permission that the skill does not declare.
func (j manifests) toolsResolve(r *pendingVerdict, s shown, witness history.Manifest) {
	if !j.describes() {
		r.open = j.noDescription()
		return
	}
	for i, item := range listOf(witness["tools"]) {
		tool, _ := item.(map[string]any)
		ref := history.RefOf(tool)
		if ref.ID == "" || ref.Version == "" {
			r.AddBreach([]record.Tick{s.entry}, "the reduction of a skill names a tool without a reference",
				"capability_id and version", jsonvalue.Print(item))
			continue
		}
		looked := slices.DeleteFunc(j.LookupsOf(history.Reduced),
			func(l *history.Lookup) bool { return l.Asked != ref || l.Settles() })
		if len(looked) == 0 {
			r.open = firstOf(j.Conclusion(history.Reduced), verdict.Undecided("the tool %s of a reduction was not described",
				ref))
			continue
		}
		for _, l := range looked {
			message, want := notToolOf(s, l)
			switch {
			case l.Unanswered():
				r.open = l.Lost
			case message != "":
				b := verdict.Breach{Message: message, Want: fmt.Sprintf("%s, tool %d of the reduction", want, i+1), Got: l.Got,
					Entries: []record.Tick{shownAt(l), s.entry}}
				j.unresolved(r, s, l, b)
			}
		}
	}
}

// shownAt returns the entry to which a breach by a description belongs: the manifest of the
// requested pair may have been shown before.
func shownAt(l *history.Lookup) record.Tick {
	if l.Own() {
		return l.Shown.First
	}
	return l.Entry
}

// unresolved adds a tool of a reduction that is not suitable, unless the skill or the tool was
// changed, or a limit explains it.
func (j manifests) unresolved(r *pendingVerdict, s shown, l *history.Lookup, b verdict.Breach) {
	skill := append([]string{s.WitnessMember()}, history.ManifestMembers...)
	here, there := j.contractAround(s.Ref(), &l.Call, skill), j.contractAround(l.Asked, &l.Call, contractMembers)
	switch {
	case here == contractUnknown:
		r.addDoubt(b, history.ListNow)
	case here == contractChanged || there == contractChanged:
		r.open = changed(s.Ref())
	default:
		r.addUnlessLimited(b, l, func(again *history.Lookup) bool {
			message, _ := notToolOf(s, again)
			return message == ""
		})
	}
}

// notToolOf returns what is wrong with a tool of a reduction by its description, "" if nothing
// is.
func notToolOf(s shown, l *history.Lookup) (message, want string) {
	m, found := l.Manifest()
	declared := s.Manifest[history.MemberPermissions]
	switch {
	case !found:
		return "the reduction of a skill names a tool that does not exist", "a manifest for " + l.Asked.String()
	case m[history.MemberKind] != history.KindTool:
		return "the reduction of a skill names a capability that is not a tool", "kind tool for " + l.Asked.String()
	case declared != nil && !Contains(declared, m[history.MemberPermissions]):
		return "the reduction of a skill names a tool whose permission the skill does not declare",
			"required_permissions of the skill that include those of " + l.Asked.String()
	}
	return "", ""
}

// reductionParts are the only members that a reduction may have.
var reductionParts = []string{"skill", "tools", "prompt_instructions", "resources", "permissions"}

// WitnessDefect compares a witness with the manifest that contains it.
func WitnessDefect(m, witness history.Manifest) (Defect, bool) {
	wrong := func(member, want string) (Defect, bool) {
		d := wrongType(witness, member, want)
		d.Pointer = "/" + m.WitnessMember() + d.Pointer
		d.Message = "the reduction of a skill is wrong: " + d.Message
		return d, true
	}
	if skill, _ := witness["skill"].(map[string]any); skill[history.MemberID] != m[history.MemberID] ||
		skill[history.MemberVersion] != m[history.MemberVersion] {
		return wrong("skill", "a reference to the skill itself")
	}
	if !isArray(witness["tools"]) {
		return wrong("tools", "an array of references")
	}
	prompt, isText := witness["prompt_instructions"].(string)
	template, _ := m.Text(history.MemberPrompt)
	if !isText || !strings.Contains(prompt, template) {
		return wrong("prompt_instructions", "a text that contains the prompt template")
	}
	for _, part := range slices.Sorted(maps.Keys(witness)) {
		if !slices.Contains(reductionParts, part) {
			return wrong(part, "one of "+strings.Join(reductionParts, ", "))
		}
	}
	if !Contains(witness["resources"], m[history.MemberResources]) {
		return wrong("resources", "an array that contains the resources of the manifest")
	}
	declared := m[history.MemberPermissions]
	if !isStrings(witness["permissions"]) || !Contains(witness["permissions"], declared) ||
		(declared != nil && !Contains(declared, witness["permissions"])) {
		return wrong("permissions", "the required permissions of the manifest")
	}
	return Defect{}, false
}

// Contains reports whether every item of part is in whole; null is the empty array.
func Contains(whole, part any) bool {
	items, _ := whole.([]any)
	for _, p := range listOf(part) {
		found := false
		for _, item := range items {
			found = found || jsonvalue.Equal(item, p)
		}
		if !found {
			return false
		}
	}
	return whole == nil || isArray(whole)
}
