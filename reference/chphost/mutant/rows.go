package chpmutant

import (
	_ "embed"

	"github.com/capconform/capconform/reference/mutant"
	data "github.com/capconform/capconform/suites/defect"
)

//go:embed defects.yaml
var rowFile []byte

// Defects returns the defects that are data, of a host whose capabilities have other names.
func Defects(capabilities map[string]string) ([]*data.Defect, error) {
	return mutant.Defects(rowFile, capabilities)
}

// rows returns the mutants that are data.
func rows() []mutant.Mutant { return mutant.MustRows("chp", rowFile) }
