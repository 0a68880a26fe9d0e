package capsuite

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/cap/act"
	"github.com/capconform/capconform/suites/cap/history"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/live"
	"github.com/capconform/capconform/suites/verdict"
)

// trialCodes are the codes by which a role is recognised.
var trialCodes = map[string]string{act.Fails: history.ExecutionFailed, act.Slow: history.Timeout,
	act.Restricted: history.PermissionDenied}

// Try implements suites.Tryer.
func (e *examination) Try(ctx context.Context, sc *suites.Scenario, role live.Role, id string) error {
	c := e.byID(id, "")
	code, refuses := trialCodes[role.Name]
	switch {
	case c == nil:
		return errors.New("it is not listed")
	case role.Name == act.Skill && c.Kind != history.KindSkill:
		return errors.New("it is not a skill")
	case !refuses && role.Name != act.Echo && role.Name != act.Skill && role.Name != act.Counter:
		return verdict.Undecided("one answer does not show whether it %s", role.Purpose)
	}
	inputs := e.Caller.ValidInputs(e.capability(c))
	if len(inputs) == 0 {
		return verdict.Undecided("no valid input can be made for it")
	}
	a, err := e.Caller.InvokeOnce(ctx, sc, c.Ref(), inputs[0].Text, role.Name)
	if err != nil {
		return errors.New("it gave no answer")
	}
	output := a.Output()
	switch {
	case !a.HasOutcome():
		return errors.New("it returned no result that can be judged")
	case refuses && (!a.NotOK() || a.Code() != code):
		return fmt.Errorf("the answer to a valid input was not %s", code)
	case refuses:
		return nil
	case !a.OK():
		return errors.New("an invocation with a valid input did not return ok")
	case role.Name == act.Echo && !returnsInput(inputs[0].Text, output):
		return errors.New("its input did not come back in the output")
	case role.Name == act.Counter && !isCount(output):
		return errors.New("the output has no number called executions")
	}
	return nil
}

// returnsInput reports whether an output contains each string and number of an input, and the input
// contains a string.
func returnsInput(input json.RawMessage, output any) bool {
	came := string(jsonvalue.Encode(output))
	texts := 0
	for _, value := range schemas.ReadObject(input) {
		encoded := string(jsonvalue.Encode(value))
		text, isText := value.(string)
		if isText {
			encoded = strings.TrimSuffix(strings.TrimPrefix(encoded, `"`), `"`)
		}
		if isText && text != "" {
			texts++
		}
		if !strings.Contains(came, encoded) {
			return false
		}
	}
	return texts > 0
}

func isCount(output any) bool {
	members, _ := output.(map[string]any)
	switch members["executions"].(type) {
	case json.Number, float64:
		return true
	}
	return false
}
