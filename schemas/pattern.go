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
	// patternText is the longest string that a pattern is tried on: Go's engine
	// takes 9 s for a bad pattern on 1 MB.
	patternText = 64 << 10
	// patternTime bounds one match of the engine that goes back.
	patternTime = 500 * time.Millisecond
)

// matching is what one validation learns from its regular expressions beside
// yes and no. The library's hook has no way to say "I don't know", so a schema
// with patterns validates one value at a time and asks here afterwards.
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

func (m *matching) doubted(reason Reason, format string, args ...any) {
	if m.doubt == nil {
		m.doubt = undecidable(reason, format, args...)
	}
}

// expression is a regular expression of a schema: ECMA-262 by the letter of
// JSON Schema. Go's engine is asked first, since its time is linear.
type expression struct {
	source string
	linear *regexp.Regexp  // nil if Go does not take it
	ecma   *regexp2.Regexp // nil if regexp2 does not take it
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

// compileECMA tries the pattern with and without the u flag: ajv sets it, the
// text of JSON Schema recommends it, older patterns do not always bear it.
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

// MatchString answers true if it can't tell, and leaves the doubt behind.
func (e *expression) MatchString(s string) bool {
	switch {
	case len(s) > patternText:
		e.state.doubted(ReasonLimit, "a string of more than %d bytes is not tried on the pattern %q", patternText, e.source)
		return true
	case time.Now().After(e.state.deadline):
		e.state.doubted(ReasonDeadline, "matching patterns took too long")
		return true
	case e.linear == nil:
		return e.slow(s)
	}
	matched := e.linear.MatchString(s)
	if e.ecma != nil && disputed(e.source, s) && e.slow(s) != matched {
		e.state.doubted(ReasonEngines, "Go and ECMAScript read the pattern %q differently", e.source)
	}
	return matched
}

func (e *expression) slow(s string) bool {
	matched, err := e.ecma.MatchString(s)
	if err != nil {
		e.state.doubted(ReasonDeadline, "matching the pattern %q took too long", e.source)
		return true
	}
	if strings.ContainsAny(s, "\u2028\u2029") && strings.Contains(e.source, ".") {
		// A dot matches these in both engines, in ECMAScript itself it does not.
		e.state.doubted(ReasonEngines, "the engines at hand read the dot in the pattern %q differently from ECMAScript",
			e.source)
	}
	return matched
}

// goOnly finds syntax that ECMAScript lacks or reads as something else.
var goOnly = regexp.MustCompile(`\\[AazZQECpP]|\\x\{|\[\[:|\(\?[A-Za-z-]|\{,`)

// disputed reports whether the two engines may differ for this string: there is
// syntax that only one of them has, or a character that their classes treat
// differently.
func disputed(source, s string) bool {
	if goOnly.MatchString(source) {
		return true
	}
	for _, r := range s {
		if r == '\r' || r == '\v' || r > '~' {
			return true
		}
	}
	return false
}

// Portable reports whether every usual engine (ECMAScript with and without the u
// flag, Go, Rust, Python) gives the same answer when the pattern is tried on
// printable ASCII: it has no syntax that one of them lacks. Generated input
// hangs on such patterns only (DESIGN section 10).
func Portable(pattern string) bool {
	if goOnly.MatchString(pattern) {
		return false
	}
	if _, err := regexp.Compile(pattern); err != nil {
		return false
	}
	return compileECMA(pattern) != nil
}
