package examine

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
	target []string // the words after the flags
	mask   driver.Secrets
}

type shownFlag struct {
	name, value string
	noValue     bool // a boolean that is set: it has no value
}

// repeatedFlags are the flags that must be repeated to get the same exchange.
var repeatedFlags = []string{"edition", "driver", "header", "invoke", "pass-env", "call-timeout", "seed", "via"}

// invoked collects the flags that were given, in their order; headers replaces the values of
// --header.
func invoked(verb string, flags *pflag.FlagSet, headers, target []string) invocation {
	v := invocation{verb: verb, target: target}
	flags.Visit(func(f *pflag.Flag) {
		values, alone := []string{f.Value.String()}, false
		if list, ok := f.Value.(pflag.SliceValue); ok {
			values = list.GetSlice()
		}
		switch {
		case f.Name == "header":
			values = headers
		case f.Value.Type() == "bool" && values[0] == "true":
			alone = true
		}
		for _, value := range values {
			v.flags = append(v.flags, shownFlag{f.Name, value, alone})
		}
	})
	return v
}

func (f shownFlag) words() []string {
	if f.noValue {
		return []string{"--" + f.name}
	}
	return []string{"--" + f.name, f.value}
}

// command returns the whole command for a shell.
func (v invocation) command() string {
	words := []string{"capconform", v.verb}
	for _, f := range v.flags {
		words = append(words, f.words()...)
	}
	return v.text(append(words, v.target...))
}

// options returns the flags alone, one per string.
func (v invocation) options() []string {
	var all []string
	for _, f := range v.flags {
		all = append(all, v.text(f.words()))
	}
	return all
}

// repeat returns the command that examines one requirement again.
func (v invocation) repeat(suite, edition, requirement string) string {
	words := []string{"capconform", v.verb, "--suite", suite, "--requirement", requirement}
	if given := func(f shownFlag) bool { return f.name == "edition" }; edition != "" &&
		!slices.ContainsFunc(v.flags, given) {
		words = append(words, "--edition", edition)
	}
	for _, f := range v.flags {
		if slices.Contains(repeatedFlags, f.name) {
			words = append(words, f.words()...)
		}
	}
	return v.text(append(words, v.target...))
}

// text quotes the words. It masks a secret that was also written out, before quotes change its
// form.
func (v invocation) text(words []string) string {
	return driver.ShellQuote(v.mask.MaskTexts(words...)...)
}
