package chpmutant

import (
	"embed"

	"github.com/capconform/capconform/reference/mutant"
)

//go:embed documents
var files embed.FS

// Documents returns the valid and the broken documents of CHP.
func Documents() ([]mutant.Document, error) { return mutant.Documents("chp", files) }
