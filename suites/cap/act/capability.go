package act

import (
	"encoding/json"
	"sync"
	"sync/atomic"
	"time"

	"github.com/capconform/capconform/suites/cap/history"
	"github.com/capconform/capconform/suites/instance"
)

// Capability is a listed capability.
type Capability struct {
	*history.RawManifest
	Cache *instance.Cache

	pace    pace
	compile sync.Once
	input   *instance.Template
}

// Input returns the compiled input schema, nil if it is not a schema.
func (c *Capability) Input() *instance.Template {
	c.compile.Do(func() {
		switch schema := c.Manifest()[history.MemberInput].(type) {
		case map[string]any, bool:
			c.input, _ = c.Cache.Template(schema) // CAP-MAN-02 judges a broken one
		}
	})
	return c.input
}

// pace is how fast a capability has answered.
type pace struct {
	known atomic.Bool // it was invoked
	slow  atomic.Bool // an answer took almost the deadline of one call, or more

	most atomic.Int64 // the longest time of an answer
}

// longest returns the longest time that an answer took.
func (p *pace) longest() time.Duration { return time.Duration(p.most.Load()) }

// The roles of the fixture profile (DESIGN section 10).
const (
	Echo       = "echo"
	Fails      = "fails"
	Slow       = "slow"
	Restricted = "restricted"
	Malformed  = "malformed"
	Skill      = "skill"
	Counter    = "counter"
	Replace    = "replace"
	Attach     = "attach"
)

// Replaceable is the fixture that the role replace removes during the run.
const Replaceable = "conformance.replaceable"

// failing are the roles whose invocation must not succeed.
var failing = []string{Fails, Slow, Restricted, Malformed}

// Player is a listed capability in a role.
type Player struct {
	*Capability
	Given json.RawMessage // the input of the target file, nil: made from the schema
}

// Always reports whether the role concerns every invocation of the capability. A target file may name a
// capability that fails, or is denied, for one input. A slow one is not invoked further in any case.
func (p *Player) Always(role string) bool { return p.Given == nil || role == Slow }
