package plan

import (
	"github.com/capconform/capconform/cmd/capconform/internal/proof/golden"
	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/variant"
)

// Expectation describes how the statuses of a host or document differ from those of its baseline.
type Expectation struct {
	Failed []string    // the requirement that it breaks, and those that the defect breaks as well
	Passed []string    // although the baseline may not decide it
	Hinted []string    // advice that is not followed
	Lost   golden.Loss // of the golden file
	// Unlisted permits inconclusive and not applicable requirements that the golden file does not list, while
	// the file is being written.
	Unlisted bool
}

// OfMutant returns the expectation for a mutant.
func (o Options) OfMutant(m mutant.Mutant) Expectation {
	return o.listed(m.Suite, m.Name, Expectation{Failed: append([]string{m.Requirement}, idsOf(m.Also)...)})
}

// OfVariant returns the expectation for a variant.
func (o Options) OfVariant(v variant.Variant) Expectation {
	return o.listed(v.Suite, v.Name, Expectation{Hinted: v.Hinted})
}

// OfDocument returns the expectation for a broken document.
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

// listed adds the entries of the golden file.
func (o Options) listed(suite, name string, e Expectation) Expectation {
	if o.Golden {
		e.Unlisted = true
		return e
	}
	e.Lost = o.Population.Undecided[suite][name]
	return e
}
