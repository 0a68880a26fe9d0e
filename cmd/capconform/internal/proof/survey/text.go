package survey

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/capconform/capconform/cmd/capconform/internal/proof/wrap"
	"github.com/capconform/capconform/spec"
)

// Write prints one line per requirement, the numbers of each suite, and the open gates.
func (s *Survey) Write(w io.Writer) error {
	var out strings.Builder
	line := func(cells ...any) {
		text := fmt.Sprintf("%-14s  %-10s  %-8s  %9v  %9v  %9v  %9v  %9v", cells...)
		out.WriteString(strings.TrimRight(text, " ") + "\n")
	}
	line("REQUIREMENT", "LEVEL", "CHECK", "LIVE", "DOCUMENT", "MUTANTS", "DOCUMENTS", "VARIANTS")
	for _, suite := range s.Suites {
		for _, c := range suite.Requirements {
			line(c.ID, string(c.Level), string(c.Check), point(c.Live), point(c.Document), point(c.Mutants),
				point(c.Documents), point(c.Variants))
		}
	}
	out.WriteString("scenarios on live targets and on documents; mutants and documents that break it; lawful variants\n\n")
	for _, suite := range s.Suites {
		fmt.Fprintf(&out,
			"%s: %d requirements, %d to be examined; %d scenarios, %d sentences, %d steps (%.1f scenarios a step)\n",
			suite.Suite, len(suite.Requirements), suite.count(func(c Coverage) bool { return c.Testable }),
			suite.Scenarios, suite.Sentences, suite.Steps, float64(suite.Scenarios)/float64(max(1, suite.Steps)))
	}
	for _, r := range s.New {
		wrap.Paragraph(&out, "new: ",
			fmt.Sprintf("%s was judged on %d lawful hosts and documents, %d of which contradict it; make golden lists it",
				r.ID, r.Subjects, len(r.Contradictions)))
	}
	for _, open := range s.Open {
		wrap.Paragraph(&out, "open: ", open)
	}
	if len(s.Open) == 0 {
		out.WriteString("no gate is open\n")
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// Markdown prints the table of the README: one line per suite.
func (s *Survey) Markdown(w io.Writer) error {
	var out strings.Builder
	out.WriteString("| suite | text | requirements | MUST | covered | excluded | scenarios | mutants | documents |\n")
	out.WriteString("|---|---|---:|---:|---:|---:|---:|---:|---:|\n")
	for _, suite := range s.Suites {
		binding := func(c Coverage) bool { return c.Level.Binding() }
		mutants, documents := 0, 0
		for _, c := range suite.Requirements {
			mutants, documents = mutants+c.Mutants, documents+c.Documents
		}
		text := strings.TrimSuffix(suite.Title, " "+suite.Version) + " " + suite.Version // a title may end so
		fmt.Fprintf(&out, "| `%s` | %s | %d | %d | %d | %d | %d | %d | %d |\n", suite.Suite, text,
			len(suite.Requirements), suite.count(binding),
			suite.count(func(c Coverage) bool { return binding(c) && suite.covered(c) }),
			suite.count(func(c Coverage) bool { return binding(c) && c.Check == spec.Excluded }),
			suite.Scenarios, mutants, documents)
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// covered reports whether scenarios examine a requirement, or each requirement of the sum.
func (s SuiteSurvey) covered(c Coverage) bool {
	examined := s.count(func(part Coverage) bool {
		return slices.Contains(c.SumOf, part.ID) && part.Live+part.Document > 0
	})
	return c.Live+c.Document > 0 || len(c.SumOf) > 0 && examined == len(c.SumOf)
}

func (s SuiteSurvey) count(of func(Coverage) bool) int {
	n := 0
	for _, c := range s.Requirements {
		if of(c) {
			n++
		}
	}
	return n
}

// point returns a number, and a point for 0.
func point(n int) string {
	if n == 0 {
		return "."
	}
	return strconv.Itoa(n)
}
