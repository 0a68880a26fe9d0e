package capsuite

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites"
)

// trialCodes are the codes that show a role.
var trialCodes = map[string]string{roleFails: codeExecutionFailed, roleSlow: codeTimeout, roleRestricted: codePermissionDenied}

// Try implements suites.Tryer.
func (e *examination) Try(ctx context.Context, sc *suites.Scenario, role suites.Role, id string) error {
	c := e.byID(id, "")
	code, refuses := trialCodes[role.Name]
	switch {
	case c == nil:
		return errors.New("it is not listed")
	case role.Name == roleSkill && c.kind != kindSkill:
		return errors.New("it is no skill")
	case !refuses && role.Name != roleEcho && role.Name != roleSkill && role.Name != roleCounter:
		return suites.Undecided("one answer does not show whether it %s", role.Purpose)
	}
	inputs := e.soundInputs(c)
	if len(inputs) == 0 {
		return suites.Undecided("no sound input can be made for it")
	}
	a := e.invoke(ctx, sc, invocation{asked: c.ref(), of: c, input: inputs[0].Text, doubt: inputs[0].Doubt, slow: role.Name == roleSlow})
	output := a.result.output()
	switch {
	case !a.judged():
		return errors.New("it gave no result that can be judged")
	case refuses && (!a.refused() || a.result.code() != code):
		return fmt.Errorf("the answer to a sound input was not %s", code)
	case refuses:
		return nil
	case !a.succeeded():
		return errors.New("a sound input did not come back ok")
	case role.Name == roleEcho && !givesBack(a.input, output):
		return errors.New("its input did not come back in the output")
	case role.Name == roleCounter && !counts(output):
		return errors.New("the output has no number called executions")
	}
	return nil
}

// givesBack says whether an output holds each text and number of an input, and the input
// holds a text.
func givesBack(input json.RawMessage, output any) bool {
	came := string(suites.Encode(output))
	texts := 0
	for _, value := range schemas.ReadObject(input) {
		encoded := string(suites.Encode(value))
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

func counts(output any) bool {
	members, _ := output.(map[string]any)
	switch members["executions"].(type) {
	case json.Number, float64:
		return true
	}
	return false
}
