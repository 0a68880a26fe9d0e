package acpdocument

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/document"
)

// A file that is not a package has exactly one finding, which says so.
func TestOtherFormatsHaveOneFinding(t *testing.T) {
	note := example(t, "note")
	for _, c := range []struct {
		name, path, text string
		want             string
	}{
		{"kubernetes", "a.acp.yaml", "apiVersion: v1\nkind: Pod\nmetadata: {name: x}\n", "1:1 ACP-ABS-01: this is another format, with apiVersion or kind"},
		{"no member of a package", "a.acp.yaml", "agents: []\n", "1:1 ACP-ABS-01: this is another format and not an ACP package: it has none"},
		{"later format", "a.acp.yaml", "id: did:rooch:x:note\nauthorDID: did:rooch:x\nidName: note\ncore: {prompt: {value: x}, model: {}, mcpServers: {}}\nmetadata: {displayName: Note}\n", `1:1 ACP-ABS-01: this is the later "cap" format`},
		{"two documents", "a.acp.yaml", note + "---\n" + note, "90:1 ACP-TERM-01: the file contains 2 documents; a package is one document"},
		{"list", "a.acp.yaml", "- a\n", "1:1 ACP-TERM-01: the document is a list"},
		{"text", "a.acp.yaml", "hello\n", "1:1 ACP-TERM-01: the document is a string"},
		{"empty", "a.acp.yaml", "", "1:1 ACP-TERM-01: the file is empty"},
		{"comments", "a.acp.yaml", "# nothing\n", "1:1 ACP-TERM-01: the file contains no document"},
		{"torn", "a.acp.yaml", "metadata: {", "1:1 ACP-TERM-01: this is not YAML"},
		{"key twice", "a.acp.yaml", strings.Replace(note, "\nprompt:", "\nmetadata: {}\nprompt:", 1), "33:1 ACP-TERM-01: the object has two members named \"metadata\"; the first is at 2:1"},
		{"binary", "a.acp.yaml", "metadata:\x00", "0:0 ACP-TERM-01: the file contains a NUL byte"},
		{"latin-1", "a.acp.yaml", "metadata: {name: \xe9}\n", "1:18 ACP-TERM-01: the text is not UTF-8 here"},
		{"anchor without end", "a.acp.yaml", "metadata: &a {x: *a}\n", "ACP-TERM-01: the alias"},
		{"unknown anchor", "a.acp.yaml", "metadata: *a\n", "1:11 ACP-TERM-01: this is not YAML: unknown anchor"},
		{"name of the file", "dir/note.yaml", note, "2:1 ACP-ABS-01: the name of the file does not end in .acp.yaml; call it note.acp.yaml"},
		{"ending", "dir/note.acp.yml", note, "2:1 ACP-ABS-01: the name of the file does not end in .acp.yaml; call it note.acp.yaml"},
	} {
		f := file(t, c.path, c.text)
		if !Recognises(&f) {
			t.Errorf("%s: not recognised", c.name)
			continue
		}
		lines := found(t, nil, nil, f)
		got := []string{}
		for _, line := range lines {
			if !strings.HasPrefix(line, "open") && !strings.Contains(line, "notice") &&
				!strings.Contains(line, IDDraft) {
				got = append(got, line)
			}
		}
		if len(got) != 1 || !strings.Contains(got[0], c.want) {
			t.Errorf("%s: want only %q, got %q", c.name, c.want, got)
		}
	}
}

