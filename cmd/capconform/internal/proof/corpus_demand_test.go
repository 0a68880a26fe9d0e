package proof

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/shape"
)

// demand lists the binding requirements that must and may be found broken after an edit.
type demand struct {
	must []string // at least one of them; if there are none, nothing must be found
	may  []string // in addition
}

// unmet describes how the findings differ from the demand; it returns "" if they do not.
func (d demand) unmet(found map[string]string) string {
	for id, message := range found {
		if !d.allowed(id, message) {
			return fmt.Sprintf("breaks %s (%s); want %v or %v", id, message, d.must, d.may)
		}
	}
	if len(d.must) > 0 && !slices.ContainsFunc(d.must, func(id string) bool { return found[id] != "" }) {
		return fmt.Sprintf("found %v, want one of %v", found, d.must)
	}
	return ""
}

// allows reports whether the demand permits all findings.
func (d demand) allows(found map[string]string) bool {
	for id, message := range found {
		if !d.allowed(id, message) {
			return false
		}
	}
	return true
}

// allowed reports whether the demand permits a finding. A doubt is not a failure of the host, and a defect of the
// harness is never permitted.
func (d demand) allowed(id, message string) bool {
	return strings.HasPrefix(message, doubted) ||
		!strings.HasPrefix(message, harnessError) && (slices.Contains(d.must, id) || slices.Contains(d.may, id))
}

// recordedAnswer is an answer whose members are edited.
type recordedAnswer struct {
	entry  record.Entry
	sent   map[string]any
	answer any
	under  string                  // the correlation id, "" if there is none
	shapes map[string]*shape.Shape // by kind of object
	binds  func(id string) bool    // reports whether a requirement decides the verdict
}

func placeOf(e record.Entry, shapes map[string]*shape.Shape, binds func(id string) bool) recordedAnswer {
	p := recordedAnswer{entry: e, shapes: shapes, binds: binds}
	p.read()
	return p
}

func (p *recordedAnswer) read() {
	if text, err := p.entry.Sent.Text(); err == nil {
		p.sent = schemas.ReadObject(text)
	}
	if text, err := p.entry.Received.Text(); err == nil {
		p.answer = schemas.ReadValue(text)
	}
	for _, of := range []any{p.sent["correlation"], objectAt(p.answer, nil)["correlation"], map[string]any(p.sent)} {
		context, _ := of.(map[string]any)
		if id, _ := context["correlation_id"].(string); id != "" && p.under == "" {
			p.under = id
		}
	}
}

func (p recordedAnswer) kind(path []string) string { return fmt.Sprint(p.entry.Begun, path) }

func (p recordedAnswer) at() record.Entry { return p.entry }

func (p recordedAnswer) value() any { return p.answer }

// ends reports whether a member is a schema of a capability: CHP defines no members in it.
func (p recordedAnswer) ends(member string) bool {
	return member == "input_schema" || member == "output_schema"
}

// thread names the correlation of an answer, or the answer itself if it has none.
func (p recordedAnswer) thread() string {
	if p.under != "" {
		return p.under
	}
	return fmt.Sprint(p.entry.Begun)
}

// anywhere reports whether the host describes itself in the answer.
func (p recordedAnswer) anywhere() bool {
	return p.entry.Operation == "chp.host" || p.entry.Operation == "chp.capabilities"
}

// kindsOfObject are the kinds of object whose members are edited. Each is a schema in schemas/chp.
var kindsOfObject = []string{
	"capability-descriptor",
	"host-descriptor",
	"invocation-result",
	"evidence-event",
	"replay-result",
}

