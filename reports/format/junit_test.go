package format

import (
	"bytes"
	"encoding/xml"
	"io"
	"regexp"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/reporttest"
)

// element is any XML element. The tests read the actual content instead of using the types of the writer.
type element struct {
	XMLName  xml.Name
	Attrs    []xml.Attr `xml:",any,attr"`
	Text     string     `xml:",chardata"`
	Children []element  `xml:",any"`
}

func (e element) attr(name string) string {
	for _, a := range e.Attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

func (e element) all(name string) []element {
	var found []element
	for _, c := range e.Children {
		if c.XMLName.Local == name {
			found = append(found, c)
		}
	}
	return found
}

func parseJUnit(t *testing.T, r *reports.Report, o Options) element {
	t.Helper()
	var buf bytes.Buffer
	require.NoError(t, writeJUnit(&buf, r, o))
	d := xml.NewDecoder(&buf)
	d.Strict = true
	var root element
	require.NoError(t, d.Decode(&root))
	_, err := d.Token()
	if _, more := err.(*xml.SyntaxError); more {
		t.Fatalf("text after the document: %v", err)
	}
	for err == nil {
		_, err = d.Token()
	}
	require.ErrorIs(t, err, io.EOF)
	return root
}

var (
	junitTime  = regexp.MustCompile(`^\d+\.\d{3}$`)
	junitStamp = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$`)
	attributes = map[string]string{
		"testsuites": "name tests failures errors time", "testsuite": "name tests failures errors skipped time timestamp",
		"testcase": "name classname", "failure": "message type", "error": "message type", "skipped": "message",
		"property": "name value", "properties": "",
	}
)

// TestJUnitStructure checks every file against the rules that readers rely on.
func TestJUnitStructure(t *testing.T) {
	for name, r := range reporttest.All() {
		root := parseJUnit(t, r, Options{})
		checkAttributes(t, name, root)
		total := map[string]int{}
		for _, suite := range root.Children {
			if suite.XMLName.Local != "testsuite" || suite.Children[0].XMLName.Local != "properties" {
				t.Errorf("%s: testsuites contains %s, which begins with %s", name, suite.XMLName.Local,
					suite.Children[0].XMLName.Local)
			}
			if !junitStamp.MatchString(suite.attr("timestamp")) {
				t.Errorf("%s: timestamp %q", name, suite.attr("timestamp"))
			}
			counted := countCases(t, name, suite)
			for _, kind := range []string{"tests", "failures", "errors", "skipped"} {
				if got := suite.attr(kind); got != strconv.Itoa(counted[kind]) {
					t.Errorf("%s: %s=%q, counted %d", name, kind, got, counted[kind])
				}
				total[kind] += counted[kind]
			}
		}
		for _, kind := range []string{"tests", "failures", "errors"} {
			if got := root.attr(kind); got != strconv.Itoa(total[kind]) {
				t.Errorf("%s: testsuites %s=%q, counted %d", name, kind, got, total[kind])
			}
		}
		if r.Verdict == reports.Nonconformant && total["failures"] == 0 || total["tests"] == 0 {
			t.Errorf("%s: reports no failure or no test: %v", name, total)
		}
	}
}

func countCases(t *testing.T, name string, suite element) map[string]int {
	t.Helper()
	counted := map[string]int{}
	plural := map[string]string{"failure": "failures", "error": "errors", "skipped": "skipped"}
	for _, c := range suite.Children[1:] {
		if c.XMLName.Local != "testcase" || len(c.Children) > 1 {
			t.Errorf(
				"%s: %s %q has %d elements, want at most one",
				name,
				c.XMLName.Local,
				c.attr("name"),
				len(c.Children),
			)
		}
		counted["tests"]++
		for _, result := range c.Children {
			if result.attr("message") == "" {
				t.Errorf("%s: %q has a %s without a message", name, c.attr("name"), result.XMLName.Local)
			}
			counted[plural[result.XMLName.Local]]++
		}
	}
	return counted
}

func checkAttributes(t *testing.T, name string, e element) {
	t.Helper()
	known, ok := attributes[e.XMLName.Local]
	if !ok {
		t.Errorf("%s: unknown element %s", name, e.XMLName.Local)
	}
	for _, a := range e.Attrs {
		if !regexp.MustCompile(`\b` + a.Name.Local + `\b`).MatchString(known) {
			t.Errorf("%s: %s has the unknown attribute %s", name, e.XMLName.Local, a.Name.Local)
		}
		if a.Name.Local == "time" && !junitTime.MatchString(a.Value) {
			t.Errorf("%s: time %q", name, a.Value)
		}
	}
	for _, c := range e.Children {
		checkAttributes(t, name, c)
	}
}

// TestJUnitOutcome: each status has its own element.
func TestJUnitOutcome(t *testing.T) {
	cases := []struct {
		level   string
		status  reports.Status
		strict  bool
		element string
	}{
		{"MUST", reports.Passed, false, ""},
		{"MUST", reports.Provided, false, ""},
		{"MUST", reports.Failed, false, "failure"},
		{"DECLARED", reports.Failed, false, "failure"},
		{"SHOULD", reports.Failed, false, "skipped"},
		{"SHOULD", reports.Failed, true, "failure"},
		{"ADVICE", reports.Failed, true, "skipped"},
		{"MUST", reports.Inconclusive, true, "skipped"},
		{"MUST", reports.NotApplicable, false, "skipped"},
		{"MUST", reports.Excluded, false, "skipped"},
		{"SHOULD", reports.Error, false, "error"},
		{"MUST", "unknown", false, "error"},
	}
	for _, c := range cases {
		q := reports.Requirement{ID: "T-1", Level: c.level, Status: c.status,
			Scenarios: []reports.Scenario{{Name: "a scenario", Status: c.status}}}
		q.Reason = "a reason"
		root := parseJUnit(
			t,
			reporttest.Settled(
				reporttest.Base(
					reports.Suite{Suite: "cap", Requirements: []reports.Requirement{q}, Plan: reports.Plan{Planned: 1, Executed: 1}},
				),
			),
			Options{Strict: c.strict},
		)
		got := ""
		for _, result := range root.Children[0].all("testcase")[0].Children {
			got += result.XMLName.Local
		}
		if got != c.element {
			t.Errorf("%s %s strict %v: element %q, want %q", c.level, c.status, c.strict, got, c.element)
		}
	}
}

func TestJUnitFailureExplains(t *testing.T) {
	root := parseJUnit(t, reporttest.Nonconformant(), Options{})
	for _, c := range root.Children[0].all("testcase") {
		if c.attr("classname") != "capconform.cap.6.2" {
			continue
		}
		text := c.Children[0].Text
		for _, want := range []string{"want: status error", "got: status ok", "capability.invoke after 2 ms", "sent: {",
			"received: {", "repeat: capconform run"} {
			if !bytes.Contains([]byte(text), []byte(want)) {
				t.Errorf("%q is not in\n%s", want, text)
			}
		}
	}
	verdicts := map[string]string{}
	for _, p := range root.Children[0].Children[0].Children {
		verdicts[p.attr("name")] = p.attr("value")
	}
	if diff := cmp.Diff("nonconformant", verdicts["verdict"]); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
