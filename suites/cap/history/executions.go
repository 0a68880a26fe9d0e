package history

import (
	"encoding/json"
	"math"

	"github.com/capconform/capconform/suites/verdict"
)

// Executions returns how many handlers were executed for the invalid inputs of a round. A round
// reads the counter, and again at once, after nothing, after the invalid inputs, and after a valid
// one, which is the control. An input that is not refused as INVALID_INPUT is judged elsewhere.
func Executions(round []*Attempt) (int64, error) {
	var read []int64
	var accepted int64
	for _, a := range round {
		switch a.About[AboutStep] {
		case StepRead:
			n, ok := count(a)
			if !ok {
				return 0, verdict.Undecided("the capability of the role counter returns no number of executions: %s", a.Got())
			}
			read = append(read, n)
		case StepRepeat:
			if !a.FailedWith(InvalidInput) {
				accepted++
			}
		}
	}
	if len(read) != 5 {
		return 0, verdict.Undecided("the counter was not read often enough")
	}
	own := read[1] - read[0]
	if read[2]-read[1] != own || read[4]-read[3] != own+1 {
		return 0, verdict.Undecided("the counter does not count a valid invocation as one, or other callers use the source")
	}
	return max(0, read[3]-read[2]-own-accepted), nil
}

// count reads the counter. 3.0 and 3e0 are 3 as well.
func count(a *Attempt) (int64, bool) {
	output, _ := a.Output().(map[string]any)
	n, isNumber := output["executions"].(json.Number)
	f, err := n.Float64()
	if !a.Succeeded() || !isNumber || err != nil || f != math.Trunc(f) {
		return 0, false
	}
	return int64(f), true
}
