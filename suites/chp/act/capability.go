package act

import (
	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/instance"
)

// The roles of the fixture profile (DESIGN section 10).
const (
	Echo       = "echo"
	Fails      = "fails"
	Guarded    = "guarded"
	Disabled   = "disabled"
	Observe    = "observe"
	Typed      = "typed"
	Restricted = "restricted"
)

// Sync is the mode that every capability supports.
const Sync = "sync"

// Capability is a CapabilityDescriptor with an id and a version.
type Capability struct {
	ID, Version string
	Members     history.Object
	Modes       []string
	Input       *instance.Template // nil: not declared, or not decidable
}
