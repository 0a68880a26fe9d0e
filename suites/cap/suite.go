// Package capsuite is the suite of CAP, the Capability Protocol Profile: what a
// capability source must do, seen from outside, and what its documents must hold.
package capsuite

import (
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
)

// The operations of CAP (DESIGN section 9).
const (
	opList     = "capability.list"
	opDescribe = "capability.describe"
	opInvoke   = "capability.invoke"
)

// actorSource is the party that CAP obliges on the wire.
const actorSource = "source"

// Definition gives the suite to the engine.
func Definition() suites.Definition {
	return suites.Definition{
		Name:       "cap",
		Operations: []string{opList, opDescribe, opInvoke},
		Probes:     []driver.Operation{{Name: opList, List: true}},
		Roles:      roles(),
		Examine:    examineSource,
		Plain:      plainServer,
		Recognises: Recognises,
		Inspect:    inspectDocuments,
		Sentences: func(voc suites.Vocabulary) {
			(&examination{}).Steps(voc, &suites.Scenario{})
			(&inspection{}).Steps(voc, &suites.Scenario{})
		},
	}
}
