package schemas

import (
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/dlclark/regexp2"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

const (
	// patternText is the length of the longest string that is matched with a pattern: Go's engine
	// needs 9 s for an expensive pattern on 1 MB.
	patternText = 64 << 10
	// patternTime bounds one match of the backtracking engine.
	patternTime = 500 * time.Millisecond
)

// matching contains the doubts of one validation about its regular expressions. The hook of the
// library can only return true or false, so a schema with patterns validates one value at a time
// and reads the doubts afterwards.
type matching struct {
	sync.Mutex
	deadline time.Time
	doubt    *Undecidable
}

// begin starts a validation; the caller holds the lock.
func (m *matching) begin(limit time.Duration) {
	m.deadline = time.Now().Add(limit)
	m.doubt = nil
}

func (m *matching) addDoubt(reason Reason, format string, args ...any) {
	if m.doubt == nil {
		m.doubt = undecidable(reason, format, args...)
	}
}

// expression is a regular expression of a schema, which JSON Schema defines by ECMA-262. Go's
// engine is tried first, because its time is linear.
type expression struct {
	source string
	linear *regexp.Regexp  // nil if Go does not accept it
	ecma   *regexp2.Regexp // nil if regexp2 does not accept it
	state  *matching
}

// engine returns the hook for the library.
func engine(state *matching) jsonschema.RegexpEngine {
	return func(source string) (jsonschema.Regexp, error) {
		e := &expression{source: source, state: state}
		var err error
		e.linear, err = regexp.Compile(source)
		e.ecma = compileECMA(source)
		if e.linear == nil && e.ecma == nil {
			return nil, err
		}
		return e, nil
	}
}

// compileECMA tries the pattern with and without the u flag: ajv sets it, and JSON Schema
// recommends it, but older patterns are not always valid with it.
func compileECMA(source string) *regexp2.Regexp {
	for _, options := range []regexp2.RegexOptions{regexp2.ECMAScript | regexp2.Unicode, regexp2.ECMAScript} {
		if re, err := regexp2.Compile(source, options); err == nil {
			re.MatchTimeout = patternTime
			return re
		}
	}
	return nil
}

// String returns the pattern as it was written.
func (e *expression) String() string { return e.source }

// MatchString returns true if it cannot decide, and records the doubt.
func (e *expression) MatchString(s string) bool {
	switch {
	case len(s) > patternText:
		e.state.addDoubt(ReasonLimit, "a string of more than %d bytes is not tried on the pattern %q", patternText, e.source)
		return true
	case time.Now().After(e.state.deadline):
		e.state.addDoubt(ReasonDeadline, "matching patterns took too long")
		return true
	case e.linear == nil:
		return e.matchECMA(s)
	}
	matched := e.linear.MatchString(s)
	if e.ecma != nil && disputed(e.source, s) && e.matchECMA(s) != matched {
		e.state.addDoubt(ReasonEngines, "Go and ECMAScript read the pattern %q differently", e.source)
	}
	return matched
}

func (e *expression) matchECMA(s string) bool {
	matched, err := e.ecma.MatchString(s)
	if err != nil {
		e.state.addDoubt(ReasonDeadline, "matching the pattern %q took too long", e.source)
		return true
	}
	if strings.ContainsAny(s, "\u2028\u2029") && strings.Contains(e.source, ".") {
		// A dot matches these characters in both engines, but not in ECMAScript.
		e.state.addDoubt(ReasonEngines, "the engines at hand read the dot in the pattern %q differently from ECMAScript",
			e.source)
	}
	return matched
}

// goOnlySyntax matches syntax that ECMAScript lacks or reads differently.
var goOnlySyntax = regexp.MustCompile(`\\[AazZQECpP]|\\x\{|\[\[:|\(\?[A-Za-z-]|\{,`)

// disputed reports whether the two engines may differ for this string: there is syntax that only
// one of them has, or a character that their classes treat differently.
func disputed(source, s string) bool {
	if goOnlySyntax.MatchString(source) {
		return true
	}
	for _, r := range s {
		if r == '\r' || r == '\v' || r > '~' {
			return true
		}
	}
	return false
}

// Portable reports whether every usual engine (ECMAScript with and without the u flag, Go, Rust,
// Python) gives the same answer for the pattern on printable ASCII: it has no syntax that one of
// them lacks. Generated inputs depend only on such patterns (DESIGN section 10).
func Portable(pattern string) bool {
	if goOnlySyntax.MatchString(pattern) {
		return false
	}
	if _, err := regexp.Compile(pattern); err != nil {
		return false
	}
	return compileECMA(pattern) != nil
}
