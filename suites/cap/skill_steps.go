package capsuite

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
)

var skillSentences = []sentence{
	say(`every skill bears the members that its source supports`, func(w *world) any { return w.skillsBearMembers }),
	say(`every skill reduces to tools, prompt instructions, resources and permissions`, func(w *world) any { return w.skillsReduce }),
	say(`the answer is an InvokeResult like that of a tool`, func(w *world) any { return w.skillAnswersLikeTool }),
}

// skillMembers are what a skill declares where its Skills system has them.
var skillMembers = []string{memberPrompt, memberResources, memberPermissions}

// supported tells whether the subject declares a member: in the target file, or
// by registering the skill of the fixture profile.
func (e *examination) supported(member string) bool {
	if e.byID(fixtureSkill, "") != nil {
		return true
	}
	for _, name := range e.subject.Supports["skills"] {
		if name == member {
			return true
		}
	}
	return false
}

func (w *world) skillsBearMembers() error {
	var open []string
	for s := range w.shownManifests() {
		if !s.isSkill() {
			continue
		}
		for _, member := range skillMembers {
			switch v := s.manifest[member]; {
			case v != nil && v != "":
			case w.supported(member):
				return w.defective(s, []defect{wrongType(s.manifest, member, "there, since the source declares that its Skills system has it")})
			default:
				open = append(open, member)
			}
		}
	}
	if len(open) > 0 {
		return &suites.Inconclusive{
			Reason: "a skill lacks " + open[0] + ", and nothing tells whether its Skills system has it",
			Supply: "declare what it has in the target file: supports: {skills: [prompt_template, resources, required_permissions]}",
		}
	}
	return nil
}

// skillsReduce looks at the reduction witness (the catalogue's resolution of
// CAP-GRAN-05): the text names no member for it.
func (w *world) skillsReduce(ctx context.Context) error {
	missing := ""
	for s := range w.shownManifests() {
		if !s.isSkill() {
			continue
		}
		witness, ok := s.manifest.witness()
		if !ok {
			missing, _ = s.text(memberID)
			continue
		}
		if d, wrong := witnessDefect(s.manifest, witness); wrong {
			return w.defective(s, []defect{d})
		}
		if err := w.toolsResolve(ctx, s, witness); err != nil {
			return err
		}
	}
	if missing != "" {
		return &suites.Inconclusive{
			Reason: "the skill " + missing + " shows no reduction",
			Supply: supplyReduction,
		}
	}
	return nil
}

// reductionParts are the members of a reduction, and nothing else may be in it.
var reductionParts = []string{"skill", "tools", "prompt_instructions", "resources", "permissions"}

// witnessMember names the custom member that shows a reduction. Its name is a namespaced
// one, since a member named reduction may mean anything but in the fixture profile.
func (m manifest) witnessMember() string {
	if m[memberID] == fixtureSkill && m[memberReduction] == nil {
		return memberBriefly
	}
	return memberReduction
}

// witness gives the custom member that shows a reduction.
func (m manifest) witness() (manifest, bool) {
	witness, ok := m[m.witnessMember()].(map[string]any)
	return witness, ok && (witness["skill"] != nil || witness["tools"] != nil || witness["prompt_instructions"] != nil)
}

// witnessDefect compares a witness with the manifest that bears it.
func witnessDefect(m, witness manifest) (defect, bool) {
	wrong := func(member, want string) (defect, bool) {
		d := wrongType(witness, member, want)
		d.Pointer = "/" + manifest(m).witnessMember() + d.Pointer
		d.Message = "the reduction of a skill does not hold: " + d.Message
		return d, true
	}
	if skill, _ := witness["skill"].(map[string]any); skill[memberID] != m[memberID] || skill[memberVersion] != m[memberVersion] {
		return wrong("skill", "a reference to the skill itself")
	}
	if !isArray(witness["tools"]) {
		return wrong("tools", "an array of references")
	}
	prompt, isText := witness["prompt_instructions"].(string)
	template, _ := m.text(memberPrompt)
	if !isText || !strings.Contains(prompt, template) {
		return wrong("prompt_instructions", "a text that holds the prompt template")
	}
	for _, part := range sortedKeys(witness) {
		if !slices.Contains(reductionParts, part) {
			return wrong(part, "one of "+strings.Join(reductionParts, ", "))
		}
	}
	if !contains(witness["resources"], m[memberResources]) {
		return wrong("resources", "an array that holds the resources of the manifest")
	}
	declared := m[memberPermissions]
	if !isStrings(witness["permissions"]) || !contains(witness["permissions"], declared) || (declared != nil && !contains(declared, witness["permissions"])) {
		return wrong("permissions", "the required permissions of the manifest")
	}
	return defect{}, false
}

