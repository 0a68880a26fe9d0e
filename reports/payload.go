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

// payloadLimit is how much of a message a report holds, in bytes (DESIGN section 11).
const payloadLimit = 16 << 10

// Payload is bytes from the wire, cut at 16 KiB. It marshals as a string if
// whole, else as an object with the text, the full length and its SHA-256.
type Payload struct {
	Text   string // UTF-8, at most 16 KiB
	Length int    // of the whole, in bytes
	SHA256 string // of the whole, hex; set where Text is not the whole
}

// NewPayload makes a payload of what went over the wire, secrets masked
// already. Text is always UTF-8: bytes that are none are replaced, and the
// payload then counts as cut, so that nobody takes it for what was sent.
func NewPayload(wire []byte) Payload {
	if len(wire) <= payloadLimit && utf8.Valid(wire) {
		return Payload{Text: string(wire), Length: len(wire)}
	}
	sum := sha256.Sum256(wire)
	// Replacing only ever lengthens the text, so what is cut here is cut anyway.
	text := strings.ToValidUTF8(string(wire[:min(len(wire), payloadLimit+utf8.UTFMax)]), "\uFFFD")
	return Payload{Text: display.CutBytes(text, payloadLimit), Length: len(wire), SHA256: hex.EncodeToString(sum[:])}
}

// CutPayload makes a payload of the beginning of what went over the wire, with the
// length and the digest of the whole.
func CutPayload(beginning []byte, length int, digest string) Payload {
	text := strings.ToValidUTF8(string(beginning[:min(len(beginning), payloadLimit+utf8.UTFMax)]), "\uFFFD")
	return Payload{Text: display.CutBytes(text, payloadLimit), Length: length, SHA256: digest}
}

// Whole reports whether Text is all that went over the wire.
func (p Payload) Whole() bool { return p.SHA256 == "" }

// cutPayload is a Payload that is not whole, as it is written.
type cutPayload struct {
	Text   string `json:"text"`   // the beginning, in UTF-8
	Length int    `json:"length"` // of the whole, in bytes
	SHA256 string `json:"sha256"` // of the whole, in hex
}

// MarshalJSON writes a whole payload as a string and a cut one as an object.
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

// String returns the text, and says so where it is not the whole.
func (p Payload) String() string {
	if p.Whole() {
		return p.Text
	}
	return fmt.Sprintf("%s [not the whole: %d bytes, sha256 %s]", p.Text, p.Length, p.SHA256)
}
