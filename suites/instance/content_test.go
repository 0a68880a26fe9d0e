package instance

import (
	"encoding/base64"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

// A host may check the content of a string against contentEncoding and contentMediaType, so the content must conform.
func TestContentConformsToSchema(t *testing.T) {
	s := compile(t, `{"required":["raw","packed","text"],"additionalProperties":false,"properties":{
		"raw":{"type":"string","contentEncoding":"base64"},
		"packed":{"type":"string","contentEncoding":"base64","contentMediaType":"application/json","maxLength":90},
		"text":{"type":"string","contentMediaType":"application/json"}}}`)
	inputs, err := ValidObject(s, 1)
	require.NoError(t, err)
	require.NotEmpty(t, inputs)
	all := inputs
	for _, input := range inputs {
		all = append(all, Edges(s, input.Value, 0)...)
	}
	for _, input := range all {
		members, _ := input.Value.(map[string]any)
		text := func(name string) []byte { v, _ := members[name].(string); return []byte(v) }
		_, broken := base64.StdEncoding.DecodeString(string(text("raw")))
		packed, alsoBroken := base64.StdEncoding.DecodeString(string(text("packed")))
		if broken != nil || alsoBroken != nil || !json.Valid(packed) || !json.Valid(text("text")) {
			t.Errorf("%s (%s) does not have the content that its schema requires", textOf(input.Value), input.Note)
		}
	}
}
