package acpsuite

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acp/act"
	"github.com/capconform/capconform/suites/acp/act/router"
	"github.com/capconform/capconform/suites/acp/environment"
)

func offline(t *testing.T) *examination {
	t.Helper()
	e := &examination{PackageMaker: &act.PackageMaker{}, subject: &suites.Subject{}}
	e.router = &router.Caller{PackageMaker: e.PackageMaker}
	var err error
	e.Author, err = environment.NewAuthor()
	require.NoError(t, err)
	e.OtherAuthor, err = environment.NewAuthor()
	require.NoError(t, err)
	e.Environment, err = new(environment.Environment).Open()
	require.NoError(t, err)
	e.Signing.Profile = "blank-token-ed25519"
	t.Cleanup(func() { require.NoError(t, e.Close()) })
	return e
}

// sentences counts the registered sentences.
type sentences map[string]int

func (s sentences) Step(expression, _ any) { s[fmt.Sprint(expression)]++ }

func TestSentencesAreRegisteredOnce(t *testing.T) {
	all := sentences{}
	(&examination{}).Steps(all, &suites.Scenario{})
	for expression, times := range all {
		if times > 1 {
			t.Errorf("%s is registered %d times", expression, times)
		}
	}
}
