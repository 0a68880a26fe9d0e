package plan

import (
	"slices"

	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/variant"
	"github.com/capconform/capconform/suites"
)

// WithScenarios lists the requirements that have scenarios, in catalogue order.
func WithScenarios(s *suites.Suite) []string {
	tagged := map[string]bool{}
	for _, k := range s.Scenarios() {
		tagged[k.Requirement] = true
	}
	var ids []string
	for _, r := range s.Catalogue.Requirements {
		if tagged[r.ID] {
			ids = append(ids, r.ID)
		}
	}
	return ids
}

// Unjudged lists the requirements of a suite that the golden file does not list.
func (p Population) Unjudged(s *suites.Suite) []string {
	return slices.DeleteFunc(WithScenarios(s), func(id string) bool { return slices.Contains(p.Judged[s.Name], id) })
}

// LawfulJob is the examination of one lawful subject, with its variant, if it is one.
type LawfulJob struct {
	Job
	Variant variant.Variant
}

// Lawful plans the reference, each variant and each lawful document of a suite, in process.
func (p Population) Lawful(s *suites.Suite) []LawfulJob {
	jobs := []LawfulJob{lawfulHost(s, variant.Variant{Name: "reference", Suite: s.Name}, KindReference)}
	for _, v := range p.Variants {
		if v.Suite == s.Name {
			jobs = append(jobs, lawfulHost(s, v, KindVariant))
		}
	}
	for _, d := range p.Documents {
		if d.Suite == s.Name && d.Requirement == "" {
			jobs = append(jobs, lawfulDocument(s, d))
		}
	}
	return jobs
}

func lawfulHost(s *suites.Suite, v variant.Variant, kind Kind) LawfulJob {
	at := Setting{Suite: s.Name, Driver: InProcess, Actors: actorList(v.Actors)}
	return LawfulJob{Job{Trial: at.trial(kind, v.Name), Suite: s, Alter: v.Apply}, v}
}

func lawfulDocument(s *suites.Suite, d mutant.Document) LawfulJob {
	at := Setting{Suite: s.Name, Strict: d.Strict}
	return LawfulJob{Job: Job{Trial: at.trial(KindDocument, d.Name), Suite: s, Document: d}}
}
