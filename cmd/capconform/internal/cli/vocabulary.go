package cli

import (
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/capconform/capconform/cmd/capconform/internal/cli/access"
	"github.com/capconform/capconform/cmd/capconform/internal/cli/examine"
	"github.com/capconform/capconform/cmd/capconform/internal/cli/scope"
	"github.com/capconform/capconform/cmd/capconform/internal/nearest"
	"github.com/capconform/capconform/cmd/capconform/internal/proof/plan"
	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/population"
	"github.com/capconform/capconform/reference/variant"
	"github.com/capconform/capconform/reports/format"
	"github.com/capconform/capconform/spec"
	acpdocument "github.com/capconform/capconform/suites/acp/document"
)

// word is a value of a flag or an argument.
type word struct{ text, about string }

// vocabulary contains the values of one flag or argument. They are offered as completions, and a
// value may be written in any case.
type vocabulary struct {
	flag    string // empty: an argument
	command string // the command that has it; empty: every command that has the flag
	words   func() []word
}

// vocabularies lists the flags and arguments with a closed set of values. The first entry that fits
// counts.
func vocabularies() []vocabulary {
	return []vocabulary{
		{"suite", "", wordsOfSuites},
		{"requirement", "", wordsOfRequirements},
		{"edition", "run", func() []word { return plainWords(append(scope.Editions(), scope.EveryEdition)) }},
		{"edition", "", func() []word { return plainWords(scope.Editions()) }},
		{"level", "", func() []word { return plainWords(scope.Levels) }},
		{"without", "", wordsOfGroups},
		{"driver", "selftest", func() []word { return append(plainWords(plan.Drivers()), word{text: "all"}) }},
		{"driver", "", wordsOfDrivers},
		{"invoke", "", func() []word { return plainWords([]string{"none", "safe", "all"}) }},
		{"mutant", "selftest", wordsOfTrials},
		{"mutant", "", wordsOfMutants},
		{"variant", "", wordsOfVariants},
		{"report", "", wordsOfFormats},
		{"format", "manual", func() []word { return plainWords([]string{"man", "completion"}) }},
		{"format", "", wordsOfFormats},
		{"color", "", func() []word { return plainWords(examine.Colours) }},
		{"mode", "lint", func() []word { return plainWords(acpdocument.Modes()) }},
		{"signature-profile", "", func() []word { return plainWords(scope.Profiles()) }},
		{"", "explain", func() []word { return slices.Concat(wordsOfRequirements(), wordsOfMutants(), wordsOfVariants()) }},
		{"", "run", func() []word { return []word{{access.BuiltIn, "the host that is built in"}} }},
	}
}

// wordsOf returns the vocabulary of a flag of a command, or of its arguments.
func wordsOf(command, flag string) (vocabulary, bool) {
	all := vocabularies()
	i := slices.IndexFunc(all, func(v vocabulary) bool {
		return v.flag == flag && (v.command == command || v.command == "" && flag != "")
	})
	if i < 0 {
		return vocabulary{}, false
	}
	return all[i], true
}

func (v vocabulary) texts() []string {
	var all []string
	for _, w := range v.words() {
		all = append(all, w.text)
	}
	return all
}

// complete offers the values that begin with the typed text, in any case.
func (v vocabulary) complete(typed string) []cobra.Completion {
	var fitting []cobra.Completion
	for _, w := range v.words() {
		if len(w.text) >= len(typed) && strings.EqualFold(w.text[:len(typed)], typed) {
			fitting = append(fitting, cobra.CompletionWithDesc(w.text, w.about))
		}
	}
	return fitting
}

// addCompletions gives every flag and argument of a command, and of its subcommands, its completion.
func addCompletions(c *cobra.Command) {
	for _, sub := range c.Commands() {
		addCompletions(sub)
	}
	if v, ok := wordsOf(c.Name(), ""); ok {
		c.ValidArgsFunction = func(_ *cobra.Command, args []string, typed string) ([]cobra.Completion,
			cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			if c.Name() == "run" {
				return v.complete(typed), cobra.ShellCompDirectiveDefault
			}
			return v.complete(typed), cobra.ShellCompDirectiveNoFileComp
		}
	}
	c.Flags().VisitAll(func(f *pflag.Flag) {
		v, ok := wordsOf(c.Name(), f.Name)
		if !ok {
			return
		}
		_ = c.RegisterFlagCompletionFunc(f.Name, func(c *cobra.Command, _ []string, typed string) ([]cobra.Completion,
			cobra.ShellCompDirective) {
			directive := cobra.ShellCompDirectiveNoFileComp
			if f.Name == "suite" && scope.IsFolder(typed) { // of a text of one's own
				return nil, cobra.ShellCompDirectiveFilterDirs
			}
			if f.Name == "report" { // a path may follow, or stand alone
				directive = cobra.ShellCompDirectiveDefault | cobra.ShellCompDirectiveNoSpace
			}
			if f.Name == "requirement" {
				v.words = func() []word { return slices.Concat(wordsOfOwnRequirements(c), wordsOfRequirements()) }
			}
			return v.complete(typed), directive
		}) // fails for a flag that is not there, or that has a completion
	})
}

