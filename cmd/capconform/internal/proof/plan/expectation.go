package plan

import (
	"github.com/capconform/capconform/cmd/capconform/internal/proof/golden"
	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/variant"
)

// Expectation describes how the statuses of a host or document differ from those of its baseline.
type Expectation struct {
	Failed []string    // the requirement that it breaks, and those that the defect breaks as well
	Passed []string    // although the baseline may not show it
	Hinted []string    // advice that is not followed
	Lost   golden.Loss // of the golden file
	// Unlisted permits what is inconclusive or not applicable beyond the golden file, which is being written.
	Unlisted bool
}

// OfMutant returns what a mutant must show.
func (o Options) OfMutant(m mutant.Mutant) Expectation {
	return o.listed(m.Suite, m.Name, Expectation{Failed: append([]string{m.Requirement}, idsOf(m.Also)...)})
}

// OfVariant returns what a variant must show.
func (o Options) OfVariant(v variant.Variant) Expectation {
	return o.listed(v.Suite, v.Name, Expectation{Hinted: v.Hinted})
}

// OfDocument returns what a broken document must show.
func (o Options) OfDocument(d mutant.Document) Expectation {
	return o.listed(d.Suite, d.Name, Expectation{Failed: append([]string{d.Requirement}, idsOf(d.Also)...)})
}

func idsOf(also []mutant.Also) []string {
	var ids []string
	for _, a := range also {
		ids = append(ids, a.ID)
	}
	return ids
}

// listed adds what the golden file lists.
func (o Options) listed(suite, name string, e Expectation) Expectation {
	if o.Golden {
		e.Unlisted = true
		return e
	}
	e.Lost = o.Population.Undecided[suite][name]
	return e
}
