package requirements

import (
	"io"
	"strings"

	"github.com/capconform/capconform/cmd/capconform/internal/cli/process"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/display"
	"github.com/capconform/capconform/reports/nearest"
	"github.com/capconform/capconform/spec"
	"github.com/capconform/capconform/suites"
)

// explainFrom explains the requirement of this name in a report.
func explainFrom(a *process.App, all []*suites.Suite, word, path string) error {
	report, err := process.ReadReport(a, path)
	if err != nil {
		return err
	}
	for _, s := range all {
		for _, r := range s.Catalogue.Requirements {
			if strings.EqualFold(r.ID, word) {
				return explainInReport(a, s, r, report)
			}
		}
	}
	return process.Misuse("explain: unknown requirement %q (capconform list requirements shows all)", word)
}

// explainInReport explains a requirement, and then what a report says of it.
func explainInReport(a *process.App, s *suites.Suite, r spec.Requirement, report *reports.Report) error {
	var e explanation
	in := suiteIn(report, s.Name)
	if in == nil {
		return process.Misuse("explain: the report does not examine %s", s.Flag())
	}
	for i := range in.Requirements {
		if in.Requirements[i].ID != r.ID {
			continue
		}
		if err := e.inReport(s, in, &in.Requirements[i], report.Subject.Driver == "http"); err != nil {
			return err
		}
	}
	if err := explain(a.Out, s, r); err != nil {
		return err
	}
	_, err := io.WriteString(a.Out, e.String())
	return err
}

func suiteIn(report *reports.Report, name string) *reports.Suite {
	for i := range report.Suites {
		if report.Suites[i].Suite == name {
			return &report.Suites[i]
		}
	}
	return nil
}

// inReport writes what a report says of a requirement, the exchange beside that of the reference, and the defects that
// the failures resemble.
func (e *explanation) inReport(s *suites.Suite, in *reports.Suite, q *reports.Requirement, overHTTP bool) error {
	e.chapter("In the report")
	e.paragraph(display.TerminalText(display.Join(": ", string(q.Status), q.Reason)))
	if q.Status != reports.Failed {
		return nil
	}
	reference, err := nearest.ReferenceFor(in)
	if err != nil {
		return err
	}
	for i := range q.Scenarios {
		if p := reference.Pair(q.Scenarios[i].Failure); p != nil {
			e.pair(s, p, overHTTP)
			break
		}
	}
	if s.Source != nil {
		return nil
	}
	defects, err := nearest.Defects(in)
	if err != nil || len(defects) == 0 {
		return err
	}
	e.chapter("The failures of the report look like those of")
	for _, d := range defects {
		e.line(d.Defect + ": " + d.Summary)
	}
	return nil
}

// pair shows an exchange of the report beside that of the reference.
func (e *explanation) pair(s *suites.Suite, p *nearest.Pair, overHTTP bool) {
	e.chapter("Your exchange beside the nearest one of the reference (" + p.Exchange.Operation + ")")
	route := ""
	for _, known := range s.Routes {
		if overHTTP && known.Operation == p.Exchange.Operation {
			route = known.Method + " " + known.Path + " "
		}
	}
	sent := ""
	if p.Exchange.Params != nil {
		sent = p.Exchange.Params.Text
	}
	e.labelled("yours sent:     ", excerpt(route+sent))
	e.labelled("reference sent: ", excerpt(route+p.Sent))
	if !p.Differs() {
		e.paragraph(nearest.NoDifference)
		return
	}
	e.paragraph(nearest.Legend)
	for line := range strings.Lines(p.Text()) {
		e.line(display.TerminalCommand(strings.TrimSuffix(line, "\n"))) // its indentation stays
	}
}
