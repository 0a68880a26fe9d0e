package proof

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/cmd/capconform/internal/proof/trial"
	"github.com/capconform/capconform/reference"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites"
	capsuite "github.com/capconform/capconform/suites/cap"
	"github.com/capconform/capconform/suites/driver/inproc"
	"github.com/capconform/capconform/suites/live"
)

// liberty is an unusual but permitted behaviour of a host, as an edit of the messages of a conforming one.
type liberty struct {
	name    string
	request func(method string, params map[string]any) // before the conforming host reads it
	answer  func(method string, reply map[string]any)  // before the engine reads it
}

// capLiberties are edits of CAP messages that no text forbids.
func capLiberties() []liberty {
	return []liberty{
		{"numbers with a fraction", nil, results(func(_ string, v any) any { return fractioned(v, ".0") })},
		{"numbers with an exponent", nil, results(func(_ string, v any) any { return fractioned(v, "e0") })},
		{"ids with dots, slashes and a colon", renamesIn("capability_id", odd),
			renamesOut("capability_id", func(id string) string { return odd + id })},
		{"versions with build metadata", unbuilds, renamesOut("version", func(v string) string { return v + built })},
		{"2,000 capabilities", copiesIn, copiesOut},
		{"null for optional members", nil, results(func(_ string, v any) any { return nulled(v) })},
		{"unknown members", nil, func(_ string, reply map[string]any) {
			extend(reply)
			reply["x_vendor"] = map[string]any{"trace": "a"}
		}},
		{"empty error texts", nil, worded("")},
		{"error texts with the words of other codes", nil, worded("NOT_FOUND, PERMISSION_DENIED or TIMEOUT: rate limit? ok")},
		{"error texts in another script", nil, worded("混色 \u202e\n\x00 <b>")},
		{"long error texts", nil, worded(strings.Repeat("It failed. ", 2000))},
		{"durations of any size", nil, results(func(_ string, v any) any { return longLasting(v) })},
	}
}

// results edits the result of an answer.
func results(edit func(method string, v any) any) func(string, map[string]any) {
	return func(method string, reply map[string]any) {
		if result, ok := reply["result"]; ok {
			reply["result"] = edit(method, result)
		}
	}
}

// fractioned writes whole numbers in another way.
func fractioned(v any, suffix string) any {
	switch v := v.(type) {
	case json.Number:
		if !strings.ContainsAny(v.String(), ".eE") {
			return json.Number(v.String() + suffix)
		}
	case map[string]any:
		for name := range v {
			v[name] = fractioned(v[name], suffix)
		}
	case []any:
		for i := range v {
			v[i] = fractioned(v[i], suffix)
		}
	}
	return v
}

// eachMember visits the objects that have a member of the given name, except within schemas and outputs.
func eachMember(v any, name string, visit func(object map[string]any)) {
	switch v := v.(type) {
	case map[string]any:
		for within, one := range v {
			if within != "input_schema" && within != "output_schema" && within != "output" && within != "input" {
				eachMember(one, name, visit)
			}
		}
		if _, ok := v[name].(string); ok {
			visit(v)
		}
	case []any:
		for _, one := range v {
			eachMember(one, name, visit)
		}
	}
}

// renamesIn removes the prefix from the ids in requests. An id without the prefix is one that the host does not have.
func renamesIn(member, prefix string) func(string, map[string]any) {
	return func(_ string, params map[string]any) {
		eachMember(params, member, func(object map[string]any) {
			id, known := strings.CutPrefix(object[member].(string), prefix)
			if !known {
				id = "unlisted/" + id
			}
			object[member] = id
		})
	}
}

func renamesOut(member string, rename func(string) string) func(string, map[string]any) {
	return func(_ string, reply map[string]any) {
		eachMember(
			reply["result"],
			member,
			func(object map[string]any) { object[member] = rename(object[member].(string)) },
		)
	}
}

// odd precedes each id, and built follows each version.
const odd, built = "vendor.example/tools.v1/a:b/", "+build.7"

func unbuilds(_ string, params map[string]any) {
	eachMember(params, "version", func(object map[string]any) {
		version, known := strings.CutSuffix(object["version"].(string), built)
		if !known {
			version = "0.0.0-unlisted"
		}
		object["version"] = version
	})
}

// copied is the capability of which the additional ones are copies.
const copied, copyPrefix, copies = "text.measure", "text.measure_more_", 2000

func copiesIn(_ string, params map[string]any) {
	eachMember(params, "capability_id", func(object map[string]any) {
		var n int
		text, isCopy := strings.CutPrefix(object["capability_id"].(string), copyPrefix)
		_, err := fmt.Sscanf(text, "%d", &n)
		if isCopy && err == nil && fmt.Sprint(n) == text && n < copies && object["version"] == "1.0.0" {
			object["capability_id"], object["x_copy"] = copied, text
		}
	})
}

