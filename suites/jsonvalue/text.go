// Package jsonvalue compares decoded JSON values and formats them for messages.
package jsonvalue

import (
	"encoding/json"
	"fmt"
	"strings"
)

// maxTextLength is the maximum length of the subject's text in a message, in bytes.
const maxTextLength = 400

// Clip shortens a text of the subject for a message, to at most 400 bytes and "..." at the end. Of a JSON text it
// shortens what is long in it, so that every member of an object is shown.
func Clip(text string) string {
	if len(text) <= maxTextLength {
		return text
	}
	if short, is := elide(text); is {
		return short
	}
	return ClipStart(text)
}

// ClipStart is Clip for the beginning of a longer text, which is no JSON text.
func ClipStart(text string) string {
	if len(text) <= maxTextLength {
		return text
	}
	return strings.ToValidUTF8(text[:maxTextLength], "") + "..."
}

// Print formats a JSON value of the subject in one line of bounded length. It does not escape
// characters for HTML; a caller that writes HTML must escape them.
func Print(v any) string {
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return fmt.Sprintf("%T", v)
	}
	return Clip(strings.TrimSuffix(text.String(), "\n"))
}

// Encode returns the JSON text of a value that a suite sends. Callers pass only values that consist
// of JSON types, so encoding cannot fail; for any other value, Encode returns null.
func Encode(v any) json.RawMessage {
	raw, err := json.Marshal(v)
	if err != nil {
		return json.RawMessage("null")
	}
	return raw
}
