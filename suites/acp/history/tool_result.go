package history

import (
	"encoding/json"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/acp/sample"
	"github.com/capconform/capconform/suites/jsonvalue"
)

// ToolResult is the result of a tool as the model receives it. The subject may use any form, so the
// texts are searched for JSON.
type ToolResult struct {
	Texts  []string
	Values []any // the JSON values in the texts, at any depth of wrapping
}

// The limits of the search for JSON: how deeply JSON within JSON strings is followed, and at how many
// places of a text decoding is attempted.
const (
	MaxNesting  = 4
	maxAttempts = 64
)

// Read returns the results of tools with the JSON values in them.
func Read(texts []string) ToolResult {
	result := ToolResult{Texts: texts}
	for _, text := range texts {
		result.Values = append(result.Values, JSONValuesIn(text, MaxNesting)...)
	}
	return result
}

// JSONValuesIn returns the JSON values in a text, including those in their strings.
func JSONValuesIn(text string, depth int) []any {
	all, _ := separate(text)
	if depth > 0 {
		for _, value := range slices.Clone(all) {
			Each(value, func(_ string, inner any) {
				if s, isText := inner.(string); isText && strings.ContainsAny(s, "{[") {
					all = append(all, JSONValuesIn(s, depth-1)...)
				}
			})
		}
	}
	return all
}

// separate returns the JSON values in a text, and the words around them.
func separate(text string) (values []any, words string) {
	rest := text
	for range maxAttempts {
		at := strings.IndexAny(rest, "{[")
		if at < 0 {
			break
		}
		words, rest = words+rest[:at], rest[at:]
		value, size := decodeLeading(rest)
		if size == 0 {
			words, rest = words+rest[:1], rest[1:]
			continue
		}
		values, words, rest = append(values, value), words+" ", rest[size:]
	}
	return values, words + rest
}

// decodeLeading decodes the JSON value at the beginning of a text. It returns the value and its length
// in bytes; the length is 0 if there is none.
func decodeLeading(text string) (any, int) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var value any
	if err := d.Decode(&value); err != nil {
		return nil, 0
	}
	return value, int(d.InputOffset())
}

// Each calls visit for a value and all values within it, with the name of the member that contains them.
func Each(value any, visit func(name string, value any)) {
	var walk func(name string, value any)
	walk = func(name string, value any) {
		visit(name, value)
		switch v := value.(type) {
		case Object:
			for member, inner := range v {
				walk(member, inner)
			}
		case []any:
			for _, inner := range v {
				walk(name, inner)
			}
		}
	}
	walk("", value)
}

// Objects returns every JSON object in the result.
func (l ToolResult) Objects() []Object {
	var all []Object
	for _, value := range l.Values {
		Each(value, func(_ string, inner any) {
			if o, ok := inner.(Object); ok {
				all = append(all, o)
			}
		})
	}
	return all
}

// About returns the objects of the harness with an id. A filter that contains only the id does not
// count.
func (l ToolResult) About(id string) []Object {
	return slices.DeleteFunc(l.Objects(), func(o Object) bool {
		return o[sample.MemberID] != id ||
			o[sample.MemberNote] == nil && o[sample.MemberCount] == nil && o[sample.MemberTitle] == nil
	})
}

// Cursor returns the cursor of a further page, nil if there is none.
func (l ToolResult) Cursor() any {
	var found any
	for _, value := range l.Values {
		Each(value, func(name string, inner any) {
			if cursorName.MatchString(name) && inner != nil && inner != "" && inner != false {
				if _, isObject := inner.(Object); !isObject {
					found = inner
				}
			}
		})
	}
	return found
}

// UnknownCursorName returns the name of a member that may refer to a further page in a form that the
// harness does not follow, "" if there is none.
func (l ToolResult) UnknownCursorName() string {
	found := ""
	for _, value := range l.Values {
		Each(value, func(name string, inner any) {
			_, isObject := inner.(Object)
			_, isList := inner.([]any)
			if cursorLikeName.MatchString(name) && !isObject && !isList && inner != nil && inner != "" && inner != false {
				found = name
			}
		})
	}
	return found
}

// MemberNames returns the names of all members in the result, sorted.
func (l ToolResult) MemberNames() []string {
	var names []string
	for _, value := range l.Values {
		Each(value, func(name string, _ any) { names = append(names, name) })
	}
	slices.Sort(names)
	return slices.Compact(names)
}

var cursorLikeName = regexp.MustCompile(`(?i)cursor|token|next|offset|after|continu|more`)

var cursorName = regexp.MustCompile(`^(?:next_?)?[cC]ursor$`)

// Outcome is how a tool call ended, as far as its result shows.
type Outcome int

// The outcomes.
const (
	Unclear Outcome = iota
	Refusal
	Success
)

