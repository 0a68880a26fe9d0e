package mapping_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites/driver/mapping"
)

func TestResponse(t *testing.T) {
	body := `{"data": {"n": 1.50, "null": null}}`
	value, err := mapping.Decode([]byte(body))
	require.NoError(t, err)
	for text, want := range map[string]string{
		"":                        `true {"data": {"n": 1.50, "null": null}} <nil>`,
		".body.data":              `true {"n": 1.50, "null": null} <nil>`,
		`.body["data"].n`:         `true 1.50 <nil>`,
		".body.data | {m: .n}":    `false {"m":1.50} <nil>`,
		".body.data.null":         `true  there is nothing at .body.data.null`,
		".body.data.null | .none": `false  yields nothing`,
		"empty":                   `false  yields nothing`,
		`env.HOME`:                `false  yields nothing`,
		`[env, $ENV]`:             `false [{},{}] <nil>`,
		`@sh "\($ENV | length)"`:  `false "0" <nil>`,
		`now | type`:              `false "number" <nil>`,
		`limit(1; repeat(1))`:     `false 1 <nil>`,
		`halt_error`:              `false  halt error: {"body":{"data":{"n":1.50,"null":null}}}`,
	} {
		r, err := mapping.CompileResponse(text)
		require.NoError(t, err, text)
		result, own, err := r.Result(t.Context(), map[string]any{"body": value}, []byte(body))
		if diff := cmp.Diff(want, fmt.Sprint(own, " ", string(result), " ", err)); diff != "" {
			t.Errorf("%s (-want +got)\n%s", text, diff)
		}
	}
}

func TestYieldRefusal(t *testing.T) {
	for text, want := range map[string]string{
		"": "<nil> <nil>", "null": "<nil> <nil>", `"GONE"`: "GONE  <nil>", `{code: "GONE", message: "it went"}`: "GONE it went <nil>",
		"7": "<nil> must yield null, a string, or an object with code", "error(\"x\")": "<nil> error: x",
	} {
		x, err := mapping.Compile(text)
		require.NoError(t, err, text)
		refused, err := x.YieldRefusal(t.Context(), map[string]any{})
		got := fmt.Sprint(nil, " ", err)
		if refused != nil {
			got = fmt.Sprint(refused.Code, " ", refused.Message, " ", err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", text, diff)
		}
	}
}

func TestCompileErrors(t *testing.T) {
	for _, text := range []string{
		"{", "nothing_like_this", "input", "inputs", "debug", "stderr", "input_filename", "$__prog_args",
		`import "a" as b; 1`, `include "a"; 1`, "get_search_list",
	} {
		if _, err := mapping.Compile(text); err == nil {
			t.Errorf("%s was compiled", text)
		}
	}
}
