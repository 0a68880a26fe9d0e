package reports

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

// own are members that only capconform writes: neither the target nor the command line influences them.
var own = map[string]bool{
	"SchemaVersion": true, "Kind": true, "Verdict": true, "Harness": true, "Driver": true, "Run.ID": true,
	"NotSpoken": true,
	"Suite":     true, "SpecVersion": true, "Edition": true, "TextDigest": true, "Actors": true, "LeftOut": true,
	"TargetFileDigest": true,
	"RecordDigest":     true, "Parts.RunID": true, "Digest": true, "Requirements.ID": true, "Level": true, "Section": true,
	"Summary": true, "Status": true,
	"Scenarios.Name": true, "Fault": true, "Step": true, "SHA256": true, "Weight": true, "RootCauses.Requirements": true,
	"Tolerated": true,
}

// fillTexts writes a secret into every string of a value, at any depth.
func fillTexts(v reflect.Value, path, secret string) {
	parts := strings.Split(path, ".")
	if own[parts[len(parts)-1]] || len(parts) > 1 && own[strings.Join(parts[len(parts)-2:], ".")] {
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fillTexts(v.Elem(), path, secret)
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			return
		}
		for i := range v.NumField() {
			fillTexts(v.Field(i), path+"."+v.Type().Field(i).Name, secret)
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fillTexts(v.Index(0), path, secret)
	case reflect.String:
		v.SetString("a " + secret + " z")
	}
}

// TestMaskReachesEveryText: a member that is added later must be masked or listed in own.
func TestMaskReachesEveryText(t *testing.T) {
	var r Report
	fillTexts(reflect.ValueOf(&r).Elem(), "", "sesame")
	before := encoded(t, &r)
	if n := strings.Count(before, "sesame"); n < 25 {
		t.Fatalf("only %d texts were filled:\n%s", n, before)
	}
	r.Mask(func(text string) string { return strings.ReplaceAll(text, "sesame", "[masked]") })
	after := encoded(t, &r)
	for line := range strings.Lines(after) {
		if strings.Contains(line, "sesame") {
			t.Errorf("not masked: %s", line)
		}
	}
}

func TestMaskKeepsPayloadsConsistent(t *testing.T) {
	shorter := func(text string) string { return strings.ReplaceAll(text, "secret", "x") }
	longer := func(text string) string { return strings.ReplaceAll(text, "s", strings.Repeat("y", 100)) }
	for _, c := range []struct {
		name string
		in   string
		mask func(string) string
		want Payload
	}{
		{"untouched", "plain", shorter, Payload{Text: "plain", Length: 5}},
		{"whole", "a secret", shorter, Payload{Text: "a x", Length: 3}},
	} {
		p := NewPayload([]byte(c.in))
		p.mask(c.mask)
		if diff := cmp.Diff(c.want, p); diff != "" {
			t.Errorf("%s (-want +got)\n%s", c.name, diff)
		}
	}
	cut := NewPayload([]byte(strings.Repeat("s", payloadLimit+1)))
	digest := cut.SHA256
	cut.mask(longer)
	if len(cut.Text) > payloadLimit || cut.SHA256 != digest || strings.Contains(cut.Text, "s") {
		t.Errorf("%d bytes, digest %s", len(cut.Text), cut.SHA256)
	}
	grown := NewPayload([]byte(strings.Repeat("s", payloadLimit)))
	grown.mask(longer)
	if grown.Whole() || len(grown.Text) > payloadLimit {
		t.Errorf("%d bytes, whole %v", len(grown.Text), grown.Whole())
	}
}

func encoded(t *testing.T, r *Report) string {
	t.Helper()
	var text strings.Builder
	require.NoError(t, WriteJSON(&text, r))
	return text.String()
}
