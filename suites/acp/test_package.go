package acpsuite

import (
	"github.com/capconform/capconform/suites/acp/sample"
)

// object is a JSON object.
type object = sample.Object

// testPackage is a package that the suite makes.
type testPackage = sample.Package

// The built-in tools.
const (
	toolCreate = sample.Create
	toolUpdate = sample.Update
	toolQuery  = sample.Query
	toolDelete = sample.Delete
)
