package jsonrpc_test

import (
	"encoding/json"
	"errors"
	"maps"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/jsonrpc"
)

// replyCase is a reply to the request with the id 7.
type replyCase struct {
	reply string
	want  driver.Answer
}

func validReplies() map[string]replyCase {
	refused := func(code string, number int64, data string) driver.Answer {
		e := &driver.ProtocolError{Code: code, Number: number, Message: "m"}
		if data != "" {
			e.Data = []byte(data)
		}
		return driver.Answer{Outcome: driver.Refused, Error: e}
	}
	returned := func(result string) driver.Answer {
		return driver.Answer{Outcome: driver.Returned, Result: []byte(result)}
	}
	return map[string]replyCase{
		"result":             {`{"jsonrpc":"2.0","id":7,"result":{"a": 1.0e2 }}`, returned(`{"a": 1.0e2 }`)},
		"null result":        {`{"jsonrpc":"2.0","id":7,"result":null}`, returned(`null`)},
		"other order":        {`{"result":[],"id":7,"jsonrpc":"2.0"}`, returned(`[]`)},
		"extra members":      {`{"jsonrpc":"2.0","id":7,"result":1,"x":{}}`, returned(`1`)},
		"white space":        {"\xef\xbb\xbf {\"jsonrpc\" : \"2.0\",\r\n\"id\":7 , \"result\" :\t1 }\r\n", returned(`1`)},
		"id as 7.0":          {`{"jsonrpc":"2.0","id":7.0,"result":1}`, returned(`1`)},
		"escaped names":      {`{"jsonrpc":"2.0","\u0069d":7,"result":1}`, returned(`1`)},
		"big number":         {`{"jsonrpc":"2.0","id":7,"result":123456789012345678901234567890}`, returned(`123456789012345678901234567890`)},
		"duplicate below":    {`{"jsonrpc":"2.0","id":7,"result":{"a":1,"a":2}}`, returned(`{"a":1,"a":2}`)},
		"own code":           {`{"jsonrpc":"2.0","id":7,"error":{"code":-32000,"message":"m","data":{"code":"NOT_FOUND"}}}`, refused("NOT_FOUND", -32000, `{"code":"NOT_FOUND"}`)},
		"own code at -32601": {`{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"m","data":{"code":"X"}}}`, refused("X", -32601, `{"code":"X"}`)},
		"no own code":        {`{"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"m"}}`, refused("", -32602, "")},
		"code not a string":  {`{"jsonrpc":"2.0","id":7,"error":{"code":1,"message":"m","data":{"code":5}}}`, refused("", 1, `{"code":5}`)},
		"number beyond 64":   {`{"jsonrpc":"2.0","id":7,"error":{"code":-99999999999999999999,"message":"m"}}`, refused("", math.MinInt64, "")},
		"no such method": {`{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"m"}}`,
			driver.Answer{Outcome: driver.NotProvided, Error: &driver.ProtocolError{Number: -32601, Message: "m"}}},
	}
}

func invalidReplies() map[string]replyCase {
	return map[string]replyCase{
		"empty":              {"", jsonrpc.Malformed("the message is empty")},
		"not JSON":           {"hello", jsonrpc.Malformed("the message is not JSON: invalid character 'h' at start of value at byte 0")},
		"NaN":                {`{"jsonrpc":"2.0","id":7,"result":NaN}`, jsonrpc.Malformed("the message is not JSON: invalid character 'N' at start of value at byte 33")},
		"cut":                {`{"jsonrpc":"2.0","id":7,"result":{`, jsonrpc.Malformed("the message is not JSON: it ends too early")},
		"invalid UTF-8":      {"{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":\"\xff\"}", jsonrpc.Malformed("the message is not JSON: it is not valid UTF-8")},
		"more text after it": {`{"jsonrpc":"2.0","id":7,"result":1} {}`, jsonrpc.Malformed("the message is not JSON: there is more text after its end")},
		"batch":              {`[{"jsonrpc":"2.0","id":7,"result":1}]`, jsonrpc.Malformed("the message is an array (batches are not supported)")},
		"string":             {`"x"`, jsonrpc.Malformed("the message is not a JSON object")},
		"empty object":       {`{}`, jsonrpc.Malformed("id is missing")},
		"no version":         {`{"id":7,"result":1}`, jsonrpc.Malformed(`the member "jsonrpc" is missing`)},
		"version 1.0":        {`{"jsonrpc":"1.0","id":7,"result":1}`, jsonrpc.Malformed(`the member "jsonrpc" is not "2.0"`)},
		"version number":     {`{"jsonrpc":2.0,"id":7,"result":1}`, jsonrpc.Malformed(`the member "jsonrpc" is not "2.0"`)},
		"neither":            {`{"jsonrpc":"2.0","id":7}`, jsonrpc.Malformed("there is neither result nor error")},
		"both":               {`{"jsonrpc":"2.0","id":7,"result":null,"error":null}`, jsonrpc.Malformed("there are both result and error")},
		"other id":           {`{"jsonrpc":"2.0","id":8,"result":1}`, jsonrpc.Malformed("id is not the request's")},
		"string id":          {`{"jsonrpc":"2.0","id":"7","result":1}`, jsonrpc.Malformed("id is a string, the request's is an integer")},
		"null id":            {`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"m"}}`, jsonrpc.Malformed("id is null, the request's is an integer")},
		"fraction id":        {`{"jsonrpc":"2.0","id":7.5,"result":1}`, jsonrpc.Malformed("id is a number that is not an integer, the request's is an integer")},
		"huge exponent":      {`{"jsonrpc":"2.0","id":1e999999999,"result":1}`, jsonrpc.Malformed("id is a number that is not an integer, the request's is an integer")},
		"duplicate":          {`{"jsonrpc":"2.0","id":7,"result":1,"result":2}`, jsonrpc.Malformed(`the member "result" is duplicated in the message`)},
		"error string":       {`{"jsonrpc":"2.0","id":7,"error":"no"}`, jsonrpc.Malformed("error is a string, not an object")},
		"error without code": {`{"jsonrpc":"2.0","id":7,"error":{"message":"m"}}`, jsonrpc.Malformed("error.code is missing")},
		"error code text":    {`{"jsonrpc":"2.0","id":7,"error":{"code":"1"}}`, jsonrpc.Malformed("error.code is not an integer")},
		"error duplicate":    {`{"jsonrpc":"2.0","id":7,"error":{"code":1,"code":2}}`, jsonrpc.Malformed(`the member "code" is duplicated in error`)},
		"the request":        {`{"jsonrpc":"2.0","id":7,"method":"capability.list","params":{}}`, jsonrpc.Malformed("the message is a request or notification (it has a method), not a response")},
	}
}

