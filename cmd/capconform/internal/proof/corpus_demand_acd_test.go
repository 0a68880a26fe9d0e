package proof

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/shape"
)

// runOfACD is what the demand needs to know of a recorded run of an agent, in addition to one answer.
type runOfACD struct {
	descriptor, manifest *shape.Shape
	binds                func(id string) bool
	first                map[string]map[string]any // by id: the entries of the first list
	begins               map[string]record.Tick    // by operation: the first answer to it
	changes              []changeOfACD             // of copies, in order of time
	answers              []answerOfACD
}

// changeOfACD is the state of a copy after a call that changed it.
type changeOfACD struct {
	at, done record.Tick
	by, id   string
	given    map[string]any // nil: the copy was deleted
}

// answerOfACD is an answer of an agent whose members are edited.
type answerOfACD struct {
	entry  record.Entry
	sent   map[string]any
	answer any
	run    *runOfACD
}

func readACD(t *testing.T, r *corpusRun) *runOfACD {
	t.Helper()
	run := &runOfACD{binds: r.binds, first: map[string]map[string]any{}, begins: map[string]record.Tick{}}
	var err error
	run.descriptor, err = shape.Compile("acd/capability-descriptor.schema.json")
	require.NoError(t, err)
	run.manifest, err = shape.Compile("acd/agent-manifest.schema.json")
	require.NoError(t, err)
	for _, e := range r.entries {
		if e.Suite != r.suite.Name || e.Operation == "" || e.Outcome != record.Returned {
			continue
		}
		p := run.place(e)
		run.answers = append(run.answers, p)
		if run.begins[e.Operation] == 0 {
			run.begins[e.Operation] = e.Begun
			for _, item := range listIn(p.answer, "capabilities") {
				if members, _ := item.(map[string]any); e.Operation == "acd.registry.list" {
					run.first[textIn(members, "capability_id")] = members
				}
			}
		}
		run.note(p)
	}
	return run
}

// note records the change that a call made to a copy.
func (r *runOfACD) note(p answerOfACD) {
	from := p.sent
	change := changeOfACD{at: p.entry.Begun, done: p.entry.Done, by: p.entry.Operation}
	switch p.entry.Operation {
	case "acd.registry.create", "acd.registry.update", "acd.registry.delete":
	case "acd.invoke":
		if from, _ = p.sent["input"].(map[string]any); from["descriptor"] == nil &&
			!changesByACD[textIn(p.sent, "capability_id")] {
			return
		}
		change.by = textIn(p.sent, "capability_id")
	default:
		return
	}
	change.given, _ = from["descriptor"].(map[string]any)
	change.id = cmp.Or(textIn(change.given, "capability_id"), textIn(from, "capability_id"))
	if isCopy(change.id) {
		r.changes = append(r.changes, change)
	}
}

// changesByACD are the capabilities that change the capability that their input names.
var changesByACD = map[string]bool{"cap.capability.enable": true, "cap.capability.bind": true, "cap.command.bind": true, "cap.hook.create": true}

func isCopy(id string) bool { return strings.HasPrefix(id, "conformance.probe.") }

func textIn(of map[string]any, name string) string { s, _ := of[name].(string); return s }

func listIn(v any, name string) []any {
	if members, is := v.(map[string]any); is {
		v = members[name]
	}
	list, _ := v.([]any)
	return list
}

func (r *runOfACD) place(e record.Entry) answerOfACD {
	p := answerOfACD{entry: e, run: r}
	if text, err := e.Sent.Text(); err == nil {
		p.sent = schemas.ReadObject(text)
	}
	if text, err := e.Received.Text(); err == nil {
		p.answer = schemas.ReadValue(text)
	}
	return p
}

// last returns the last change of a copy before an answer, or nil if there is none.
func (r *runOfACD) last(id string, before record.Tick) *changeOfACD {
	for i, c := range slices.Backward(r.changes) {
		if c.id == id && c.done < before {
			return &r.changes[i]
		}
	}
	return nil
}

func (p answerOfACD) at() record.Entry { return p.entry }

