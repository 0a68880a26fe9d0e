package document_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites/document"
)

func TestValues(t *testing.T) {
	want := map[string]any{
		"text": "a", "number": json.Number("1.50"), "big": json.Number("123456789012345678901234567890"), "yes": true, "nothing": nil,
		"list": []any{json.Number("1"), map[string]any{"b": "c"}}, "empty": map[string]any{},
	}
	for path, text := range map[string]string{
		"a.json": `{"text":"a","number":1.50,"big":123456789012345678901234567890,"yes":true,"nothing":null,"list":[1,{"b":"c"}],"empty":{}}`,
		"a.yaml": "text: a\nnumber: 1.50\nbig: 123456789012345678901234567890\nyes: true\nnothing:\nlist:\n  - 1\n  - b: c\nempty: {}\n",
		"a":      `{"text":"a","number":1.50,"big":123456789012345678901234567890,"yes":true,"nothing":null,"list":[1,{"b":"c"}],"empty":{}}`,
		"b.yml":  "\ufeff" + `{text: a, number: 1.50, big: 123456789012345678901234567890, yes: true, nothing: null, list: [1, {b: c}], empty: {}}`,
	} {
		f, err := document.Parse(path, []byte(text), document.Limits{})
		require.NoError(t, err, path)
		if diff := cmp.Diff(want, f.Roots[0].Value()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", path, diff)
		}
	}
}

