package acpsuite

import (
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acp/act/router"
	"github.com/capconform/capconform/suites/acp/content"
	acpdocument "github.com/capconform/capconform/suites/acp/document"
	"github.com/capconform/capconform/suites/acp/history"
	"github.com/capconform/capconform/suites/document"
)

// linted returns the requirements that a file breaks, without hints.
func linted(t *testing.T, file []byte) []string {
	t.Helper()
	s, err := suites.New(Definition())
	require.NoError(t, err)
	read, err := document.Parse("sample.acp.yaml", file, document.Limits{})
	if unread := (*document.Error)(nil); errors.As(err, &unread) {
		read = &document.File{Path: "sample.acp.yaml", Text: file, Err: unread}
	} else {
		require.NoError(t, err)
	}
	subject := &suites.Subject{
		Name:      "sample",
		Documents: []suites.Document{*read},
		Options:   map[string]string{acpdocument.OptionMode: acpdocument.ModePublishable},
	}
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

// TestSamplesAreValid: a test package that a router must install breaks nothing, and one that it must refuse breaks
// exactly the requirements of its flaw.
func TestSamplesAreValid(t *testing.T) {
	e := offline(t)
	paired := e.NewPackage()
	router.AddEndingTools(e.Environment.Tools, paired)
	keeping := e.NewPackage()
	keeping.AddBuiltInTools(toolUpdate, toolDelete)
	strict, bound := e.NewPackage(), e.NewPackage()
	router.UseStrictSchema(strict)
	router.AddBoundTools(e.Environment.Tools, bound)
	for name, s := range map[string]*testPackage{
		"a plain package": e.NewPackage(), "one of a pair": paired, "one with objects": keeping, "one with bindings": bound,
		"a newer version": e.NewVersion(e.NewPackage()), "one whose schema asks for much": strict,
	} {
		t.Run(name, func(t *testing.T) {
			file, err := e.Sign(s.YAML(), e.Author)
			require.NoError(t, err)
			if diff := cmp.Diff([]string(nil), linted(t, file)); diff != "" {
				t.Errorf("broken (-want +got)\n%s", diff)
			}
		})
	}
}

// consequences are the requirements that a flaw breaks in addition to its own.
var consequences = map[string][]string{
	"whose id is not a capability URI":   {"ACP-TERM-02"},
	"whose id has no version":            {"ACP-TERM-02"},
	"whose version begins with a letter": {"ACP-TERM-02"},
}

func TestInvalidSamplesBreakTheirRule(t *testing.T) {
	e := offline(t)
	for _, f := range slices.Concat(flaws(), router.SignatureFlaws()) {
		t.Run(f.What+f.Form, func(t *testing.T) {
			want := append(slices.Clone(consequences[f.What]), f.Rule)
			switch {
			case f.Kind == history.FlawMisplaced:
				want = nil
			case f.Rule == "":
				want = []string{"ACP-FIELD-13"}
			}
			cid, err := f.MakeInvalid(t.Context(), e.PackageMaker, nil, e.NewPackage())
			require.NoError(t, err)
			file := e.Environment.Gateway.Stored(cid)
			require.NotNil(t, file)
			slices.Sort(want)
			got := linted(t, file)
			slices.Sort(got)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("broken (-want +got)\n%s", diff)
			}
			if honest := content.CID(file) == cid; honest == (want == nil) {
				t.Errorf("the CID matches the file: %v", honest)
			}
		})
	}
}
