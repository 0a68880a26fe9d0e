package capsuite

import (
	"context"
	"regexp"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
)

type examination struct {
	subject *suites.Subject
	session driver.Session
}

var listed = regexp.MustCompile(`^the capabilities are listed$`)
var isList = regexp.MustCompile(`^the answer is a list of manifests$`)

// Steps implements suites.Examination.
func (e *examination) Steps(voc suites.Vocabulary, sc *suites.Scenario) {
	var answer driver.Answer
	voc.Step(listed, func(ctx context.Context) (err error) {
		answer, err = sc.Call(ctx, driver.Operation{Name: opList, List: true})
		return err
	})
	voc.Step(isList, func() error {
		if answer.Outcome != driver.Returned || len(answer.Result) == 0 || answer.Result[0] != '[' {
			return suites.Violated("the answer to capability.list is no list", "an array of manifests", string(answer.Result)+answer.Defect)
		}
		return nil
	})
}

// Condition implements suites.Examination.
func (e *examination) Condition(_, _ string) error { return nil }

// Control implements suites.Examination.
func (e *examination) Control(context.Context, driver.Session) error { return nil }

// Profile implements suites.Examination.
func (e *examination) Profile() suites.Profile { return suites.Profile{Actors: []string{"source"}} }
