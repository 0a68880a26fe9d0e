package proof

import (
	"slices"
	"strings"
)

// and returns the demand with further requirements that must be broken.
func (d demand) and(must []string) demand {
	d.must = slices.Concat(d.must, must)
	return d
}

// describedIn returns the requirements that a descriptor in an answer other than the whole list breaks. Such an
// answer may omit members; a reply without an id is not taken for a descriptor. Copies are judged only in the replies to their creation and update, which pass no id.
func (p answerOfACD) describedIn(descriptor map[string]any, id string) []string {
	sections := 0
	for _, name := range []string{"execution", "invocation", "exposure", "permissions"} {
		if _, is := descriptor[name].(map[string]any); is {
			sections++
		}
	}
	isReply := p.entry.Operation != "acd.registry.query" && p.entry.Operation != "acd.legacy"
	if sections < 3 || isCopy(id) || isReply && textIn(descriptor, "capability_id") == "" {
		return nil
	}
	var all []string
	flaws, _ := p.run.descriptor.Flaws(descriptor) // an undecidable part breaks nothing
	for _, f := range flaws {
		if !f.Missing && p.run.binds(f.Requirement) && !slices.Contains(all, f.Requirement) {
			all = append(all, f.Requirement)
		}
	}
	return all
}

// copied returns the demand for a copy that was read: it must be as it was created or updated.
func (p answerOfACD) copied(id string, before, after map[string]any) demand {
	was := p.run.last(id, p.entry.Begun)
	d := demand{may: changeRequirements}
	if textIn(after, "capability_id") != id &&
		p.entry.Operation == "acd.registry.list" { // the item belongs to the host
		return demand{must: p.run.flaws(p.run.descriptor, after), may: d.may}
	}
	if lenient, is := disabled(was, before, after); is {
		return lenient
	}
	if was == nil || was.given == nil || sameByText(before, after) || p.seenBefore(was) {
		return d
	}
	if kind := was.given["kind"]; kind == "composite" ||
		kind == "proxy" { // a language model may have made it differently
		return d
	}
	switch {
	case was.by == "acd.registry.create", was.by == "acd.registry.update":
		d.must = changeRequirements
	case strings.Contains(was.by, "create") && !(sameIn("execution", before, after) && sameIn("permissions", before, after)):
		d.must = []string{"ACD-SDK3-02"} // a language model decides the other members
	}
	return d
}

// disabled returns the demand for an answer that shows a newly created copy as disabled. A copy may start disabled;
// in that case an answer that shows it as enabled is wrong.
func disabled(was *changeOfACD, before, after map[string]any) (demand, bool) {
	enabled := func(of map[string]any) any { return objectAt(of["status"], nil)["enabled"] }
	d := demand{may: append([]string{"ACD-SDK1-01", "ACD-SDK1-06", "ACD-EX4-02"}, changeRequirements...)}
	return d, was != nil && was.by == "acd.registry.create" && enabled(before) == true && enabled(after) == false
}
