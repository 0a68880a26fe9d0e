package act

import (
	"encoding/json"
	"testing"

	"github.com/capconform/capconform/suites/cap/history"
)

func TestCovers(t *testing.T) {
	for _, c := range []struct {
		whole, part string
		want        bool
	}{
		{`{"a":"x","b":1}`, `{"a":"y"}`, true},
		{`{"a":"x"}`, `{"a":"y","b":1}`, false},
		{`{"a":"x"}`, `{"a":1}`, false},
		{`{"a":null}`, `{}`, true},
		{`{"a":1}`, `{"a":1.5}`, false},
		{`{"a":{"b":[true]}}`, `{"a":{"b":[]}}`, true},
		{`{"a":{"b":[]}}`, `{"a":{"b":[true]}}`, false},
		{`{"a":[1,{"c":1}]}`, `{"a":[2,{"c":"1"}]}`, false},
		{`{"a":[]}`, `{"a":{}}`, false},
		{`{"a":{}}`, `{"a":[]}`, false},
	} {
		if got := covers(history.Value(json.RawMessage(c.whole)), history.Value(json.RawMessage(c.part))); got != c.want {
			t.Errorf("covers(%s, %s) = %t, want %t", c.whole, c.part, got, c.want)
		}
	}
}
