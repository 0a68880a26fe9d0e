package display_test

import (
	"bytes"
	"encoding/xml"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/capconform/capconform/reports/display"
	"github.com/capconform/capconform/reports/reporttest"
)

func TestCleanForEachSink(t *testing.T) {
	cases := []struct{ name, in, terminal, markdown string }{
		{"plain", "an ok result: {\"a\": 1}", "an ok result: {\"a\": 1}", "an ok result: {\"a\": 1}"},
		{"escape", "\x1b[31m", `\x1b[31m`, `\\x1b\[31m`},
		{"zero", "a\x00b", `a\x00b`, `a\\x00b`},
		{"broken UTF-8", "\xffa", `\xffa`, `\\xffa`},
		{"a genuine U+FFFD", "\uFFFDa", "\uFFFDa", "\uFFFDa"},
		{"direction", "a\u202eb", `a\u202eb`, `a\\u202eb`},
		{"C1", "\u009b1m", `\x9b1m`, `\\x9b1m`},
		{"line break", "{\n  \"a\": 1\r\n}", `{ "a": 1 }`, `{ "a": 1 }`},
		{"tab", "a\tb", `a\tb`, `a\\tb`},
		{"cell", "a|b", "a|b", `a\|b`},
		{"code", "a`b", "a`b", "a\\`b"},
		{"markup", "<script>", "<script>", "&lt;script&gt;"},
		{"mention", "@octocat", "@octocat", "@&#8203;octocat"},
		{"image", "![x](y)", "![x](y)", `!\[x\](y)`},
		{"words", "später 日本", "später 日本", "später 日本"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.terminal, display.TerminalText(c.in)); diff != "" {
				t.Errorf("terminal (-want +got)\n%s", diff)
			}
			if diff := cmp.Diff(c.markdown, display.MarkdownText(c.in)); diff != "" {
				t.Errorf("markdown (-want +got)\n%s", diff)
			}
		})
	}
}

func TestTerminalCommandKeepsBlanks(t *testing.T) {
	if got, want := display.TerminalCommand("run 'a  b\nc\x1b'"), `run 'a  b\nc\x1b'`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestLogLine(t *testing.T) {
	cases := map[string]string{
		"::error::x":         ": :error::x",
		"  \t::error::x":     "  \t: :error::x",
		"got ::error::x":     "got ::error::x",
		"##[error]x":         "## [error]x",
		"a ##vso[task]x":     "a ## vso[task]x",
		"a##teamcity[x":      "a## teamcity[x",
		"## heading [linked": "## heading [linked",
	}
	for in, want := range cases {
		if got := display.LogLine(in); got != want {
			t.Errorf("LogLine(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestLinesTextIsWellFormed(t *testing.T) {
	text := display.LinesText(reporttest.Hostile + "\uFFFE\uFFFF")
	for _, r := range text {
		if r < 0x20 && r != '\n' && r != '\r' && r != '\t' || r == 0xFFFE || r == 0xFFFF || r == 0x9B {
			t.Errorf("the text contains %U", r)
		}
	}
	var buf bytes.Buffer
	if err := xml.EscapeText(&buf, []byte(text)); err != nil {
		t.Fatal(err)
	}
	var back string
	if err := xml.Unmarshal([]byte("<a>"+buf.String()+"</a>"), &back); err != nil {
		t.Errorf("the text is not well-formed XML: %v", err)
	}
	if !strings.Contains(back, "<script>alert(1)</script>") {
		t.Errorf("the text lost its content: %q", back)
	}
}

func TestMarkdownBlockCannotBeEscaped(t *testing.T) {
	block := display.MarkdownBlock("text", reporttest.Hostile)
	lines := strings.Split(strings.TrimSuffix(block, "\n"), "\n")
	fence := strings.TrimSuffix(lines[0], "text")
	if fence != "````" || lines[len(lines)-1] != fence {
		t.Errorf("fence %q ... %q, want four backticks at both ends", lines[0], lines[len(lines)-1])
	}
	if n := strings.Count(block, fence); n != 2 {
		t.Errorf("%d fences, want 2:\n%s", n, block)
	}
}
