package acpsuite

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acp/environment"
	"github.com/capconform/capconform/suites/document"
)

// linted gives the requirements that a file breaks, hints left out.
func linted(t *testing.T, file []byte) []string {
	t.Helper()
	s, err := suites.New(Definition())
	require.NoError(t, err)
	read, err := document.Parse("sample.acp.yaml", file, document.Limits{})
	require.NoError(t, err)
	subject := &suites.Subject{Name: "sample", Documents: []suites.Document{*read}, Options: map[string]string{OptionMode: ModePublishable}}
	report, err := suites.Lint(t.Context(), []*suites.Suite{s}, subject, suites.Options{Explicit: true})
	require.NoError(t, err)
	var broken []string
	for _, q := range report.Suites[0].Requirements {
		if q.Status == reports.Failed && q.Level != "ADVICE" || q.Status == reports.Error {
			broken = append(broken, q.ID)
		}
	}
	return broken
}

// TestSamplesAreSound: what a router is to install breaks nothing, and what it is to
// refuse breaks just what it is said to.
func TestSamplesAreSound(t *testing.T) {
	e := offline(t)
	w := &world{party: party{examination: e}}
	paired := e.specimen()
	w.endings(paired)
	lengthen(paired)
	keeping := e.specimen()
	keeping.keeps(toolUpdate, toolDelete)
	for name, s := range map[string]*specimen{
		"the plainest": e.specimen(), "one of a pair": paired, "one with objects": keeping, "one with bindings": w.boundSpecimen(), "a newer version": e.upgraded(e.specimen()), "one whose schema asks for much": w.strictSpecimen(),
	} {
		t.Run(name, func(t *testing.T) {
			file, err := e.sealed(s.YAML(), e.author)
			require.NoError(t, err)
			if diff := cmp.Diff([]string(nil), linted(t, file)); diff != "" {
				t.Errorf("broken (-want +got)\n%s", diff)
			}
		})
	}
}

func TestSpoiltSamples(t *testing.T) {
	e := offline(t)
	w := &world{party: party{examination: e}}
	cases := map[string][]string{
		"whose bytes belong to another CID":                   nil,
		"without a signature":                                 {"ACP-FIELD-13"},
		"with an empty signature":                             {"ACP-FIELD-13"},
		"with a placeholder for a signature":                  {"ACP-FIELD-13"},
		"whose signature is noise":                            {"ACP-FIELD-13"},
		"that somebody else signed":                           {"ACP-FIELD-13"},
		"in which one letter was changed":                     {"ACP-FIELD-13"},
		"with null for a signature":                           {"ACP-FIELD-13"},
		"in which the address of a binding was changed":       {"ACP-FIELD-13"},
		"in which the schema was changed":                     {"ACP-FIELD-13"},
		"in which the description was changed":                {"ACP-FIELD-13"},
		"in which a trigger was changed":                      {"ACP-FIELD-13"},
		"in which the parameters of a tool were changed":      {"ACP-FIELD-13"},
		"without a schema":                                    {"ACP-FILE-02"},
		"whose schema is no JSON":                             {"ACP-FILE-06"},
		"in which a comment was changed":                      {"ACP-FIELD-13"},
		"in which the line ends were changed":                 {"ACP-FIELD-13"},
		"whose id is no capability URI":                       {"ACP-TERM-02", "ACP-FIELD-14"},
		"whose schema has no URI":                             {"ACP-FIELD-03"},
		"whose id has no version":                             {"ACP-TERM-02", "ACP-FIELD-01"},
		"whose version begins with a letter":                  {"ACP-TERM-02", "ACP-FIELD-14"},
		"whose schema has a relative URI":                     {"ACP-FIELD-03"},
		"that declares all but one of the verbs that it uses": {"ACP-STATE-15"},
		"that uses a verb and does not declare it":            {"ACP-STATE-08"},
		"that uses state.update and does not declare it":      {"ACP-STATE-13"},
		"that uses state.query and does not declare it":       {"ACP-STATE-14"},
		"with a binding for a tool that it lacks":             {"ACP-BIND-03"},
	}
	for what, want := range cases {
		t.Run(what, func(t *testing.T) {
			sound := e.specimen()
			cid, err := w.spoilt(t.Context(), spoilings[what], sound)
			require.NoError(t, err)
			file := e.env.Gateway.Stored(cid)
			require.NotNil(t, file)
			if diff := cmp.Diff(want, linted(t, file)); diff != "" {
				t.Errorf("broken (-want +got)\n%s", diff)
			}
			if honest := environment.CID(file) == cid; honest == (want == nil) {
				t.Errorf("the file lies under a CID of its own: %v", honest)
			}
		})
	}
	for what := range spoilings {
		if _, tried := cases[what]; !tried {
			t.Errorf("a package %s is offered to routers, and this test does not try it", what)
		}
	}
}
