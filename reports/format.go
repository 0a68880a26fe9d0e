package reports

import "io"

// Format is one way to write a report down. All are derived from the report
// document and from nothing else, so that `report convert` can make each.
type Format struct {
	Name      string // as in --report NAME=PATH
	Extension string // of a file of this format, with its dot
	Describe  string // one line
	// Write writes a settled report (Report.Settle). Text of the target is
	// cleaned for what reads the format. Errors are those of w.
	Write func(w io.Writer, r *Report, o Options) error
}

// Options say how a format reads a report.
type Options struct {
	Strict bool // a failed SHOULD is a failure; also where Run.Strict is set
}

// Formats lists the formats in the order in which help prints them.
func Formats() []Format {
	return []Format{
		{Name: "json", Extension: ".json", Describe: "the report document itself (schemas/report)", Write: writeJSON},
		{Name: "junit", Extension: ".xml", Describe: "JUnit XML for CI systems, a case a requirement", Write: writeJUnit},
		{Name: "markdown", Extension: ".md", Describe: "a summary that fits a CI job's page", Write: writeMarkdown},
	}
}

// Find gives the format of that name.
func Find(name string) (Format, bool) {
	for _, f := range Formats() {
		if f.Name == name {
			return f, true
		}
	}
	return Format{}, false
}
