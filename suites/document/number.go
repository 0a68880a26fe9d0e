package document

import (
	"fmt"
	"strconv"
	"strings"
)

// The bounds of a number, which are those of package schemas: written in digits, a number with a
// large exponent would fill the memory.
const (
	maxDigits   = 1000
	maxExponent = 400
)

var notCalculable = fmt.Sprintf("the number exceeds capconform's limit of %d characters and exponents of %d",
	maxDigits, maxExponent)

// isCalculable reports whether a JSON number may be used in calculations.
func isCalculable(text string) bool {
	if len(text) > maxDigits {
		return false
	}
	at := strings.IndexAny(text, "eE")
	if at < 0 {
		return true
	}
	n, err := strconv.Atoi(text[at+1:])
	return err == nil && n >= -maxExponent && n <= maxExponent
}
