// Package capsuite is the suite of CAP, the Capability Protocol Profile: what a
// capability source must do, seen from outside, and what its documents must hold.
package capsuite

import (
	"context"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
)

// The operations of CAP (DESIGN section 9).
const (
	opList     = "capability.list"
	opDescribe = "capability.describe"
	opInvoke   = "capability.invoke"
)

// Definition gives the suite to the engine.
func Definition() suites.Definition {
	return suites.Definition{
		Name:       "cap",
		Operations: []string{opList, opDescribe, opInvoke},
		Probes:     []driver.Operation{{Name: opList, List: true}},
		Roles:      roles(),
		Examine:    examineSource,
		Sentences: func(voc suites.Vocabulary) {
			(&examination{}).Steps(voc, &suites.Scenario{})
		},
	}
}

func examineSource(ctx context.Context, subject *suites.Subject, session driver.Session) (suites.Examination, error) {
	return &examination{subject: subject, session: session}, nil
}

// roles are the parts of the fixture profile (DESIGN section 10).
func roles() []suites.Role {
	return []suites.Role{
		{Name: "echo", Capability: "conformance.echo", Purpose: "a capability that gives its input back"},
		{Name: "fails", Capability: "conformance.fail", Purpose: "a capability whose execution fails for every sound input"},
		{Name: "slow", Capability: "conformance.slow", Purpose: "a capability that exceeds its deadline"},
		{Name: "restricted", Capability: "conformance.restricted", Purpose: "a capability that needs a permission which the harness does not have"},
		{Name: "malformed", Capability: "conformance.malformed", Purpose: "a capability whose handler yields what its output_schema forbids"},
		{Name: "skill", Capability: "conformance.brief", Purpose: "a skill with prompt template, resources, permissions and a reduction witness"},
		{Name: "counter", Capability: "conformance.counter", Purpose: "an instrument that tells how many handlers ran so far"},
		{Name: "replace", Capability: "conformance.replace", Purpose: "an instrument that exchanges a pair for another"},
	}
}