func copiesOut(method string, reply map[string]any) {
	switch result := reply["result"].(type) {
	case []any:
		var original map[string]any
		for _, item := range result {
			m, _ := item.(map[string]any)
			if m["capability_id"] == copied && m["version"] == "1.0.0" {
				original = m
			}
		}
		for n := range copies {
			result = append(result, renamedCopy(original, fmt.Sprint(n)))
		}
		reply["result"] = result
	case map[string]any:
		if asked, _ := reply["asked"].(map[string]any); method == "capability.describe" && asked["x_copy"] != nil {
			reply["result"] = renamedCopy(result, asked["x_copy"].(string))
		}
	}
}

func renamedCopy(of map[string]any, n string) map[string]any {
	another := map[string]any{}
	for name, value := range of {
		another[name] = value
	}
	another["capability_id"] = copyPrefix + n
	return another
}

// nulled writes null for the optional members of manifests and results.
func nulled(v any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = nulled(v[i])
		}
	case map[string]any:
		optional := []string{"output_schema", "prompt_template", "resources", "required_permissions", "x_vendor"}
		if _, result := v["ok"]; result {
			optional = []string{"output", "error", "x_vendor"}
			if e, failed := v["error"].(map[string]any); failed {
				e["details"] = nil
			}
		}
		for _, name := range optional {
			if _, there := v[name]; !there {
				v[name] = nil
			}
		}
	}
	return v
}

// extend adds a member to each object except those of the caller and of the capability, and those that CAP-GRAN-05
// compares: the reduction, whose members are fixed, and the resources.
func extend(v any) {
	switch v := v.(type) {
	case map[string]any:
		for within, one := range v {
			if !slices.Contains([]string{"input_schema", "output_schema", "output", "conformance.reduction", "resources"}, within) {
				extend(one)
			}
		}
		v["x_vendor"] = map[string]any{"since": 2026}
	case []any:
		for _, one := range v {
			extend(one)
		}
	}
}

// worded writes another message into every error.
func worded(text string) func(string, map[string]any) {
	return func(_ string, reply map[string]any) {
		errors := []any{reply["error"]}
		if result, ok := reply["result"].(map[string]any); ok {
			errors = append(errors, result["error"])
		}
		for _, e := range errors {
			if e, ok := e.(map[string]any); ok {
				e["message"] = text
			}
		}
	}
}

func longLasting(v any) any {
	if result, ok := v.(map[string]any); ok && result["duration_ms"] != nil {
		result["duration_ms"] = json.Number("123456789012")
	}
	return v
}

// through applies the edits to the messages to and from a host.
func (l liberty) through(handle inproc.Handler) inproc.Handler {
	return func(ctx context.Context, request []byte) []byte {
		message, ok := decodeWire(request).(map[string]any)
		if !ok {
			return handle(ctx, request)
		}
		method, _ := message["method"].(string)
		params, _ := message["params"].(map[string]any)
		if l.request != nil && params != nil {
			l.request(method, params)
			request = encodeWire(message, false)
		}
		reply, ok := decodeWire(handle(ctx, request)).(map[string]any)
		if !ok {
			return nil
		}
		reply["asked"] = params
		l.answer(method, reply)
		delete(reply, "asked")
		return encodeWire(reply, false)
	}
}

// A conforming host fails nothing, however unusual its messages are.
func TestUnusualCAPHostsHaveNoFailures(t *testing.T) {
	t.Parallel()
	for i, l := range capLiberties() {
		t.Run(l.name, func(t *testing.T) {
			sampled(t, i, 5)
			host, err := reference.New(reference.Options{Suites: []string{"cap"}})
			require.NoError(t, err)
			s := suiteOf(t, capsuite.Definition())
			handle := inproc.New("unusual", l.through(host.Handle))
			subject := &suites.Subject{Driver: handle, Invoke: live.InvokeSafe, Seed: seed, Options: map[string]string{}}
			report, err := suites.Run(t.Context(), []*suites.Suite{s}, subject, suites.Options{Explicit: true, Concurrency: 1})
			require.NoError(t, err)
			got, err := trial.Read(s, report)
			require.NoError(t, err)
			for _, id := range append(having(got, reports.Failed), having(got, reports.Error)...) {
				t.Errorf("%s is %s: %s", id, got.Status[id], got.Reason[id])
			}
			if len(having(got, reports.Passed)) < 20 {
				t.Errorf(
					"only %v passed; inconclusive: %v",
					having(got, reports.Passed),
					having(got, reports.Inconclusive),
				)
			}
		})
	}
}
