package capmutant

import (
	"embed"

	"github.com/capconform/capconform/reference/mutant"
)

//go:embed documents
var files embed.FS

// Documents returns the valid and the broken documents of CAP.
func Documents() ([]mutant.Document, error) { return mutant.Documents("cap", files) }
