package text

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/rule"
)

// ofHashes are the functions by which rules recompute hashes:
//
//	stable(VALUE)          the value as JSON in ASCII, with sorted members and a space after each separator; an error if
//	                       it contains a fraction or U+007F, whose form differs between implementations
//	fraction(VALUE)        the first number in the value that is not spelled as a whole number, "" if there is none
//	canonical(VALUE)       the value as JSON in the form of RFC 8785; an error if it contains a whole number that is no
//	                       double, which implementations round or print in full
//	picked(PATHS, VALUE)   an object with the members of the value at the paths, each under the last name of its path; null
//	                       for a member that the value lacks, none if the path ends in ?
//	decoded(TEXT)          the bytes of a text in base64
//	sha256(TEXT)           the hash of a text or of bytes, in lower-case hexadecimal digits
//	signed_by(KEY, SIGNATURE, TEXT)  whether the signature of the text is one of Ed25519 by the key, both in base64
func ofHashes() []rule.Function {
	return []rule.Function{
		rule.FunctionOf("stable", func(value any) any {
			if number := fraction(value); number != "" {
				return fmt.Errorf("the number %s has no stable form", number)
			}
			var b strings.Builder
			stable(&b, value)
			if strings.ContainsRune(b.String(), 0x7f) {
				return errors.New("implementations differ in how they escape the character U+007F")
			}
			return b.String()
		}),
		rule.FunctionOf("canonical", canonical),
		rule.FunctionOfThree("signed_by", func(key, signature, text string) any {
			public, _ := fromBase64(key)
			signed, _ := fromBase64(signature)
			return len(public) == ed25519.PublicKeySize && ed25519.Verify(public, []byte(text), signed)
		}),
		rule.FunctionOf("fraction", func(value any) any { return fraction(value) }),
		rule.FunctionOfTwo("picked", picked),
		rule.FunctionOf("decoded", func(text string) any {
			bytes, err := fromBase64(text)
			if err != nil {
				return err
			}
			return bytes
		}),
		rule.FunctionOf("sha256", func(value any) any {
			bytes, is := value.([]byte)
			if text, isText := value.(string); isText {
				bytes, is = []byte(text), true
			}
			if !is {
				return errors.New("sha256 takes a text or bytes")
			}
			sum := sha256.Sum256(bytes)
			return hex.EncodeToString(sum[:])
		}),
	}
}

func picked(paths []any, from rule.Partial) any {
	all := object{}
	for _, path := range paths {
		path, optional := strings.CutSuffix(fmt.Sprint(path), "?")
		names := strings.Split(path, ".")
		at, there := any(object(from)), true
		for _, name := range names {
			of, _ := at.(object)
			at, there = of[name]
		}
		if there || !optional {
			all[names[len(names)-1]] = at
		}
	}
	return all
}

// fromBase64 returns the bytes of a text in base64, with or without padding. No two texts have the same bytes.
func fromBase64(text string) ([]byte, error) {
	return base64.RawStdEncoding.Strict().DecodeString(strings.TrimRight(text, "="))
}

func canonical(value any) any {
	out := jsontext.Value(jsonvalue.Encode(value))
	if number := inexact(schemas.ReadValue(out)); number != "" {
		return fmt.Errorf("the number %s has no canonical form", number)
	}
	if err := out.Canonicalize(); err != nil {
		return err
	}
	return string(out)
}

// inexact returns the first number in the value of which a double is only an approximation although it is spelled as a
// whole number, or that is beyond all doubles; "" if there is none.
func inexact(value any) string {
	return firstNumber(value, func(n json.Number) bool {
		double, err := n.Float64()
		if err != nil || strings.ContainsAny(n.String(), ".eE") {
			return err != nil
		}
		exact, _ := new(big.Float).SetFloat64(double).Int(nil)
		return exact.String() != strings.Replace(n.String(), "-0", "0", 1)
	})
}

func fraction(value any) string {
	return firstNumber(value, func(n json.Number) bool { return strings.ContainsAny(n.String(), ".eE") })
}

// firstNumber returns the first number in the value that has a property, "" if none has it.
func firstNumber(value any, has func(json.Number) bool) string {
	switch v := value.(type) {
	case json.Number:
		if has(v) {
			return v.String()
		}
	case []any:
		for _, one := range v {
			if number := firstNumber(one, has); number != "" {
				return number
			}
		}
	case object:
		for _, name := range sortedNames(v) {
			if number := firstNumber(v[name], has); number != "" {
				return number
			}
		}
	}
	return ""
}

func stable(b *strings.Builder, value any) {
	switch v := value.(type) {
	case object:
		b.WriteByte('{')
		for i, name := range sortedNames(v) {
			if i > 0 {
				b.WriteString(", ")
			}
			quote(b, name)
			b.WriteString(": ")
			stable(b, v[name])
		}
		b.WriteByte('}')
	case []any:
		b.WriteByte('[')
		for i, one := range v {
			if i > 0 {
				b.WriteString(", ")
			}
			stable(b, one)
		}
		b.WriteByte(']')
	case string:
		quote(b, v)
	case json.Number:
		if v == "-0" { // whole numbers have one zero
			v = "0"
		}
		b.WriteString(v.String())
	case nil:
		b.WriteString("null")
	default:
		fmt.Fprint(b, v)
	}
}

// sortedNames returns the names in the order of their code points, which is that of the bytes of UTF-8.
func sortedNames(o object) []string { return slices.Sorted(maps.Keys(o)) }

// short are the escapes of two characters.
var short = strings.NewReplacer(`"`, `\"`, `\`, `\\`, "\b", `\b`, "\t", `\t`, "\n", `\n`, "\f", `\f`, "\r", `\r`)

func quote(b *strings.Builder, text string) {
	if strings.IndexFunc(text, func(r rune) bool { return r < ' ' || r > '~' || r == '"' || r == '\\' }) < 0 {
		b.WriteString(`"` + text + `"`)
		return
	}
	b.WriteByte('"')
	for _, unit := range utf16.Encode([]rune(short.Replace(text))) {
		if unit < ' ' || unit > '~' && unit != 0x7f {
			fmt.Fprintf(b, `\u%04x`, unit)
		} else {
			b.WriteByte(byte(unit))
		}
	}
	b.WriteByte('"')
}