// contains reports whether every item of part is in whole; null is the empty array.
func contains(whole, part any) bool {
	items, _ := whole.([]any)
	for _, p := range listOf(part) {
		found := false
		for _, item := range items {
			found = found || suites.EqualJSON(item, p)
		}
		if !found {
			return false
		}
	}
	return whole == nil || isArray(whole)
}

func listOf(v any) []any {
	list, _ := v.([]any)
	return list
}

// toolsResolve looks each tool of a witness up: it exists, is a tool, and asks
// for no permission that the skill does not declare.
func (w *world) toolsResolve(ctx context.Context, s shown, witness manifest) error {
	if err := w.describesSomething(ctx); err != nil {
		return err
	}
	for i, item := range listOf(witness["tools"]) {
		at := fmt.Sprintf("tool %d of the reduction", i+1)
		tool, _ := item.(map[string]any)
		id, okID := manifest(tool).text(memberID)
		version, okVersion := manifest(tool).text(memberVersion)
		if !okID || !okVersion {
			return suites.Violated("the reduction of a skill names a tool that is no reference", "capability_id and version", suites.Print(item))
		}
		l := w.describe(ctx, w.sc, ref{id, version})
		if l.err != nil {
			return l.err // no answer shows nothing of the tool
		}
		err := w.isToolOf(s, l, at)
		skillID, _ := s.text(memberID)
		skillVersion, _ := s.text(memberVersion)
		if err != nil && (w.moved(ctx, ref{skillID, skillVersion}, append([]string{s.witnessMember()}, manifestMembers...)) || w.moved(ctx, l.asked, contractMembers)) {
			return undecidedBy(ref{skillID, skillVersion})
		}
		if err != nil {
			return cmp.Or(w.limitedLookup(ctx, l, func(again lookup) bool { return w.isToolOf(s, again, at) == nil }), err)
		}
	}
	return nil
}

// isToolOf judges a tool that a skill reduces to, by what describe says of it.
func (w *world) isToolOf(s shown, l lookup, at string) error {
	m, found := l.manifest()
	switch {
	case !found:
		return w.violation("the reduction of a skill names a tool that does not exist", "a manifest for "+l.asked.String()+", "+at, l.answer, l.err)
	case m[memberKind] != kindTool:
		return w.violation("the reduction of a skill names something that is no tool", "kind tool for "+l.asked.String()+", "+at, l.answer, l.err)
	case s.manifest[memberPermissions] != nil && !contains(s.manifest[memberPermissions], m[memberPermissions]):
		return w.violation("the reduction of a skill names a tool whose permission the skill does not declare",
			"required_permissions of the skill to hold those of "+l.asked.String(), l.answer, l.err)
	}
	return nil
}

// skillAnswersLikeTool is CAP-GRAN-04. Where no tool is answered any better, the
// fault is none of skills.
func (w *world) skillAnswersLikeTool(ctx context.Context) error {
	a := w.attempts[0]
	switch {
	case a.doubted():
		return suites.Undecided("the input was made from the schema, and the source may check more than that says: %s", a.doubt)
	case a.answer.Outcome == driver.NotProvided:
		return suites.Undecided("the source does not provide capability.invoke: see CAP-DIS-03")
	case a.takenUp():
		return nil
	}
	if w.toolsFareNoBetter(ctx) {
		return suites.Undecided("no tool is answered as it should be either: see CAP-INV-01, CAP-INV-05 and CAP-REF-01")
	}
	if w.excused(ctx, a) {
		return undecidedBy(a.asked)
	}
	if unclear := w.limited(ctx, a, attempt.takenUp); unclear != nil {
		return unclear
	}
	return suites.Violated("a skill is not invoked as a tool is", "an InvokeResult for a sound input of "+a.asked.String(), a.received())
}

// toolsFareNoBetter is true where there are tools, and none took up a sound input.
func (w *world) toolsFareNoBetter(ctx context.Context) bool {
	tools := 0
	for _, c := range w.pool {
		if c.kind != kindTool {
			continue
		}
		if slices.ContainsFunc(w.invokeSound(ctx, w.sc, c), attempt.takenUp) {
			return false
		}
		tools++
	}
	return tools > 0
}