func (p answerOfACD) value() any { return p.answer }

// ends reports whether a member is a schema or the output of a capability, whose contents are not members of ACD.
func (p answerOfACD) ends(member string) bool { return member == "schema" || member == "rendering" }

// thread distinguishes answers. The first answers of the registry, the manifest and the channels are in one thread,
// because everything else is compared with them. All answers of a log show the same executions.
func (p answerOfACD) thread() string {
	switch {
	case p.entry.Operation == "acd.execlog":
		return p.entry.Operation
	case p.anywhere():
		return fmt.Sprint("first ", p.entry.Begun%9)
	}
	return fmt.Sprint(p.entry.Begun)
}

func (p answerOfACD) anywhere() bool {
	return p.run.begins[p.entry.Operation] == p.entry.Begun &&
		slices.Contains([]string{"acd.registry.list", "acd.manifest"}, p.entry.Operation) ||
		p.entry.Operation == "acd.channel.declare"
}

// kind names a place. The same place recurs in other answers to the same stimulus, and in other elements of a list.
func (p answerOfACD) kind(path []string) string {
	about, names := fmt.Sprint(
		p.entry.Operation,
		p.entry.Stimulus,
		p.entry.About["step"],
		p.anywhere(),
	), slices.Clone(
		path,
	)
	if len(path) > 2 && slices.Contains([]string{"capabilities", "entries", "records"}, path[0]) {
		names[1] = "entry"
		if isCopy(textIn(objectAt(p.answer, path[:2]), "capability_id")) {
			names[1] = "copy"
		}
	}
	return about + " " + strings.Join(names, "/")
}

// demandOn returns the demand on the judgement after an edit.
func (p answerOfACD) demandOn(path []string, how string) demand {
	edited := editedValue(p.answer, path, how)
	at := path[:0]
	if len(path) > 2 && p.entry.Operation != "acd.manifest" && listIn(p.answer, path[0]) != nil {
		at = path[:2]
	}
	before, after := objectAt(p.answer, at), objectAt(edited, at)
	if p.entry.Suite == "" {
		return demand{}
	}
	switch p.entry.Operation {
	case "acd.registry.list":
		if len(at) == 0 {
			return demand{may: p.run.compared(p)}
		}
		return p.listed(before, after)
	case "acd.registry.get":
		return p.got(before, after).and(p.describedIn(after, textIn(p.sent, "capability_id")))
	case "acd.registry.query", "acd.legacy":
		return p.viewed(at, before, after, how).and(p.describedIn(after, textIn(after, "capability_id")))
	case "acd.registry.create", "acd.registry.update":
		return demand{must: p.describedIn(after, "")}
	case "acd.manifest":
		return p.shown(edited)
	case "acd.invoke":
		return p.ran(after)
	case "acd.channel.declare":
		return p.declared(path[0], after)
	case "acd.channel.project":
		if id := textIn(after, "capability_id"); id != "" && id != textIn(p.sent, "capability_id") {
			return demand{must: []string{"ACD-SDK5-01"}}
		}
	case "acd.docs":
		return p.documented(after)
	case "acd.execlog":
		return p.logged(before, after)
	case "acd.audit":
		return p.recorded(before, after)
	}
	return demand{}
}

// logRequirements are the requirements that the execution log shows.
var logRequirements = []string{
	"ACD-SDK2-02", "ACD-SDK2-03", "ACD-SDK2-04", "ACD-SDK2-05", "ACD-SDK2-06", "ACD-SDK4-02", "ACD-SDK4-04", "ACD-SDK6-02", "ACD-SDK6-06", "ACD-SDK6-07",
	"ACD-DESC-29",
}

var recordRequirements = []string{"ACD-SDK6-01", "ACD-SDK6-04", "ACD-SDK6-05", "ACD-DESC-30", "ACD-DESC-31"}

// flaws returns the binding requirements that an object breaks by its shape.
func (r *runOfACD) flaws(of *shape.Shape, value any) []string {
	var all []string
	flaws, _ := of.Flaws(value) // an undecidable part breaks nothing
	for _, f := range flaws {
		if r.binds(f.Requirement) && !slices.Contains(all, f.Requirement) {
			all = append(all, f.Requirement)
		}
	}
	return all
}

