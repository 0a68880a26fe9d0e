package proof

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
)

// answerOfCAP is an answer of a source whose members are edited.
type answerOfCAP struct {
	entry  record.Entry
	sent   map[string]any
	answer any
}

func placeOfCAP(e record.Entry) answerOfCAP {
	p := answerOfCAP{entry: e}
	if text, err := e.Sent.Text(); err == nil {
		p.sent = schemas.ReadObject(text)
	}
	if text, err := e.Received.Text(); err == nil {
		p.answer = schemas.ReadValue(text)
	}
	return p
}

func (p answerOfCAP) kind(path []string) string { return fmt.Sprint(p.entry.Begun, path) }

func (p answerOfCAP) at() record.Entry { return p.entry }

func (p answerOfCAP) value() any { return p.answer }

// ends reports whether a member holds a schema of a capability or its data: CAP defines no members in them.
func (p answerOfCAP) ends(member string) bool {
	return slices.Contains(
		[]string{"input_schema", "output_schema", "output", "resources", "required_permissions"},
		member,
	)
}

// threadsOfCAP is the number of threads to which the answers of each operation are distributed. Answers of different
// threads can still affect each other: with fewer threads fewer edits are combined, with more of them more edits are
// judged again.
var threadsOfCAP = map[string]record.Tick{"capability.invoke": 23, "capability.describe": 7, "capability.list": 5}

func (p answerOfCAP) thread() string {
	return fmt.Sprintf("%s %d", p.entry.Operation, p.entry.Begun%max(1, threadsOfCAP[p.entry.Operation]))
}

// anywhere reports whether the answer describes capabilities, or other answers are compared with it.
func (p answerOfCAP) anywhere() bool { return p.entry.Operation != "capability.invoke" }

// judgedBeside are the binding requirements that compare a member with another value: an edit of the member may break
// them.
var judgedBeside = map[string][]string{
	"capability_id": {"CAP-CAP-02", "CAP-DIS-01", "CAP-DIS-06", "CAP-FC-01", "CAP-MCP-01", "CAP-SK-01", "CAP-GRAN-05"},
	"version":       {"CAP-CAP-02", "CAP-DIS-01", "CAP-DIS-06", "CAP-FC-01", "CAP-MCP-01", "CAP-SK-01", "CAP-GRAN-05"},
	"kind":          {"CAP-GRAN-05", "CAP-SK-01"}, "description": {"CAP-SK-01"}, "input_schema": {"CAP-MCP-01", "CAP-DIS-06"},
	"output_schema": {"CAP-INV-04"}, "prompt_template": {"CAP-GRAN-05", "CAP-SK-01"}, "resources": {"CAP-GRAN-05", "CAP-SK-01"},
	"required_permissions": {"CAP-GRAN-05", "CAP-SK-01"}, "conformance.reduction": {"CAP-GRAN-05"},
	"ok": {
		"CAP-INV-02", "CAP-INV-03", "CAP-INV-04", "CAP-DIS-06", "CAP-ERR-01", "CAP-ERR-03", "CAP-ERR-04", "CAP-ERR-05", "CAP-GRAN-04", "CAP-MCP-01",
		"CAP-SK-01", "CAP-REF-01", "CAP-MCP-03",
	},
	"error":  {"CAP-ERR-01", "CAP-ERR-03", "CAP-ERR-04", "CAP-ERR-05", "CAP-INV-03", "CAP-MCP-03"},
	"output": {"CAP-INV-04", "CAP-MCP-01", "CAP-INV-05"},
}

// demandOn returns the demand on the judgement after an edit.
func (p answerOfCAP) demandOn(path []string, how string) demand {
	at, member := []string{}, path[0]
	if p.entry.Operation == "capability.list" {
		at, member = path[:1], path[1]
	}
	before, after := objectAt(p.answer, at), objectAt(editedValue(p.answer, path, how), at)
	d := demand{may: slices.Clone(judgedBeside[member])}
	switch p.entry.Operation {
	case "capability.list":
		d.must = flawsOfManifest(after)
	case "capability.describe":
		d.must = p.described(before, after)
	default:
		d.must = p.result(after)
	}
	if p.free() {
		return demand{may: append(d.may, d.must...)}
	}
	if p.attached(after) { // CAP-SK-01 applies to these
		d.must, d.may = slices.DeleteFunc(
			d.must,
			func(id string) bool { return id == "CAP-MAN-04" },
		), append(
			d.may,
			"CAP-MAN-04",
		)
	}
	return d
}

