package capsuite

import (
	"encoding/json"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/cap/history"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/inproc"
	"github.com/capconform/capconform/suites/live"
)

// A target file may name a capability that fails for one input. Other inputs are sent to it as to an
// ordinary capability, but only if the policy admits it without its name.
func TestACapabilityThatFailsForOneInputIsOrdinaryOtherwise(t *testing.T) {
	suite, err := suites.New(Definition())
	require.NoError(t, err)
	for id, ordinary := range map[string]bool{"word.count": true, "word.delete": false} {
		t.Run(id, func(t *testing.T) {
			s := newSource(t)
			s.manifests = s.manifests[:2]
			s.manifests[1][history.MemberID] = id
			var mutex sync.Mutex
			words := map[any]bool{}
			s.invoke = func(c asking) map[string]any {
				if c.id != id {
					return validInvoke(c)
				}
				mutex.Lock()
				defer mutex.Unlock()
				words[c.input["word"]] = true
				if c.input["word"] == "none" {
					return failing(history.ExecutionFailed, "no such word")
				}
				return succeeding(map[string]any{})
			}
			subject := &suites.Subject{Driver: inproc.New("source", s.Handle), Invoke: live.InvokeSafe,
				Deadlines: driver.Deadlines{}.WithDefaults(), Limits: driver.Limits{}.WithDefaults(),
				Roles: map[string]map[string]live.Player{"cap": {"fails": {Capability: id,
					Input: json.RawMessage(`{"word":"none"}`)}}}}
			_, err := suites.Run(t.Context(), []*suites.Suite{suite}, subject, suites.Options{Explicit: true})
			require.NoError(t, err)
			require.True(t, words["none"], "the input of the role was not sent")
			require.Equal(t, ordinary, len(words) > 1, "valid inputs were %v", words)
		})
	}
}
