// Package display makes text of a target harmless for what shows it, and lays it out.
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

// Text of the target is the usual way to break a report, so there is one
// cleaning function a sink. Each takes any bytes and gives valid UTF-8.

// TerminalText makes text safe for one line of a terminal: a run of white space
// with a line break in it becomes one blank, and other controls, bytes that are
// no UTF-8 and marks that turn the direction of writing become visible escapes
// such as \x1b, so that evidence is not hidden. The line may still begin with ::,
// see LogLine.
func TerminalText(text string) string {
	return breakCommands(escapeUnprintable(FoldBreaks(text)))
}

// TerminalCommand is TerminalText for what is to be copied: white space stays.
// A line break in a command is shown as \n, since such a command can't be one line.
func TerminalCommand(text string) string { return escapeUnprintable(text) }

var breaks = regexp.MustCompile(`[ \t]*[\r\n][ \t\r\n]*`)

// FoldBreaks makes one line of text: each line break becomes a blank.
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

// IsControl reports whether a rune does something instead of being seen: C0, DEL,
// C1, format characters, the two separators that break lines, and the two
// non-characters that XML can't hold.
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

// EscapeCommands writes the two number signs of each command such as ##[error] in another way.
func EscapeCommands(text, signs string) string {
	return logCommand.ReplaceAllString(text, signs+"$1[")
}

// LogLine makes a line harmless to CI systems that read commands from a log: it
// does not begin with :: (blanks before do not count for them either) and holds
// nothing like ##[error] or ##vso[...].
func LogLine(line string) string {
	line = breakCommands(line)
	bare := strings.TrimLeftFunc(line, unicode.IsSpace)
	if strings.HasPrefix(bare, "::") {
		line = line[:len(line)-len(bare)] + ": :" + bare[2:]
	}
	return line
}

// LinesText makes text of several lines safe for logs and for XML 1.0: what XML
// can't hold becomes a visible escape as in TerminalText, and each line is a
// LogLine, since such files end up in logs. Markup is escaped by the XML encoder.
func LinesText(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = LogLine(escapeUnprintable(strings.TrimRight(line, "\r")))
	}
	return strings.Join(lines, "\n")
}

// A mention is broken by a character of no width, since an entity would be
// resolved before a forge looks for mentions.
var markdownEscapes = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "#", `\#`,
	"|", `\|`, "~", `\~`, "$", `\$`, "&", "&amp;", "<", "&lt;", ">", "&gt;", "@", "@&#8203;",
)

// MarkdownText makes text safe for one line or one table cell of Markdown: it
// can hold no markup, no image, no mention and no HTML.
func MarkdownText(text string) string {
	return LogLine(markdownEscapes.Replace(TerminalText(text)))
}

// MarkdownBlock puts text into a fenced block that it can't leave, whatever
// fences stand in it. Lines are kept.
func MarkdownBlock(language, text string) string {
	body := LinesText(text)
	fence := "```"
	for strings.Contains(body, fence) {
		fence += "`"
	}
	return fence + language + "\n" + body + "\n" + fence + "\n"
}

// EscapeControls writes JSON with the controls that encoding/json lets through
// (DEL, C1, and those that turn the direction of writing) as \u escapes, and so
// that no string looks like a command to a CI system: the
// same document, harmless where somebody reads it on a terminal or in a log. U+FFFD is one of
// them because encoding/json escapes it where it stands for broken UTF-8 only:
// what was read and is written again has to be the same bytes.
func EscapeControls(w io.Writer, text string) error {
	out := bufio.NewWriter(w)
	text = EscapeCommands(text, `#\u0023`) // it can only stand in a string
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
