package record

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNewBodyAgreesWithEncodingJSON: a body is JSON exactly if encoding/json accepts its text, and no byte of its
// tokens changes.
func TestNewBodyAgreesWithEncodingJSON(t *testing.T) {
	for _, text := range []string{
		` { "a" : [ 1 , 2.50e+0 , -0 ] , "a" : null } `, `{"a":"\ud800"}`, `{"a":"\uD83D\uDE00 \u00e9\/<&>"}`, `"` + "\u2028" + `"`, ` [ ] `, `{ }`, `1E5`,
		`01`, `[1,]`, `{"a":1,}`, `{a:1}`, `NaN`, `"` + "\t" + `"`, `"\x"`, `{} {}`, "\ufeff{}", ` `, `tru`, `[1 2]`,
		strings.Repeat("[", 9_999) + strings.Repeat("]", 9_999), strings.Repeat("[", 10_001) + strings.Repeat("]", 10_001),
	} {
		var want bytes.Buffer
		isJSON := json.Compact(&want, []byte(text)) == nil
		body := NewBody([]byte(text))
		require.Equal(t, isJSON, body.IsJSON(), "%.40q", text)
		if isJSON {
			require.Equal(t, want.String(), string(body.JSON))
		}
	}
}

// TestMembersKeepTheirBytes: the members of an object are parts of its text.
func TestMembersKeepTheirBytes(t *testing.T) {
	const text = `{"a\u002fb":[1.0,{"c":"\ud800"}],"a/b":"\/","~":{},"~":[]}`
	var members rawMembers
	require.NoError(t, members.read([]byte(text)))
	require.Equal(t, text, string(members.text()))
	var pointers []string
	for _, member := range members {
		pointers = append(pointers, member.pointer)
	}
	require.Equal(t, []string{"/a~1b", "/a~1b", "/~0", "/~0"}, pointers)
	elements, ok := elementsOf(members[0].value)
	require.True(t, ok)
	require.Equal(t, []json.RawMessage{json.RawMessage(`1.0`), json.RawMessage(`{"c":"\ud800"}`)}, elements)
	for _, broken := range []string{``, `[`, `{"a":`, `{"a":1`, `[1,`} {
		require.Error(t, members.read([]byte(broken)), broken)
		_, ok := elementsOf([]byte(broken))
		require.False(t, ok, broken)
	}
}
