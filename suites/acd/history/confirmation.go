package history

import (
	"maps"
	"strconv"

	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/verdict"
)

// MaxConfirmations is the number of times that the suite repeats calls before it reports two answers that
// disagree: other callers may change their own entries between any two calls.
const MaxConfirmations = 7

// AboutConfirmation is the parameter of a stimulus that asks several times: the number of the repetition.
const AboutConfirmation = "look"

// Confirmation is a sequence of calls that together confirm or refute a doubt.
type Confirmation []*Call

// About returns the parameters of one repetition.
func About(s verdict.Settle, round int) map[string]string {
	about := map[string]string{}
	maps.Copy(about, s.About)
	about[AboutConfirmation] = strconv.Itoa(round)
	return about
}

func confirmationKey(stimulus string, about map[string]string) string {
	return stimulus + " " + string(jsonvalue.Encode(about))
}
