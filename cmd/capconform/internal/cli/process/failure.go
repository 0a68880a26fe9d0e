package process

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/capconform/capconform/cmd/capconform/internal/nearest"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/display"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/verdict"
)

// Outcome ends a command with an exit status and no message.
type Outcome reports.Exit

// Error returns the status in words.
func (o Outcome) Error() string { return reports.Exit(o).String() }

// ExitError returns the error that stands for an exit status, nil for 0.
func ExitError(exit reports.Exit) error {
	if exit == reports.ExitConformant {
		return nil
	}
	return Outcome(exit)
}

// ErrInterrupted reports that a signal arrived before there was anything to judge.
var ErrInterrupted = errors.New("interrupted")

// Misuse is wrong usage or configuration: exit status 2.
func Misuse(format string, args ...any) error {
	return &suites.UsageError{Message: fmt.Sprintf(format, args...)}
}

// ExitOf prints an error in one line, which the stderr of a child may follow, and returns the exit status of the error.
func ExitOf(err error, stderr io.Writer) reports.Exit {
	var silent Outcome
	if err == nil {
		return reports.ExitConformant
	}
	if errors.As(err, &silent) {
		return reports.Exit(silent)
	}
	fmt.Fprintf(stderr, "capconform: %s\n", withStderr(err))
	var usage *suites.UsageError
	switch {
	case errors.As(err, &usage), errors.Is(err, suites.ErrCredentials), errors.Is(err, driver.ErrConfiguration):
		return reports.ExitUsage
	case errors.Is(err, ErrInterrupted):
		return reports.ExitIncomplete
	case errors.Is(err, driver.ErrUnreachable), errors.Is(err, verdict.ErrTargetDied):
		return reports.ExitUnreachable
	}
	return reports.ExitHarness
}

// withStderr returns the message of an error in one line. The lines of a child's stderr follow, indented.
func withStderr(err error) string {
	var failed *driver.CallError
	if !errors.As(err, &failed) {
		return OneLine(err.Error())
	}
	first, _, _ := strings.Cut(err.Error(), "\n")
	_, rest, _ := strings.Cut(failed.Detail, "\n")
	message := OneLine(first)
	for line := range strings.Lines(rest) {
		text := strings.TrimLeft(line, " ")
		message += "\n  " + strings.Repeat(" ", len(line)-len(text)) + display.TerminalText(text)
	}
	return message
}

// OneLine joins the lines of a message.
func OneLine(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return display.TerminalText(strings.Join(lines, "; "))
}

// WrongFlag names the flag that was probably meant.
func WrongFlag(c *cobra.Command, err error) error {
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) && WrongValue(invalid) != "" {
		return Misuse("%s--%s: %s", messagePrefix(c), invalid.GetFlag().Name, WrongValue(invalid))
	}
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return Misuse("%s%v", messagePrefix(c), err)
	}
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
	name := "--" + unknown.GetSpecifiedName()
	if unknown.GetSpecifiedShortnames() != "" {
		name = "-" + unknown.GetSpecifiedShortnames()
	}
	return Misuse("%sunknown flag %s%s (%s --help shows all)", messagePrefix(c), name, nearest.Hint(name, names),
		c.CommandPath())
}

// WrongValue states what a flag wants in place of a value. It returns "" for a type without such a
// sentence.
func WrongValue(invalid *pflag.InvalidValueError) string {
	value := invalid.GetValue()
	_, err := strconv.ParseFloat(value, 64)
	switch invalid.GetFlag().Value.Type() {
	case "duration":
		if err == nil {
			return fmt.Sprintf("the time %q has no unit; did you mean %q?", value, value+"s")
		}
		return fmt.Sprintf("want a time such as 500ms, 30s or 2m, got %q", value)
	case "int", "int64":
		return fmt.Sprintf("want a whole number of 64 bits at most, got %q", value)
	case "bool":
		return fmt.Sprintf("want true or false, got %q", value)
	default:
		return ""
	}
}

// NoCommand refuses arguments of a command that only has subcommands.
func NoCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
		}
	}
	return Misuse("%sunknown command %q%s (%s --help shows all)", messagePrefix(c), args[0], nearest.Hint(args[0], names),
		c.CommandPath())
}

// NoArguments refuses arguments of a command that takes none.
func NoArguments(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return Misuse("%stakes no argument, but got %q", messagePrefix(c), args[0])
	}
	return nil
}

// messagePrefix returns the beginning of a message: the name of the subcommand.
func messagePrefix(c *cobra.Command) string {
	if !c.HasParent() {
		return ""
	}
	_, path, _ := strings.Cut(c.CommandPath(), " ")
	return path + ": "
}

// HelpOnly is a command that only has subcommands.
func HelpOnly(c *cobra.Command, _ []string) error { return c.Help() }
