package judge_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites/acd/history"
	"github.com/capconform/capconform/suites/acd/judge"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/shape"
	"github.com/capconform/capconform/suites/verdict"
)

// returned is the entry of a call that returned a result.
func returned(begun record.Tick, operation, sent, result string) record.Entry {
	return record.Entry{
		Begun: begun, Done: begun + 1, Operation: operation, Sent: record.JSONBody([]byte(sent)), Outcome: record.Returned,
		Received: record.JSONBody([]byte(result)),
	}
}

func of(t *testing.T, entries ...record.Entry) *judge.Judge {
	t.Helper()
	h := history.New()
	for _, e := range entries {
		e.Party = record.Target
		h.Add(e)
	}
	descriptor, err := shape.Compile("acd/capability-descriptor.schema.json")
	require.NoError(t, err)
	manifest, err := shape.Compile("acd/agent-manifest.schema.json")
	require.NoError(t, err)
	return judge.New(h, descriptor, manifest)
}

// A flaw is found wherever it occurs: in the second list, the last manifest, or both.
func TestEveryAnswerIsJudged(t *testing.T) {
	const valid = `{"capability_id":"a","description":"d"}`
	list := func(begun record.Tick, item string) record.Entry {
		return returned(begun, history.OpList, "{}", `{"capabilities":[`+valid+`,`+item+`]}`)
	}
	manifest := func(begun record.Tick, name string) record.Entry {
		return returned(begun, history.OpManifest, "{}", `{"name":`+name+`,"capabilities":{"list":["a"]}}`)
	}
	for name, c := range map[string]struct {
		entries []record.Entry
		decide  func(*judge.Judge) verdict.Verdict
		want    []record.Tick // the entries of the breaches
	}{
		"valid lists": {[]record.Entry{list(1, valid), list(3, valid)}, descriptions, nil},
		"second list": {[]record.Entry{list(1, valid), list(3, `{"capability_id":"b"}`)}, descriptions, []record.Tick{3}},
		"one flaw in two lists": {
			[]record.Entry{list(1, `{"capability_id":"b"}`), list(3, `{"capability_id":"b"}`)}, descriptions, []record.Tick{1},
		},
		"a capability registered by the suite": {
			[]record.Entry{list(1, valid), list(3, `{"capability_id":"conformance.probe.1"}`)}, descriptions, nil,
		},
		"last manifest": {
			[]record.Entry{manifest(1, `"n"`), manifest(3, `"n"`), manifest(5, `7`)}, names, []record.Tick{5},
		},
	} {
		t.Run(name, func(t *testing.T) {
			var blamed []record.Tick
			for _, b := range c.decide(of(t, c.entries...)).Breaches {
				blamed = append(blamed, b.Entries[0])
			}
			require.Equal(t, c.want, blamed)
		})
	}
}

func descriptions(j *judge.Judge) verdict.Verdict { return j.DescriptorsHave("description") }
func names(j *judge.Judge) verdict.Verdict        { return j.ManifestHas("name") }

// An id that is not in the registry is a doubt until the place that names it and the registry were read again; if the
// id is gone from the place, or in the registry, there is no breach.
func TestUnknownIDsAreReadAgain(t *testing.T) {
	const ghost, bare = `{"capabilities":["ghost"]}`, `{"capabilities":[]}`
	const registry, filled = `{"capabilities":[{"capability_id":"a","execution":{"substrate":"transport"}}]}`,
		`{"capabilities":[{"capability_id":"a","execution":{"substrate":"transport"}},{"capability_id":"ghost"}]}`
	first := []record.Entry{
		returned(1, history.OpList, "{}", registry), returned(3, history.OpDeclare, `{"channel_id":"web"}`, ghost),
		returned(5, history.OpManifest, "{}", `{"channels":[{"channel_id":"web","capabilities":["a"]}]}`),
	}
	settle := of(t, first...).ChannelsDeclare("capabilities").Doubts
	require.Len(t, settle, 1)
	answers := func(n int, declaration, list string) []record.Entry {
		at := record.Tick(10 + 10*n)
		all := []record.Entry{
			returned(at, history.OpDeclare, `{"channel_id":"web"}`, declaration),
			{
				Begun: at + 2, Done: at + 3, Operation: history.OpGet, Sent: record.JSONBody([]byte(`{"capability_id":"ghost"}`)),
				Outcome: record.Refused,
			},
			returned(at+4, history.OpList, "{}", list),
		}
		for i := range all {
			all[i].Stimulus, all[i].About = settle[0].Settle.Stimulus, history.About(settle[0].Settle, n)
		}
		return all
	}
	for name, c := range map[string]struct {
		second           []record.Entry
		breaches, doubts int
	}{
		"still named":          {answers(1, ghost, registry), 1, 0},
		"no longer named":      {answers(1, bare, registry), 0, 0},
		"registered meanwhile": {answers(1, ghost, filled), 0, 0},
		"a call is missing":    {answers(1, ghost, registry)[:2], 0, 1},
	} {
		t.Run(name, func(t *testing.T) {
			entries := append([]record.Entry{}, first...)
			for n := range history.MaxConfirmations {
				one := answers(n, ghost, registry)
				if n == 1 {
					one = c.second
				}
				entries = append(entries, one...)
			}
			v := of(t, entries...).ChannelsDeclare("capabilities")
			require.Len(t, v.Breaches, c.breaches)
			require.Len(t, v.Doubts, c.doubts)
		})
	}
}
