package proof

import (
	"slices"

	"github.com/capconform/capconform/suites/record"
)

// logged returns what an entry of the log of executions breaks. The capabilities of the host run on the
// substrates that their descriptors name; whether copies do depends on what was called before.
func (p answerOfACD) logged(before, after map[string]any) demand {
	d := demand{may: whatLogsShow}
	id := textIn(before, "capability_id")
	ran := slices.ContainsFunc(p.run.answers, func(a answerOfACD) bool {
		return a.entry.Operation == "acd.invoke" && a.entry.Stimulus == "ordinary-invocation" && textIn(a.sent, "capability_id") == id
	})
	if ran && p.run.first[id] != nil && p.entry.About["look"] == "" && id == after["capability_id"] && before["substrate"] != after["substrate"] {
		d.must = []string{"ACD-SDK2-03"}
	}
	return d
}

// documented returns what a page of documentation breaks: what was created last is mentioned in the
// last page before anything else changes.
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
		return a.entry.Operation == p.entry.Operation && a.entry.Begun > p.entry.Begun && (next == 0 || a.entry.Begun < next)
	})
	if last != nil && last.by == "acd.registry.create" && !again && !saysIn(after["text"], last.id) {
		d.must = d.may
	}
	return d
}

// valuesLogged are the members of a record that hold the values of an invocation, the flags of a
// descriptor on this one and on the other, and the requirement.
var valuesLogged = map[string]struct{ flag, other, requirement string }{
	"input": {"log_inputs", "log_outputs", "ACD-SDK6-04"}, "output": {"log_outputs", "log_inputs", "ACD-SDK6-05"},
}

// recorded returns what a record of an invocation breaks: the last records that were read of a copy hold
// what its descriptor says.
func (p answerOfACD) recorded(before, after map[string]any) demand {
	d := demand{may: whatRecordsShow}
	id := textIn(before, "capability_id")
	was := p.run.last(id, p.entry.Begun)
	if was == nil || was.given == nil || after["capability_id"] != id {
		return d
	}
	again := slices.ContainsFunc(p.run.answers, func(a answerOfACD) bool {
		return a.entry.Operation == p.entry.Operation && a.entry.Begun > p.entry.Begun && p.run.last(id, a.entry.Begun) == was
	})
	audit := objectAt(was.given["audit"], nil)
	for member, of := range valuesLogged {
		mark := textIn(objectAt(before[member], nil), "message")
		if !again && audit[of.flag] == true && audit[of.other] == false && mark != "" && !saysIn(after, mark) {
			d.must = []string{of.requirement}
		}
	}
	return d
}
