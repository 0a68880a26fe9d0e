package act

import (
	"encoding/json"
	"slices"
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
		if got := containsPlaces(history.Value(json.RawMessage(c.whole)),
			history.Value(json.RawMessage(c.part))); got != c.want {
			t.Errorf("covers(%s, %s) = %t, want %t", c.whole, c.part, got, c.want)
		}
	}
}

func TestEvenly(t *testing.T) {
	for _, c := range []struct {
		all  []int
		most int
		want []int
	}{
		{nil, 2, nil},
		{[]int{0, 1, 2}, 3, []int{0, 1, 2}},
		{[]int{0, 1, 2, 3}, 2, []int{0, 2}},
		{[]int{0, 1, 2, 3, 4, 5, 6}, 3, []int{0, 2, 4}},
	} {
		if got := evenly(c.all, c.most); !slices.Equal(got, c.want) {
			t.Errorf("evenly(%v, %d) = %v, want %v", c.all, c.most, got, c.want)
		}
	}
}

func TestPercentEncoded(t *testing.T) {
	for id, want := range map[string]string{"text.count": "%74ext.count", "\u00fcber": "%C3%BCber", "a": "%61"} {
		if got := percentEncoded(id); got != want {
			t.Errorf("percentEncoded(%q) = %q, want %q", id, got, want)
		}
	}
}
