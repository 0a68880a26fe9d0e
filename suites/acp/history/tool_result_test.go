package history

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// toolResult returns the tool result in the content of one message of role tool.
func toolResult(content string) ToolResult {
	return Read([]string{content})
}

func TestObjectsAreFoundInAnyWrapping(t *testing.T) {
	for name, test := range map[string]struct {
		content string
		want    int
	}{
		"unwrapped":               {`{"id":"x","title":"a"}`, 1},
		"in a list":               {`[{"id":"x","title":"a"},{"id":"y","title":"b"}]`, 1},
		"in an envelope":          {`{"ok":true,"data":{"items":[{"id":"x","count":1}]}}`, 1},
		"in rows":                 {`{"rows":[{"rev":1,"value":{"id":"x","note":"n"}}]}`, 1},
		"in MCP content":          {`{"content":[{"type":"text","text":"[{\"id\":\"x\",\"title\":\"a\"}]"}]}`, 1},
		"in a text within a text": {`{"a":"{\"b\":\"{\\\"id\\\":\\\"x\\\",\\\"title\\\":\\\"a\\\"}\"}"}`, 1},
		"in lines":                {"{\"id\":\"y\",\"title\":\"b\"}\n{\"id\":\"x\",\"title\":\"a\"}\n", 1},
		"in words":                {"Found [1]: ```json\n{\"id\":\"x\",\"title\":\"a\"}\n``` {and more", 1},
		"twice":                   {`{"text":"{\"id\":\"x\",\"title\":\"a\"}","structured":{"id":"x","title":"a"}}`, 2},
		"only in the filter":      {`{"query":{"id":"x"},"items":[]}`, 0},
		"another":                 {`{"id":"xx","title":"a"}`, 0},
		"nothing":                 {"", 0},
	} {
		t.Run(name, func(t *testing.T) {
			if got := len(toolResult(test.content).About("x")); got != test.want {
				t.Errorf("found %d times, want %d", got, test.want)
			}
		})
	}
}

func TestCursor(t *testing.T) {
	for content, want := range map[string]any{
		`{"items":[],"cursor":"c1"}`:                     "c1",
		`{"items":[],"next_cursor":"c2"}`:                "c2",
		`{"page":{"nextCursor":"c3"}}`:                   "c3",
		`{"text":"{\"items\":[],\"nextCursor\":\"4\"}"}`: "4",
		`{"items":[],"cursor":null}`:                     nil,
		`{"items":[],"nextCursor":""}`:                   nil,
		`{"items":[]}`:                                   nil,
		`{"precursor":"no"}`:                             nil,
	} {
		if diff := cmp.Diff(want, toolResult(content).Cursor()); diff != "" {
			t.Errorf("%s (-want +got)\n%s", content, diff)
		}
	}
	if got, want := toolResult(`{"cursor":12}`).Cursor(), Normalized(12); got != want {
		t.Errorf("cursor %v, want the number %v", got, want)
	}
}

func TestOutcomeOfToolResult(t *testing.T) {
	for want, contents := range map[Outcome][]string{
		Refusal: {
			`{"error":"x"}`, `{"error":{"message":"x"}}`, `{"ok":false}`, `{"success":false,"id":"1"}`, `{"content":[],"isError":true}`,
			`{"status":"failed"}`, `{"status":404}`, `{"code":-32000,"message":"x"}`, `{"message":"The tool dream is not available."}`,
			`Error: x`, `The tool can't be executed`, `unknown tool`, `no binding for dream`, `false`, `{"text":"{\"error\":\"x\"}"}`,
			`{"type":"ToolError"}`, `"unsupported"`, `{"result":"the call was ignored"}`,
			`invalid: ["/: lacks title"]`, `Validation failed for {"id":"1"}`, `{"path":"/title"}: rejected`,
			`{"text":"Refused. {\"id\":\"1\"}"}`,
		},
		Success: {
			`{}`, `[]`, ``, `null`, `true`, `{"ok":true}`, `{"result":"all is well"}`, `{"temperature":21,"sky":"blue"}`, `ok`, `Done.`, `Created the thing`,
			`{"error":null,"data":{"id":"1"}}`, `{"errors":[],"id":"1"}`, `{"content":[{"type":"text","text":"{\"id\":\"1\"}"}],"isError":false}`, `{"status":200}`,
			`Created {"id":"1"}`, "```json\n{\"id\":\"1\"}\n```", `{"id":"1"}, {"id":"2"}`,
		},
		Unclear: {`das geht nicht`, `teleport?`, `42 degrees`, `{"message":"das geht nicht"}`, `{"content":[{"type":"text","text":"das geht so"}]}`,
			`das geht nicht: ["/title"]`, `The object is {"id":"1"}`},
	} {
		for _, content := range contents {
			if got := toolResult(content).Outcome(); got != want {
				t.Errorf("%q: outcome %d, want %d", content, got, want)
			}
		}
	}
}

func TestContains(t *testing.T) {
	for name, test := range map[string]struct {
		found, want string
		contains    bool
	}{
		"equal":                      {`{"a":1,"b":[{"c":null}]}`, `{"a":1.0,"b":[{"c":null}]}`, true},
		"a further member":           {`{"a":1,"b":2}`, `{"a":1}`, true},
		"a further null in a member": {`{"a":{"b":1,"c":null}}`, `{"a":{"b":1}}`, true},
		"a further inner member":     {`{"a":{"b":1,"c":2}}`, `{"a":{"b":1}}`, false},
		"a lost null":                {`{"a":1}`, `{"a":1,"b":null}`, false},
		"a lost null in a member":    {`{"a":{}}`, `{"a":{"b":null}}`, false},
		"a lost null in a list":      {`{"a":[1]}`, `{"a":[1,null]}`, false},
		"another value":              {`{"a":""}`, `{"a":null}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			found, _ := decodeLeading(test.found)
			want, _ := decodeLeading(test.want)
			if got := Contains(found.(Object), want.(Object)); got != test.contains {
				t.Errorf("Contains is %v, want %v", got, test.contains)
			}
		})
	}
}
