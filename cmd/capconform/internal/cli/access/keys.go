package access

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites"
)

// keyVariable is the variable in which the programs of a protocol expect the key of a host.
type keyVariable struct{ suite, header, variable string }

// keyVariables lists them. A key is sent only if its suite was named on the command line: other
// hosts must not receive it.
func keyVariables() []keyVariable {
	return []keyVariable{{"chp", "X-CHP-Key", "CHP_HOST_API_KEY"}}
}

// AddKeys adds the headers for the variables of the protocols if the target has a URL and no such
// header yet. It returns them as a report may show them.
func (t *Target) AddKeys(asked []string) (shown []string, err error) {
	var flags []string
	for _, k := range keyVariables() {
		given := slices.ContainsFunc(t.headers, func(h header) bool { return strings.EqualFold(h.name, k.header) })
		if t.URL != "" && t.driver != "mcp" && slices.Contains(asked, k.suite) && !given && os.Getenv(k.variable) != "" {
			flags = append(flags, k.header+": ${"+k.variable+"}")
		}
	}
	headers, shown, err := readHeaders(flags)
	t.overrideHeaders(headers)
	return shown, err
}

// WithKeyHint adds to an error of refused credentials the variables whose key was not sent, and the
// flag that sends it.
func WithKeyHint(err error, asked []string, lookup func(string) string) error {
	if !errors.Is(err, suites.ErrCredentials) {
		return err
	}
	for _, k := range keyVariables() {
		if lookup(k.variable) != "" && !slices.Contains(asked, k.suite) {
			err = fmt.Errorf("%w; %s is sent with --suite %s", err, k.variable, k.suite)
		}
	}
	return err
}
