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

// severalFaults are the changes of every answer that break several requirements, because the text has several
// requirements on the member.
var severalFaults = map[string]string{
	"chp.invoke /correlation*":              "requirements on each result, and on the ids that the host makes",
	"chp.invoke /data of another type":      "requirements on successes and on failures",
	"chp.replay /events emptied":            "there is no evidence, and event_count is not 0",
	"chp.replay /events/*/sequence emptied": "there is no order, and no start for since_sequence",

	"acd.manifest /channels emptied":                           "requirements on the exemplar: no channel shows its adapter, and none is cli",
	"acd.registry.get /status/enabled emptied":                 "requirements on queries, and on the list of the exemplar",
	"acd.registry.list /capabilities/*/capability_id*":         "requirements on each descriptor, on the exemplar, and on queries and old lists",
	"acd.registry.list /capabilities/*/execution *":            "requirements on each descriptor, on adapters, and on the exemplar",
	"acd.registry.list /capabilities/*/execution/substrate*":   "requirements on each descriptor, on adapters, and on the exemplar",
	"acd.registry.list /capabilities/*/exposure *":             "requirements on each descriptor, and on queries by the member",
	"acd.registry.list /capabilities/*/exposure/scope*":        "requirements on each descriptor, and on queries by the member",
	"acd.registry.list /capabilities/*/kind*":                  "requirements on each descriptor, on queries by the member, and on an old list",
	"acd.registry.list /capabilities/*/status/enabled emptied": "requirements on queries by the member, and on the exemplar",
	"POST /v1/chat/completions tool/messages/*/content*":       "requirements on stored objects, and on calls that nothing executes",
	"POST /v1/chat/completions user/messages/*/role*":          "requirements on the message, and on the results of its tools",

	"capability.invoke /error*":                  "requirements on each result, on unlisted capabilities, and on invalid inputs",
	"capability.invoke /ok*":                     "requirements on each result, and on calls after a failure",
	"capability.invoke /output*":                 "requirements on each result, and on attached tools",
	"capability.describe /input_schema emptied":  "requirements on listed pairs, and on attached tools",
	"capability.describe /required_permissions*": "requirements on listed pairs, and on tools in a reduction",
	"capability.list /*/description*":            "requirements on described pairs, and on attached skills",
	"capability.list /*/input_schema*":           "requirements on described pairs, and on attached tools",
	"capability.list /*/kind*":                   "requirements on each manifest, and on attached skills",
	"capability.list /*/prompt_template*":        "requirements on skills, and on attached skills",
	"capability.list /*/required_permissions*":   "requirements on skills, on attached skills, and on described pairs",
	"capability.list /*/resources*":              "requirements on skills, and on attached skills",
}

// faultsAtLeast is the minimum number of faults of a suite that are judged, even by a quick test.
const faultsAtLeast = 7

// fault names a change of a member in every answer to an operation.
func (m memberEdit) fault() string {
	if p, is := m.place.(answerOfACP); is {
		return p.member(m.path) + " " + m.how
	}
	path := numbers.ReplaceAllString("/"+strings.Join(m.path, "/"), "/*")
	return m.place.at().Operation + " " + path + " " + m.how
}

// unreadable reports whether an edit leaves something that is not a request to the model.
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

// TestOneFaultBreaksOneRequirement changes a member in every answer to an operation: a host with one fault must break
// only one requirement.
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

// besidesCopies omits the requirements on copies if a fault affects every answer that shows copies: a copy that is
// never shown as it was given breaks those on its creation, on its update and on capabilities that change it.
func besidesCopies(fault string, broken []string) []string {
	if !strings.HasPrefix(fault, "acd.registry.get ") && !strings.HasPrefix(fault, "acd.registry.list ") {
		return broken
	}
	return slices.DeleteFunc(broken, func(id string) bool { return slices.Contains(changeRequirements, id) })
}

// allAtOnce returns the entries after all the given edits.
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
	var entries []record.Entry
	for at, p := range places {
		entries = append(entries, editedEntry(p, rpc.Append(nil, values[at])))
	}
	return entries
}
