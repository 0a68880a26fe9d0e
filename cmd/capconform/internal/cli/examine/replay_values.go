package examine

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/capconform/capconform/reports/display"
)

// generated begins the values that a run generates.
const generated = "capconform-"

// shortestChained is the length of the shortest text that is taken for a generated value of a target, in bytes.
const shortestChained = 8

// renewal replaces the generated values of an earlier run: those of the harness by fresh ones, and those of the target
// by what the target answers now.
type renewal struct {
	values map[string]string // by the earlier value
}

// renew returns JSON in which the generated values are replaced. It returns other text unchanged.
func (r *renewal) renew(text json.RawMessage) json.RawMessage {
	value, is := decodeExactly(text)
	if !is {
		return text
	}
	renewed, err := json.Marshal(r.renewed(value))
	if err != nil {
		return text
	}
	return renewed
}

func (r *renewal) renewed(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name, one := range v {
			v[name] = r.renewed(one)
		}
	case []any:
		for i, one := range v {
			v[i] = r.renewed(one)
		}
	case string:
		return r.valueOf(v)
	}
	return v
}

func (r *renewal) valueOf(text string) string {
	if renewed, known := r.values[text]; known {
		return renewed
	}
	// A run ends its values with a UUID.
	const length = 36
	at := len(text) - length
	if !strings.HasPrefix(text, generated) || at < len(generated) || uuid.Validate(text[at:]) != nil {
		return text
	}
	r.values[text] = text[:at] + uuid.NewString()
	return r.values[text]
}

// learn notes which values of the target's earlier answer another value has now.
func (r *renewal) learn(then, now any) {
	for _, d := range differences(then, now, "") {
		was, wasText := d.then.(string)
		is, isText := d.now.(string)
		if _, known := r.values[was]; wasText && isText && !known && len(was) >= shortestChained {
			r.values[was] = is
		}
	}
}

// difference is a place at which two JSON values differ.
type difference struct {
	place     string // a JSON pointer
	then, now any    // absent if there is none
}

type absent struct{}

// differences returns the places at which two values differ.
func differences(then, now any, place string) []difference {
	var all []difference
	old, isObject := then.(map[string]any)
	current, areObjects := now.(map[string]any)
	if isObject && areObjects {
		names := slices.Sorted(maps.Keys(old))
		for name := range current {
			if _, both := old[name]; !both {
				names = append(names, name)
			}
		}
		slices.Sort(names)
		for _, name := range names {
			all = append(all, differences(memberOr(old, name), memberOr(current, name), place+"/"+name)...)
		}
		return all
	}
	list, isList := then.([]any)
	items, areLists := now.([]any)
	if isList && areLists && len(list) == len(items) {
		for i := range list {
			all = append(all, differences(list[i], items[i], fmt.Sprintf("%s/%d", place, i))...)
		}
		return all
	}
	if inJSON(then) == inJSON(now) {
		return nil
	}
	return []difference{{place, then, now}}
}

func memberOr(of map[string]any, name string) any {
	if value, is := of[name]; is {
		return value
	}
	return absent{}
}

func inJSON(v any) string {
	if (v == absent{}) {
		return "nothing"
	}
	text, err := json.Marshal(v)
	if err != nil {
		return "?"
	}
	return string(text)
}

// The longest texts that are printed of a message and of one value in it, in bytes.
const (
	longestText  = 400
	longestValue = 120
)

// shortened returns a text for the terminal.
func shortened(text string, longest int) string {
	if len(text) > longest {
		text = strings.ToValidUTF8(text[:longest], "") + fmt.Sprintf("... (%d bytes)", len(text))
	}
	return display.TerminalText(text)
}

// contentOf returns the result or the error in a response of JSON-RPC, so that answers over different transports can be
// compared. It returns any other value unchanged.
func contentOf(v any) any {
	response, is := v.(map[string]any)
	if !is || response["jsonrpc"] == nil {
		return v
	}
	if result, is := response["result"]; is {
		return result
	}
	return map[string]any{"error": response["error"]}
}

// decodeExactly decodes JSON. Numbers stay as they are written.
func decodeExactly(text []byte) (v any, is bool) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	err := d.Decode(&v)
	return v, err == nil && !d.More()
}