// anyCase are the flags whose values are ids, which may be written in any case.
var anyCase = []string{"suite", "requirement", "level", "driver", "mutant", "variant", "without"}

// tagForm is a tag in an expression.
var tagForm = regexp.MustCompile(`@[A-Za-z0-9-]+`)

// normalizeSpelling replaces the ids among the values of flags by their known spelling.
func normalizeSpelling(c *cobra.Command) error {
	var refused error
	c.Flags().Visit(func(f *pflag.Flag) {
		v, ok := wordsOf(c.Name(), f.Name)
		known := v.texts
		if f.Name == "suite" { // without their titles, which are in catalogues that take longer to read than a run
			known, ok = suiteNames, true
		}
		switch list, repeatable := f.Value.(pflag.SliceValue); {
		case f.Name == "tags":
			ids := vocabulary{words: wordsOfRequirements}.texts()
			refused = f.Value.Set(tagForm.ReplaceAllStringFunc(f.Value.String(), func(tag string) string {
				return "@" + nearest.Exact(tag[1:], ids)
			}))
		case !ok || !slices.Contains(anyCase, f.Name) || refused != nil:
		case repeatable:
			refused = list.Replace(exactSpellings(list.GetSlice(), known()))
		default:
			refused = f.Value.Set(nearest.Exact(f.Value.String(), known()))
		}
	})
	return refused
}

func exactSpellings(given, known []string) []string {
	spelled := make([]string, len(given))
	for i, one := range given {
		spelled[i] = nearest.Exact(one, known)
	}
	return spelled
}

func plainWords(texts []string) []word {
	var all []word
	for _, text := range texts {
		all = append(all, word{text: text})
	}
	return all
}

func suiteNames() []string { return slices.Concat(scope.SuiteNames(), scope.TextNames()) }

func wordsOfSuites() []word {
	var all []word
	titles := titles()
	for _, name := range scope.SuiteNames() {
		all = append(all, word{text: name, about: titles[name]})
	}
	for _, name := range scope.TextNames() {
		all = append(all, word{text: name, about: "a suite that is data"})
	}
	return all
}

// titles are the names of the texts by suite.
func titles() map[string]string {
	all := map[string]string{}
	catalogues, _ := scope.LoadCatalogues(nil) // the command itself reports an error in a catalogue
	for i, name := range scope.SuiteNames() {
		if i < len(catalogues) {
			all[name] = catalogues[i].Title
		}
	}
	return all
}

// eachWord returns a word for each of several things.
func eachWord[T any](things []T, of func(T) word) []word {
	all := make([]word, len(things))
	for i, thing := range things {
		all[i] = of(thing)
	}
	return all
}

func wordsOfRequirements() []word { return wordsOfCatalogues(nil) }

// wordsOfOwnRequirements returns the requirements of the texts of one's own that --suite names.
func wordsOfOwnRequirements(c *cobra.Command) []word {
	names, _ := c.Flags().GetStringSlice("suite")
	folders := slices.DeleteFunc(names, func(name string) bool { return !scope.IsFolder(name) })
	if len(folders) == 0 {
		return nil
	}
	return wordsOfCatalogues(folders)
}

func wordsOfCatalogues(suites []string) []word {
	catalogues, _ := scope.LoadCatalogues(suites) // the command itself reports an error in a catalogue
	var all []word
	for _, c := range catalogues {
		all = append(all, eachWord(c.Requirements, func(r spec.Requirement) word { return word{r.ID, r.Summary} })...)
	}
	return all
}

func wordsOfGroups() []word {
	catalogues, _ := scope.LoadCatalogues(nil) // the command itself reports an error in a catalogue
	var all []word
	for _, c := range catalogues {
		for _, r := range c.Requirements {
			if r.Group != "" && !slices.ContainsFunc(all, func(w word) bool { return w.text == r.Group }) {
				all = append(all, word{r.Group, "requirements of " + c.Title})
			}
		}
	}
	return all
}

func wordsOfDrivers() []word {
	all := []word{{"auto", "the first that fits"}}
	for _, c := range access.Drivers() {
		if !slices.ContainsFunc(all, func(w word) bool { return w.text == c.Name }) {
			all = append(all, word{c.Name, c.Description})
		}
	}
	return all
}

func wordsOfMutants() []word {
	return eachWord(population.Mutants(), func(m mutant.Mutant) word { return word{m.Name, m.Summary} })
}

func wordsOfVariants() []word {
	return eachWord(population.Variants(), func(v variant.Variant) word { return word{v.Name, v.Summary} })
}

// wordsOfTrials returns the names of all hosts and documents of selftest.
func wordsOfTrials() []word {
	population, _ := plan.Everything() // the command itself reports an error in it
	return plainWords(population.Names())
}

func wordsOfFormats() []word {
	return eachWord(format.Formats(), func(f format.Format) word { return word{f.Name, f.Description} })
}
