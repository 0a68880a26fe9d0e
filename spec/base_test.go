package spec

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestCatalogueOnBase checks that a catalogue with a base has what it states and, apart from that, what the base has.
func TestCatalogueOnBase(t *testing.T) {
	base, err := Load("chp")
	require.NoError(t, err)
	own, added := strings.Repeat("a", 64), strings.Repeat("b", 64)
	const head = "suite: chp\ntitle: CHP\nversion: '0.1'\nbase: chp\n"
	c, err := Parse("c.yaml", "", []byte(head+`requirements:
  - {id: CHP-3-02, summary: Another one., yields_to: [CHP-3-01]}
  - {id: CHP-3-99, level: MUST, section: "3", actor: host, summary: A new one., check: live, satisfy: Do it., fingerprint: [`+own+`]}
not_normative: [{fingerprint: `+added+`, why: New.}]
gone: [`+base.NotNormative[0].Fingerprint+`]
`))
	require.NoError(t, err)
	require.Len(t, c.Requirements, len(base.Requirements)+1)
	was, _ := base.Lookup("CHP-3-02")
	is, _ := c.Lookup("CHP-3-02")
	assert.Equal(t, "Another one.", is.Summary)
	assert.Equal(t, []string{"CHP-3-01"}, is.YieldsTo)
	assert.Equal(t, was.Fingerprint, is.Fingerprint)
	last := indexOf(c.Requirements, "CHP-3-19")
	assert.Equal(t, []string{"CHP-3-99", base.Requirements[last+1].ID},
		[]string{c.Requirements[last+1].ID, c.Requirements[last+2].ID})
	assert.Len(t, c.NotNormative, len(base.NotNormative))
	assert.Equal(t, base.NotNormative[1], c.NotNormative[0])
	assert.Equal(t, added, c.NotNormative[len(c.NotNormative)-1].Fingerprint)
	assert.NotEqual(t, base.Digest(), c.Digest())
	assert.Len(t, c.sketches(), len(base.sketches()))
	sketched, count := WithSketches(c, []byte(head), []Block{{Fingerprint: own, Text: "A host must."}})
	assert.Equal(t, 1, count, "those of the base stay there: %s", sketched)

	for name, wrong := range map[string]struct{ rest, want string }{
		"no such base":      {"base: cph\nrequirements: []\n", `no catalogue for suite "cph"`},
		"gone without base": {"requirements: []\ngone: [" + own + "]\n", `no catalogue for suite ""`},
		"gone twice": {"base: chp\ngone: [" + base.NotNormative[0].Fingerprint + ", " + base.NotNormative[0].Fingerprint + "]\n",
			"gone: each is the fingerprint of another entry"},
		"gone is none of the base": {"base: chp\ngone: [" + own + "]\n", "gone: each is the fingerprint of another entry"},
		"an incomplete addition":   {"base: chp\nrequirements:\n  - {id: CHP-3-99}\n", `c.yaml:6: CHP-3-99: unknown level ""`},
		"another type":             {"base: chp\nrequirements:\n  - {id: CHP-3-02, summary: [a]}\n", "c.yaml:6: cannot unmarshal"},
		"a broken addition": {"base: chp\nrequirements:\n  - {id: CHP-3-02, yields_to: [CHP-0-01]}\n",
			`c.yaml:6: CHP-3-02: yields_to names "CHP-0-01", which is not a requirement`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Parse("c.yaml", "", []byte("suite: chp\ntitle: CHP\nversion: '0.1'\n"+wrong.rest))
			require.ErrorContains(t, err, wrong.want)
		})
	}
}
