package requirements

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/capconform/capconform/cmd/capconform/internal/cli/process"
	"github.com/capconform/capconform/cmd/capconform/internal/cli/scope"
	"github.com/capconform/capconform/cmd/capconform/internal/nearest"
	"github.com/capconform/capconform/reference/population"
	"github.com/capconform/capconform/reports/display"
	"github.com/capconform/capconform/spec"
	"github.com/capconform/capconform/suites"
)

func ExplainCommand(a *process.App) *cobra.Command {
	var asJSON bool
	var names []string
	var edition, from string
	c := &cobra.Command{
		Use:   "explain ID",
		Short: "Explain a requirement, a mutant or a variant",
		Long: `Explain a requirement: its reading, scenarios, mutants, and how to satisfy it. Or a mutant
or a variant: what it does, and which requirements it is about.

With --report, also what the report says of the requirement: the exchange that failed beside
the nearest one of the reference, and the known defects that the failures look like.`,
		Example: "  capconform explain CAP-INV-03\n  capconform explain cap-no-describe\n" +
			"  capconform explain CHP-7-03 --report report.json",
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return process.Misuse("explain: want one requirement id, such as CAP-INV-03, or a mutant or variant " +
					"(capconform list requirements shows all)")
			}
			if every := scope.InEveryEdition(args[0]); len(names) == 0 && every != nil {
				names = every
			}
			names, err := scope.InEdition(names, edition)
			if err != nil {
				return err
			}
			all, err := scope.LoadSuites(names)
			if err != nil {
				return err
			}
			if from == "" {
				return explainWord(a, all, args[0], asJSON)
			}
			if asJSON {
				return process.Misuse("explain: --json and --report exclude each other")
			}
			return explainFrom(a, all, args[0], from)
		},
	}
	c.Flags().StringVar(&from, "report", "", "explain it with what the report `FILE` (JSON) shows")
	c.Flags().BoolVar(&asJSON, "json", false, "print an object")
	c.Flags().
		StringSliceVar(&names, "suite", nil,
			"look only in `SUITE`, which may be the folder of a text of one's own (repeatable)")
	scope.RegisterEdition(c.Flags(), &edition, "the newest that has the requirement")
	return c
}

// explainWord explains the requirement, mutant or variant of this name.
func explainWord(a *process.App, all []*suites.Suite, word string, asJSON bool) error {
	var ids []string
	for _, s := range all {
		for _, r := range s.Catalogue.Requirements {
			if strings.EqualFold(r.ID, word) {
				if asJSON {
					return process.WriteJSON(a.Out, describe(s, r))
				}
				return explain(a.Out, s, r)
			}
			ids = append(ids, r.ID)
		}
	}
	for _, d := range describedHosts() {
		if strings.EqualFold(d.Name, word) {
			if asJSON {
				return process.WriteJSON(a.Out, d)
			}
			return d.write(a.Out, all)
		}
		ids = append(ids, d.Name)
	}
	return process.Misuse("explain: unknown requirement, mutant or variant %q%s "+
		"(capconform list requirements, mutants or variants shows all)",
		word, nearest.Hint(word, ids))
}

// explanation is the output of explain: chapters with paragraphs of plain text.
type explanation struct{ strings.Builder }

// pageColumns is the width that explain wraps its text at.
const pageColumns = 96

func explain(w io.Writer, s *suites.Suite, r spec.Requirement) error {
	var e explanation
	fmt.Fprintf(&e, "%s  %s\n", r.ID, r.Level)
	e.paragraph(r.Summary)
	e.chapter("Where")
	e.paragraph(fmt.Sprintf("%s %s, section %s. It applies to the actor %s.", s.Catalogue.Title, s.Catalogue.Version,
		r.Section, r.Actor))
	if r.Source != "" {
		e.line(display.TerminalText(r.Source)) // not wrapped, so that it can be opened
	}
	e.paragraph(observedOn(r))
	e.optional("Applies to", applies(r))
	e.optional("How it is read", r.Resolution)
	e.chapter("If you read the text otherwise")
	e.paragraph(r.Dispute())
	e.optional("How to satisfy it", r.Satisfy)
	e.scenarios(s, r)
	if err := e.illustration(s, r); err != nil {
		return err
	}
	e.mutants(r)
	if r.Testable() {
		e.chapter("Examine this requirement alone")
		e.line("capconform " + examineCommand(s, r))
	}
	_, err := io.WriteString(w, e.String())
	return err
}

func observedOn(r spec.Requirement) string {
	switch r.Check {
	case spec.Live:
		return "It is examined on a live target (capconform run)."
	case spec.Document:
		return "It is examined in documents (capconform lint)."
	case spec.Both:
		return "It is examined on a live target (capconform run) and in documents (capconform lint)."
	case spec.Excluded:
		return "It is not examined: " + r.Excluded
	default:
		return "It requires nothing, so there is nothing to examine."
	}
}

func applies(r spec.Requirement) string {
	var all []string
	if r.When != "" {
		all = append(all, "Only subjects that declare "+r.When+".")
	}
	if r.Group != "" {
		all = append(all, "It belongs to the group "+r.Group+", which --without "+r.Group+" leaves out.")
	}
	if len(r.SumOf) > 0 {
		all = append(all, "It is the sum of "+strings.Join(r.SumOf, ", ")+" and has the worst of their statuses.")
	}
	return strings.Join(all, " ")
}

func examineCommand(s *suites.Suite, r spec.Requirement) string {
	if r.Check == spec.Document {
		return "lint --requirement " + r.ID + " FILE"
	}
	return "run --suite " + s.Flag() + " --requirement " + r.ID + " TARGET"
}

func (e *explanation) scenarios(s *suites.Suite, r spec.Requirement) {
	first := true
	for _, c := range s.Scenarios() {
		if c.Requirement != r.ID {
			continue
		}
		if first {
			e.chapter("Scenarios")
		}
		first = false
		e.line(fmt.Sprintf("%s  (%s)", c.Name, scenarioPlace(c)))
		for _, cond := range c.Conditions {
			e.line("  needs " + e.condition(s, cond))
		}
		for _, step := range c.Steps {
			e.line("  - " + step)
		}
	}
}

// condition describes what a scenario needs.
func (e *explanation) condition(s *suites.Suite, c suites.Condition) string {
	if role, ok := s.RoleNamed(c.Name); ok && c.Kind != "when" {
		return fmt.Sprintf("a capability for the role %s: %s, such as %s", c.Name, role.Purpose, role.Capability)
	}
	return c.String()
}

func (e *explanation) mutants(r spec.Requirement) {
	first := true
	for _, m := range population.Mutants() {
		if m.Requirement != r.ID {
			continue
		}
		if first {
			e.chapter("Mutants that break it (capconform serve --mutant NAME)")
		}
		first = false
		e.line(m.Name + ": " + m.Summary)
	}
}

func (e *explanation) chapter(title string) { e.WriteString("\n" + title + "\n") }

func (e *explanation) optional(title, text string) {
	if text != "" {
		e.chapter(title)
		e.paragraph(text)
	}
}

// paragraph writes text, wrapped at the width of the page.
func (e *explanation) paragraph(text string) {
	line := "  "
	for _, word := range strings.Fields(text) {
		if len(line)+1+len(word) > pageColumns && strings.TrimSpace(line) != "" {
			e.WriteString(line + "\n")
			line = "  "
		}
		if line != "  " {
			line += " "
		}
		line += word
	}
	e.WriteString(line + "\n")
}

func (e *explanation) line(text string) { e.WriteString("  " + text + "\n") }