// free reports whether the answer alone decides nothing: a probe, a call after a restart, or the refusal of an input
// that is not an object.
func (p answerOfCAP) free() bool {
	step, refused := p.entry.About["step"], objectAt(p.answer, nil)["ok"] == false
	_, isObject := p.sent["input"].(map[string]any)
	return p.entry.Suite == "" || p.entry.Stimulus == "control" || p.entry.Stimulus == "restart" && step == "" ||
		step == "serves" ||
		p.entry.Operation == "capability.invoke" && !isObject && refused
}

// attached reports whether the harness attached the capability.
func (p answerOfCAP) attached(m map[string]any) bool {
	id, _ := m["capability_id"].(string)
	return strings.HasPrefix(p.entry.Stimulus, "attached-") && !strings.HasPrefix(id, "conformance.")
}

// described returns the requirements that a description breaks: those on its members, on the pair, and on agreement
// with the list. The reduction of a skill does not match a different manifest.
func (p answerOfCAP) described(before, after map[string]any) []string {
	if after["capability_id"] != p.sent["capability_id"] || after["version"] != p.sent["version"] {
		return []string{"CAP-DIS-02", "CAP-CAP-05"}
	}
	broken := flawsOfManifest(after)
	if p.attached(before) {
		return broken // the next list detached it: nothing shows which of the two changed
	}
	for _, name := range membersOfManifest {
		if !jsonvalue.Equal(before[name], after[name]) {
			return append(broken, "CAP-DIS-07", "CAP-CAP-05", "CAP-MCP-01", "CAP-GRAN-05")
		}
	}
	return broken
}

var membersOfManifest = []string{
	"capability_id", "version", "kind", "name", "description", "input_schema", "output_schema", "prompt_template", "resources", "required_permissions",
}

// flawsOfManifest returns the requirements that one manifest breaks, according to the table in the text.
func flawsOfManifest(m map[string]any) []string {
	var broken []string
	text := func(name string) bool {
		s, ok := m[name].(string)
		return ok && (s != "" || name == "name" || name == "description")
	}
	for _, rule := range []struct {
		id     string
		broken bool
	}{
		{"CAP-MAN-01", !text("capability_id") || !text("version") || !text("name") || !text("description")},
		{"CAP-CAP-04", m["kind"] != "tool" && m["kind"] != "skill"},
		{"CAP-MAN-02", m["input_schema"] == nil || !isSchema(m["input_schema"])},
		{"CAP-MAN-01", m["output_schema"] != nil && !isSchema(m["output_schema"])},
		{"CAP-MAN-01", m["prompt_template"] != nil && !isText(m["prompt_template"])},
		{"CAP-MAN-01", m["resources"] != nil && !isList(m["resources"]) || m["required_permissions"] != nil && !isTexts(m["required_permissions"])},
		{"CAP-MAN-04", m["kind"] == "skill" && (m["prompt_template"] == nil || m["prompt_template"] == "" || m["resources"] == nil || m["required_permissions"] == nil)},
	} {
		if rule.broken && !slices.Contains(broken, rule.id) {
			broken = append(broken, rule.id)
		}
	}
	return broken
}

func isText(v any) bool { _, ok := v.(string); return ok }

func isTexts(v any) bool {
	list, ok := v.([]any)
	return ok && !slices.ContainsFunc(list, func(one any) bool { return !isText(one) })
}

// isSchema reports whether a value is a JSON Schema: an object or a boolean that is valid in its dialect.
func isSchema(v any) bool {
	_, isObject := v.(map[string]any)
	_, isBool := v.(bool)
	_, err := schemas.CompileValue(v, schemas.Options{})
	return (isObject || isBool) && err == nil
}

func isList(v any) bool { _, ok := v.([]any); return ok }

// result returns the requirements that the shape and the code of an InvokeResult break.
func (p answerOfCAP) result(m map[string]any) []string {
	ok, isBool := m["ok"].(bool)
	fault, isObject := m["error"].(map[string]any)
	_, isOutput := m["output"].(map[string]any)
	n, isNumber := m["duration_ms"].(json.Number)
	var broken []string
	switch {
	case !isBool, m["output"] != nil && !isOutput, !isNumber || strings.HasPrefix(string(n), "-"),
		m["error"] != nil && !isObject, !ok && m["error"] == nil, !ok && fault["code"] == nil:
		broken = append(broken, "CAP-INV-01")
	case !ok && !slices.Contains([]any{"NOT_FOUND", "INVALID_INPUT", "PERMISSION_DENIED", "EXECUTION_FAILED", "TIMEOUT"}, fault["code"]):
		broken = append(broken, "CAP-ERR-06")
	}
	return broken
}
