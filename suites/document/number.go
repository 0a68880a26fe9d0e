package document

import (
	"fmt"
	"strconv"
	"strings"
)

// The bounds of a number, which are those of package schemas: written in digits, a number with a
// large exponent would fill the memory.
const (
	digitsAtMost   = 1000
	exponentAtMost = 400
)

var intractable = fmt.Sprintf("the number exceeds capconform's limit of %d characters and exponents of %d",
	digitsAtMost, exponentAtMost)

// tractable reports whether a JSON number may be used in calculations.
func tractable(text string) bool {
	if len(text) > digitsAtMost {
		return false
	}
	at := strings.IndexAny(text, "eE")
	if at < 0 {
		return true
	}
	n, err := strconv.Atoi(text[at+1:])
	return err == nil && n >= -exponentAtMost && n <= exponentAtMost
}
