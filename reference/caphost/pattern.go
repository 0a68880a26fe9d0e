package caphost

import (
	"fmt"
	"regexp"
	"time"

	"github.com/dlclark/regexp2"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// patternTimeout bounds a match by the engine that backtracks.
const patternTimeout = 100 * time.Millisecond

// compilePattern reads a pattern of a schema. JSON Schema uses the expressions of
// ECMAScript; the engine of Go is linear but lacks some of them, such as look-ahead.
func compilePattern(pattern string) (jsonschema.Regexp, error) {
	if linear, err := regexp.Compile(pattern); err == nil {
		return linear, nil
	}
	backtracking, err := regexp2.Compile(pattern, regexp2.ECMAScript)
	if err != nil {
		return nil, fmt.Errorf("caphost: pattern: %w", err)
	}
	backtracking.MatchTimeout = patternTimeout
	return ecmaScript{backtracking}, nil
}

type ecmaScript struct{ expression *regexp2.Regexp }

// MatchString reports whether the text matches. A match that exceeds the timeout counts as no match.
func (e ecmaScript) MatchString(text string) bool {
	matches, err := e.expression.MatchString(text)
	return err == nil && matches
}

// String returns the pattern.
func (e ecmaScript) String() string { return e.expression.String() }
