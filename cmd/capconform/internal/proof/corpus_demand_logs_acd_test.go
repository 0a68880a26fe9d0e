package proof

import (
	"slices"

	"github.com/capconform/capconform/suites/record"
)

// logged returns the demand for an entry of the execution log. The capabilities of the host run on the substrates
// that their descriptors name; whether copies do depends on earlier calls.
func (p answerOfACD) logged(before, after map[string]any) demand {
	d := demand{may: logRequirements}
	id := textIn(before, "capability_id")
	ran := slices.ContainsFunc(p.run.answers, func(a answerOfACD) bool {
		return a.entry.Operation == "acd.invoke" && a.entry.Stimulus == "ordinary-invocation" &&
			textIn(a.sent, "capability_id") == id
	})
	if ran && p.run.first[id] != nil && p.entry.About["look"] == "" && id == after["capability_id"] &&
		before["substrate"] != after["substrate"] {
		d.must = []string{"ACD-SDK2-03"}
	}
	return d
}

// documented returns the demand for a page of documentation: the last page before the next change must mention the
// capability that was created last.
func (p answerOfACD) documented(after map[string]any) demand {
	d := demand{may: []string{"ACD-EX4-01"}}
	var last *changeOfACD
	next := record.Tick(0)
	for i, c := range p.run.changes {
		switch {
		case c.done < p.entry.Begun:
			last = &p.run.changes[i]
		case next == 0:
			next = c.at
		}
	}
	again := slices.ContainsFunc(p.run.answers, func(a answerOfACD) bool {
		return a.entry.Operation == p.entry.Operation && a.entry.Begun > p.entry.Begun &&
			(next == 0 || a.entry.Begun < next)
	})
	if last != nil && last.by == "acd.registry.create" && !again && !containsText(after["text"], last.id) {
		d.must = d.may
	}
	return d
}

// valuesLogged are the members of a record that hold the values of an invocation, each with its own audit flag, the
// flag of the other member, and the requirement.
var valuesLogged = map[string]struct{ flag, other, requirement string }{
	"input": {"log_inputs", "log_outputs", "ACD-SDK6-04"}, "output": {"log_outputs", "log_inputs", "ACD-SDK6-05"},
}

// recorded returns the demand for a record of an invocation: the last records of a copy must contain what its
// descriptor requires.
func (p answerOfACD) recorded(before, after map[string]any) demand {
	d := demand{may: recordRequirements}
	id := textIn(before, "capability_id")
	was := p.run.last(id, p.entry.Begun)
	if was == nil || was.given == nil || after["capability_id"] != id {
		return d
	}
	again := slices.ContainsFunc(p.run.answers, func(a answerOfACD) bool {
		return a.entry.Operation == p.entry.Operation && a.entry.Begun > p.entry.Begun &&
			p.run.last(id, a.entry.Begun) == was
	})
	audit := objectAt(was.given["audit"], nil)
	for member, of := range valuesLogged {
		mark := textIn(objectAt(before[member], nil), "message")
		if !again && audit[of.flag] == true && audit[of.other] == false && mark != "" && !containsText(after, mark) {
			d.must = []string{of.requirement}
		}
	}
	return d
}
