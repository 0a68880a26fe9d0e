package acpsuite

import (
	"encoding/json"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites"
)

// What a tool gives reaches the model in a form of the subject's own. telling is
// that text, read for what it holds.
type telling struct {
	texts  []string
	values []any // the JSON in the texts, however it is wrapped
}

// How deep JSON within strings of JSON is followed, and how many places of a text
// are tried as its beginning.
const (
	wrapsAtMost  = 4
	startsAtMost = 64
)

// read gives what the results of a turn hold.
func (t turn) read() telling {
	told := telling{texts: t.results()}
	for _, text := range told.texts {
		told.values = append(told.values, unwrapped(text, wrapsAtMost)...)
	}
	return told
}

// unwrapped gives the JSON values of a text, those in strings of them included.
func unwrapped(text string, deep int) []any {
	var all []any
	rest := text
	for range startsAtMost {
		at := strings.IndexAny(rest, "{[")
		if at < 0 {
			break
		}
		rest = rest[at:]
		value, size := leading(rest)
		if size == 0 {
			rest = rest[1:]
			continue
		}
		all = append(all, value)
		rest = rest[size:]
	}
	if deep > 0 {
		for _, value := range slices.Clone(all) {
			each(value, func(_ string, inner any) {
				if s, isText := inner.(string); isText && strings.ContainsAny(s, "{[") {
					all = append(all, unwrapped(s, deep-1)...)
				}
			})
		}
	}
	return all
}

// leading decodes the value at the beginning of a text, and gives its length.
func leading(text string) (any, int) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var value any
	if err := d.Decode(&value); err != nil {
		return nil, 0
	}
	return value, int(d.InputOffset())
}

