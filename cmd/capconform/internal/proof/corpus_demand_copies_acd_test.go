package proof

import "strings"

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
