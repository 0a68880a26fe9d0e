package mcpdriver

import (
	"bytes"
	"encoding/json"

	"github.com/go-json-experiment/json/jsontext"
)

// blocks is a list of content blocks as received. A list of millions is not decoded to get one of
// them.
type blocks json.RawMessage

// text returns the text of the first block that has one.
func (b blocks) text() string {
	d := jsontext.NewDecoder(bytes.NewBuffer(b), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if _, err := d.ReadToken(); err != nil {
		return ""
	}
	for d.PeekKind() != jsontext.KindEndArray {
		raw, err := d.ReadValue()
		if err != nil {
			return ""
		}
		var block struct {
			Type string  `json:"type"`
			Text *string `json:"text"`
		}
		if json.Unmarshal(raw, &block) == nil && block.Type == "text" && block.Text != nil {
			return *block.Text
		}
	}
	return ""
}
