package nearest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reports"
)

func exchange(params, received string) reports.Exchange {
	p := reports.NewPayload([]byte(params))
	return reports.Exchange{Operation: "chp.replay", Params: &p, Received: reports.NewPayload([]byte(received))}
}

func TestPairMarksWhatDiffers(t *testing.T) {
	r, err := referenceOf("chp", map[string]bool{"chp.replay": true})
	require.NoError(t, err)
	const params = `{"correlation_id":"capconform-06c5c85b-f814-4a0a-9e3e-2e42de49f0d5"}`
	for _, c := range []struct{ received, want string }{
		{`{"correlation_id":"capconform-06c5c85b-f814-4a0a-9e3e-2e42de49f0d5","event_count":"0","events":[],"note":1,` +
			`"replayed_at":"2026-11-28T06:56:08.2Z","truncated":false}`,
			"- \"note\": 1\n~ \"event_count\": \"0\"   (reference: 0)"},
		{`{"jsonrpc":"2.0","id":5,"result":{"correlation_id":"x","event_count":0,"events":[],"truncated":false}}`,
			"+ \"replayed_at\": \n~ \"correlation_id\": \"x\"   (reference: "},
		{`{"jsonrpc":"2.0","id":5,"result":{"structuredContent":{"correlation_id":` +
			`"capconform-06c5c85b-f814-4a0a-9e3e-2e42de49f0d5","event_count":0,"events":[],` +
			`"replayed_at":"2026-11-28T06:56:08.2Z","truncated":true}}}`, "~ \"truncated\": true   (reference: false)"},
		{"no JSON", "~ \"no JSON\"   (reference: "},
	} {
		p := r.Pair(&reports.Failure{Exchanges: []reports.Exchange{exchange(params, c.received)}})
		require.NotNil(t, p)
		marked := 0
		for _, l := range p.Lines {
			if l.Mark != Same {
				marked++
			}
		}
		lines := strings.Split(c.want, "\n")
		if marked != len(lines) {
			t.Errorf("%d marks, want %d:\n%s", marked, len(lines), p.Text())
		}
		for _, want := range lines {
			if !strings.Contains(strings.ReplaceAll(p.Text(), "   \"", " \""), want) {
				t.Errorf("want %s in\n%s", want, p.Text())
			}
		}
	}
}

func TestPairIsNilIfNothingCanBeCompared(t *testing.T) {
	r, err := referenceOf("chp", map[string]bool{"chp.replay": true})
	require.NoError(t, err)
	none, err := referenceOf("clock", nil)
	require.NoError(t, err)
	whole := exchange("{}", "{}")
	other := whole
	other.Operation = "chp.sing"
	for name, c := range map[string]struct {
		of *Reference
		e  reports.Exchange
	}{"no reference": {none, whole}, "no operation": {r, other}, "params cut": {r, exchange(strings.Repeat(" ", 40000), "{}")},
		"answer cut": {r, exchange("{}", strings.Repeat(" ", 40000))}, "no answer": {r, exchange("{}", "")}} {
		if p := c.of.Pair(&reports.Failure{Exchanges: []reports.Exchange{c.e}}); p != nil {
			t.Errorf("%s: %v", name, p)
		}
	}
}

// TestReferenceIsBounded: of the recorded run, only what can be compared is read, and not more than the bound.
func TestReferenceIsBounded(t *testing.T) {
	failed := func(suite, digest string, operations ...string) *reports.Suite {
		f := &reports.Failure{}
		for _, operation := range operations {
			f.Exchanges = append(f.Exchanges, reports.Exchange{Operation: operation})
		}
		return &reports.Suite{Suite: suite, TextDigest: digest, Requirements: []reports.Requirement{
			{Status: reports.Failed, Scenarios: []reports.Scenario{{Status: reports.Failed, Failure: f}}}}}
	}
	for _, s := range []*reports.Suite{failed("chp", ""), failed("chp", "d", "chp.replay"), failed("clock", "", "clock.now")} {
		r, err := ReferenceFor(s)
		require.NoError(t, err)
		require.Nil(t, r)
	}
	for suite, operation := range map[string]string{"chp": "chp.replay", "acp": "acp.install"} {
		r, err := ReferenceFor(failed(suite, "", operation, "unknown"))
		require.NoError(t, err)
		require.Len(t, r.calls, 1)
		size := 0
		for _, c := range r.calls[operation] {
			size += c.size
		}
		require.Positive(t, size)
		require.Less(t, size, mostRead+1<<20)
	}
}