// The signs of a failure and of a success, in JSON and in words.
var (
	faultName    = regexp.MustCompile(`(?i)^(?:errors?|err|errormessage|error_message|faults?|failures?|problems?|exception|denied|refused|reject(?:ed|ion))$`)
	isErrorName  = regexp.MustCompile(`(?i)^is_?error$`)
	successName  = regexp.MustCompile(`(?i)^(?:ok|success|succeeded|valid|executed|stored|created)$`)
	statusName   = regexp.MustCompile(`(?i)^(?:status|state|result|outcome|code|type|kind)$`)
	messageName  = regexp.MustCompile(`(?i)^(?:messages?|text|reason|details?|info|notes?|hint|description|content|explanation)$`)
	faultWords   = regexp.MustCompile(`(?i)\b(?:errors?|fail(?:s|ed|ure)?|faults?|invalid|not|no|never|cannot|can.?t|unable|unknown|un(?:supported|available|bound|defined|resolved|recognized|recognised|authorized|authorised|fulfilled|permitted)|impossible|refus\w*|reject\w*|den(?:y|ied)|forbidden|disallowed|prohibited|missing|illegal|bad|must|required|violat\w*|mismatch|without|nothing|exception|does ?n.t|is ?n.t|sorry|unfulfill?able|ignor\w*|skip\w*|unhandled|abort\w*|cancel\w*|no-?op)\b|(?:_|^)(?:ERR|FAIL)|[a-z](?:Error|Failed|Exception)\b`)
	successWords = regexp.MustCompile(`(?i)^\W*(?:ok|okay|done|success\w*|created|stored|saved|updated|deleted|executed|completed|finished)\b`)
)

// The beginning of a block of code in Markdown, and letters of any language.
var (
	fence      = regexp.MustCompile("```\\w*")
	hasLetters = regexp.MustCompile(`\pL`)
)

// Outcome returns how the tool call ended. A sign of a failure anywhere makes it a refusal, also in the
// words around JSON. Any other result is a success if it is empty, is JSON with data, or begins with a
// word of success.
func (l ToolResult) Outcome() Outcome {
	if len(l.Texts) == 0 {
		return Unclear
	}
	if slices.ContainsFunc(l.Values, ReportsFault) {
		return Refusal
	}
	last := l.Texts[len(l.Texts)-1]
	plain := strings.TrimSpace(last)
	values, words := separate(last)
	hasWords := len(values) > 0 && hasLetters.MatchString(fence.ReplaceAllString(words, ""))
	switch {
	case hasWords && faultWords.MatchString(words):
		return Refusal
	case hasWords && !successWords.MatchString(words), len(l.Values) > 0 && !slices.ContainsFunc(l.Values, containsData):
		return Unclear
	case len(l.Values) > 0, plain == "", plain == "null", plain == "true",
		successWords.MatchString(plain) && !faultWords.MatchString(plain):
		return Success
	case plain == "false", faultWords.MatchString(plain):
		return Refusal
	default:
		return Unclear
	}
}

// containsData reports whether a value contains more than messages. A message in a language that the
// harness does not read may say that nothing was done. A value without messages, such as an empty one,
// counts as data.
func containsData(value any) bool {
	hasData, hasMessages := false, false
	Each(value, func(name string, inner any) {
		switch v := inner.(type) {
		case string:
			isMessage := messageName.MatchString(name)
			hasMessages = hasMessages || isMessage
			hasData = hasData || !isMessage && !statusName.MatchString(name) && v != ""
		case json.Number:
			hasData = hasData || !statusName.MatchString(name)
		case bool:
			hasData = true
		}
	})
	return hasData || !hasMessages
}

// ReportsFault reports whether a value states that something failed.
func ReportsFault(value any) bool {
	found := false
	Each(value, func(name string, inner any) {
		switch v := inner.(type) {
		case bool:
			found = found || v && (isErrorName.MatchString(name) || faultName.MatchString(name)) || !v &&
				successName.MatchString(name)
		case string:
			found = found || v != "" && faultName.MatchString(name) || faultWords.MatchString(v)
		case json.Number:
			n, err := v.Int64()
			found = found || err == nil && statusName.MatchString(name) && (n >= 400 || n < 0)
		case Object:
			found = found || len(v) > 0 && faultName.MatchString(name)
		}
	})
	return found
}

// Print returns the result as one line.
func (l ToolResult) Print() string {
	if len(l.Texts) == 0 {
		return "nothing"
	}
	return jsonvalue.Clip(strings.Join(l.Texts, " | "))
}

// Normalized returns a value as it is after encoding and decoding as JSON, nil if it cannot be decoded.
func Normalized(value any) any {
	d := json.NewDecoder(strings.NewReader(string(jsonvalue.Encode(value))))
	d.UseNumber()
	var read any
	if err := d.Decode(&read); err != nil && err != io.EOF {
		return nil
	}
	return read
}

// Contains reports whether an object has the members of another. What a runtime adds beside them is its own.
func Contains(o, want Object) bool {
	for name, value := range want {
		if found, exists := o[name]; !exists || !keeps(Normalized(value), found) {
			return false
		}
	}
	return true
}

// keeps reports whether a value that was found is the wanted one. A member that is wanted as null must be there. One
// that is found as null and not wanted counts as absent.
func keeps(want, found any) bool {
	switch w := want.(type) {
	case Object:
		f, isObject := found.(Object)
		for name := range w {
			if _, exists := f[name]; !exists {
				return false
			}
		}
		for name, value := range f {
			if !keeps(w[name], value) {
				return false
			}
		}
		return isObject
	case []any:
		f, isList := found.([]any)
		return isList && slices.EqualFunc(w, f, keeps)
	default:
		return jsonvalue.Equal(want, found)
	}
}
