package driver

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// MinSecret is the length in bytes from which a secret is masked wherever it appears. Shorter
// values would mask ordinary text; they are masked only where they were given.
const MinSecret = 8

// Secrets masks the values of headers and of the environment that must not appear in a report
// (DESIGN section 11). The zero value masks nothing.
type Secrets struct {
	needles []string // longest first, so that no piece of a longer one stays
}

// NewSecrets returns a masker for these values and the credentials in them, in plain, JSON, HTML,
// percent, hexadecimal and base64 form, and in one letter case.
func NewSecrets(values ...string) Secrets { return Secrets{}.With(values...) }

// With returns a masker that masks these values too.
func (s Secrets) With(values ...string) Secrets {
	found := map[string]bool{}
	for _, needle := range s.needles {
		found[needle] = true
	}
	for _, value := range values {
		for _, part := range credentialParts(value) {
			if len(part) >= MinSecret {
				encodedForms(part, found)
			}
		}
	}
	needles := slices.Collect(maps.Keys(found))
	slices.SortFunc(needles, longestFirst)
	return Secrets{needles: needles}
}

// Join returns a masker that masks what either masks.
func (s Secrets) Join(other Secrets) Secrets {
	joined := Secrets{needles: slices.Concat(s.needles, other.needles)}
	slices.SortFunc(joined.needles, longestFirst)
	joined.needles = slices.Compact(joined.needles)
	return joined
}

func longestFirst(a, b string) int {
	if len(a) != len(b) {
		return len(b) - len(a)
	}
	return strings.Compare(a, b)
}

// encodedForms adds the encoded forms of a value. JSON may be contained in a string of JSON, as in
// the text block of an MCP result.
func encodedForms(value string, found map[string]bool) {
	forms := []string{value}
	for range 2 {
		for _, form := range forms {
			for _, escaped := range []string{jsonForm(form, true), jsonForm(form, false)} {
				forms = append(forms, escaped, strings.ReplaceAll(escaped, "/", `\/`), asciiForm(escaped, "%04x"),
					asciiForm(escaped, "%04X"))
			}
		}
		slices.Sort(forms)
		forms = slices.Compact(forms)
	}
	for _, form := range append(forms, otherForms(value)...) {
		found[form] = true
	}
	for _, kept := range keptPlain {
		percent := percentForm(value, kept)
		for _, form := range []string{percent, strings.ReplaceAll(percent, "%20", "+")} {
			found[form] = true
			found[lowerPercent(form)] = true
		}
	}
	for _, encoding := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding} {
		// Within a longer text, base64 depends on the offset. The surrounding text affects only
		// the first and the last group, so the needle omits them.
		for offset := range 3 {
			text := encoding.EncodeToString(append(make([]byte, offset), value...))
			start, end := (offset*8+5)/6, ((offset+len(value))*8)/6
			if end-start >= MinSecret {
				found[text[start:end]] = true
			}
		}
	}
}

// otherForms returns a value in hexadecimal digits and as a text of HTML, and in one letter case. A value
// without a digit may be an ordinary word in another case, which is not masked.
func otherForms(value string) []string {
	digits := hex.EncodeToString([]byte(value))
	forms := []string{digits, strings.ToUpper(digits), html.EscapeString(value)}
	if strings.ContainsAny(value, "0123456789") {
		forms = append(forms, strings.ToLower(value), strings.ToUpper(value))
	}
	return forms
}

// jsonForm returns a text as it is written between the quotes of a JSON string.
func jsonForm(text string, escapeHTML bool) string {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(escapeHTML)
	if e.Encode(text) != nil {
		return text
	}
	return strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(out.String()), `"`), `"`)
}

// asciiForm escapes the non-ASCII characters of a JSON string by their UTF-16 units.
func asciiForm(text, digits string) string {
	var out strings.Builder
	for _, r := range text {
		if r < utf8.RuneSelf {
			out.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&out, `\u`+digits, unit)
		}
	}
	return out.String()
}

// keptPlain are the characters, in addition to letters, digits and -_.~, that encoders do not
// escape: encoders of forms, of paths, of whole addresses, and encodeURIComponent and encodeURI of
// JavaScript.
var keptPlain = []string{"", "/", "!'()*", "$&+=:@", "/+:@", "/$&+=:@,;!'()*", ";,/?:@&=+$!'()*#"}

// percentForm returns a text in percent encoding, except for the kept characters.
func percentForm(text, kept string) string {
	var out strings.Builder
	for _, c := range []byte(text) {
		letter := c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9'
		if letter || strings.IndexByte("-_.~", c) >= 0 || strings.IndexByte(kept, c) >= 0 {
			out.WriteByte(c)
			continue
		}
		fmt.Fprintf(&out, "%%%02X", c)
	}
	return out.String()
}

// lowerPercent writes the digits of escapes such as %2F in lower case, as some encoders do.
func lowerPercent(text string) string {
	b := []byte(text)
	for i := 0; i+2 < len(b); i++ {
		if b[i] == '%' {
			copy(b[i+1:i+3], bytes.ToLower(b[i+1:i+3]))
		}
	}
	return string(b)
}

// Mask returns the text without secrets, and without the beginning of a secret where the text was
// cut. A text without secrets is returned unchanged.
func (s Secrets) Mask(text []byte) []byte {
	for _, needle := range s.needles {
		if bytes.Contains(text, []byte(needle)) {
			text = bytes.ReplaceAll(text, []byte(needle), []byte(Masked))
		}
	}
	var begun []string
	for _, needle := range s.needles {
		if len(needle) > MinSecret && bytes.Contains(text, []byte(needle[:MinSecret])) {
			begun = append(begun, needle)
		}
	}
	for _, end := range cutEnds {
		if len(begun) > 0 {
			text = maskCut(text, []byte(end), begun)
		}
	}
	return text
}

// MaskTexts is MaskText for several strings.
func (s Secrets) MaskTexts(texts ...string) []string {
	masked := make([]string, len(texts))
	for i, text := range texts {
		masked[i] = s.MaskText(text)
	}
	return masked
}

// cutEnds are the texts by which a message shows that it was cut.
var cutEnds = []string{"...", "…", "\uFFFD"}

// maskCut masks the beginnings of needles that precede the sign of a cut.
func maskCut(text, end []byte, needles []string) []byte {
	var out []byte
	for {
		at := bytes.Index(text, end)
		if at < 0 {
			return append(out, text...)
		}
		out = append(out, text[:at]...)
		if longest := partialLength(out, needles); longest > 0 {
			out = append(out[:len(out)-longest], Masked...)
		}
		out = append(out, end...)
		text = text[at+len(end):]
	}
}

// partialLength returns the length of the longest beginning of a needle at the end of a text.
func partialLength(text []byte, needles []string) int {
	longest := 0
	for _, needle := range needles {
		for n := min(len(needle)-1, len(text)); n >= max(MinSecret, longest+1); n-- {
			if string(text[len(text)-n:]) == needle[:n] {
				longest = n
				break
			}
		}
	}
	return longest
}

// MaskText is Mask for a string.
func (s Secrets) MaskText(text string) string {
	if len(s.needles) == 0 {
		return text
	}
	return string(s.Mask([]byte(text)))
}
