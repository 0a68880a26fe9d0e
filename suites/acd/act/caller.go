// Package act contains the stimuli of the suite (DESIGN section 5). It makes calls and judges nothing.
package act

import (
	"slices"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acd/history"
	"github.com/capconform/capconform/suites/acp/environment"
	"github.com/capconform/capconform/suites/live"
)

// Caller performs the stimuli on one agent. Its fields are set before the first call.
type Caller struct {
	History *history.History
	Subject *suites.Subject
	Gate    *live.Gate
	Entries []*history.Item // the entries of the registry that have an id
	Players map[string]live.Assignment[*history.Item]
	Pool    []*history.Item          // the entries that may be invoked
	Models  *environment.Environment // opens the language models that the suite simulates
	// Input returns an input that an entry should accept, and reports whether one could be made.
	Input func(*history.Item) (any, bool)
}

// find returns an entry by its id, or nil if there is none.
func (c *Caller) find(id string) *history.Item {
	if i := slices.IndexFunc(c.Entries, func(one *history.Item) bool { return one.ID == id }); i >= 0 {
		return c.Entries[i]
	}
	return nil
}
