// Package display makes text of a target harmless for the programs that show it, and lays it out.
package display

import (
	"bufio"
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Text of the target is the usual way to attack the reader of a report, so each kind of output has
// one cleaning function. Each function accepts any bytes and returns valid UTF-8.

// TerminalText makes text safe for one line of a terminal. White space that contains a line break
// becomes one blank. Other control characters, bytes that are not UTF-8 and characters that change
// the direction of writing become visible escapes such as \x1b, so that evidence is not hidden. The
// line may still begin with ::, see LogLine.
func TerminalText(text string) string {
	return breakCommands(escapeUnprintable(FoldBreaks(text)))
}

// TerminalCommand is TerminalText for a command to be copied: white space stays. A line break is
// shown as \n, because a command with one cannot be shown on one line.
func TerminalCommand(text string) string { return escapeUnprintable(text) }

var breaks = regexp.MustCompile(`[ \t]*[\r\n][ \t\r\n]*`)

// FoldBreaks returns text on one line: each line break becomes a blank.
func FoldBreaks(text string) string {
	if !strings.ContainsAny(text, "\r\n") {
		return strings.TrimSpace(text)
	}
	return strings.TrimSpace(breaks.ReplaceAllString(text, " "))
}

func escapeUnprintable(text string) string {
	clean := true
	for _, r := range text {
		clean = clean && r != utf8.RuneError && !IsControl(r)
	}
	if clean {
		return text
	}
	var out strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&out, `\x%02x`, text[0])
		case r == '\n':
			out.WriteString(`\n`)
		case r == '\t':
			out.WriteString(`\t`)
		case IsControl(r) && r <= 0xFF:
			fmt.Fprintf(&out, `\x%02x`, r)
		case IsControl(r):
			fmt.Fprintf(&out, `\u%04x`, r)
		default:
			out.WriteRune(r)
		}
		text = text[size:]
	}
	return out.String()
}

// IsControl reports whether a rune is a control instead of a visible character: C0, DEL, C1, format
// characters, the two separators that break lines, and the two non-characters that XML excludes.
func IsControl(r rune) bool {
	if r >= 0x20 && r < 0x7F {
		return false
	}
	return r == 0xFFFE || r == 0xFFFF || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}

var logCommand = regexp.MustCompile(`##(\w*)\[`)

func breakCommands(text string) string {
	if !strings.Contains(text, "##") {
		return text
	}
	return EscapeCommands(text, "## ")
}

// EscapeCommands replaces the two number signs of each command such as ##[error].
func EscapeCommands(text, signs string) string {
	return logCommand.ReplaceAllString(text, signs+"$1[")
}

// LogLine makes a line harmless to CI systems that read commands from a log: the result does not
// begin with :: (after optional blanks) and contains nothing like ##[error] or ##vso[...].
func LogLine(line string) string {
	line = breakCommands(line)
	bare := strings.TrimLeftFunc(line, unicode.IsSpace)
	if strings.HasPrefix(bare, "::") {
		line = line[:len(line)-len(bare)] + ": :" + bare[2:]
	}
	return line
}

// LinesText makes text of several lines safe for logs and for XML 1.0. Characters that XML excludes
// become visible escapes as in TerminalText. Each line is a LogLine, because such files are printed
// to logs. The XML encoder escapes the markup.
func LinesText(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = LogLine(escapeUnprintable(strings.TrimRight(line, "\r")))
	}
	return strings.Join(lines, "\n")
}

// A character of zero width breaks a mention. A forge would resolve an entity before it looks for
// mentions.
var markdownEscapes = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "#", `\#`,
	"|", `\|`, "~", `\~`, "$", `\$`, "&", "&amp;", "<", "&lt;", ">", "&gt;", "@", "@&#8203;",
)

// MarkdownText makes text safe for one line or one table cell of Markdown: the result contains no
// markup, no image, no mention and no HTML.
func MarkdownText(text string) string {
	return LogLine(markdownEscapes.Replace(TerminalText(text)))
}

// MarkdownBlock puts text into a fenced block. The fence is longer than every fence in the text.
// Lines are kept.
func MarkdownBlock(language, text string) string {
	body := LinesText(text)
	fence := "```"
	for strings.Contains(body, fence) {
		fence += "`"
	}
	return fence + language + "\n" + body + "\n" + fence + "\n"
}

// EscapeControls writes JSON with \u escapes for the controls that encoding/json does not escape
// (DEL, C1, and those that change the direction of writing), and for number signs that a CI system
// could read as a command. The document is the same, and harmless on a terminal or in a log. U+FFFD
// is escaped too, because encoding/json escapes it only where it replaces invalid UTF-8: a document
// that is read and written again must have the same bytes.
func EscapeControls(w io.Writer, text string) error {
	out := bufio.NewWriter(w)
	text = EscapeCommands(text, `#\u0023`) // it can only occur in a string
	from := 0
	for at, r := range text {
		if r < 0x7F || !IsControl(r) && r != utf8.RuneError {
			continue
		}
		out.WriteString(text[from:at])
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(out, `\u%04x`, unit)
		}
		from = at + utf8.RuneLen(r)
	}
	out.WriteString(text[from:])
	if err := out.Flush(); err != nil {
		return fmt.Errorf("reports: json: %w", err)
	}
	return nil
}