// compared are the requirements that compare an answer with the registry.
func (r *runOfACD) compared(p answerOfACD) []string {
	return []string{"ACD-SDK1-08", "ACD-SDK1-10", "ACD-SDK1-11", "ACD-SDK3-01", "ACD-SDK3-02"}
}

// listed returns the demand for an item of the registry.
func (p answerOfACD) listed(before, after map[string]any) demand {
	id := textIn(before, "capability_id")
	if isCopy(id) {
		return p.copied(id, before, after)
	}
	d := demand{must: p.run.flaws(p.run.descriptor, after)}
	scope, _ := objectAt(after["exposure"], nil)["scope"].(string)
	channels := listIn(objectAt(after["exposure"], nil)["channels"], "")
	substrate := objectAt(after["execution"], nil)["substrate"]
	switch {
	case id == "cap.cli.adapter" && substrate != "transport" && textIn(after, "capability_id") == id:
		d.must = append(d.must, "ACD-EX2-01")
	case substrate == "shell" && (scope == "human" || scope == "public"):
		d.must = append(d.must, "ACD-SDK4-05")
	case substrate == "shell" && (scope == "channel" || len(channels) > 0):
		d.must = append(d.must, "ACD-SDK4-04")
	}
	return d
}

// changeRequirements are the requirements on the effects of a change to a copy.
var changeRequirements = []string{
	"ACD-SDK1-08", "ACD-SDK1-09", "ACD-SDK1-10", "ACD-SDK1-11", "ACD-SDK3-01", "ACD-SDK3-02", "ACD-SDK3-03", "ACD-SDK3-04", "ACD-SDK3-05",
	"ACD-SDK3-06", "ACD-DESC-27", "ACD-DESC-28", "ACD-SDK6-03",
}

// seenBefore reports whether the same operation returned a copy after its change and before this answer.
func (p answerOfACD) seenBefore(was *changeOfACD) bool {
	return slices.ContainsFunc(p.run.answers, func(o answerOfACD) bool {
		return o.entry.Operation == p.entry.Operation && o.entry.Begun > was.done && o.entry.Begun < p.entry.Begun &&
			(p.entry.Operation != "acd.registry.get" || textIn(o.sent, "capability_id") == was.id)
	})
}

// got returns the demand for an entry that was read: it must equal the entry of the list.
func (p answerOfACD) got(before, after map[string]any) demand {
	id := textIn(p.sent, "capability_id")
	if isCopy(id) {
		return p.copied(id, before, after)
	}
	d := demand{may: []string{"ACD-SDK1-09", "ACD-SDK6-03"}}
	if !sameByText(p.run.first[id], after) && p.run.first[id] != nil {
		d.must = d.may
	}
	return d
}

// byFilter are the requirements on queries.
var byFilter = map[string]string{
	"kind": "ACD-LEG-05", "execution": "ACD-SDK1-03", "invocation": "ACD-SDK1-04", "exposure": "ACD-SDK1-05", "enabled": "ACD-SDK1-06",
	"/listSkills": "ACD-LEG-01", "/listCommands": "ACD-LEG-02", "/listSubAgents": "ACD-LEG-03", "/listChannels": "ACD-LEG-04",
}

