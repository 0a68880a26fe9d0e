package requirements

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/capconform/capconform/cmd/capconform/internal/cli/process"
	"github.com/capconform/capconform/cmd/capconform/internal/cli/scope"
	"github.com/capconform/capconform/reports/display"
	"github.com/capconform/capconform/spec"
)

func SpecCommand(a *process.App) *cobra.Command {
	c := &cobra.Command{
		Use:   "spec",
		Short: "Make and check the suite of a text of one's own, and compare a catalogue with its text",
		Args:  process.NoCommand,
		RunE:  process.HelpOnly,
	}
	c.AddCommand(newCommand(a), checkCommand(a), auditCommand(a), sketchCommand(a), fingerprintCommand(a))
	return c
}

func loadCatalogue(suite, edition string) (*spec.Catalogue, error) {
	names, err := scope.InEdition([]string{suite}, edition)
	if err != nil {
		return nil, err
	}
	all, err := scope.LoadCatalogues(names)
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

// readSource reads a file, or stdin for "-".
func readSource(a *process.App, path string) ([]byte, error) {
	if path == "-" {
		return io.ReadAll(a.In)
	}
	const limit = 64 << 20 // the longest text has less than 1 MiB
	text, err := process.ReadFile(path, limit)
	if err != nil {
		return nil, process.Misuse("%v", err)
	}
	return text, nil
}

// pages are the pages of a text, one after the other.
type pages struct {
	text  []byte
	names []string
	first []int // the line at which each begins
}

// readPages reads the pages of a text.
func readPages(a *process.App, paths []string) (pages, error) {
	var all pages
	for _, path := range paths {
		page, err := readSource(a, path)
		if err != nil {
			return all, err
		}
		all.names, all.first = append(all.names, path), append(all.first, 1+bytes.Count(all.text, []byte("\n")))
		all.text = append(append(all.text, page...), "\n\n"...) // a block ends with its page
	}
	return all, nil
}

// at returns the place of a line.
func (p pages) at(line int) string {
	i := len(p.first) - 1
	for i > 0 && p.first[i] > line {
		i--
	}
	return fmt.Sprintf("%s:%d", p.names[i], line-p.first[i]+1)
}

// String returns the name of the only page, or the number of pages.
func (p pages) String() string {
	if len(p.names) == 1 {
		return p.names[0]
	}
	return fmt.Sprintf("%d pages", len(p.names))
}

func fingerprintCommand(a *process.App) *cobra.Command {
	var suite string
	c := &cobra.Command{
		Use:     "fingerprint [--suite SUITE] [FILE|-]",
		Short:   "Print fingerprint, line and text of each block of a text",
		Example: "  echo 'A host MUST answer.' | capconform spec fingerprint",
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return process.Misuse("spec fingerprint: one file at a time, got %s", strings.Join(args, " "))
			}
			owners := map[string][]string{}
			if suite != "" {
				catalogue, err := loadCatalogue(suite, "")
				if err != nil {
					return err
				}
				owners = fingerprintOwners(catalogue)
			}
			text, err := readSource(a, append(args, "-")[0])
			if err != nil {
				return err
			}
			return printFingerprints(a.Out, spec.Blocks(text), owners)
		},
	}
	c.Flags().StringVar(&suite, "suite", "", "also state which requirement of `SUITE` represents a block")
	return c
}

func fingerprintOwners(c *spec.Catalogue) map[string][]string {
	owners := map[string][]string{}
	for _, r := range c.Requirements {
		for _, fp := range r.Fingerprint {
			owners[fp] = append(owners[fp], r.ID)
		}
	}
	for _, w := range c.NotNormative {
		owners[w.Fingerprint] = append(owners[w.Fingerprint], "not_normative")
	}
	return owners
}

func printFingerprints(w io.Writer, blocks []spec.Block, owners map[string][]string) error {
	var out strings.Builder
	for _, b := range blocks {
		marks := slices.DeleteFunc(append([]string{b.Keyword}, owners[b.Fingerprint]...),
			func(s string) bool { return s == "" })
		if len(marks) > 0 {
			marks = []string{"[" + strings.Join(marks, ", ") + "] "}
		}
		fmt.Fprintf(&out, "%s  %d: %s%s\n", b.Fingerprint, b.Line, strings.Join(marks, ""), display.TerminalText(b.Text))
	}
	_, err := io.WriteString(w, out.String())
	return err
}
