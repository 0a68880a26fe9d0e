package driver

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ShellQuote returns words as a POSIX shell reads them. Words that need no quotes get none. The
// text can be pasted: it contains no control character except a line break at the end of a word,
// because a terminal would act on it.
func ShellQuote(words ...string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = quoteWord(word)
	}
	return strings.Join(quoted, " ")
}

func quoteWord(word string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:=@%+,", r)
	}
	if word != "" && strings.IndexFunc(word, func(r rune) bool { return !plain(r) }) < 0 {
		return word
	}
	bare := strings.TrimRight(word, "\n") // a shell drops these from what a command prints
	if strings.IndexFunc(bare, invisible) < 0 {
		return singleQuoted(word)
	}
	quoted := `"` + printed(bare) + `"`
	if bare != word {
		quoted += singleQuoted(word[len(bare):])
	}
	return quoted
}

func singleQuoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// invisible reports whether a rune has an effect on a terminal, or is a byte that is not UTF-8.
func invisible(r rune) bool {
	return r == utf8.RuneError || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}

// printed returns a command substitution that yields the text, for use in double quotes, where an
// interactive shell still expands an exclamation mark.
func printed(text string) string {
	var out strings.Builder
	for i, r := range text {
		size := utf8.RuneLen(r)
		if r == utf8.RuneError {
			_, size = utf8.DecodeRuneInString(text[i:])
		}
		switch {
		case invisible(r) || r == '\'' || r == '!':
			for _, b := range []byte(text[i : i+size]) {
				fmt.Fprintf(&out, `\%03o`, b)
			}
		case r == '\\' || r == '%':
			out.WriteString(strings.Repeat(string(r), 2))
		default:
			out.WriteRune(r)
		}
	}
	return `$(printf '` + out.String() + `')`
}

// variable matches the only thing in a text that a shell may expand.
var variable = regexp.MustCompile(`\$\{[A-Za-z_][A-Za-z0-9_]*\}`)

// ShellReference returns a text that refers to variables as ${NAME}, for use in double quotes: only
// these references have a meaning to the shell.
func ShellReference(text string) string {
	var out strings.Builder
	at := 0
	for _, found := range variable.FindAllStringIndex(text, -1) {
		out.WriteString(literal(text[at:found[0]]) + text[found[0]:found[1]])
		at = found[1]
	}
	return out.String() + literal(text[at:])
}

// literal returns a text that stands for itself in double quotes.
func literal(text string) string {
	if strings.IndexFunc(text, invisible) >= 0 {
		return printed(text)
	}
	return escaped.Replace(text)
}

// escaped closes the double quotes for an exclamation mark, which cannot be escaped there.
var escaped = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "`", "\\`", `$`, `\$`, `!`, `"'!'"`)
