// Package router provokes what a router and its runtime do: it contains the stimuli of these
// actors (DESIGN section 5). It calls, and judges nothing.
package router

import (
	"github.com/google/uuid"

	"github.com/capconform/capconform/suites/acp/act"
	"github.com/capconform/capconform/suites/acp/history"
	"github.com/capconform/capconform/suites/acp/sample"
)

// Caller performs the stimuli on one router. Its fields are set before the first call.
type Caller struct {
	*act.Maker
	History  *history.History
	Ready    func() error // why no package can be installed, or none is reached by messages
	Remember func(capURI string)
	Flaws    []Flaw                 // that break rules on packages
	First    func() *sample.Package // the first one that was installed

	keeper *sample.Package // has every built-in tool
	pairs  map[pairKind]pair
}

func newConversation() string { return "capconform-" + uuid.NewString() }

// nobodysURI is the URI of a capability that nobody published and nothing installed.
const nobodysURI = "did:nuwa:cap:capconform@1.0.0"

// object is a JSON object.
type object = history.Object

// about contains the parameters of a stimulus.
type about = map[string]string