// each visits a value and what lies in it, with the names of members.
func each(value any, visit func(name string, value any)) {
	var walk func(name string, value any)
	walk = func(name string, value any) {
		visit(name, value)
		switch v := value.(type) {
		case object:
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

// objects gives every object that was told.
func (l telling) objects() []object {
	var all []object
	for _, value := range l.values {
		each(value, func(_ string, inner any) {
			if o, ok := inner.(object); ok {
				all = append(all, o)
			}
		})
	}
	return all
}

// about gives the objects with an id of ours. That a filter with the id is told
// as well does not count.
func (l telling) about(id string) []object {
	return slices.DeleteFunc(l.objects(), func(o object) bool {
		return o[memberID] != id || o[memberNote] == nil && o[memberCount] == nil && o[memberTitle] == nil
	})
}

// cursor gives where a further page begins, nil if none is told.
func (l telling) cursor() any {
	var found any
	for _, value := range l.values {
		each(value, func(name string, inner any) {
			if cursorName.MatchString(name) && inner != nil && inner != "" && inner != false {
				if _, isObject := inner.(object); !isObject {
					found = inner
				}
			}
		})
	}
	return found
}

// further gives the name of a member that seems to say where a further page begins, in a
// form that is not followed; "" if there is none.
func (l telling) further() string {
	found := ""
	for _, value := range l.values {
		each(value, func(name string, inner any) {
			_, isObject := inner.(object)
			_, isList := inner.([]any)
			if furtherName.MatchString(name) && !isObject && !isList && inner != nil && inner != "" && inner != false {
				found = name
			}
		})
	}
	return found
}

// shape gives the names of all members that were told, in order.
func (l telling) shape() []string {
	var names []string
	for _, value := range l.values {
		each(value, func(name string, _ any) { names = append(names, name) })
	}
	slices.Sort(names)
	return slices.Compact(names)
}

var furtherName = regexp.MustCompile(`(?i)cursor|token|next|offset|after|continu|more`)

var cursorName = regexp.MustCompile(`^(?:next_?)?[cC]ursor$`)

// outcome is how a tool call ended, as far as the telling shows.
type outcome int

const (
	unclear outcome = iota
	refusal
	success
)

// signs of a failure, and of a success, in JSON and in words.
var (
	faultName  = regexp.MustCompile(`(?i)^(?:errors?|err|errormessage|error_message|faults?|failures?|problems?|exception|denied|refused|reject(?:ed|ion))$`)
	flawName   = regexp.MustCompile(`(?i)^is_?error$`)
	boonName   = regexp.MustCompile(`(?i)^(?:ok|success|succeeded|valid|executed|stored|created)$`)
	statusName = regexp.MustCompile(`(?i)^(?:status|state|result|outcome|code|type|kind)$`)
	wordName   = regexp.MustCompile(`(?i)^(?:messages?|text|reason|details?|info|notes?|hint|description|content|explanation)$`)
	faultWords = regexp.MustCompile(`(?i)\b(?:errors?|fail(?:s|ed|ure)?|faults?|invalid|not|no|never|cannot|can.?t|unable|unknown|un(?:supported|available|bound|defined|resolved|recognized|recognised|authorized|authorised|fulfilled|permitted)|impossible|refus\w*|reject\w*|den(?:y|ied)|forbidden|disallowed|prohibited|missing|illegal|bad|must|required|violat\w*|mismatch|without|nothing|exception|does ?n.t|is ?n.t|sorry|unfulfill?able|ignor\w*|skip\w*|unhandled|abort\w*|cancel\w*|no-?op)\b|(?:_|^)(?:ERR|FAIL)|[a-z](?:Error|Failed|Exception)\b`)
	boonWords  = regexp.MustCompile(`(?i)^\W*(?:ok|okay|done|success\w*|created|stored|saved|updated|deleted|executed|completed|finished)\b`)
)

// outcome reads the telling: a sign of a failure is a refusal wherever it stands;
// what remains is a success if it is JSON, empty, or says so.
func (l telling) outcome() outcome {
	if len(l.texts) == 0 {
		return unclear
	}
	if slices.ContainsFunc(l.values, tellsFault) {
		return refusal
	}
	last := l.texts[len(l.texts)-1]
	plain := strings.TrimSpace(last)
	switch {
	case len(l.values) > 0 && !slices.ContainsFunc(l.values, tellsThings):
		return unclear
	case len(l.values) > 0, plain == "", plain == "null", plain == "true", boonWords.MatchString(plain) && !faultWords.MatchString(plain):
		return success
	case plain == "false", faultWords.MatchString(plain):
		return refusal
	default:
		return unclear
	}
}

// tellsThings tells a value that holds more than words to a reader: words that we
// can't read may well say that nothing was done. A value that is empty says nothing
// of the kind.
func tellsThings(value any) bool {
	things, words := false, false
	each(value, func(name string, inner any) {
		switch v := inner.(type) {
		case string:
			spoken := wordName.MatchString(name)
			words = words || spoken
			things = things || !spoken && !statusName.MatchString(name) && v != ""
		case json.Number:
			things = things || !statusName.MatchString(name)
		case bool:
			things = true
		}
	})
	return things || !words
}

func tellsFault(value any) bool {
	found := false
	each(value, func(name string, inner any) {
		switch v := inner.(type) {
		case bool:
			found = found || v && (flawName.MatchString(name) || faultName.MatchString(name)) || !v && boonName.MatchString(name)
		case string:
			found = found || v != "" && faultName.MatchString(name) || faultWords.MatchString(v)
		case json.Number:
			n, err := v.Int64()
			found = found || err == nil && statusName.MatchString(name) && (n >= 400 || n < 0)
		case object:
			found = found || len(v) > 0 && faultName.MatchString(name)
		}
	})
	return found
}

// print shows the telling in a line.
func (l telling) print() string {
	if len(l.texts) == 0 {
		return "nothing"
	}
	return suites.Clip(strings.Join(l.texts, " | "))
}

// made gives a value as it reads after it was sent as JSON.
func made(value any) any {
	d := json.NewDecoder(strings.NewReader(string(suites.Encode(value))))
	d.UseNumber()
	var read any
	if err := d.Decode(&read); err != nil && err != io.EOF {
		return nil
	}
	return read
}
