package proof

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reference/rpc"
	"github.com/capconform/capconform/suites/record"
)

// severalFaults are the changes of every answer that break several requirements, since the
// text says several things of the member.
var severalFaults = map[string]string{
	"chp.invoke /correlation*":              "of each result, and of the ids that the host makes",
	"chp.invoke /data of another type":      "of successes and of failures",
	"chp.replay /events emptied":            "there is no evidence, and event_count counts some",
	"chp.replay /events/*/sequence emptied": "no order, and nothing to begin at",

	"acd.manifest /channels emptied":                           "of the exemplar: no channel shows its adapter, and none is cli",
	"acd.registry.get /status/enabled emptied":                 "of queries, and of what the exemplar lists",
	"acd.registry.list /capabilities/*/capability_id*":         "of each descriptor, of the exemplar, and of queries and old lists",
	"acd.registry.list /capabilities/*/execution *":            "of each descriptor, of adapters, and of the exemplar",
	"acd.registry.list /capabilities/*/execution/substrate*":   "of each descriptor, of adapters, and of the exemplar",
	"acd.registry.list /capabilities/*/exposure *":             "of each descriptor, and of queries by it",
	"acd.registry.list /capabilities/*/exposure/scope*":        "of each descriptor, and of queries by it",
	"acd.registry.list /capabilities/*/kind*":                  "of each descriptor, of queries by it, and of an old list",
	"acd.registry.list /capabilities/*/status/enabled emptied": "of queries by it, and of the exemplar",
	"POST /v1/chat/completions tool/messages/*/content*":       "of what is stored, and of calls that nothing executes",
	"POST /v1/chat/completions user/messages/*/role*":          "of the message, and of what its tools gave",

	"capability.invoke /error*":                  "of each result, of what nobody lists, and of unsound inputs",
	"capability.invoke /ok*":                     "of each result, and of what comes after a failure",
	"capability.invoke /output*":                 "of each result, and of attached tools",
	"capability.describe /input_schema emptied":  "of listed pairs, and of attached tools",
	"capability.describe /required_permissions*": "of listed pairs, and of tools in a reduction",
	"capability.list /*/description*":            "of pairs that are described, and of attached skills",
	"capability.list /*/input_schema*":           "of pairs that are described, and of attached tools",
	"capability.list /*/kind*":                   "of each manifest, and of attached skills",
	"capability.list /*/prompt_template*":        "of skills, and of attached skills",
	"capability.list /*/required_permissions*":   "of skills, of attached skills, and of pairs that are described",
	"capability.list /*/resources*":              "of skills, and of attached skills",
}

// faultsAtLeast is how many faults of a suite are judged in a hurry, too.
const faultsAtLeast = 7

// fault names a change of a member in every answer to an operation.
func (m memberEdit) fault() string {
	if p, is := m.place.(answerOfACP); is {
		return p.member(m.path) + " " + m.how
	}
	path := numbers.ReplaceAllString("/"+strings.Join(m.path, "/"), "/*")
	return m.place.at().Operation + " " + path + " " + m.how
}

// unreadable tells an edit that leaves no question to the model.
func (m memberEdit) unreadable() bool {
	p, is := m.place.(answerOfACP)
	return is && p.entry.Party == record.Model && p.unreadable(m.path, m.how)
}

func several(fault string) bool {
	for known := range severalFaults {
		if strings.HasPrefix(fault, strings.TrimSuffix(known, "*")) {
			return true
		}
	}
	return false
}

// TestOneFaultBreaksOneRequirement changes a member in every answer to an operation: a host
// with one fault breaks one requirement.
func TestOneFaultBreaksOneRequirement(t *testing.T) {
	t.Parallel()
	for _, definition := range corpora() {
		t.Run(definition.Name, func(t *testing.T) {
			t.Parallel()
			suite := suiteOf(t, definition)
			r := readRun(t, suite, "fixtures")
			faults := map[string][]memberEdit{}
			for _, m := range memberEdits(t, r) {
				if name := m.fault(); m.how != neighbour && !several(name) && !m.unreadable() {
					faults[name] = append(faults[name], m)
				}
			}
			names := slices.Sorted(maps.Keys(faults))
			random := rand.New(rand.NewPCG(7, 7)) // not a secret
			random.Shuffle(len(names), func(i, k int) { names[i], names[k] = names[k], names[i] })
			broken := 0
			for _, name := range names[:min(len(names), max(faultsAtLeast, membersSampled(t, len(names)*20)/20))] {
				found := r.failed(r.judged(t, r.record.With(allAtOnce(faults[name]))))
				assert.LessOrEqual(t, len(besidesCopies(name, r.binding(found))), 1, "%s: %v", name, found)
				broken += len(r.binding(found))
			}
			require.Positive(t, broken)
		})
	}
}

// besidesCopies leaves out the requirements on copies where a fault is in what shows them: a copy that is
// never shown as it was given breaks those on its creation, on its update and on what capabilities made.
func besidesCopies(fault string, broken []string) []string {
	if !strings.HasPrefix(fault, "acd.registry.get ") && !strings.HasPrefix(fault, "acd.registry.list ") {
		return broken
	}
	return slices.DeleteFunc(broken, func(id string) bool { return slices.Contains(whatChangesShow, id) })
}

// allAtOnce returns the entries after all of some edits.
func allAtOnce(edits []memberEdit) []record.Entry {
	values, places := map[record.Tick]any{}, map[record.Tick]memberPlace{}
	for _, m := range edits {
		at := m.place.at().Begun
		if values[at] == nil {
			values[at] = m.place.value()
		}
		values[at] = editedValue(values[at], m.path, m.how)
		places[at] = m.place
	}
	var those []record.Entry
	for at, p := range places {
		those = append(those, editedEntry(p, rpc.Append(nil, values[at])))
	}
	return those
}
