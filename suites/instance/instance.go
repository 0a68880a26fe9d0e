// Package instance makes inputs for a host never met, from nothing but the JSON
// Schema it publishes: sound ones, and unsound ones that break exactly one
// keyword at exactly one place. Every input is confirmed by the validator of
// package schemas before it is handed out; what can't be confirmed is left out.
//
// The inputs stay clear of what engines read differently: strings are printable
// ASCII wherever a pattern or a length judges them, patterns count only where
// every usual engine agrees on them, and "format" is kept but never broken
// (DESIGN section 10).
package instance

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/capconform/capconform/schemas"
)

// Input is a sound instance of a schema.
type Input struct {
	Value any    // as schemas.Decode would give it
	Note  string // "example", "minimal" or "fuller"
	Doubt string // why a sound host may refuse it nevertheless, "" if none may
}

// Unmakeable says that no sound instance was found. It says nothing against the
// schema: what hangs on the instance is inconclusive, and a default or an
// example in the schema, or an input in the target file, helps.
type Unmakeable struct {
	Why string // one sentence
}

// Error returns the reason.
func (e *Unmakeable) Error() string { return "instance: no sound input can be made: " + e.Why }

// SoundObject makes one to three sound objects, all different: one that the schema
// itself gives as an example or default, a minimal one with required members
// only, and a fuller one that has the optional members too. The same seed gives
// the same objects. The error is an *Unmakeable.
func SoundObject(s *schemas.Schema, seed int64) ([]Input, error) { return sound(s, seed, true) }

func sound(s *schemas.Schema, seed int64, object bool) ([]Input, error) {
	s = bounded(s)
	var inputs []Input
	seen := map[string]bool{}
	keep := func(value any, note, doubt string) {
		if _, ok := value.(map[string]any); object && !ok {
			return
		}
		text := textOf(value)
		if len(text) <= largest && !seen[text] && s.Validate(value) == nil {
			seen[text] = true
			inputs = append(inputs, Input{Value: value, Note: note, Doubt: doubt})
		}
	}
	if given := suggestions(s.Compiled()); len(given) > 0 {
		keep(given[0], "example", "")
	}
	var why error
	for _, note := range []string{"minimal", "fuller"} {
		m := newMaker(s, seed, note == "fuller")
		value, err := m.top(object)
		if err != nil {
			why = errors.Join(why, err)
			continue
		}
		keep(value, note, m.doubt)
	}
	if len(inputs) > 0 {
		return inputs, nil
	}
	if why == nil {
		why = errors.New("what was made can't be confirmed")
	}
	return nil, &Unmakeable{Why: firstLine(why)}
}

// suggestions lists what a subschema offers as its own values.
func suggestions(s *jsonschema.Schema) []any {
	if s == nil {
		return nil
	}
	given := append([]any(nil), s.Examples...)
	if s.Default != nil {
		given = append(given, *s.Default)
	}
	return given
}

// textOf is the value as JSON, members sorted.
func textOf(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprintf("%#v", value)
	}
	return string(text)
}
