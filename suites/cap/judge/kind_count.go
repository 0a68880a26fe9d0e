package judge

import (
	"maps"
	"slices"

	"github.com/capconform/capconform/suites/cap/history"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

// count is what a counter of executions shows in all rounds.
type count struct {
	increases []record.Tick // the invalid inputs of the rounds in which it increases
	remains   bool          // in some round
	open      error         // why a round shows nothing
}

// Entries returns the invalid inputs of the rounds in which it increases.
func (c *count) Entries() []record.Tick { return c.increases }

func (j *evidence) counts() []*count {
	rounds := map[string][]*history.Attempt{}
	for _, a := range j.Of(history.Counted) {
		rounds[a.About[history.AboutRound]] = append(rounds[a.About[history.AboutRound]], a)
	}
	if len(rounds) == 0 {
		return nil
	}
	c := &count{}
	for _, round := range slices.Sorted(maps.Keys(rounds)) {
		switch ran, err := history.Executions(rounds[round]); {
		case err != nil:
			c.open = err
		case ran == 0:
			c.remains = true
		default:
			c.increases = append(c.increases, firstRepeat(rounds[round]))
		}
	}
	return []*count{c}
}

// Increases reports whether the counter increases in each round. Other callers may use the source at the same
// time, so it must do so in several rounds.
func (c *count) Increases() any {
	const enough = 2
	switch {
	case c.remains:
		return false
	case len(c.increases) > enough:
		return true
	case c.open != nil:
		return blocked(c.open)
	}
	return blocked(verdict.Undecided("the counter increases only in some rounds"))
}

func firstRepeat(round []*history.Attempt) record.Tick {
	i := slices.IndexFunc(round,
		func(a *history.Attempt) bool { return a.About[history.AboutStep] == history.StepRepeat })
	return round[max(i, 0)].Entry
}
