package history

import (
	"maps"
	"strconv"

	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/verdict"
)

// ConfirmationsAtMost is how often a subject is asked before it is accused of two answers that
// do not agree: other callers come and go, and change what is theirs, between any two calls.
const ConfirmationsAtMost = 7

// AboutConfirmation is the parameter of a stimulus that asks several times: the number of the repetition.
const AboutConfirmation = "look"

// Confirmation is a sequence of calls that together show whether something is so.
type Confirmation []*Call

// About returns the parameters of one look.
func About(s verdict.Settle, look int) map[string]string {
	about := map[string]string{}
	maps.Copy(about, s.About)
	about[AboutConfirmation] = strconv.Itoa(look)
	return about
}

func confirmationKey(stimulus string, about map[string]string) string {
	return stimulus + " " + string(jsonvalue.Encode(about))
}
