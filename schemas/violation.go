package schemas

import (
	"fmt"
	"strings"
)

// Cause is one keyword that a value breaks at one place.
type Cause struct {
	Keyword         string  // such as "required"; a schema of false is named after the keyword that contains it
	InstancePointer string  // JSON pointer to the offending value, "" for the top
	SchemaPointer   string  // JSON pointer to the keyword in the schema
	Message         string  // what the keyword requires; contains no value of the instance but member names
	Within          []Cause // anyOf, oneOf, contains, propertyNames: the causes inside
}

// String returns place and message.
func (c Cause) String() string {
	place := c.InstancePointer
	if place == "" {
		place = "the value"
	}
	return fmt.Sprintf("%s: %s (%s)", place, c.Message, c.Keyword)
}

// Invalidity is a value that breaks a schema. It has at least one cause and at most 50, including
// those within others, in the order of their places.
type Invalidity struct {
	Causes []Cause
}

// Error names the first three causes.
func (e *Invalidity) Error() string {
	return "schemas: the value breaks its schema: " + e.Summary()
}

// Summary names the first three causes, for a message that names the value.
func (e *Invalidity) Summary() string { return joinFirst(e.Causes) }

// InvalidSchema is an invalid schema: it breaks the meta-schema of its dialect, or refers to a
// place that it does not have. It is a finding against the author of the schema.
type InvalidSchema struct {
	Message string  // one sentence
	Causes  []Cause // from the meta-schema; the instance is the schema. Empty for a dangling reference
	Err     error   // the defect of the text, a *DecodeError, or nil
}

// Error returns the message and the first three causes.
func (e *InvalidSchema) Error() string {
	if len(e.Causes) == 0 {
		return "schemas: " + e.Message
	}
	return "schemas: " + e.Message + ": " + joinFirst(e.Causes)
}

// Unwrap returns the defect of the text, if there is one.
func (e *InvalidSchema) Unwrap() error { return e.Err }

// Reason is the reason why a schema or a value cannot be decided.
type Reason string

// The reasons of an Undecidable.
const (
	ReasonDialect    Reason = "dialect"    // $schema names an unknown dialect
	ReasonReference  Reason = "reference"  // a $ref or $id leads out of the document, or is not a readable URI
	ReasonLimit      Reason = "limit"      // the schema or the value exceeds a limit
	ReasonExpansion  Reason = "expansion"  // references multiply, so that validation would take too long
	ReasonCycle      Reason = "cycle"      // the schema refers to itself for one and the same value
	ReasonPattern    Reason = "pattern"    // no engine accepts the regular expression
	ReasonEngines    Reason = "engines"    // Go and ECMAScript read the regular expression differently for this string
	ReasonDeadline   Reason = "deadline"   // matching regular expressions took too long
	ReasonValue      Reason = "value"      // the value contains a Go type that is not JSON
	ReasonPanic      Reason = "panic"      // the schema library panicked
	ReasonUnresolved Reason = "unresolved" // the library refuses the schema, but no defect of it is known
)

// Undecidable reports that a schema or a value cannot be decided: never a finding, always
// inconclusive, with the reason.
type Undecidable struct {
	Reason  Reason
	Message string // one sentence
	Err     error  // the underlying error, or nil
}

// Error returns reason and message.
func (e *Undecidable) Error() string {
	return fmt.Sprintf("schemas: can't be decided (%s): %s", e.Reason, e.Message)
}

// Unwrap returns the underlying error.
func (e *Undecidable) Unwrap() error { return e.Err }

func undecidable(reason Reason, format string, args ...any) *Undecidable {
	return &Undecidable{Reason: reason, Message: clip(fmt.Sprintf(format, args...), messageLength)}
}

// joinFirst joins up to three causes.
func joinFirst(causes []Cause) string {
	const shown = 3
	var parts []string
	for _, c := range causes[:min(shown, len(causes))] {
		parts = append(parts, c.String())
	}
	if more := len(causes) - shown; more > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(parts, "; ")
}
