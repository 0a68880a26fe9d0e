package document_test

import (
	"context"
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

// entriesOf returns the entries and the end of a log as texts.
func entriesOf(t *testing.T, log *document.Log) []string {
	t.Helper()
	all := []string{}
	head, err := log.Each(t.Context(), func(e document.Entry) {
		switch {
		case e.Err != nil:
			all = append(all, fmt.Sprintf("%d:%d %s cut=%v", e.Err.Line, e.Err.Column, e.Err.Kind, e.Cut))
		default:
			all = append(all, fmt.Sprintf("%d:%d %s %v", e.Node.Line, e.Node.Column, e.List, e.Node.Value()))
		}
	})
	if head != nil {
		all = append(all, fmt.Sprintf("head %d:%d %v", head.Line, head.Column, head.Value()))
	}
	if err != nil {
		all = append(all, err.Error())
	}
	return all
}

func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

func TestLines(t *testing.T) {
	long := `{"a":"` + strings.Repeat("x", 200) + `"}`
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"plain", "{\"a\":1}\n[2]\n3\n", []string{"1:1  map[a:1]", "2:1  [2]", "3:1  3"}},
		{"no end", "1\n2", []string{"1:1  1", "2:1  2"}},
		{"blank lines and mark", "\ufeff\n 1\r\n\n\t\n2 \n", []string{"2:2  1", "5:1  2"}},
		{"broken in the middle", "1\n{\"ä\":}\n3\n", []string{"1:1  1", "2:6 syntax cut=false", "3:1  3"}},
		{"torn", "1\n{\"a\":", []string{"1:1  1", "2:6 syntax cut=true"}},
		{"two values", "1 2\n3\n", []string{"1:3 syntax cut=false", "2:1  3"}},
		{"encoding", "1\n{\"a\":\"\xff\"}\n", []string{"1:1  1", "2:7 encoding cut=false"}},
		{"binary", "1\n\x00\n", []string{"1:1  1", "2:1 binary cut=false"}},
		{"duplicate", "1\n{\"a\":1,\"a\":2}\n", []string{"1:1  1", "2:8 duplicate cut=false"}},
		{"long", "1\n" + long + "\n2\n" + long, []string{"1:1  1", "2:1 limit cut=false", "3:1  2", "4:1 limit cut=false"}},
	} {
		file, err := document.Load(t.Context(), write(t, "a.jsonl", c.text), document.Limits{Size: 100})
		require.NoError(t, err, c.name)
		require.True(t, file.Log.Lines())
		if diff := cmp.Diff(c.want, entriesOf(t, file.Log)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestLists(t *testing.T) {
	fill := strings.Repeat(" ", 100)
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"object", "{\"n\": 1, \"ä\": [{\"a\": 1},\n 2, []], \"m\": {\"x\": [3]}}" + fill, []string{"1:16 ä map[a:1]", "2:2 ä 2", "2:5 ä []", "head 1:1 map[m:map[x:[3]] n:1 ä:[]]"}},
		{"list", "[1, \"a]\\\"\",\n null ]" + fill, []string{"1:2  1", `1:5  a]"`, "2:2  <nil>"}},
		{"empty", fill + "{}", []string{"head 1:101 map[]"}},
		{"broken item", "[1, {x}, 2]" + fill, []string{"1:2  1", "1:6 syntax cut=false", "1:10  2"}},
		{"long item", "[1, {\"a\":\"" + fill + "\"}, 2]", []string{"1:2  1", "1:5 limit cut=false", "1:115  2"}},
		{"torn", "[1, 2," + fill, []string{"1:2  1", "1:5  2", "a.json:1:107: the JSON ends too early"}},
		{"no comma", "[1 2]" + fill, []string{"1:2  1", "a.json:1:4: this is not JSON: want a comma or a closing bracket here"}},
		{"comma at the end", "[1,]" + fill, []string{"1:2  1", "a.json:1:4: this is not JSON: want a value here"}},
		{"text after the value", "[1]" + fill + "x", []string{"1:2  1", "a.json:1:104: there is text after the JSON value"}},
		{"twice", "{\"a\": [1], \"a\": 2}" + fill, []string{"1:8 a 1", "head 1:1 map[a:[]]", `a.json:1:12: the object has two members named "a"; the first is at 1:2`}},
	} {
		path := write(t, "a.json", c.text)
		file, err := document.Load(t.Context(), path, document.Limits{Size: 90})
		if c.name == "empty" {
			require.Error(t, err) // nothing shows its format
			continue
		}
		require.NoError(t, err, c.name)
		require.False(t, file.Log.Lines(), c.name)
		got := entriesOf(t, file.Log)
		for i := range got {
			got[i] = strings.ReplaceAll(got[i], path, "a.json")
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestLoad(t *testing.T) {
	for _, c := range []struct {
		name, path, text string
		log              bool
		kind             document.ErrorKind
	}{
		{"json", "a.json", "{}", false, ""},
		{"yaml", "a.yaml", "a: 1\n", false, ""},
		{"lines with another extension", "a.json", "{\"a\":1}\n{\"a\":2}\n", true, ""},
		{"lines without an extension", "a", "{\"a\":1}\n{\"a\":2}\n", true, ""},
		{"long lines with another extension", "a.json", strings.Repeat("{\"a\":1}\n", 50), true, ""},
		{"long value", "a.json", "[" + strings.Repeat("1,", 100) + "1]", true, ""},
		{"long yaml", "a.yaml", strings.Repeat("- 1\n", 100), false, document.Limit},
		{"two values on several lines", "a.json", "{\n\"a\":1}\n{\"a\":2}\n", false, document.Syntax},
		{"torn", "a.json", "{\"a\":", false, document.Syntax},
		{"no value in the lines", "a.jsonl", "x\ny\n", false, document.Syntax},
		{"empty log", "a.jsonl", "\n\n", false, document.Syntax},
	} {
		file, err := document.Load(t.Context(), write(t, c.path, c.text), document.Limits{Size: 100})
		refused, ok := errors.AsType[*document.Error](err)
		switch {
		case ok != (c.kind != ""), ok && refused.Kind != c.kind:
			t.Errorf("%s: %v, want the kind %q", c.name, err, c.kind)
		case !ok && (file.Log != nil) != c.log:
			t.Errorf("%s: a log: %v, want %v", c.name, file.Log != nil, c.log)
		}
	}
	_, err := document.Load(t.Context(), t.TempDir()+"/gone.jsonl", document.Limits{})
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestReadingLogCanBeCancelled(t *testing.T) {
	file, err := document.Parse("a.jsonl", []byte(strings.Repeat("1\n", 1000)), document.Limits{})
	require.NoError(t, err)
	enough := errors.New("enough")
	ctx, stop := context.WithCancelCause(t.Context())
	visited := 0
	_, err = file.Log.Each(ctx, func(document.Entry) {
		if visited++; visited == 10 {
			stop(enough)
		}
	})
	require.ErrorIs(t, err, enough)
	require.Equal(t, 10, visited)
}

// A value in a log is read like the same value in a separate file.
func FuzzLog(f *testing.F) {
	for _, seed := range []string{"{\"a\":1}\n[2]\n", "[1,{\"a\":\"]\\\"\"}]", "{\"a\":[1,\n2],\"b\":\"\\u00e4\"}", "1\n{", "\ufeff{}\n", "[[[", "{\"a\":1,\"a\":2}", "\"\\"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		path := filepath.Join(t.TempDir(), "a.json")
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		whole, _ := document.Parse("a.json", []byte(text), document.Limits{})
		for _, limits := range []document.Limits{{}, {Values: 1}, {Size: 16}} {
			file, err := document.Load(t.Context(), path, limits)
			if err != nil || file.Log == nil {
				continue
			}
			var items []any
			lost := false
			head, err := file.Log.Each(t.Context(), func(e document.Entry) {
				require.NotEqual(t, e.Node == nil, e.Err == nil)
				if lost = lost || e.Err != nil; !lost {
					items = append(items, e.Node.Value())
					require.Positive(t, e.Node.Line)
					require.Positive(t, e.Node.Column)
				}
			})
			if whole == nil || lost || err != nil || head != nil || file.Log.Lines() {
				continue
			}
			if diff := cmp.Diff(whole.Roots[0].Value(), any(items)); diff != "" && len(items) > 0 {
				t.Errorf("(-whole +items):\n%s", diff)
			}
		}
	})
}
