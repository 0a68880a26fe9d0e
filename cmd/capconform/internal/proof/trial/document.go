package trial

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/document"
)

// lint runs a suite on one document.
func lint(ctx context.Context, s *suites.Suite, d mutant.Document, result *Result) (Statuses, error) {
	report, err := Lint(ctx, s, d, result.Strict)
	if err != nil {
		return Statuses{}, err
	}
	got, err := Read(s, report)
	result.Failed = got.Failed
	return got, err
}

// Lint runs a suite on one document, and returns the report.
func Lint(ctx context.Context, s *suites.Suite, d mutant.Document, strict bool) (*reports.Report, error) {
	file := Parse(d.File, d.Content)
	if s.Recognises == nil || !s.Recognises(file) {
		if file.Err != nil {
			return nil, fmt.Errorf("trial: %w", file.Err)
		}
		return nil, fmt.Errorf("trial: %s is not recognised as a document of %s", d.Name, s.Name)
	}
	subject := &suites.Subject{
		Name:      d.Name,
		Documents: []suites.Document{*file},
		Seed:      Seed,
		Options:   map[string]string{},
	}
	if len(d.Supports) > 0 {
		subject.Supports = map[string][]string{"skills": d.Supports}
	}
	if d.Publishable {
		subject.Options["mode"] = "publishable"
	}
	subject.Options["strict"] = strconv.FormatBool(strict)
	if d.Against != nil {
		subject.Older = []suites.Document{*Parse("older-"+d.File, d.Against)}
	}
	report, err := suites.Lint(ctx, []*suites.Suite{s}, subject,
		suites.Options{Explicit: true, Concurrency: 1, Strict: strict})
	if err != nil {
		return nil, fmt.Errorf("trial: %w", err)
	}
	return report, nil
}

// Parse reads a document. A document that cannot be parsed may still belong to a suite.
func Parse(name string, content []byte) *document.File {
	file, err := document.Parse(name, content, document.Limits{})
	if failed, ok := errors.AsType[*document.Error](err); ok {
		return &document.File{Path: name, Text: content, Err: failed}
	}
	return file
}
