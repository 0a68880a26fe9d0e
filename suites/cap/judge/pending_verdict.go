package judge

import (
	"errors"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites/verdict"
)

// pendingVerdict is a verdict in progress.
type pendingVerdict struct {
	verdict.Verdict
	judge  *evidence
	open   error // why an answer proves nothing
	limits int   // how many answers a limit may explain
}

func (j *evidence) newVerdict() *pendingVerdict { return &pendingVerdict{judge: j} }

// conclude returns the verdict. The verdict is open, for the reason why, if nothing was judged
// or if an answer proves nothing.
func (r *pendingVerdict) conclude(why error) verdict.Verdict {
	if len(r.Breaches) == 0 && r.Open == nil {
		r.Open = r.open
	}
	return r.OpenUnlessJudged(why)
}

// concludeHolding is concludes for a judgement that also holds if nothing was judged.
func (r *pendingVerdict) concludeHolding() verdict.Verdict {
	r.Judged++
	return r.conclude(nil)
}

// undecided converts a question that the schema library cannot decide to an open verdict.
func undecided(err error) error {
	var open *schemas.Undecidable
	if errors.As(err, &open) {
		return verdict.Undecided("a schema can't be decided here: %s", open.Message)
	}
	return err
}

// Invalid reports whether an error states that a value breaks its schema.
func Invalid(err error) bool {
	var found *schemas.Invalidity
	return errors.As(err, &found)
}
