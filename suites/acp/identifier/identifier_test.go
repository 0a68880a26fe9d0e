package identifier_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites/acp/identifier"
)

func TestParseCapability(t *testing.T) {
	for _, c := range []struct{ text, name, version string }{
		{"did:nuwa:cap:note@1.0.0", "note", "1.0.0"},
		{"did:nuwa:cap:a@0.0.1-rc.1+build.007", "a", "0.0.1-rc.1+build.007"},
		{"did:nuwa:cap:0_a-b.C@10.20.30", "0_a-b.C", "10.20.30"},
		{"did:nuwa:cap:a@1.0.0-0a.0.x-y", "a", "1.0.0-0a.0.x-y"},
		{"did:nuwa:cap:a@99999999999999999999.0.0", "a", "99999999999999999999.0.0"},
	} {
		got, err := identifier.ParseCapability(c.text)
		require.NoError(t, err, c.text)
		require.Equal(t, []string{c.name, c.version}, []string{got.Name, string(got.Version)})
	}
}

func TestUsualNames(t *testing.T) {
	for name, want := range map[string]bool{"note": true, "a_b-1": true, "0a": true, "Note": false, "a.b": false, "a:b": false, "-a": false, "a%20b": false} {
		c, err := identifier.ParseCapability("did:nuwa:cap:" + name + "@1.0.0")
		require.NoError(t, err)
		if c.HasUsualName() != want {
			t.Errorf("%s: usual %v, want %v", name, c.HasUsualName(), want)
		}
	}
}

func TestParseCapabilityErrors(t *testing.T) {
	for _, c := range []struct {
		text, problem, likely string
		ofVersion             bool
	}{
		{"", "does not begin with", "", false},
		{"note", "does not begin with", "did:nuwa:cap:note@1.0.0", false},
		{"note@2", "does not begin with", "did:nuwa:cap:note@2.0.0", false},
		{"https://example.org/note@1.0.0", "does not begin with", "", false},
		{"DID:NUWA:CAP:note@1.0.0", "does not begin with", "did:nuwa:cap:note@1.0.0", false},
		{"nuwa:caps:note@1.0.0", "does not begin with", "did:nuwa:cap:note@1.0.0", false},
		{"did:nuwa:capability:note@1.0.0", "does not begin with", "did:nuwa:cap:note@1.0.0", false},
		{"did:nuwa:cap:@1.0.0", "the name is empty", "", false},
		{"did:nuwa:cap:", "the name is empty", "", false},
		{"did:nuwa:cap:my note@1.0.0", "the name contains characters", "did:nuwa:cap:my-note@1.0.0", false},
		{"did:nuwa:cap:ñote@1.0.0", "the name contains characters", "did:nuwa:cap:ote@1.0.0", false},
		{"did:nuwa:cap:a/b@1.0.0", "the name contains characters", "did:nuwa:cap:a-b@1.0.0", false},
		{"did:nuwa:cap:a%2@1.0.0", "the name contains characters", "did:nuwa:cap:a-2@1.0.0", false},
		{"did:nuwa:cap:a:@1.0.0", "the name contains characters", "did:nuwa:cap:a@1.0.0", false},
		{"did:nuwa:cap:note", "the version after @ is missing", "did:nuwa:cap:note@1.0.0", false},
		{"did:nuwa:cap:note@", "the version after @ is missing", "did:nuwa:cap:note@1.0.0", false},
		{"did:nuwa:cap:note@1.0.0@2.0.0", "is not a semantic version", "", false},
		{"did:nuwa:cap:note@1.0", "is not a semantic version", "did:nuwa:cap:note@1.0.0", true},
		{"did:nuwa:cap:note@v1.0.0", "is not a semantic version", "did:nuwa:cap:note@1.0.0", true},
		{"did:nuwa:cap:note@01.0.0", "is not a semantic version", "did:nuwa:cap:note@1.0.0", true},
		{"did:nuwa:cap:note@1.0.0-01", "is not a semantic version", "", true},
		{"did:nuwa:cap:note@1.0.0-", "is not a semantic version", "", true},
		{"did:nuwa:cap:note@1.0.0 ", "is not a semantic version", "did:nuwa:cap:note@1.0.0", true},
		{"did:nuwa:cap:note@latest", "is not a semantic version", "", true},
		{"did:nuwa:cap:note@1.0.0+a+b", "is not a semantic version", "", true},
		{"did:nuwa:cap:" + strings.Repeat("a", 5000) + "@1.0.0", "longer than", "", false},
	} {
		_, err := identifier.ParseCapability(c.text)
		var defect *identifier.Defect
		require.ErrorAs(t, err, &defect, c.text)
		require.Contains(t, defect.Problem, c.problem, c.text)
		if diff := cmp.Diff([]any{c.likely, c.ofVersion}, []any{defect.Suggestion, defect.OnlyVersion}); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.text, diff)
		}
	}
}

