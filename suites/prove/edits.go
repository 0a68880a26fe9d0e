package prove

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites/defect"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/text"
)

// Edit is one change of one answer of a run.
type Edit struct {
	Place         string // the operation and the path, without numbers: "clock.zones result.zones[].name"
	How           string
	Entry         record.Entry // as changed
	Before, After map[string]reports.Status
}

func (e Edit) String() string { return e.Place + ": " + e.How }

// Breaks reports whether the edit breaks a requirement.
func (e Edit) Breaks(id string) bool {
	return e.After[id] == reports.Failed && e.Before[id] != reports.Failed
}

// maxEdits bounds the edits of one proof.
const maxEdits = 20_000

// samples is the number of places of the same kind that are edited: the first and the last ones of a stimulus.
const samples = 4

// edits returns every kind of change of every kind of place in the answers of a run.
func edits(entries []record.Entry) []Edit {
	var all []Edit
	seen := map[string]int{}
	add := func(e record.Entry, place, how string, changed record.Entry) {
		key := e.Stimulus + " " + place + " " + how
		if seen[key]++; seen[key] <= samples && len(all) < maxEdits {
			all = append(all, Edit{Place: place, How: how, Entry: changed})
		}
	}
	for _, e := range alternating(entries) {
		if e.Operation == "" || e.Outcome != record.Returned && e.Outcome != record.Refused {
			continue
		}
		wholeEdits(e, entries, func(how string, changed record.Entry) { add(e, e.Operation, how, changed) })
		root, name := any(nil), "result"
		if e.Outcome == record.Refused {
			root, name = errorOf(e), "error"
		} else if text, err := e.Received.Text(); err == nil {
			root = schemas.ReadValue(text)
		}
		walk(root, nil, func(path []string, v any, inObject bool) {
			for _, c := range changes(v, inObject, parentOf(root, path)) {
				edited := replaced(root, path, c.value, c.stays)
				answer := defect.Answer{Result: edited}
				if members, is := edited.(map[string]any); is && name == "error" {
					answer = defect.Answer{Error: members}
				}
				add(e, e.Operation+" "+name+printed(path), c.how, text.Answered(e, answer))
			}
		})
	}
	return all
}

// alternating returns the first entry, the last, the second, the last but one, and so on.
func alternating(entries []record.Entry) []record.Entry {
	var all []record.Entry
	for i, j := 0, len(entries)-1; i <= j; i, j = i+1, j-1 {
		if all = append(all, entries[i]); i != j {
			all = append(all, entries[j])
		}
	}
	return all
}

// wholeEdits changes the answer as a whole: lost, refused, accepted, that of another call.
func wholeEdits(e record.Entry, entries []record.Entry, add func(how string, changed record.Entry)) {
	add("no answer", text.Answered(e, defect.Answer{Lost: true}))
	switch {
	case text.IsMessage(e): // what arrives is a message, neither a result nor an error
	case e.Outcome == record.Refused:
		add("a result instead of the error", text.Answered(e, defect.Answer{Result: map[string]any{}}))
	default:
		add("an error instead of the result",
			text.Answered(e, defect.Answer{Error: map[string]any{"code": "EDITED", "message": "edited"}}))
	}
	for _, other := range entries {
		if other.Operation == e.Operation && other.Begun != e.Begun && other.Outcome == record.Returned &&
			!slices.Equal(bodyOf(other), bodyOf(e)) {
			changed := e
			changed.Outcome, changed.Error, changed.Received = record.Returned, nil, other.Received
			add("the answer of another call", changed)
			return
		}
	}
}

func bodyOf(e record.Entry) []byte {
	if e.Received == nil {
		return nil
	}
	body, _ := e.Received.Text()
	return body
}

func errorOf(e record.Entry) any {
	members := map[string]any{"code": e.Error.Code, "message": e.Error.Message,
		"number": json.Number(strconv.FormatInt(e.Error.Number, 10))}
	if e.Error.Data != nil {
		members["data"] = schemas.ReadValue(e.Error.Data)
	}
	return members
}