// relational are, by kind of object and member, the binding requirements that compare a member with another value: an
// edit of the member may break them.
var relational = map[string]map[string][]string{
	"capability-descriptor": {
		"id": {"CHP-3-14", "CHP-3-15", "CHP-4-08"}, "version": {"CHP-3-14", "CHP-3-15", "CHP-4-08"}, "capability_uri": {"CHP-3-14"},
		"modes": {"CHP-3-05"}, "input_schema": {"CHP-3-08"}, "output_schema": {"CHP-3-09"},
	},
	"host-descriptor": {
		"id": {"CHP-4-09", "CHP-6-07", "CHP-4-01"}, "capabilities": {"CHP-4-08", "CHP-3-15"}, "evidence": {"CHP-4-07"},
	},
	"list": {"capabilities": {"CHP-4-08", "CHP-3-15"}},
	"invocation-result": {
		"invocation_id": {"CHP-5-01", "CHP-6-05"}, "capability_id": {"CHP-5-01"}, "data": {"CHP-8-04", "CHP-8-07"},
		"correlation": {"CHP-7-01", "CHP-7-02", "CHP-7-05"}, "success": {"CHP-8-02"}, "outcome": {"CHP-8-02"},
	},
	"evidence-event": {
		"event_id":      {"CHP-6-13", "CHP-10-04"},
		"event_type":    {"CHP-6-14", "CHP-8-07", "CHP-8-08", "CHP-8-09", "CHP-8-10", "CHP-8-11", "CHP-8-13"},
		"invocation_id": {"CHP-6-01", "CHP-6-05", "CHP-7-02", "CHP-8-08", "CHP-8-09", "CHP-8-10", "CHP-8-11", "CHP-8-13", "CHP-10-01", "CHP-10-02"},
		"capability_id": {"CHP-6-06"}, "host_id": {"CHP-6-07"}, "outcome": {"CHP-8-13"},
		"sequence":    {"CHP-8-08", "CHP-8-09", "CHP-8-13", "CHP-10-04", "CHP-10-10"},
		"correlation": {"CHP-7-01", "CHP-7-02", "CHP-7-05", "CHP-10-02"}, "payload": {"CHP-6-10", "CHP-10-05"},
	},
	"replay-result": {
		"events": {"CHP-6-01", "CHP-7-02", "CHP-10-01", "CHP-10-03", "CHP-10-04", "CHP-10-05", "CHP-10-08"}, "event_count": {"CHP-10-08"},
	},
}

// object returns the kind of the object that contains the member at a path, the path of the object, and the name of
// the member.
func (p recordedAnswer) object(path []string) (kind string, at []string, member string) {
	kind = map[string]string{
		"chp.host": "host-descriptor", "chp.capabilities": "list", "chp.invoke": "invocation-result",
		"chp.replay": "replay-result", "chp.replay.by_path": "replay-result",
	}[p.entry.Operation]
	if len(path) > 2 && (path[0] == "events" || path[0] == "capabilities") && kind != "invocation-result" {
		inner := map[string]string{"events": "evidence-event", "capabilities": "capability-descriptor"}[path[0]]
		return inner, path[:2], path[2]
	}
	return kind, nil, path[0]
}

// demandOn returns the demand on the judgement after an edit.
func (p recordedAnswer) demandOn(path []string, how string) demand {
	kind, at, member := p.object(path)
	before, after := objectAt(p.answer, at), objectAt(editedValue(p.answer, path, how), at)
	d := demand{may: slices.Clone(relational[kind][member])}
	if kind != "list" {
		d.must = p.broken(kind, after)
	} else if _, list := after[member].([]any); member == "capabilities" && !list {
		d.must = []string{"CHP-4-08"}
	}
	if p.entry.Suite == "" || p.entry.Stimulus == "restart" && p.entry.About["step"] == "" {
		return demand{
			may: append(d.may, d.must...),
		} // a probe, or a call after a restart: no requirement is judged by it
	}
	switch kind {
	case "evidence-event":
		p.event(&d, member, before, after)
	case "invocation-result":
		p.result(&d, member, before, after)
	case "replay-result":
		p.replay(&d, member, after)
	}
	return d
}

func objectAt(v any, at []string) map[string]any {
	for _, step := range at {
		switch of := v.(type) {
		case map[string]any:
			v = of[step]
		case []any:
			var i int
			_, _ = fmt.Sscan(step, &i) // walk wrote the index
			v = of[i]
		}
	}
	members, _ := v.(map[string]any)
	return members
}