func TestReply(t *testing.T) {
	tests := validReplies()
	maps.Copy(tests, invalidReplies())
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := jsonrpc.Reply([]byte(test.reply), 7)
			require.NoError(t, err)
			got.Content = nil // see TestContentOfMalformedReplies
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("answer (-want +got):\n%s", diff)
			}
		})
	}
}

// TestContentOfMalformedReplies: what a malformed reply contains shows which operation the target knows.
func TestContentOfMalformedReplies(t *testing.T) {
	for reply, want := range map[string]*driver.Answer{
		`{"id":7,"result":1}`:                      {Outcome: driver.Returned, Result: json.RawMessage("1")},
		`{"jsonrpc":"2.0","id":"7","result":[]}`:   {Outcome: driver.Returned, Result: json.RawMessage("[]")},
		`{"id":7,"error":{"code":-32601}}`:         {Outcome: driver.NotProvided, Error: &driver.ProtocolError{Number: -32601}},
		`{"jsonrpc":"2.0","id":7}`:                 nil,
		`{"jsonrpc":"2.0","id":7,"method":"list"}`: nil,
	} {
		got, err := jsonrpc.Reply([]byte(reply), 7)
		require.NoError(t, err)
		if diff := cmp.Diff(want, got.Content); diff != "" {
			t.Errorf("%s: content (-want +got):\n%s", reply, diff)
		}
	}
}

func TestDeepNestingIsLimitOfHarness(t *testing.T) {
	for _, levels := range []int{jsonrpc.MaxDepth, 100_000} {
		deep := strings.Repeat("[", levels) + strings.Repeat("]", levels)
		_, err := jsonrpc.Reply([]byte(`{"jsonrpc":"2.0","id":1,"result":`+deep+`}`), 1)
		if !errors.Is(err, driver.ErrTooLarge) {
			t.Errorf("%d levels: got %v, want ErrTooLarge", levels, err)
		}
	}
	deep := strings.Repeat("[", 5000) + strings.Repeat("]", 5000)
	answer, err := jsonrpc.Reply([]byte(`{"jsonrpc":"2.0","id":1,"result":`+deep+`}`), 1)
	require.NoError(t, err)
	if diff := cmp.Diff(deep, string(answer.Result)); diff != "" {
		t.Errorf("5,000 levels (-want +got):\n%s", diff)
	}
}

func TestRequest(t *testing.T) {
	tests := map[string]struct {
		params, want string
		fails        bool
	}{
		"nil":         {"", `{"jsonrpc":"2.0","id":3,"method":"a\"b","params":{}}`, false},
		"object":      {`{"x":1}`, `{"jsonrpc":"2.0","id":3,"method":"a\"b","params":{"x":1}}`, false},
		"line ends":   {"{\r\n\"x\":\n1}\n", `{"jsonrpc":"2.0","id":3,"method":"a\"b","params":{  "x": 1}}`, false},
		"array":       {`[]`, "", true},
		"null":        {`null`, "", true},
		"half object": {`{`, "", true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := jsonrpc.Request(3, `a"b`, []byte(test.params))
			if (err != nil) != test.fails {
				t.Fatalf("error %v, want one: %v", err, test.fails)
			}
			if diff := cmp.Diff(test.want, string(got)); diff != "" {
				t.Errorf("request (-want +got):\n%s", diff)
			}
		})
	}
}

func TestLimitsOfLists(t *testing.T) {
	limits := driver.Limits{Message: 100, Total: 1000}
	element := func(n int) string { return `"` + strings.Repeat("x", n-2) + `"` }
	tests := map[string]struct {
		list   bool
		result string
		fails  bool
	}{
		"short":                 {false, element(100), false},
		"long":                  {false, element(101), true},
		"list":                  {true, "[" + element(100) + "," + element(100) + "]", false},
		"list in an object":     {true, `{"a":1,"events":[` + element(100) + "," + element(100) + "]}", false},
		"long element":          {true, "[" + element(50) + "," + element(101) + "]", true},
		"long element in it":    {true, `{"events":[` + element(101) + "]}", true},
		"long member":           {true, `{"x":` + element(101) + "}", true},
		"long string as a list": {true, element(101), true},
		"too long in total":     {true, "[" + strings.Repeat(element(99)+",", 10) + "1]", true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := jsonrpc.Within(
				limits,
				driver.Operation{List: test.list},
				driver.Answer{Result: []byte(test.result)},
			)
			if got := errors.Is(err, driver.ErrTooLarge); got != test.fails {
				t.Errorf("got %v, want ErrTooLarge: %v", err, test.fails)
			}
		})
	}
}
