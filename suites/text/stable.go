package text

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/capconform/capconform/suites/rule"
)

// ofHashes are the functions by which rules recompute hashes:
//
//	stable(VALUE)          the value as JSON in ASCII, with sorted members and a space after each separator; an error if
//	                       it contains a fraction or U+007F, whose form differs between implementations
//	fraction(VALUE)        the first number in the value that is not spelled as a whole number, "" if there is none
//	picked(PATHS, VALUE)   an object with the members of the value at the paths, each under the last name of its path; null
//	                       for a member that the value lacks
//	lines(TEXTS)           the texts, each followed by a line feed
//	sha256(TEXT)           the hash in lower-case hexadecimal digits
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
		rule.FunctionOf("fraction", func(value any) any { return fraction(value) }),
		rule.FunctionOfTwo("picked", func(paths []any, value any) any { return picked(paths, value) }),
		rule.FunctionOf("lines", func(texts []any) any {
			var b strings.Builder
			for _, text := range texts {
				line, is := text.(string)
				if !is {
					return errors.New("lines are texts")
				}
				b.WriteString(line + "\n")
			}
			return b.String()
		}),
		rule.FunctionOf("sha256", func(text string) any {
			sum := sha256.Sum256([]byte(text))
			return hex.EncodeToString(sum[:])
		}),
	}
}

func picked(paths []any, value any) any {
	all := object{}
	for _, path := range paths {
		names := strings.Split(fmt.Sprint(path), ".")
		at := value
		for _, name := range names {
			of, _ := at.(object)
			at = of[name]
		}
		all[names[len(names)-1]] = at
	}
	return all
}

func fraction(value any) string {
	switch v := value.(type) {
	case json.Number:
		if strings.ContainsAny(v.String(), ".eE") {
			return v.String()
		}
	case []any:
		for _, one := range v {
			if number := fraction(one); number != "" {
				return number
			}
		}
	case object:
		for _, name := range sortedNames(v) {
			if number := fraction(v[name]); number != "" {
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
