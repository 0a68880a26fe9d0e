package rpc_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reference/rpc"
)

func TestAppendRoundTrips(t *testing.T) {
	for _, text := range []string{
		`null`, `true`, `12.50`, `-1E+400`, `123456789012345678901234567890`, `""`, `"a\"b\\c"`,
		`"\u0000\u001f\u007f\u2028é😀<&>"`,
		`[]`, `{}`, `[1,[2,[{}]],null]`, `{"a":{"b":[true,false]},"":0}`,
	} {
		value, err := rpc.Decode([]byte(text))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		written := rpc.Append(nil, value)
		again, err := rpc.Decode(written)
		if err != nil {
			t.Errorf("%s was written as %s: %v", text, written, err)
		}
		if diff := cmp.Diff(value, again); diff != "" {
			t.Errorf("%s (-decoded +written)\n%s", text, diff)
		}
	}
}

func TestAppendEncodesHandlerResults(t *testing.T) {
	value := map[string]any{"z": 1, "a": int64(2), "m": 0.5, "raw": rpc.Raw(`[ 1 ]`), "list": []string{"x"},
		"never": make(chan int), "number": json.Number("7")}
	want := `{"a":2,"list":["x"],"m":0.5,"never":null,"number":7,"raw":[ 1 ],"z":1}`
	if diff := cmp.Diff(want, string(rpc.Append(nil, value))); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestCloneSharesNothing(t *testing.T) {
	value := map[string]any{"a": []any{map[string]any{"b": 1}}}
	cloned := rpc.Clone(value).(map[string]any)
	cloned["a"].([]any)[0].(map[string]any)["b"] = 2
	if diff := cmp.Diff(map[string]any{"a": []any{map[string]any{"b": 1}}}, value); diff != "" {
		t.Errorf("the original changed (-want +got)\n%s", diff)
	}
}

func TestServeWritesErrors(t *testing.T) {
	operations := map[string]rpc.Operation{
		"plain": func(context.Context, map[string]any) (any, error) { return nil, errors.New("secret detail") },
		"own":   func(context.Context, map[string]any) (any, error) { return nil, rpc.Refuse("NOT_FOUND", "no") },
		"data": func(context.Context, map[string]any) (any, error) {
			return nil, &rpc.Error{Number: 404, Message: "no", Data: map[string]any{"n": 1}}
		},
	}
	for method, want := range map[string]string{
		"plain": `{"jsonrpc":"2.0","id":"a","error":{"code":-32603,"message":"internal error"}}`,
		"own":   `{"jsonrpc":"2.0","id":"a","error":{"code":-32000,"data":{"code":"NOT_FOUND"},"message":"no"}}`,
		"data":  `{"jsonrpc":"2.0","id":"a","error":{"code":404,"data":{"n":1},"message":"no"}}`,
	} {
		got := string(rpc.Serve(t.Context(), operations, []byte(`{"jsonrpc":"2.0","id":"a","method":"`+method+`"}`)))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", method, diff)
		}
	}
}

// TestAppendStrings: strings are encoded like by encoding/json.
func TestAppendStrings(t *testing.T) {
	t.Parallel()
	for c := range 300 {
		for _, text := range []string{string(rune(c)), "a" + string(rune(c)) + "b\"\\\n\t", "\n" + string(rune(c)) + string(rune(c))} {
			var want bytes.Buffer
			encoder := json.NewEncoder(&want)
			encoder.SetEscapeHTML(false)
			require.NoError(t, encoder.Encode(text))
			require.Equal(t, strings.TrimSpace(want.String()), string(rpc.Append(nil, text)))
		}
	}
}
