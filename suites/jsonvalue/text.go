// Package jsonvalue compares decoded JSON values and shows them in messages.
package jsonvalue

import (
	"encoding/json"
	"fmt"
	"strings"
)

// longestText bounds what a message shows of the subject's own text, in bytes.
const longestText = 400

// Clip bounds a text of the subject for a message.
func Clip(text string) string {
	if len(text) <= longestText {
		return text
	}
	return strings.ToValidUTF8(text[:longestText], "") + "..."
}

// Print shows a JSON value of the subject in a line of bounded length. Signs that
// mean something in HTML stay as they are; who writes HTML takes care of them.
func Print(v any) string {
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return fmt.Sprintf("%T", v)
	}
	return Clip(strings.TrimSuffix(text.String(), "\n"))
}

// Encode writes what a suite sends. Only values that came from JSON, or are made
// of its types, are ever encoded, so that it can't fail; null stands for the rest.
func Encode(v any) json.RawMessage {
	raw, err := json.Marshal(v)
	if err != nil {
		return json.RawMessage("null")
	}
	return raw
}
