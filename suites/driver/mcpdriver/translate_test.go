package mcpdriver

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/capconform/capconform/suites/driver"
)

func TestTranslate(t *testing.T) {
	tests := map[string]struct{ result, want string }{
		"structured":         {`{"structuredContent":{"a":1.0},"content":[]}`, `returned {"a":1.0}`},
		"structured array":   {`{"structuredContent":[1],"content":[]}`, `returned [1]`},
		"text":               {`{"content":[{"type":"text","text":" {\"a\": 1.0} "}]}`, `returned {"a": 1.0}`},
		"text array":         {`{"content":[{"type":"text","text":"[]"}]}`, `returned []`},
		"structured is null": {`{"structuredContent":null,"content":[{"type":"text","text":"{}"}]}`, `returned {}`},
		"first text block":   {`{"content":[{"type":"image","data":""},{"type":"text","text":"{\"n\":1}"},{"type":"text","text":"{\"n\":2}"}]}`, `returned {"n":1}`},
		"isError false":      {`{"isError":false,"structuredContent":{}}`, `returned {}`},
		"refused": {`{"isError":true,"structuredContent":{"error":{"code":"NOT_FOUND","message":"m"}}}`,
			`refused NOT_FOUND "m" {"code":"NOT_FOUND","message":"m"}`},
		"refused in text": {`{"isError":true,"content":[{"type":"text","text":"{\"error\":{\"code\":\"X\"}}"}]}`,
			`refused X "" {"code":"X"}`},
		"refused, extra": {`{"isError":true,"structuredContent":{"error":{"code":"X"},"request_id":"r"}}`,
			`refused X "" {"code":"X"}`},
		"invoke result": {`{"isError":true,"structuredContent":{"ok":false,"error":{"code":"NOT_FOUND"},"duration_ms":1}}`, `returned {"ok":false,"error":{"code":"NOT_FOUND"},"duration_ms":1}`},
		"invocation result": {`{"isError":true,"structuredContent":{"outcome":"denied","error":null}}`,
			`returned {"outcome":"denied","error":null}`},
		"not an invocation": {`{"isError":true,"structuredContent":{"code":404,"data":null}}`,
			`refused  "{\"code\":404,\"data\":null}" `},
		"plain error": {`{"isError":true,"content":[{"type":"text","text":"no such thing"}]}`,
			`refused  "no such thing" `},
		"error, other shape": {`{"isError":true,"structuredContent":{"why":1}}`, `refused  "{\"why\":1}" `},
		"code not a string": {`{"isError":true,"structuredContent":{"error":{"code":5,"message":"m"}}}`,
			`refused  "m" {"code":5,"message":"m"}`},
		"neither": {`{"content":[{"type":"text","text":"hello"}]}`,
			`malformed the result of tools/call has neither structuredContent nor a text block that is JSON`},
		"isError a string": {`{"isError":"yes","structuredContent":{}}`,
			`malformed the result of tools/call: isError must not be a JSON string`},
		"content an object": {`{"content":{}}`, `malformed the result of tools/call: content must not be a JSON object`},
		"not an object":     {`[]`, `malformed the result of tools/call is not an object`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			a := translate([]byte(test.result), !strings.HasPrefix(name, "not an invocation"))
			got := fmt.Sprintf("%v %s%s", a.Outcome, a.Result, a.Defect)
			if a.Outcome == driver.Refused {
				got = fmt.Sprintf("%v %s %q %s", a.Outcome, a.Error.Code, a.Error.Message, a.Error.Data)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("answer (-want +got):\n%s", diff)
			}
		})
	}
}