// TestPairFindsDifferencesBehindManyLines: a member that differs may be the last of a long answer.
func TestPairFindsDifferencesBehindManyLines(t *testing.T) {
	r, err := referenceOf("chp", map[string]bool{"chp.host": true})
	require.NoError(t, err)
	answer := r.calls["chp.host"][0].answer.(map[string]any)
	evidence := answer["evidence"]
	answer["evidence"] = []any{}
	text := encoded(answer)
	answer["evidence"] = evidence
	c := comparison{}
	before, _ := decoded(text)
	c.compare("", before, answer, 0)
	require.Greater(t, len(c.lines), mostLines)
	require.Contains(t, (&Pair{Lines: c.kept()}).Text(), "~   \"evidence\": []   (reference: {")
}

func TestComparisonIsBounded(t *testing.T) {
	r, err := referenceOf("chp", map[string]bool{"chp.replay": true})
	require.NoError(t, err)
	var names []string
	for i := range 1200 {
		names = append(names, fmt.Sprintf(`"n%d":1`, i))
	}
	for _, text := range []string{strings.Repeat("[", 8000) + strings.Repeat("]", 8000),
		strings.Repeat(`{"events":`, 1300) + "1" + strings.Repeat("}", 1300), "[" + strings.Repeat("{},", 5000) + "1]",
		"{" + strings.Join(names, ",") + "}"} {
		p := r.Pair(&reports.Failure{Exchanges: []reports.Exchange{exchange("{}", text)}})
		require.NotNil(t, p)
		if len(p.Lines) > 400 || len(p.Text()) > 200_000 {
			t.Errorf("%d lines, %d bytes", len(p.Lines), len(p.Text()))
		}
	}
}

func TestDefects(t *testing.T) {
	failed := func(id, message, got string) reports.Requirement {
		return reports.Requirement{ID: id, Status: reports.Failed, Scenarios: []reports.Scenario{{Status: reports.Failed,
			Failure: &reports.Failure{Message: message, Got: got}}}}
	}
	for _, c := range []struct {
		suite string
		all   []reports.Requirement
		want  []string
	}{
		{"chp", nil, nil},
		{"mcp", []reports.Requirement{failed("MCP-TOOLS-01", "a tool has no name", "")}, nil},
		{"chp", []reports.Requirement{failed("CHP-7-03", "nothing that a defect does", "")}, nil},
		{"chp", []reports.Requirement{failed("CHP-3-05", "nothing that a defect does", "")}, nil},
		{"chp", []reports.Requirement{failed("CHP-8-01", "the text does not define the outcome of a result", "")}, nil}, // too many
		{"chp", []reports.Requirement{failed("CHP-7-03", "an event: correlation is missing", "{}")},
			[]string{"chp-event-correlation-missing", "chp-long-id-uncorrelated-events", "chp-denied-event-uncorrelated"}},
	} {
		got, err := Defects(&reports.Suite{Suite: c.suite, Requirements: c.all})
		require.NoError(t, err)
		var names []string
		for _, p := range got {
			names = append(names, p.Defect)
		}
		if diff := cmp.Diff(c.want, names); diff != "" {
			t.Errorf("%v (-want +got)\n%s", c.all, diff)
		}
	}
}

// TestWordsKeepOnlyWhatIsStable keeps out of the words what differs from run to run.
func TestWordsKeepOnlyWhatIsStable(t *testing.T) {
	for text, want := range map[string][]string{
		`{"replayed_at":"2026-11-28T19:28:59Z","events":[]}`: {"[]", "events", "replayed_at"},
		`corr-77c45546-9e1f-4dd6-a036-b8de0c9044c5-1`:        {},
		`evidence of corr-of-capconform-77c45546-9e1f-4dd6`:  {"evidence", "of"},
		`"13"`:                      {`"1"`},
		`draft/2020-12/schema`:      {"12", "2020", "draft", "schema"},
		`sequence is "1012"`:        {`"1"`, "is", "sequence"},
		`sequence is -1000000`:      {"-1", "is", "sequence"},
		`sequence is 3 of CHP-7-02`: {"3", "CHP-7-02", "is", "of", "sequence"},
	} {
		require.Equal(t, want, wordsOf(text), text)
	}
}
