package reports

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// hostile is what a target may send to break whatever reads the report.
const hostile = "\x1b[31mred\x00]]>\xff\n::error::owned\r\n  ::warning::x\u202eabc\u009b1m " +
	"<script>alert(1)</script> @octocat | `code` ![x](http://h/i.png) ##[error]y ##vso[task]z\n```\nout"

func TestSinks(t *testing.T) {
	cases := []struct{ name, in, terminal, markdown string }{
		{"plain", "an ok result: {\"a\": 1}", "an ok result: {\"a\": 1}", "an ok result: {\"a\": 1}"},
		{"escape", "\x1b[31m", `\x1b[31m`, `\\x1b\[31m`},
		{"zero", "a\x00b", `a\x00b`, `a\\x00b`},
		{"broken UTF-8", "\xffa", `\xffa`, `\\xffa`},
		{"an honest U+FFFD", "\uFFFDa", "\uFFFDa", "\uFFFDa"},
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
			if diff := cmp.Diff(c.terminal, TerminalText(c.in)); diff != "" {
				t.Errorf("terminal (-want +got)\n%s", diff)
			}
			if diff := cmp.Diff(c.markdown, MarkdownText(c.in)); diff != "" {
				t.Errorf("markdown (-want +got)\n%s", diff)
			}
		})
	}
}

func TestTerminalCommandKeepsBlanks(t *testing.T) {
	if got, want := TerminalCommand("run 'a  b\nc\x1b'"), `run 'a  b\nc\x1b'`; got != want {
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
		if got := LogLine(in); got != want {
			t.Errorf("LogLine(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestLinesTextIsWellFormed(t *testing.T) {
	text := LinesText(hostile + "\uFFFE\uFFFF")
	for _, r := range text {
		if r < 0x20 && r != '\n' && r != '\r' && r != '\t' || r == 0xFFFE || r == 0xFFFF || r == 0x9B {
			t.Errorf("%U is left", r)
		}
	}
	var buf bytes.Buffer
	if err := xml.EscapeText(&buf, []byte(text)); err != nil {
		t.Fatal(err)
	}
	var back string
	if err := xml.Unmarshal([]byte("<a>"+buf.String()+"</a>"), &back); err != nil {
		t.Errorf("not well formed: %v", err)
	}
	if !strings.Contains(back, "<script>alert(1)</script>") {
		t.Errorf("the evidence is lost: %q", back)
	}
}

func TestMarkdownBlockCannotBeLeft(t *testing.T) {
	block := MarkdownBlock("text", hostile)
	lines := strings.Split(strings.TrimSuffix(block, "\n"), "\n")
	fence := strings.TrimSuffix(lines[0], "text")
	if fence != "````" || lines[len(lines)-1] != fence {
		t.Errorf("fence %q ... %q, want four backticks around", lines[0], lines[len(lines)-1])
	}
	if n := strings.Count(block, fence); n != 2 {
		t.Errorf("%d fences, want 2:\n%s", n, block)
	}
}

// TestFormatsSurviveHostileText sends hostile text through every format.
func TestFormatsSurviveHostileText(t *testing.T) {
	command := regexp.MustCompile(`(?m)^\s*::|##\w*\[`)
	for name, out := range everyOutput(t, hostileReport()) {
		if !utf8.Valid(out) {
			t.Errorf("%s: not UTF-8", name)
		}
		// In JSON and HTML ##[ stands inside a string, which no CI reads as a log.
		// of which see TestAnnotations
		if hit := command.Find(out); hit != nil && name != "json" && name != "github" &&
			!(name == "html" && bytes.HasPrefix(hit, []byte("##"))) {
			t.Errorf("%s: %q is left for a CI log", name, hit)
		}
		for _, r := range string(out) {
			if isControl(r) && r != '\n' {
				t.Errorf("%s: control %U is left", name, r)
				break
			}
		}
		if format, _ := Find(name); strings.HasSuffix(format.Extension, "json") && name != "json" || name == "sarif" {
			if bytes.ContainsAny(out, "<>") {
				t.Errorf("%s: markup is left:\n%s", name, out)
			}
		}
		if strings.Contains(string(out), "<script>") && name == "markdown" {
			outside := regexp.MustCompile("(?s)\n````+[a-z]*\n.*?\n````+\n").ReplaceAllString(string(out), "\n")
			if strings.Contains(outside, "<script>") || strings.Contains(outside, "@octocat") {
				t.Errorf("markdown: markup outside of a fenced block:\n%s", outside)
			}
		}
	}
}

func TestPayload(t *testing.T) {
	long := strings.Repeat("é", payloadLimit)
	cases := []struct {
		name  string
		in    string
		text  string
		whole bool
	}{
		{"nothing", "", "", true},
		{"short", `{"a":1}`, `{"a":1}`, true},
		{"at the limit", strings.Repeat("a", payloadLimit), strings.Repeat("a", payloadLimit), true},
		{"one byte more", strings.Repeat("a", payloadLimit+1), strings.Repeat("a", payloadLimit), false},
		{"cut between runes", "a" + long, "a" + long[:payloadLimit-2], false},
		{"broken UTF-8", "a\xffb", "a\uFFFDb", false},
		{"all broken", strings.Repeat("\xff\xfea", payloadLimit), "", false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			p := NewPayload([]byte(c.in))
			if c.text != "" && p.Text != c.text {
				t.Errorf("text of %d bytes, want %d", len(p.Text), len(c.text))
			}
			if p.Whole() != c.whole || p.Length != len(c.in) || len(p.Text) > payloadLimit || !utf8.ValidString(p.Text) {
				t.Errorf("whole %v, length %d, %d bytes of text", p.Whole(), p.Length, len(p.Text))
			}
			raw, err := json.Marshal(p)
			if err != nil {
				t.Fatal(err)
			}
			var back Payload
			if err := json.Unmarshal(raw, &back); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(p, back); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
	if got, want := NewPayload([]byte("\xff")).SHA256, "a8100ae6aa1940d0b663bb31cd466142ebbdbd5187131b92d93818987832eb89"; got != want {
		t.Errorf("digest %s, want %s", got, want)
	}
}