// broken returns the binding requirements of the parts of its schema that an object breaks.
func (p recordedAnswer) broken(kind string, of map[string]any) []string {
	without := map[string]any{} // null is the same as absent
	for name, v := range of {
		if v != nil {
			without[name] = v
		}
	}
	flaws, _ := p.shapes[kind].Flaws(without) // an undecidable part breaks nothing
	var all []string
	for _, f := range flaws {
		if p.binds(f.Requirement) && !slices.Contains(all, f.Requirement) {
			all = append(all, f.Requirement)
		}
	}
	return all
}

var coreTypes = []string{
	"execution_started", "execution_completed", "execution_failed", "execution_denied", "execution_skipped", "execution_indeterminate",
}

func (p recordedAnswer) event(d *demand, member string, before, after map[string]any) {
	kind, _ := after["event_type"].(string)
	was, _ := before["event_type"].(string)
	own, became := !slices.Contains(coreTypes, was), kind != "" && !slices.Contains(coreTypes, kind)
	text := func(of map[string]any, name string) string { s, _ := of[name].(string); return s }
	under := func(of map[string]any) string {
		c, _ := of["correlation"].(map[string]any)
		return text(c, "correlation_id")
	}
	switch {
	case own && became: // all faults of such events are reported as CHP-6-14
		d.may = append(d.may, "CHP-6-14")
		if len(d.must) > 0 && member != "payload" {
			d.must = []string{"CHP-6-14"}
		}
	case own:
	case member == "capability_id" && text(after, member) != "" && text(after, member) != text(before, member):
		d.must = append(d.must, "CHP-6-06")
	case member == "host_id" && text(after, member) != "" && text(after, member) != text(before, member):
		d.must = append(d.must, "CHP-6-07")
	case member == "correlation" && under(after) != "" && under(after) != under(before):
		d.must = append(d.must, "CHP-7-01", "CHP-7-02", "CHP-7-05", "CHP-10-02")
	}
	if member == "payload" && (p.sent["include_payloads"] != true || own) { // see the resolution of CHP-6-10
		d.may, d.must = append(d.may, d.must...), nil
	}
}

func (p recordedAnswer) result(d *demand, member string, before, after map[string]any) {
	stimulus := p.entry.Stimulus
	if slices.Contains([]string{"no-envelope"}, stimulus) && p.entry.About["form"] != "" {
		d.may, d.must = append(d.may, d.must...), nil // not an invocation
		return
	}
	switch {
	case member == "correlation":
		missing := stimulus == "missing-correlation-id"
		d.may = append(d.may, "CHP-7-04", "CHP-7-02", "CHP-6-01", "CHP-10-01", "CHP-10-02")
		if len(d.must) > 0 {
			d.must = append(d.must, "CHP-7-05") // an unusual id that was changed
		}
		if missing && len(d.must) > 0 {
			d.must = []string{"CHP-7-02"}
		}
		if stimulus == "empty-correlation-id" {
			d.must = nil // CHP-7-07 is advice
		}
	case member == "data" && p.entry.About["role"] == "echo" && before["outcome"] == "success":
		if text, _ := json.Marshal(after["data"]); !strings.Contains(string(text), `"echo"`) || len(text) < 13 {
			d.must = append(d.must, "CHP-8-04")
		}
	case member == "outcome":
		d.may = append(d.may, "CHP-5-01", "CHP-5-10")
	}
}

func (p recordedAnswer) replay(d *demand, member string, after map[string]any) {
	events, list := after["events"].([]any)
	limited := p.sent["limit"] != nil || p.sent["since_sequence"] != nil
	n, number := after["event_count"].(json.Number)
	if list && number && !limited && n != json.Number(fmt.Sprint(len(events))) {
		d.must = append(d.must, "CHP-10-08")
	}
	if member == "events" {
		d.may = append(d.may, "CHP-8-08", "CHP-8-09", "CHP-8-10", "CHP-8-11", "CHP-8-13")
	}
}
