package judge

import (
	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites/acd/history"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/shape"
)

// The requirements on members that contain a schema.
const (
	Inputs  = "ACD-DESC-18"
	Outputs = "ACD-DESC-20"
)

// flawsOf returns the flaws of one descriptor, for all requirements.
func (j documents) flawsOf(i *history.Item) []shape.Flaw {
	return record.Keep(i.Readings(), func() []shape.Flaw {
		flaws, _ := j.DescriptorShape.Flaws(i.Value) // the schemas of the suite decide every JSON value
		return append(flaws, schemaFlaws(i.Value)...)
	})
}

// schemaFlaws returns the members whose value is not a valid schema.
func schemaFlaws(item any) []shape.Flaw {
	var all []shape.Flaw
	for path, id := range map[string]string{"inputs.schema": Inputs, "outputs.schema": Outputs} {
		given := history.Member(item, path)
		switch given.(type) {
		case history.Object, bool:
			_, err := schemas.CompileValue(given, schemas.Options{})
			if _, invalid := err.(*schemas.InvalidSchema); invalid { // this error is never wrapped
				all = append(all, shape.Flaw{Part: shape.Part{Requirement: id}, Pointer: path, Message: err.Error()})
			}
		}
	}
	return all
}