// walk visits every value below a root with its path.
func walk(v any, path []string, visit func(path []string, v any, inObject bool)) {
	switch of := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(of)) {
			at := append(slices.Clone(path), name)
			visit(at, of[name], true)
			walk(of[name], at, visit)
		}
	case []any:
		for i, element := range of {
			at := append(slices.Clone(path), "["+strconv.Itoa(i)+"]")
			visit(at, element, false)
			walk(element, at, visit)
		}
	}
}

// printed returns a path without numbers.
func printed(path []string) string {
	var b strings.Builder
	for _, name := range path {
		if strings.HasPrefix(name, "[") {
			b.WriteString("[]")
		} else {
			b.WriteString("." + name)
		}
	}
	return b.String()
}

func parentOf(root any, path []string) any {
	for _, name := range path[:len(path)-1] {
		root = childOf(root, name)
	}
	return root
}

func childOf(v any, name string) any {
	switch of := v.(type) {
	case map[string]any:
		return of[name]
	case []any:
		i, _ := strconv.Atoi(strings.Trim(name, "[]"))
		return of[i]
	}
	return nil
}

// replaced returns a copy of a value with another value at a path, or without it.
func replaced(v any, path []string, value any, stays bool) any {
	if len(path) == 0 {
		return value
	}
	last := len(path) == 1
	switch of := v.(type) {
	case map[string]any:
		of = maps.Clone(of)
		if of[path[0]] = replaced(of[path[0]], path[1:], value, stays); last && !stays {
			delete(of, path[0])
		}
		return of
	case []any:
		of = slices.Clone(of)
		i, _ := strconv.Atoi(strings.Trim(path[0], "[]"))
		if last && !stays {
			return slices.Delete(of, i, i+1)
		}
		of[i] = replaced(of[i], path[1:], value, stays)
		return of
	}
	return v
}

// change is another value of a place.
type change struct {
	how   string
	value any
	stays bool
}

// changes returns the changes of a value that differ from it.
func changes(v any, inObject bool, parent any) []change {
	all := []change{
		{"removed", nil, false},
		{"null", nil, true},
		{"emptied", emptyOf(v), true},
		{"of another type", otherType(v), true},
	}
	switch v := v.(type) {
	case string:
		all = append(all, change{"another text", v + "x", true})
	case json.Number:
		for _, by := range []string{"+1", "-1"} {
			if n, err := v.Int64(); err == nil {
				d, _ := strconv.ParseInt(by, 10, 64)
				all = append(all, change{by[:1] + " 1", json.Number(strconv.FormatInt(n+d, 10)), true})
			}
		}
	case bool:
		all = append(all, change{"the opposite", !v, true})
	case map[string]any:
		wider := maps.Clone(v)
		wider["capconform.further"] = true
		all = append(all, change{"with a further member", wider, true})
	case []any:
		if len(v) > 0 {
			all = append(all, change{"its first element twice", append(slices.Clone(v), v[0]), true})
		}
		reversed := slices.Clone(v)
		slices.Reverse(reversed)
		all = append(all, change{"in another order", reversed, true})
	}
	if of, is := parent.(map[string]any); is && inObject {
		for _, name := range slices.Sorted(maps.Keys(of)) {
			if !jsonvalue.Equal(of[name], v) {
				all = append(all, change{"the value of " + name, of[name], true})
				break
			}
		}
	}
	return slices.DeleteFunc(all, func(c change) bool { return c.stays && jsonvalue.Equal(c.value, v) })
}

func emptyOf(v any) any {
	switch v.(type) {
	case string:
		return ""
	case json.Number:
		return json.Number("0")
	case []any:
		return []any{}
	case map[string]any:
		return map[string]any{}
	}
	return nil
}

func otherType(v any) any {
	if _, is := v.(string); is || v == nil {
		return json.Number("7")
	}
	return "text"
}