func TestYAMLScalars(t *testing.T) {
	text := `date: 2026-06-19
stamp: 2026-06-19T10:00:00Z
version: 1.0
quoted: "1.0"
hex: 0x1F
plus: +12
half: .5
under: 1_000
infinite: .inf
none: .nan
on: on
bool: True
tagged: !!str 12
own: !thing x
1: one
`
	f, err := document.Parse("a.yaml", []byte(text), document.Limits{})
	require.NoError(t, err)
	want := map[string]any{
		"date": "2026-06-19", "stamp": "2026-06-19T10:00:00Z", "version": json.Number("1.0"), "quoted": "1.0", "hex": json.Number("31"),
		"plus": json.Number("12"), "half": json.Number("0.5"), "under": json.Number("1000"), "infinite": ".inf", "none": ".nan",
		"on": "on", "bool": true, "tagged": "12", "own": "x", "1": "one",
	}
	if diff := cmp.Diff(want, f.Roots[0].Value()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestPlaces(t *testing.T) {
	jsonText := "{\n  \"ä\": {\"b~/\": [1,\n    {\"c\": \"x\"}]}}"
	yamlText := "ä:\n  b~/:\n    - 1\n    - c: \"x\"\n"
	for _, c := range []struct{ path, text, pointer, want string }{
		{"a.json", jsonText, "", "1:1"},
		{"a.json", jsonText, "/ä", "2:8"},
		{"a.json", jsonText, "/ä/b~0~1", "2:16"},
		{"a.json", jsonText, "/ä/b~0~1/0", "2:17"},
		{"a.json", jsonText, "/ä/b~0~1/1/c", "3:11"},
		{"a.json", jsonText, "/ä/b~0~1/1/gone/deeper", "3:5"},
		{"a.json", jsonText, "/ä/b~0~1/7", "2:16"},
		{"a.yaml", yamlText, "/ä", "2:3"},
		{"a.yaml", yamlText, "/ä/b~0~1/1", "4:7"},
		{"a.yaml", yamlText, "/ä/b~0~1/1/c", "4:10"},
	} {
		f, err := document.Parse(c.path, []byte(c.text), document.Limits{})
		require.NoError(t, err)
		n := f.Roots[0].At(c.pointer)
		if got := fmt.Sprintf("%d:%d", n.Line, n.Column); got != c.want {
			t.Errorf("%s %s: %s, want %s", c.path, c.pointer, got, c.want)
		}
	}
	f, err := document.Parse("a.json", []byte(jsonText), document.Limits{})
	require.NoError(t, err)
	m := f.Roots[0].Get("ä").Member("b~/")
	require.NotNil(t, m)
	if got := fmt.Sprintf("%d:%d", m.Line, m.Column); got != "2:9" {
		t.Errorf("name at %s, want 2:9", got)
	}
}

func TestMethodsOfNilNode(t *testing.T) {
	var n *document.Node
	if n.Get("a", "b") != nil || n.Has("a") || n.Is(document.Null) || !n.Absent() || n.Str() != "" ||
		n.Value() != nil ||
		n.At("/a") != nil {
		t.Error("a nil node has a value")
	}
}

func TestStream(t *testing.T) {
	f, err := document.Parse("a.yaml", []byte("# first\na: 1\n---\n# nothing\n---\nb: 2\n...\n"), document.Limits{})
	require.NoError(t, err)
	var got []string
	for _, root := range f.Roots {
		got = append(got, fmt.Sprintf("%v at %d:%d", root.Value(), root.Line, root.Column))
	}
	if diff := cmp.Diff([]string{"map[a:1] at 2:1", "map[b:2] at 6:1"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestAliases(t *testing.T) {
	text := "base: &b {x: 1, y: 2}\nuse: *b\nmerged:\n  <<: *b\n  y: 3\nboth:\n  <<: [{x: 7}, *b]\n"
	f, err := document.Parse("a.yaml", []byte(text), document.Limits{})
	require.NoError(t, err)
	x, y, three := json.Number("1"), json.Number("2"), json.Number("3")
	want := map[string]any{
		"base": map[string]any{"x": x, "y": y}, "use": map[string]any{"x": x, "y": y},
		"merged": map[string]any{"x": x, "y": three}, "both": map[string]any{"x": json.Number("7"), "y": y},
	}
	if diff := cmp.Diff(want, f.Roots[0].Value()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestParseErrors(t *testing.T) {
	bomb := "a0: &a0 [x]\n"
	for i := 1; i < 40; i++ {
		bomb += fmt.Sprintf("a%d: &a%d [*a%d, *a%d]\n", i, i, i-1, i-1)
	}
	for _, c := range []struct {
		name, path, text string
		kind             document.ErrorKind
		place, message   string
	}{
		{"empty", "a.json", " \n", document.Syntax, "1:1", "the file is empty"},
		{"no document", "a.yaml", "# nothing\n---\n", document.Syntax, "1:1", "no document"},
		{"binary", "a.json", "{\"a\":\x00}", document.Binary, "0:0", "NUL"},
		{"utf-16", "a.json", "\xff\xfe{\x00", document.Binary, "0:0", "NUL"},
		{"half of utf-16", "a.yaml", "\xff\xfea\x00:\x00 \x00b", document.Encoding, "1:4", "UTF-16"},
		{"utf-16 with a single surrogate", "a.yaml", "\xfe\xff\x00a\x00\n\xd8\x00\x00b", document.Encoding, "2:1", "UTF-16"},
		{"utf-32 beyond Unicode", "a.yaml", "\x00\x00\xfe\xff\x00\x11\x00\x00", document.Encoding, "1:1", "UTF-32"},
		{"NUL in utf-16", "a.yaml", "\xfe\xff\x00a\x00\x00", document.Binary, "0:0", "NUL"},
		{"utf-8", "a.json", "{\n \"ä\": \"\xff\"}", document.Encoding, "2:8", "UTF-8"},
		{"utf-8 in yaml", "a.yaml", "a: b\nc: \xc3\x28", document.Encoding, "2:4", "UTF-8"},
		{"surrogate", "a.json", `{"a": "\ud800"}`, document.Syntax, "1:8", "surrogate"},
		{"comma", "a.json", "{\"a\": 1,\n}", document.Syntax, "1:8", "this is not JSON"},
		{"colon", "a.json", "{\"a\"\n1}", document.Syntax, "2:1", "this is not JSON"},
		{"comment", "a.json", "{} // x", document.Syntax, "1:4", "there is text after"},
		{"two values", "a.json", "{}\n{}", document.Syntax, "2:1", "there is text after"},
		{"cut off", "a.json", `{"a": [1, `, document.Syntax, "1:11", "JSON"},
		{"large exponent", "a.json", `[1e1000001]`, document.Limit, "1:2", "exponents of 400"},
		{"large exponent in yaml", "a.yaml", "a: 1e-1000001\n", document.Limit, "1:4", "exponents of 400"},
		{"many digits", "a.json", "1" + strings.Repeat("0", 1000), document.Limit, "1:1", "limit of 1000"},
		{"NaN", "a.json", `[NaN]`, document.Syntax, "1:2", "this is not JSON"},
		{"duplicate", "a.json", "{\"a\": {\"b\": 1,\n  \"b\": 2}}", document.Duplicate, "2:3", `two members named "b"; the first is at 1:8`},
		{"duplicate in yaml", "a.yaml", "a:\n  b: 1\n  c: 2\n  b: 3\n", document.Duplicate, "4:3", `two members named "b"; the first is at 2:3`},
		{"duplicate after quoting", "a.yaml", "1: a\n\"1\": b\n", document.Duplicate, "2:1", `named "1"`},
		{"tab", "a.yaml", "a:\n\tb: 1\n", document.Syntax, "2:2", "this is not YAML"},
		{"colon in yaml", "a.yaml", "a: 1\nb: c: d\n", document.Syntax, "2:1", "mapping values"},
		{"unknown anchor", "a.yaml", "a: 1\nb: *gone\n", document.Syntax, "2:4", "unknown anchor"},
		{"alias in itself", "a.yaml", "a: &a\n  b: [*a]\n", document.Syntax, "2:7", "within its anchor"},
		{"list as a name", "a.yaml", "? [a, b]\n: c\n", document.Syntax, "1:3", "plain text"},
		{"bomb", "a.yaml", bomb, document.Limit, "", "aliases followed"},
		{"deep", "a.json", strings.Repeat("[", 300) + strings.Repeat("]", 300), document.Limit, "1:257", "256 levels"},
		{"deep yaml", "a.yaml", strings.Repeat("[", 300) + strings.Repeat("]", 300), document.Limit, "1:257", "256 levels"},
		{"very deep", "a.json", strings.Repeat("[", 1<<20), document.Limit, "1:257", "256 levels"},
		{"very deep yaml", "a.yaml", strings.Repeat("[", 1<<18), document.Syntax, "", "depth"},
		{"many", "a.json", "[" + strings.Repeat("1,", 1_000_000) + "1]", document.Limit, "", "400000 values"},
		{"many in yaml", "a.yaml", "[" + strings.Repeat("1,", 1_000_000) + "1]", document.Limit, "0:0", "400000 values"},
		{"large", "a.yaml", strings.Repeat("#", 8<<20+1), document.Limit, "0:0", "8388608 bytes"},
	} {
		_, err := document.Parse(c.path, []byte(c.text), document.Limits{})
		refused, ok := errors.AsType[*document.Error](err)
		if !ok {
			t.Errorf("%s: want an *Error, got %v", c.name, err)
			continue
		}
		place := fmt.Sprintf("%d:%d", refused.Line, refused.Column)
		if refused.Kind != c.kind || refused.Path != c.path || !strings.Contains(refused.Message, c.message) || c.place != "" && place != c.place {
			t.Errorf("%s: %s %s %q, want %s %s %q", c.name, refused.Kind, place, refused.Message, c.kind, c.place, c.message)
		}
		if strings.Contains(refused.Error(), "\n") {
			t.Errorf("%s: the message has more than one line: %q", c.name, refused.Error())
		}
	}
}

func TestRead(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.json")
	require.NoError(t, os.WriteFile(path, []byte(`{"a": [1}`), 0o600))
	for _, c := range []struct{ path, want string }{
		{path, path + ":1:9: this is not JSON: "},
		{dir, dir + ": this is not a regular file"},
		{filepath.Join(dir, "gone.json"), filepath.Join(dir, "gone.json") + ": can't be read: "},
	} {
		if _, err := document.Read(t.Context(), c.path, document.Limits{}); err == nil ||
			!strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
	require.NoError(t, os.WriteFile(path, []byte(`{"a": [1]}`), 0o600))
	f, err := document.Read(t.Context(), path, document.Limits{Size: 10})
	if err != nil || f.Path != path || len(f.Roots) != 1 {
		t.Errorf("got %v, %v", f, err)
	}
	if _, err := document.Read(t.Context(), path, document.Limits{Size: 9}); err == nil {
		t.Error("a file larger than the limit was read")
	}
}

func TestCollect(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for _, name := range []string{"b/z.yaml", "b/a.json", "b/c/d.YML", "b/.git/x.json", "b/node_modules/y.json", "b/readme.md", "task.txt", ".hidden/h.json"} {
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o700))
		require.NoError(t, os.WriteFile(name, []byte("{}"), 0o600))
	}
	require.NoError(t, os.Symlink("b", "link"))
	in := func(names ...string) (all []document.Source) {
		for _, name := range names {
			all = append(all, document.Source{Path: filepath.FromSlash(name)})
		}
		return all
	}
	named := func(s document.Source) document.Source { s.Named = true; return s }
	for _, c := range []struct {
		paths []string
		want  []document.Source
	}{
		{[]string{"b"}, in("b/a.json", "b/c/d.YML", "b/z.yaml")},
		{[]string{"."}, in("b/a.json", "b/c/d.YML", "b/z.yaml")},
		{[]string{"link"}, in("link/a.json", "link/c/d.YML", "link/z.yaml")},
		{[]string{".hidden"}, in(".hidden/h.json")},
		{[]string{"task.txt", "b/c"}, []document.Source{named(in("task.txt")[0]), in("b/c/d.YML")[0]}},
		{[]string{"b", "./b/a.json", "link/z.yaml"}, []document.Source{named(in("b/a.json")[0]), in("b/c/d.YML")[0], named(in("b/z.yaml")[0])}},
		{nil, nil},
	} {
		found, err := document.Collect(t.Context(), c.paths)
		require.NoError(t, err)
		if diff := cmp.Diff(&document.Collection{Sources: c.want}, found); diff != "" {
			t.Errorf("%v (-want +got):\n%s", c.paths, diff)
		}
	}
	if _, err := document.Collect(t.Context(), []string{"gone"}); err == nil {
		t.Error("a missing path was collected")
	}
}

// A link in a folder is followed only within the folder, and once.
func TestCollectLinks(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"in/a.json", "in/sub/b.json", "in/.kept/c.json", "in/words.txt", "out/d.json", "out/e.json"} {
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o700))
		require.NoError(t, os.WriteFile(name, []byte("{}"), 0o600))
	}
	for link, to := range map[string]string{
		"in/0file.json": "../out/d.json", "in/0folder": "../out", "in/0up": "..", "in/0word": "../out/e.json", "in/0gone.json": "gone.json",
		"in/1again.json": "sub/b.json", "in/1loop": ".", "in/1sub": "sub", "in/sub/2loop": "..", "in/2kept": ".kept", "in/3text.json": "words.txt",
		"in/.kept/out": "../../out", "link.json": "out/e.json", "folder": "in",
	} {
		require.NoError(t, os.Symlink(to, link))
	}
	for root, want := range map[string]*document.Collection{
		"in": {
			Sources: []document.Source{{Path: "in/a.json"}, {Path: "in/sub/b.json"}, {Path: "in/2kept/c.json"}, {Path: "in/3text.json"}},
			Outside: []string{"in/0file.json", "in/0folder", "in/0up", "in/2kept/out"},
		},
		"folder":    {Sources: []document.Source{{Path: "folder/a.json"}, {Path: "folder/sub/b.json"}, {Path: "folder/2kept/c.json"}, {Path: "folder/3text.json"}}, Outside: []string{"folder/0file.json", "folder/0folder", "folder/0up", "folder/2kept/out"}},
		"link.json": {Sources: []document.Source{{Path: "link.json", Named: true}}},
	} {
		found, err := document.Collect(t.Context(), []string{root})
		require.NoError(t, err)
		if diff := cmp.Diff(want, found); diff != "" {
			t.Errorf("%s (-want +got):\n%s", root, diff)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`{"a": [1, 2.5e3, true, null, "x"]}`, "a: 1\nb: [c, {d: e}]\n", "a: &a [1]\nb: *a\n<<: {c: d}\n", "---\n- 1\n---\n- 2\n",
		"\ufeff{}", "{\"a\":1,\"a\":2}", "a: |\n  text\n  more\nb: >-\n  folded\n", "? a\n: b\n", "[[[[", "\xff", "!!binary x", "a: !!int z", "&a *a", "'",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, path := range []string{"a.json", "a.yaml"} {
			file, err := document.Parse(path, []byte(text), document.Limits{Values: 10_000})
			if err != nil {
				if refused, ok := errors.AsType[*document.Error](err); !ok || refused.Message == "" ||
					(refused.Line == 0) != (refused.Column == 0) {
					t.Fatalf("%s: %#v", path, err)
				}
				continue
			}
			for _, root := range file.Roots {
				if raw, err := json.Marshal(root.Value()); err != nil || !json.Valid(raw) {
					t.Fatalf("%s: not a JSON value: %v", path, err)
				}
			}
		}
	})
}
