package reports

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestPayload(t *testing.T) {
	long := strings.Repeat("é", payloadLimit)
	cases := []struct {
		name  string
		in    string
		text  string
		whole bool
	}{
		{"nothing", "", "", true},
		{"short", `{"a":1}`, `{"a":1}`, true},
		{"at the limit", strings.Repeat("a", payloadLimit), strings.Repeat("a", payloadLimit), true},
		{"one byte more", strings.Repeat("a", payloadLimit+1), strings.Repeat("a", payloadLimit), false},
		{"cut between runes", "a" + long, "a" + long[:payloadLimit-2], false},
		{"broken UTF-8", "a\xffb", "a\uFFFDb", false},
		{"all broken", strings.Repeat("\xff\xfea", payloadLimit), "", false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			p := NewPayload([]byte(c.in))
			if c.text != "" && p.Text != c.text {
				t.Errorf("text of %d bytes, want %d", len(p.Text), len(c.text))
			}
			if p.Whole() != c.whole || p.Length != len(c.in) || len(p.Text) > payloadLimit ||
				!utf8.ValidString(p.Text) {
				t.Errorf("whole %v, length %d, %d bytes of text", p.Whole(), p.Length, len(p.Text))
			}
			raw, err := json.Marshal(p)
			if err != nil {
				t.Fatal(err)
			}
			var back Payload
			if err := json.Unmarshal(raw, &back); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(p, back); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
	if got, want := NewPayload([]byte("\xff")).SHA256, "a8100ae6aa1940d0b663bb31cd466142ebbdbd5187131b92d93818987832eb89"; got != want {
		t.Errorf("digest %s, want %s", got, want)
	}
}