// A limit of the harness is not a finding: it leaves every rule undecided.
func TestPackagesBeyondLimitsAreUndecided(t *testing.T) {
	bomb := "a0: &a0 [x]\n"
	for i := 1; i < 40; i++ {
		bomb += fmt.Sprintf("a%d: &a%d [*a%d, *a%d]\n", i, i, i-1, i-1)
	}
	for name, c := range map[string]struct{ text, want string }{
		"bomb": {bomb, "the file contains more than capconform's limit"},
		"deep": {"metadata: " + strings.Repeat("[", 5000) + strings.Repeat("]", 5000), "nested deeper than capconform's limit"},
		"huge": {"metadata: " + strings.Repeat("x", 9<<20), "the file is longer than capconform's limit"},
	} {
		f := file(t, "a.acp.yaml", c.text)
		if !Recognises(&f) {
			t.Errorf("%s: not recognised", name)
			continue
		}
		lines := found(t, nil, nil, f)
		if len(lines) != len(Vocabulary().Rules()) {
			t.Errorf("%s: %d of %d rules are undecided", name, len(lines), len(Vocabulary().Rules()))
		}
		for _, line := range lines {
			if !strings.HasPrefix(line, "limit ") || !strings.Contains(line, c.want) {
				t.Errorf("%s: got %q, want a limit: %s", name, line, c.want)
			}
		}
	}
}

func TestRecognises(t *testing.T) {
	for _, c := range []struct {
		path, text string
		want       bool
	}{
		{"a.acp.yaml", "a: 1\n", true}, {"A.ACP.YAML", "a: 1\n", true}, {"a.yaml", "a: 1\n", false}, {"a.yaml", "metadata: {id: x}\nschema: {}\n", false},
		{"a.yaml", "metadata: {id: 'did:nuwa:cap:a'}\n", true}, {"a.json", `{"schema": "{}", "metadata": {}, "tools": []}`, true},
		{"a.yaml", "tool_bindings: {}\ntools: []\n", true}, {"a.yaml", "apiVersion: v1\nkind: X\nmetadata: {}\nschema: '{}'\ntools: []\n", false},
		{"a.json", `{"capability_id": "a", "version": "1.0.0", "kind": "tool"}`, false}, {"a.json", `[{"metadata": {"id": "did:nuwa:cap:a"}}]`, false},
	} {
		f := file(t, c.path, c.text)
		if got := Recognises(&f); got != c.want {
			t.Errorf("%s %q: recognised %v, want %v", c.path, c.text, got, c.want)
		}
	}
}

// Each file is judged separately.
func TestFilesAreJudgedSeparately(t *testing.T) {
	bad := strings.Replace(example(t, "note"), "note@1.0.0", "note@1", 1)
	files := []suites.Document{file(t, "a.acp.yaml", bad), file(t, "b.acp.yaml", example(t, "weatherreporter")), file(t, "c.acp.yaml", bad)}
	files = append(files, document.File{Path: "d.acp.yaml", Err: &document.Error{Kind: document.Syntax, Line: 3, Column: 1, Message: "torn"}})
	if diff := cmp.Diff([]string{IDVersion, IDDraft, IDDocument}, rules(found(t, nil, nil, files...))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A file with more parts than anybody writes is judged in part, and the report says so.
func TestLargePackagesAreJudgedInPart(t *testing.T) {
	var text strings.Builder
	text.WriteString("metadata:\n  id: did:nuwa:cap:a@1.0.0\n  triggers:\n")
	text.WriteString(strings.Repeat("    - {type: regex, value: a}\n", maxCompiled+1))
	text.WriteString("schema: |\n  {\"$id\": \"did:nuwa:state:a#v1\"}\ntools:\n")
	for i := range maxCompiled + 1 {
		fmt.Fprintf(&text, "  - {type: function, function: {name: t%d}}\n", i)
	}
	text.WriteString("tool_bindings:\n")
	for i := range maxCompiled + 1 {
		fmt.Fprintf(&text, "  t%d: {type: http_get, url: 'https://example.org/'}\n", i)
	}
	want := []string{
		fmt.Sprintf("limit ACP-FILE-07: of the tools of a.acp.yaml only the first %d are compiled", maxCompiled),
		fmt.Sprintf("limit ACP-FIELD-16: of the triggers of a.acp.yaml only the first %d are compiled", maxCompiled),
		"2:3 ACP-FIELD-20: the package is not signed",
	}
	if diff := cmp.Diff(want, found(t, nil, nil, file(t, "a.acp.yaml", text.String()))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
