package reports

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text of the target is the usual way to break a report, so there is one
// cleaning function a sink. Each takes any bytes and gives valid UTF-8.

// TerminalText makes text safe for one line of a terminal: a run of white space
// with a line break in it becomes one blank, and other controls, bytes that are
// no UTF-8 and marks that turn the direction of writing become visible escapes
// such as \x1b, so that evidence is not hidden.
func TerminalText(text string) string {
	return escapeUnprintable(foldBreaks(text))
}

// TerminalCommand is TerminalText for what is to be copied: white space stays.
// A line break in a command is shown as \n, since such a command can't be one line.
func TerminalCommand(text string) string { return escapeUnprintable(text) }

var breaks = regexp.MustCompile(`[ \t]*[\r\n][ \t\r\n]*`)

func foldBreaks(text string) string {
	return strings.TrimSpace(breaks.ReplaceAllString(text, " "))
}

func escapeUnprintable(text string) string {
	clean := true
	for _, r := range text {
		clean = clean && r != utf8.RuneError && !isControl(r)
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
		case isControl(r) && r <= 0xFF:
			fmt.Fprintf(&out, `\x%02x`, r)
		case isControl(r):
			fmt.Fprintf(&out, `\u%04x`, r)
		default:
			out.WriteRune(r)
		}
		text = text[size:]
	}
	return out.String()
}

// isControl says whether a rune does something instead of being seen: C0, DEL,
// C1, format characters, and the two separators that break lines.
func isControl(r rune) bool {
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}

var logCommand = regexp.MustCompile(`##(\w*)\[`)

// LogLine makes a line harmless to CI systems that read commands from a log: it
// does not begin with :: (blanks before do not count for them either) and holds
// nothing like ##[error] or ##vso[...].
func LogLine(line string) string {
	line = logCommand.ReplaceAllString(line, "## $1[")
	bare := strings.TrimLeftFunc(line, unicode.IsSpace)
	if strings.HasPrefix(bare, "::") {
		line = line[:len(line)-len(bare)] + ": :" + bare[2:]
	}
	return line
}

// logText is LogLine for each line of a text.
func logText(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = LogLine(lines[i])
	}
	return strings.Join(lines, "\n")
}

// XMLText keeps what XML 1.0 can hold and drops C1 controls too; anything else,
// and bytes that are no UTF-8, become U+FFFD. Markup is escaped by the encoder.
func XMLText(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t', r == '\n', r == '\r':
			return r
		case r < 0x20, r >= 0x7F && r < 0xA0, r == 0xFFFE, r == 0xFFFF:
			return utf8.RuneError
		default:
			return r
		}
	}, strings.ToValidUTF8(text, "\uFFFD"))
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
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = LogLine(escapeUnprintable(strings.TrimRight(line, "\r")))
	}
	body := strings.Join(lines, "\n")
	fence := "```"
	for strings.Contains(body, fence) {
		fence += "`"
	}
	return fence + language + "\n" + body + "\n" + fence + "\n"
}
