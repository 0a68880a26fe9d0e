package proof

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/variant"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/spec"
	"github.com/capconform/capconform/suites"
)

// NewRequirement is a requirement that no golden file lists as judged on every lawful subject.
type NewRequirement struct {
	ID string `json:"id"`
	// Subjects is how many lawful hosts and documents it was judged on.
	Subjects int `json:"subjects"`
	// Contradictions are the lawful subjects that break it.
	Contradictions []Contradiction `json:"contradictions,omitempty"`
}

// Contradiction is a lawful subject that breaks a new requirement: either the requirement or what
// permits the subject is wrong.
type Contradiction struct {
	Kind    Kind   `json:"kind"`
	Subject string `json:"subject"`
	// Setting is how the subject was examined, empty in the usual way.
	Setting string         `json:"setting,omitempty"`
	Status  reports.Status `json:"status"`
	Message string         `json:"message"`
	// Permits are the requirements that permit the subject's style.
	Permits []Permission `json:"permits,omitempty"`
}

// Permission is a requirement whose resolution tolerates a variant, or a permission that it uses.
type Permission struct {
	ID   string `json:"id"`
	Says string `json:"says"` // the resolution, or the summary if there is none
}

// JudgeNew judges every lawful host, in process, and every lawful document by the new requirements,
// and adds the results to the survey. Each contradiction opens a gate. If nothing is new, it
// examines nothing.
func (s *Survey) JudgeNew(ctx context.Context, options Options) error {
	for _, suite := range options.Suites {
		fresh := options.Population.unjudged(suite)
		if len(fresh) == 0 {
			continue
		}
		found, err := judgeNew(ctx, suite, fresh, options)
		if err != nil {
			return err
		}
		for _, r := range found {
			s.New = append(s.New, r)
			for _, c := range r.Contradictions {
				s.Open = append(s.Open, r.ID+" "+c.String())
			}
		}
	}
	return nil
}

// String describes the contradiction in one sentence for each part of it.
func (c Contradiction) String() string {
	text := fmt.Sprintf("is %s on the lawful %s %s%s%s", c.Status, c.Kind, c.Subject, c.Setting, because(c.Message))
	for _, permission := range c.Permits {
		text += fmt.Sprintf("; %s permits it: %s", permission.ID, permission.Says)
	}
	return text
}

func judgeNew(ctx context.Context, s *suites.Suite, fresh []string, options Options) ([]NewRequirement, error) {
	run := &proving{options: options, matrix: newMatrix(options)}
	found := make([]NewRequirement, len(fresh))
	for i, id := range fresh {
		found[i].ID = id
	}
	jobs := run.lawfulJobs(s, func(t *Trial, got statuses, v variant.Variant) {
		run.mu.Lock()
		defer run.mu.Unlock()
		for i := range found {
			found[i].add(s.Catalogue, t, got, v)
		}
	})
	run.pool(ctx, jobs)
	if err := context.Cause(ctx); err != nil {
		return nil, fmt.Errorf("proof: %w", err)
	}
	for i := range found { // in the order of their names, independent of which ended first
		slices.SortFunc(found[i].Contradictions,
			func(a, b Contradiction) int { return strings.Compare(a.Subject, b.Subject) })
	}
	for _, t := range run.matrix.Trials {
		if !t.OK() {
			return nil, fmt.Errorf("proof: %s %s%s: %s", t.Kind, t.Name, t.where(), t.Faults[0])
		}
	}
	return found, nil
}

// add adds the result of one lawful subject.
func (r *NewRequirement) add(catalogue *spec.Catalogue, t *Trial, got statuses, v variant.Variant) {
	r.Subjects++
	status := got.status[r.ID]
	if status != reports.Failed && status != reports.Error || slices.Contains(v.Hinted, r.ID) {
		return
	}
	c := Contradiction{Kind: t.Kind, Subject: t.Name, Setting: t.where(), Status: status, Message: got.reason[r.ID]}
	for _, id := range v.Allows {
		allowed, _ := catalogue.Lookup(id)
		says := allowed.Resolution
		if says == "" {
			says = allowed.Summary
		}
		c.Permits = append(c.Permits, Permission{ID: id, Says: says})
	}
	r.Contradictions = append(r.Contradictions, c)
}

// verdictOn receives the statuses of one lawful subject, with its variant, if it is one.
type verdictOn func(t *Trial, got statuses, v variant.Variant)

// lawfulJobs examines the reference, each variant and each lawful document of a suite, and passes
// on the statuses.
func (p *proving) lawfulJobs(s *suites.Suite, judged verdictOn) []job {
	jobs := []job{p.lawfulJob(s, variant.Variant{Name: "reference", Suite: s.Name}, KindReference, judged)}
	for _, v := range p.options.Population.Variants {
		if v.Suite == s.Name {
			jobs = append(jobs, p.lawfulJob(s, v, KindVariant, judged))
		}
	}
	for _, d := range p.options.Population.Documents {
		if d.Suite == s.Name && d.Requirement == "" {
			jobs = append(jobs, lawfulDocumentJob(s, d, judged))
		}
	}
	return jobs
}

func (p *proving) lawfulJob(s *suites.Suite, v variant.Variant, kind Kind, judged verdictOn) job {
	trial := Trial{Kind: kind, Suite: s.Name, Name: v.Name, Driver: InProcess, Actors: cast(v.Actors)}
	return job{trial, func(ctx context.Context, trial *Trial) {
		if got, ok := p.statusesOf(ctx, s, trial, v.Apply); ok {
			judged(trial, got, v)
		}
	}}
}

func lawfulDocumentJob(s *suites.Suite, d mutant.Document, judged verdictOn) job {
	trial := Trial{Kind: KindDocument, Suite: s.Name, Name: d.Name, Strict: d.Strict}
	return job{trial, func(ctx context.Context, trial *Trial) {
		got, err := lint(ctx, s, d, trial.Strict)
		if err != nil {
			trial.fault("could not be examined: %v", err)
			return
		}
		judged(trial, got, variant.Variant{})
	}}
}
