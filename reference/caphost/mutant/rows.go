package capmutant

import (
	_ "embed"

	"github.com/capconform/capconform/reference/mutant"
)

//go:embed defects.yaml
var rowFile []byte

// rows returns the mutants that are data.
func rows() []mutant.Mutant { return mutant.MustRows("cap", rowFile) }