func TestParseSchema(t *testing.T) {
	for _, c := range []struct{ text, namespace, owner, version string }{
		{"did:nuwa:state:note#v1", "state", "note", "v1"},
		{"did:nuwa:state:note#1.2", "state", "note", "1.2"},
		{"did:nuwa:cap:note:state:Note#1.2.3", "cap", "note", "1.2.3"},
		{"did:nuwa:app:mail:state:Box#v2", "app", "", "v2"},
		{"did:nuwa:user:abc:state:X#1", "user", "", "1"},
		{"did:nuwa:core:Log#1", "core", "", "1"},
		{"https://example.org/a#v1", "", "", "v1"},
		{"did:nuwa:state:note#latest", "state", "note", ""},
	} {
		got, err := identifier.ParseSchema(c.text)
		require.NoError(t, err, c.text)
		version := ""
		if got.Version != nil {
			version = got.Version.Original()
		}
		if diff := cmp.Diff([]string{c.namespace, c.owner, c.version}, []string{got.Namespace, got.Owner, version}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.text, diff)
		}
	}
	for text, likely := range map[string]string{
		"did:nuwa:state:note": "did:nuwa:state:note#v1", "did:nuwa:state:note@2.0": "did:nuwa:state:note#2.0", "did:nuwa:state:note#": "did:nuwa:state:note#v1",
		"did:nuwa:state:note#v1": "",
	} {
		got, err := identifier.ParseSchema(text)
		require.NoError(t, err, text)
		require.Equal(t, likely, got.Suggestion, text)
	}
	for _, c := range []struct{ text, problem, likely string }{
		{"", "is empty", ""},
		{"note#v1", "is not an absolute URI", "did:nuwa:state:note#v1"},
		{"note", "is not an absolute URI", "did:nuwa:state:note#v1"},
		{"#v1", "is not an absolute URI", ""},
		{"/a/b#v1", "is not an absolute URI", ""},
		{"did:nuwa:state:my note#v1", "is not a URI", ""},
		{"did:nuwa:state:a#b#c", "is not a URI", "did:nuwa:state:a#v1"},
		{"did:" + strings.Repeat("a", 5000) + "#1", "longer than", ""},
	} {
		_, err := identifier.ParseSchema(c.text)
		var defect *identifier.Defect
		require.ErrorAs(t, err, &defect, c.text)
		require.Contains(t, defect.Problem, c.problem, c.text)
		if c.likely != defect.Suggestion {
			t.Errorf("%q: likely %q, want %q", c.text, defect.Suggestion, c.likely)
		}
	}
}

// FuzzCapability: a parsed id is written unchanged, and a suggested id is valid.
func FuzzCapability(f *testing.F) {
	for _, seed := range []string{"did:nuwa:cap:note@1.0.0", "note@v1", "did:nuwa:cap:a b@1", "did:nuwa:cap:a@1.0.0-01+x", "nuwa:cap:é@1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := identifier.ParseCapability(text)
		var defect *identifier.Defect
		switch {
		case err == nil:
			require.Equal(t, text, identifier.CapabilityPrefix+c.Name+"@"+string(c.Version))
		case errors.As(err, &defect) && defect.Suggestion != "":
			_, err := identifier.ParseCapability(defect.Suggestion)
			require.NoError(t, err)
		}
	})
}

// FuzzSchema does the same for schema URIs.
func FuzzSchema(f *testing.F) {
	for _, seed := range []string{"did:nuwa:state:note#v1", "note", "did:nuwa:state:note@2", "a:b#c#d", "did:nuwa:cap:a:state:b#1.0"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := identifier.ParseSchema(text)
		var defect *identifier.Defect
		switch {
		case err == nil:
			require.True(t, text == s.Base || strings.HasPrefix(text, s.Base+"#"))
		case errors.As(err, &defect) && defect.Suggestion != "":
			_, err := identifier.ParseSchema(defect.Suggestion)
			require.NoError(t, err)
		}
	})
}
