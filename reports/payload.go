package reports

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/capconform/capconform/reports/display"
)

// payloadLimit bounds a message in a report, in bytes (DESIGN section 11).
const payloadLimit = 16 << 10

// Payload contains bytes from the wire, cut at 16 KiB. It marshals as a string if it is complete,
// otherwise as an object with the text, the full length and its SHA-256.
type Payload struct {
	Text   string // UTF-8, at most 16 KiB
	Length int    // of the whole, in bytes
	SHA256 string // of the whole, hex; set if Text is not the whole
}

// NewPayload returns a payload for bytes from the wire, secrets already masked. Text is always
// UTF-8. Invalid bytes are replaced, and the payload then counts as cut, because the text differs
// from the bytes that were sent.
func NewPayload(wire []byte) Payload {
	if len(wire) <= payloadLimit && utf8.Valid(wire) {
		return Payload{Text: string(wire), Length: len(wire)}
	}
	sum := sha256.Sum256(wire)
	// Replacement only lengthens the text, so a text that is cut here is cut in any case.
	text := strings.ToValidUTF8(string(wire[:min(len(wire), payloadLimit+utf8.UTFMax)]), "\uFFFD")
	return Payload{Text: display.CutBytes(text, payloadLimit), Length: len(wire), SHA256: hex.EncodeToString(sum[:])}
}

// CutPayload returns a payload for the beginning of a message, with the length and the digest of
// the complete message.
func CutPayload(beginning []byte, length int, digest string) Payload {
	text := strings.ToValidUTF8(string(beginning[:min(len(beginning), payloadLimit+utf8.UTFMax)]), "\uFFFD")
	return Payload{Text: display.CutBytes(text, payloadLimit), Length: length, SHA256: digest}
}

// Whole reports whether Text is the complete message.
func (p Payload) Whole() bool { return p.SHA256 == "" }

// cutPayload is the form of a Payload that is not complete.
type cutPayload struct {
	Text   string `json:"text"`   // the beginning, in UTF-8
	Length int    `json:"length"` // of the whole, in bytes
	SHA256 string `json:"sha256"` // of the whole, in hex
}

// MarshalJSON writes a complete payload as a string and a cut one as an object.
func (p Payload) MarshalJSON() ([]byte, error) {
	if p.Whole() {
		return json.Marshal(p.Text)
	}
	return json.Marshal(cutPayload(p))
}

// UnmarshalJSON reads both forms.
func (p *Payload) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '"' {
		*p = Payload{}
		if err := json.Unmarshal(b, &p.Text); err != nil {
			return err
		}
		p.Length = len(p.Text)
		return nil
	}
	var c cutPayload
	if err := json.Unmarshal(b, &c); err != nil {
		return err
	}
	*p = Payload(c)
	return nil
}

// String returns the text, with a note if it is not the complete message.
func (p Payload) String() string {
	if p.Whole() {
		return p.Text
	}
	return fmt.Sprintf("%s [not complete: %d bytes in total, sha256 %s]", p.Text, p.Length, p.SHA256)
}
