// Package router contains the stimuli for a router and its runtime (DESIGN section 5). It makes calls
// and judges nothing.
package router

import (
	"github.com/google/uuid"

	"github.com/capconform/capconform/suites/acp/act"
	"github.com/capconform/capconform/suites/acp/history"
	"github.com/capconform/capconform/suites/acp/sample"
)

// Caller performs the stimuli on one router. The exported fields must be set before the first call.
type Caller struct {
	*act.PackageMaker
	History        *history.History
	Ready          func() error // returns the reason why no package can be installed or messages reach none, or nil
	AddInstalled   func(capURI string)
	Flaws          []Flaw                 // the flaws that break rules on packages
	FirstInstalled func() *sample.Package // returns the first installed package

	storingPackage *sample.Package // the package with every built-in tool
	pairs          map[pairKind]pair
}

func newConversationID() string { return "capconform-" + uuid.NewString() }

// nobodysURI is the URI of a capability that nobody published and no subject has installed.
const nobodysURI = "did:nuwa:cap:capconform@1.0.0"

// object is a JSON object.
type object = history.Object

// about contains the parameters of a stimulus.
type about = map[string]string
