package proof

import (
	"context"
	"slices"
	"strings"

	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites"
)

// planDocuments plans the valid documents first: each broken document is judged against the valid
// one from which it was made.
func (p *proving) planDocuments(all *stages, s *suites.Suite) {
	for _, d := range p.options.Population.Documents {
		if d.Suite != s.Name {
			continue
		}
		switch valid := d.Name == soundName(d); {
		case valid:
			for _, strict := range p.strictnesses(d) {
				all.references = append(all.references, p.documentJob(s, d, strict))
			}
		case p.chosen(d.Name):
			all.trials = append(all.trials, p.documentJob(s, d, d.Strict))
		}
	}
}

// strictnesses are the ways to examine a valid document with which others are compared.
func (p *proving) strictnesses(valid mutant.Document) []bool {
	if slices.ContainsFunc(p.options.Population.Documents,
		func(d mutant.Document) bool { return d.Strict && soundName(d) == valid.Name }) {
		return []bool{false, true}
	}
	return []bool{false}
}

func (p *proving) documentJob(s *suites.Suite, d mutant.Document, strict bool) job {
	at := setting{suite: s.Name, document: soundName(d), strict: strict}
	trial := Trial{Kind: KindDocument, Suite: s.Name, Name: d.Name, Requirement: d.Requirement, Strict: strict}
	return job{trial, func(ctx context.Context, trial *Trial) {
		if d.Name != soundName(d) {
			p.holdDocument(ctx, s, d, at, trial)
			return
		}
		if got, ok := linted(ctx, s, d, trial); ok {
			p.keep(at, got)
		}
	}}
}

// soundName returns the name of the document from which another was made, in the same notation. The
// name of the file is ignored, because it may be what is broken.
func soundName(d mutant.Document) string {
	return d.Suite + "-" + d.Base + "-sound" + d.Name[strings.LastIndexByte(d.Name, '-'):]
}

// linted examines a document in which at most its one requirement may be broken.
func linted(ctx context.Context, s *suites.Suite, d mutant.Document, trial *Trial) (statuses, bool) {
	got, err := lint(ctx, s, d, trial.Strict)
	if err != nil {
		trial.fault("could not be examined: %v", err)
		return got, false
	}
	trial.failed = got.failed
	for _, id := range got.order {
		broken := got.status[id] == reports.Error || got.status[id] == reports.Failed && d.Requirement == ""
		if broken {
			trial.fault("false positive: %s is %s%s", id, got.status[id], because(got.reason[id]))
		}
	}
	return got, true
}

func (p *proving) holdDocument(ctx context.Context, s *suites.Suite, d mutant.Document, at setting, trial *Trial) {
	got, ok := linted(ctx, s, d, trial)
	if !ok || d.Requirement == "" {
		return
	}
	trial.Killed = got.status[d.Requirement] == reports.Failed
	valid := p.baseline(at)
	if len(valid.order) == 0 {
		trial.fault("there is no valid document to compare it with")
	}
	compare(trial, valid, p.ofDocument(d), got)
}
