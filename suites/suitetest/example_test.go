package suitetest_test

import (
	"context"
	"net/http"
	"testing"

	capsuite "github.com/capconform/capconform/suites/cap"
	chpsuite "github.com/capconform/capconform/suites/chp"
	"github.com/capconform/capconform/suites/live"
	"github.com/capconform/capconform/suites/suitetest"
)

// A host that is an http.Handler is examined over loopback. To select one requirement, use go test -run
// 'TestMyHost/CHP-7-02'.
func Example() {
	var myHost http.Handler // yours

	_ = func(t *testing.T) {
		suitetest.Run(t, chpsuite.Definition(), suitetest.Handler(myHost), nil)
	}
}

// A host in the same process is a function of messages. Roles are named if it does not register the fixture profile.
func Example_roles() {
	var myHost func(ctx context.Context, request []byte) []byte // yours

	_ = func(t *testing.T) {
		suitetest.Run(t, capsuite.Definition(), suitetest.Func(myHost), &suitetest.Options{
			Roles: map[string]live.Player{"fails": {Capability: "acme.broken"}},
		})
	}
}
