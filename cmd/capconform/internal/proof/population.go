package proof

import (
	"fmt"

	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/null"
	"github.com/capconform/capconform/reference/variant"
)

// Population is every host and document on which the suites prove themselves.
type Population struct {
	Mutants   []mutant.Mutant
	Variants  []variant.Variant
	Nulls     []null.Host
	Plains    []mutant.Plain
	Documents []mutant.Document
}

// Everything gives the whole population of the reference.
func Everything() (Population, error) {
	documents, err := mutant.Documents()
	if err != nil {
		return Population{}, fmt.Errorf("proof: %w", err)
	}
	return Population{
		Mutants: mutant.All(), Variants: variant.All(), Nulls: null.All(), Plains: mutant.Plains(), Documents: documents,
	}, nil
}

func (p Population) names() map[string]bool {
	names := map[string]bool{}
	for _, m := range p.Mutants {
		names[m.Name] = true
	}
	for _, v := range p.Variants {
		names[v.Name] = true
	}
	for _, n := range p.Nulls {
		names[n.Name] = true
	}
	for _, s := range p.Plains {
		names[s.Name] = true
	}
	for _, d := range p.Documents {
		names[d.Name] = true
	}
	return names
}
