package examine

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/capconform/capconform/cmd/capconform/internal/cli/process"
)

// Variable is the name of the variable that stands for a flag: CAPCONFORM_CALL_TIMEOUT
// for --call-timeout.
func Variable(flag string) string {
	return "CAPCONFORM_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// WithoutVariable are the flags that have no variable: those that select another action, such as
// --version, and the trust in one report, which must not extend to the next one.
var WithoutVariable = []string{"help", "version", "trust"}

// opposites are pairs of flags: one on the command line overrides the variable of the other.
var opposites = map[string]string{"color": "no-color", "no-color": "color"}

// SetFromEnvironment sets the flags that are not on the command line from their variables. A
// repeatable flag takes one value from each line. An empty variable counts as unset.
func SetFromEnvironment(c *cobra.Command, lookup func(string) string) error {
	var refused error
	given := map[string]bool{}
	c.Flags().Visit(func(f *pflag.Flag) { given[f.Name] = true })
	c.Flags().VisitAll(func(f *pflag.Flag) {
		value := lookup(Variable(f.Name))
		if refused != nil || value == "" || given[f.Name] || given[opposites[f.Name]] ||
			slices.Contains(WithoutVariable, f.Name) {
			return
		}
		values := []string{value}
		if _, repeatable := f.Value.(pflag.SliceValue); repeatable {
			values = strings.FieldsFunc(value, func(r rune) bool { return r == '\n' || r == '\r' })
		}
		for _, one := range values {
			if err := c.Flags().Set(f.Name, one); err != nil {
				refused = process.Misuse("%s: %s", Variable(f.Name), reasonOf(err))
				return
			}
		}
	})
	return refused
}

// reasonOf returns the reason why a flag rejects a value, without the name of the flag.
func reasonOf(err error) string {
	var invalid *pflag.InvalidValueError
	if !errors.As(err, &invalid) {
		return err.Error()
	}
	if wanted := process.WrongValue(invalid); wanted != "" {
		return wanted
	}
	reason := invalid.Unwrap()
	if reason == nil {
		return err.Error()
	}
	return reason.Error()
}
