// Package format derives every file format from the report document, one file for each format.
package format

import (
	"io"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/verification"
)

// Format is one way to write a report. Each format is derived from the report document alone, so
// that `report convert` can write it.
type Format struct {
	Name        string // as in --report NAME=PATH
	Extension   string // of a file of this format, with its dot
	Description string // one line
	Whole       bool   // makes a statement about the whole subject: Write returns ErrPartial for a partial run
	// Write writes a settled report (Report.Settle). It cleans text of the target for the readers
	// of the format. The error is that of w, ErrPartial or ErrFeatures.
	Write func(w io.Writer, r *reports.Report, o Options) error
}

// Formats lists the formats in the order in which help prints them.
func Formats() []Format {
	return []Format{
		{
			Name:        "json",
			Extension:   ".json",
			Description: "the report document itself (schemas/report)",
			Write:       plain(reports.WriteJSON),
		},
		{Name: "html", Extension: ".html",
			Description: "one page for people: offline, searchable, each failure with its exchange", Write: writeHTML},
		{Name: "markdown", Extension: ".md", Description: "a summary that fits a CI job's page", Write: writeMarkdown},
		{Name: "junit", Extension: ".xml", Description: "JUnit XML for CI systems, one case per requirement",
			Write: writeJUnit},
		{Name: "ctrf", Extension: ".ctrf.json", Description: "Common Test Report Format, one test per requirement",
			Write: writeCTRF},
		{Name: "cucumber", Extension: ".ndjson",
			Description: "Cucumber Messages, one test case per scenario", Write: writeCucumber},
		{Name: "github", Extension: ".annotations",
			Description: "annotations for a job of GitHub Actions, to print in the job",
			Write:       writeGitHub},
		{Name: "tap", Extension: ".tap", Description: "TAP 14, one subtest per suite", Write: writeTAP},
		{Name: "sarif", Extension: ".sarif", Description: "SARIF 2.1.0 for code scanning and editors, one result per finding",
			Write: writeSARIF},
		{Name: "badge", Extension: ".badge.json", Description: "the answer of a shields.io endpoint; refuses a partial run",
			Whole: true, Write: writeBadge},
		{Name: "intoto", Extension: ".intoto.json",
			Description: "an in-toto statement with the test result; refuses a partial run", Whole: true,
			Write: plain(verification.WriteStatement)},
	}
}

// Find returns the format of that name.
func Find(name string) (Format, bool) {
	for _, f := range Formats() {
		if f.Name == name {
			return f, true
		}
	}
	return Format{}, false
}

// plain returns a format without options.
func plain(write func(w io.Writer, r *reports.Report) error) func(io.Writer, *reports.Report, Options) error {
	return func(w io.Writer, r *reports.Report, _ Options) error { return write(w, r) }
}
