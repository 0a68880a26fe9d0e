package document

import (
	"fmt"
	"strconv"
	"strings"
)

// The bounds of a number, those of package schemas: written out in digits, one
// with a large exponent fills the memory.
const (
	digitsAtMost   = 1000
	exponentAtMost = 400
)

var intractable = fmt.Sprintf("the number is beyond our limit of %d characters and exponents of %d",
	digitsAtMost, exponentAtMost)

// tractable reports whether a JSON number may be computed with.
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
