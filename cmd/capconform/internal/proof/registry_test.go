package proof

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reference/acdhost"
	"github.com/capconform/capconform/reference/rpc"
	"github.com/capconform/capconform/reports"
	acdsuite "github.com/capconform/capconform/suites/acd"
)

// statusesOf examines the reference agent with changes and returns its statuses.
func statusesOf(t *testing.T, changes ...func(*acdhost.Host)) map[string]reports.Status {
	t.Helper()
	s := suiteOf(t, acdsuite.Definition())
	all := map[string]reports.Status{}
	for _, q := range examineAgent(t, s, changes...).Requirements {
		all[q.ID] = q.Status
	}
	return all
}

// TestExemplarIsJudgedByItsRegistry: a manifest without a list does not hide what the registry shows.
func TestExemplarIsJudgedByItsRegistry(t *testing.T) {
	got := statusesOf(t, func(h *acdhost.Host) {
		h.Delete("cap.hook.create")
		h.Wrap[acdhost.OpManifest] = func(rpc.Operation) rpc.Operation {
			return func(context.Context, map[string]any) (any, error) {
				return map[string]any{"agent_id": h.AgentID, "name": h.Name, "version": "0.1.0"}, nil
			}
		}
	})
	require.Equal(t, reports.Failed, got["ACD-EX1-08"])
	require.Equal(t, reports.Passed, got["ACD-EX1-01"])
}

// TestListsThatShouldBeEmpty: the suite also requests an old list that must be empty.
func TestListsThatShouldBeEmpty(t *testing.T) {
	for requirement, filters := range map[string]map[string]any{"ACD-LEG-03": {"execution": "agent"}, "ACD-LEG-04": {"execution": "transport"}} {
		if quick() && requirement != "ACD-LEG-04" {
			continue // .ci/run tries these
		}
		without := func(h *acdhost.Host) {
			for _, entry := range h.Query(filters) {
				h.Delete(acdhost.Text(entry, "capability_id"))
			}
		}
		require.Equal(t, reports.Passed, statusesOf(t, without)[requirement])
		everything := func(h *acdhost.Host) {
			h.Wrap[acdhost.OpLegacy] = func(rpc.Operation) rpc.Operation {
				return func(context.Context, map[string]any) (any, error) {
					return map[string]any{"capabilities": []any{h.Entries()[0]}}, nil
				}
			}
		}
		require.Equal(t, reports.Failed, statusesOf(t, without, everything)[requirement])
	}
}
