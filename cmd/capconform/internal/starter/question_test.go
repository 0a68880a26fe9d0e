package starter

import (
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

// TestAsk: what the target did not show is asked for, a wrong answer once more, and everything else is left as it is.
func TestAsk(t *testing.T) {
	listed := []string{"acme.echo", "acme.fail", "$(touch owned)"}
	for name, c := range map[string]struct {
		answers []string
		said    []string
		want    map[string]any // the roles
		name    string
		version string
		err     error
	}{
		"everything": {[]string{"acme", "1.2", "acme.fail"}, []string{"chp lists acme.echo, acme.fail\nchp fails, which fails: "},
			map[string]any{"echo": "acme.echo", "fails": "acme.fail"}, "acme", "1.2", nil},
		"nothing": {[]string{"", "", ""}, nil, map[string]any{"echo": "acme.echo"}, "my-host", "", nil},
		"wrong at first": {[]string{"a\x1b[31m", "acme", "", "acme.fial", " acme.fail "},
			[]string{"want at most 200 printable characters\nname: ", `no capability of this id is listed; did you mean "acme.fail"?` + "\n"},
			map[string]any{"echo": "acme.echo", "fails": "acme.fail"}, "acme", "", nil},
		"wrong again": {[]string{"", "", "$(touch owned)", "$(touch owned)"}, nil, map[string]any{"echo": "acme.echo"}, "my-host", "", nil},
		"ended":       {[]string{"acme"}, nil, nil, "", "", io.ErrUnexpectedEOF},
	} {
		t.Run(name, func(t *testing.T) {
			facts := Facts{Driver: "http", URL: "http://127.0.0.1:1", Target: "t.yaml", Suites: []Suite{
				{Name: "mcp"}, {Name: "chp", Listed: listed, Vacant: []Role{
					{Name: "echo", Purpose: "gives back", Candidates: []Candidate{{ID: "acme.echo"}}}, {Name: "fails", Purpose: "fails"}}}}}
			var out strings.Builder
			err := facts.Ask(func() (string, error) {
				if len(c.answers) == 0 {
					return "", io.ErrUnexpectedEOF
				}
				next := c.answers[0]
				c.answers = c.answers[1:]
				return next + "\n", nil
			}, &out)
			require.ErrorIs(t, err, c.err)
			require.Empty(t, c.answers, out.String())
			for _, said := range c.said {
				require.Contains(t, out.String(), said)
			}
			require.NotContains(t, out.String(), "echo, which")
			require.NotContains(t, out.String(), "owned")
			if c.err != nil {
				return
			}
			file, err := facts.TargetFile()
			require.NoError(t, err)
			got, err := parsed(file)
			require.NoError(t, err)
			roles := map[string]any{}
			for role, by := range c.want {
				roles[role] = map[string]any{"capability": by}
			}
			want := map[string]any{"name": c.name, "suites": []any{"mcp", "chp"}, "driver": "http", "url": "http://127.0.0.1:1",
				"roles": map[string]any{"chp": roles}}
			if c.version != "" {
				want["version"] = c.version
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got)\n%s\n%s", diff, file)
			}
		})
	}
}
