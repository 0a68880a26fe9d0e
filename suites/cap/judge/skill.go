package judge

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/cap/history"
	"github.com/capconform/capconform/suites/jsonvalue"
)

// SkillMembers are the members that a skill declares if its Skills system has them.
var SkillMembers = []string{history.MemberPrompt, history.MemberResources, history.MemberPermissions}

func lacksMember(m history.Manifest, member string) bool { return m[member] == nil || m[member] == "" }

// SupplyReduction states how to show a reduction.
const SupplyReduction = "give its manifest a member conformance.reduction: {skill, tools, prompt_instructions, resources, permissions}"

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

// Defect is one fault of a manifest, at a JSON pointer.
type Defect struct {
	Pointer string
	Message string // what is wrong, without values of the manifest
	Want    string
	Got     string
}

func wrongType(m history.Manifest, member, want string) Defect {
	v, present := m[member]
	d := Defect{Pointer: "/" + member, Message: fmt.Sprintf("%s is not %s", member, want), Want: want,
		Got: jsonvalue.Print(v)}
	if v == nil {
		d.Message = member + " is missing"
	}
	if !present {
		d.Got = "no such member"
	}
	return d
}

func isArray(v any) bool { _, ok := v.([]any); return ok }

func isStrings(v any) bool {
	list, ok := v.([]any)
	return ok && !slices.ContainsFunc(list, func(item any) bool { return !isString(item) })
}

func isString(v any) bool { _, ok := v.(string); return ok }

func listOf(v any) []any {
	list, _ := v.([]any)
	return list
}
