package proof

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/capconform/capconform/suites/record"
)

// TestSuspectsOfBatchAreJudgedAgain: an edit of a batch is judged again if the findings at its answer do not meet its
// demand, or if it must not break a requirement that was found broken at no edited answer.
func TestSuspectsOfBatchAreJudgedAgain(t *testing.T) {
	t.Parallel()
	silent, may, must := demand{}, demand{may: []string{"A"}}, demand{must: []string{"B"}, may: []string{"A"}}
	type found = map[record.Tick]map[string]string
	for name, one := range map[string]struct {
		demands []demand
		found   found
		want    [][]record.Tick
	}{
		"as demanded":                              {[]demand{silent, may, must}, found{2: {"A": "a"}, 3: {"B": "b"}}, nil},
		"not found":                                {[]demand{silent, may, must}, nil, [][]record.Tick{{3}}},
		"found where it must not be":               {[]demand{silent, may, must}, found{2: {"B": "b"}, 3: {"B": "b"}}, [][]record.Tick{{2}}},
		"found elsewhere and permitted":            {[]demand{may, may, must}, found{0: {"A": "a"}, 3: {"B": "b"}}, nil},
		"found elsewhere and not permitted":        {[]demand{silent, may, silent}, found{0: {"A": "a"}}, [][]record.Tick{{1, 3}}},
		"found elsewhere instead of at its answer": {[]demand{must, may, may}, found{0: {"B": "b"}}, [][]record.Tick{{1}, {2, 3}}},
		"permitted after no edit":                  {[]demand{silent, silent, silent}, found{0: {"A": "a"}}, [][]record.Tick{{1}, {2, 3}}},
		"a doubt is not a failure":                 {[]demand{silent, silent}, found{1: {"A": doubted + "a"}}, nil},
		"a defect of the harness is wrong":         {[]demand{may, must}, found{1: {"A": harnessError + "a"}, 2: {"B": "b"}}, [][]record.Tick{{1}}},
		"a defect without an edit is wrong":        {[]demand{may, may}, found{0: {"A": harnessError + "a"}}, [][]record.Tick{{1}, {2}}},
	} {
		t.Run(name, func(t *testing.T) {
			b := batch{}
			for i, d := range one.demands {
				b.add(memberEdit{place: answerOfCAP{entry: record.Entry{Begun: record.Tick(i + 1)}}}, d)
			}
			var got [][]record.Tick
			for _, part := range b.suspects(one.found) {
				var entries []record.Tick
				for _, m := range part.edits {
					entries = append(entries, m.place.at().Begun)
				}
				got = append(got, entries)
			}
			assert.Equal(t, one.want, got)
		})
	}
}
