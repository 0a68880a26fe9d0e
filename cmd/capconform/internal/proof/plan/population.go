package plan

import (
	"fmt"

	"github.com/capconform/capconform/cmd/capconform/internal/proof/golden"
	capmutant "github.com/capconform/capconform/reference/caphost/mutant"
	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/null"
	"github.com/capconform/capconform/reference/population"
	"github.com/capconform/capconform/reference/variant"
)

// Population contains every host and document on which the suites are tested.
type Population struct {
	Mutants   []mutant.Mutant
	Variants  []variant.Variant
	Nulls     []null.Host
	Plains    []capmutant.Plain
	Documents []mutant.Document
	Undecided golden.Undecided
	Judged    golden.Judged
}

// Everything returns the whole population of the reference.
func Everything() (Population, error) {
	documents, err := population.Documents()
	if err != nil {
		return Population{}, fmt.Errorf("plan: %w", err)
	}
	undecided, err := golden.LoadUndecided()
	if err != nil {
		return Population{}, err
	}
	judged, err := golden.LoadJudged()
	if err != nil {
		return Population{}, err
	}
	return Population{
		Mutants: population.Mutants(), Variants: population.Variants(), Documents: documents,
		Nulls: null.All(), Plains: capmutant.Plains(), Undecided: undecided, Judged: judged,
	}, nil
}

// Names lists the names of all hosts and documents.
func (p Population) Names() []string {
	var names []string
	for _, m := range p.Mutants {
		names = append(names, m.Name)
	}
	for _, v := range p.Variants {
		names = append(names, v.Name)
	}
	for _, n := range p.Nulls {
		names = append(names, n.Name)
	}
	for _, s := range p.Plains {
		names = append(names, s.Name)
	}
	for _, d := range p.Documents {
		names = append(names, d.Name)
	}
	return names
}

// Canary names a mutant of a suite that a working suite must detect.
func Canary(suite string) string {
	return map[string]string{"acd": "acd-kind-wrong", "acp": "acp-unsigned-installed", "cap": "cap-no-describe",
		"chp": "chp-no-replay"}[suite]
}
