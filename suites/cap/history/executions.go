package history

import (
	"encoding/json"
	"math"

	"github.com/capconform/capconform/suites/verdict"
)

// Executions tells how many handlers ran for the unsound inputs of a round. A round reads
// the counter, and again at once, behind nothing, behind the unsound inputs, and behind a
// sound one, which is the control. What is not refused as INVALID_INPUT is judged by itself.
func Executions(round []*Attempt) (int64, error) {
	var read []int64
	var accepted int64
	for _, a := range round {
		switch a.About[AboutStep] {
		case StepRead:
			n, ok := count(a)
			if !ok {
				return 0, verdict.Undecided("the role counter gives no number of executions: %s", a.Got)
			}
			read = append(read, n)
		case StepRepeat:
			if !a.With(InvalidInput) {
				accepted++
			}
		}
	}
	if len(read) != 5 {
		return 0, verdict.Undecided("the counter was not read as often as it takes")
	}
	own := read[1] - read[0]
	if read[2]-read[1] != own || read[4]-read[3] != own+1 {
		return 0, verdict.Undecided("the counter does not count a sound invocation as one, or others use the source meanwhile")
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