// viewed returns the demand for a part of the registry.
func (p answerOfACD) viewed(at []string, before, after map[string]any, how string) demand {
	d := demand{may: []string{"ACD-SDK1-01", "ACD-SDK1-10", "ACD-SDK1-11", "ACD-DESC-27"}}
	own, filters := "", 0
	for name, value := range p.sent {
		if value != nil {
			filters++
			own = cmp.Or(byFilter[name], byFilter[fmt.Sprint(value)])
		}
	}
	if filters > 1 {
		own = "ACD-SDK1-12" // it is advice
	} else {
		d.may = append(d.may, own)
	}
	for _, l := range slices.Sorted(maps.Values(byFilter)) { // an old list is compared with the query that replaces it
		if p.entry.Operation == "acd.registry.query" && strings.HasPrefix(l, "ACD-LEG") {
			d.may = append(d.may, l)
		}
	}
	id := textIn(before, "capability_id")
	switch {
	case len(at) == 0 && own != "ACD-SDK1-12" && len(listIn(p.answer, "capabilities")) > 0 && !p.copiesAlone():
		d.must = []string{own}
	case len(at) == 0, isCopy(id):
	case textIn(after, "capability_id") != id && own != "ACD-SDK1-12":
		d.must = []string{own, "ACD-SDK1-01"}
	case textIn(after, "capability_id") == id && differsInGuards(before, after):
		d.must = []string{"ACD-SDK1-01"}
	}
	return d
}

// copiesAlone reports whether a list contains only copies.
func (p answerOfACD) copiesAlone() bool {
	return !slices.ContainsFunc(
		listIn(p.answer, "capabilities"),
		func(item any) bool { return !isCopy(textIn(objectAt(item, nil), "capability_id")) },
	)
}

// shown returns the demand for a manifest.
func (p answerOfACD) shown(edited any) demand {
	d := demand{must: p.run.flaws(p.run.manifest, edited)}
	list, isList := objectAt(edited, []string{"capabilities"})["list"].([]any)
	if isList && len(d.must) == 0 && len(list) == 0 {
		d.may = []string{"ACD-MAN-01", "ACD-EX4-02"}
	}
	return d
}

// ran returns the demand for the answer to a call.
func (p answerOfACD) ran(after map[string]any) demand {
	id, script := textIn(p.sent, "capability_id"), ""
	input, _ := p.sent["input"].(map[string]any)
	script = textIn(input, "script")
	output, _ := json.Marshal(after["output"])
	switch message := textIn(input, "message"); {
	case id == "conformance.echo" && message != "" && !containsText(after["output"], message):
		return demand{must: []string{"ACD-SDK2-01"}}
	case isCopy(id) && message != "" && !containsText(after["output"], message):
		return demand{may: []string{"ACD-SDK2-01"}} // a copy of a capability that echoes
	case p.entry.Stimulus == "scripts" && strings.HasPrefix(script, "echo") && !strings.Contains(string(output), strings.TrimPrefix(script, "echo ")):
		return demand{must: []string{"ACD-SDK4-01"}}
	case p.entry.Stimulus == "scripts" && strings.HasPrefix(script, "exit"):
		if fmt.Sprint(objectAt(after["output"], nil)["exit_status"]) != strings.TrimPrefix(script, "exit ") {
			return demand{must: []string{"ACD-EX2-03"}}
		}
	}
	return demand{}
}

// containsText reports whether a text occurs in a value.
func containsText(v any, text string) bool {
	switch v := v.(type) {
	case string:
		return strings.Contains(v, text)
	case []any:
		return slices.ContainsFunc(v, func(one any) bool { return containsText(one, text) })
	case map[string]any:
		return slices.ContainsFunc(slices.Collect(maps.Values(v)), func(one any) bool { return containsText(one, text) })
	}
	return false
}

// declared returns the demand for the declaration of a channel.
func (p answerOfACD) declared(member string, after map[string]any) demand {
	var told []string
	for _, one := range listIn(after[member], "") {
		text, _ := one.(string)
		told = append(told, text)
	}
	if member == "modes" && (len(told) == 0 || slices.ContainsFunc(told, func(mode string) bool { return !slices.Contains(modesOfACD, mode) })) {
		return demand{must: []string{"ACD-SDK5-02"}}
	}
	if member == "capabilities" &&
		(len(told) == 0 || !slices.ContainsFunc(told, func(id string) bool { return strings.Contains(id, ".") })) {
		return demand{must: []string{"ACD-SDK5-01", "ACD-DEF-01"}, may: []string{"ACD-EX2-02"}}
	}
	return demand{}
}

var modesOfACD = []string{"direct", "command", "message", "event", "ui_action"}
