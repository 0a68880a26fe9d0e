package cli

import (
	"slices"

	"github.com/spf13/pflag"

	"github.com/capconform/capconform/suites/driver"
)

// invocation is the command line as a report may show it: every secret by
// reference.
type invocation struct {
	verb   string // run or lint
	flags  []shownFlag
	target []string // words behind the flags
	mask   driver.Secrets
}

type shownFlag struct{ name, value string } // no value: a boolean that is set

// repeating are the flags without which a repetition would be another exchange.
var repeating = []string{"driver", "header", "invoke", "pass-env", "call-timeout", "seed"}

// invoked collects the flags that were given, in their order; headers are shown
// in place of the values of --header.
func invoked(verb string, flags *pflag.FlagSet, headers, target []string) invocation {
	v := invocation{verb: verb, target: target}
	flags.Visit(func(f *pflag.Flag) {
		values := []string{f.Value.String()}
		if list, ok := f.Value.(pflag.SliceValue); ok {
			values = list.GetSlice()
		}
		switch {
		case f.Name == "header":
			values = headers
		case f.Value.Type() == "bool" && values[0] == "true":
			values = []string{""}
		}
		for _, value := range values {
			v.flags = append(v.flags, shownFlag{f.Name, value})
		}
	})
	return v
}

func (f shownFlag) words() []string {
	if f.value == "" {
		return []string{"--" + f.name}
	}
	return []string{"--" + f.name, f.value}
}

// command is the whole command, as a shell takes it.
func (v invocation) command() string {
	words := []string{"capconform", v.verb}
	for _, f := range v.flags {
		words = append(words, f.words()...)
	}
	return v.text(words)
}

// options are the flags alone, one a string.
func (v invocation) options() []string {
	var all []string
	for _, f := range v.flags {
		all = append(all, v.mask.MaskText(driver.ShellQuote(f.words()...)))
	}
	return all
}

// repeat is the command that examines one requirement again.
func (v invocation) repeat(suite, requirement string) string {
	words := []string{"capconform", v.verb, "--suite", suite, "--requirement", requirement}
	for _, f := range v.flags {
		if slices.Contains(repeating, f.name) {
			words = append(words, f.words()...)
		}
	}
	return v.text(words)
}

// text quotes the words and those of the target. A secret that was also written
// out somewhere is masked.
func (v invocation) text(words []string) string {
	return v.mask.MaskText(driver.ShellQuote(append(words, v.target...)...))
}
