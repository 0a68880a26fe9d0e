package capmutant_test

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	capmutant "github.com/capconform/capconform/reference/caphost/mutant"
	"github.com/capconform/capconform/reference/plainmcp"
)

// plainProbe are the requests to a plain server. The client declares no capabilities, and refuses the first request
// of the server.
var plainProbe = []string{
	`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`,
	`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
	`{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{}}`,
	`{"jsonrpc":"2.0","id":3,"method":"tools/list","params":{"cursor":"12"}}`,
	`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"colour.compute_mix","arguments":{"first":"ff0000","second":"0000ff"}}}`,
	`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"colour.compute_mix","arguments":{"first":"ff0000","second":"0000ff","share":"25"}}}`,
	`{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"colour.compute_mix","arguments":{"first":"ff0000"}}}`,
	`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"text.measure","arguments":{"text":"a","unit":"pages"}}}`,
	`{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"conformance.fail","arguments":{}}}`,
	`{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"no.such"}}`,
	`{"jsonrpc":"2.0","id":10,"method":"no/such"}`,
	`{"jsonrpc":"2.0","id":"ask-1","error":{"code":-32601,"message":"no"}}`,
}

type lockedBuffer struct {
	sync.Mutex
	bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.Lock()
	defer b.Unlock()
	return b.Buffer.Write(p)
}

func plainAnswers(t *testing.T, noFixtures bool, apply func(*plainmcp.Server)) []string {
	t.Helper()
	server, err := plainmcp.New(noFixtures)
	require.NoError(t, err)
	apply(server)
	var out lockedBuffer
	require.NoError(t, server.ServeStdio(t.Context(), strings.NewReader(strings.Join(plainProbe, "\n")), &out))
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	slices.Sort(lines)
	return lines
}

func TestEveryPlainServerDiffersFromOriginal(t *testing.T) {
	original := map[bool][]string{false: plainAnswers(t, false, func(*plainmcp.Server) {}),
		true: plainAnswers(t, true, func(*plainmcp.Server) {})}
	// Event streams exist only over HTTP, and plain-as-it-is changes nothing.
	alike := []string{"plain-as-it-is", "plain-streams"}
	for _, p := range capmutant.Plains() {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			for noFixtures, want := range original {
				if noFixtures && (p.Role != "" || p.Name == "plain-failure-as-protocol-error") {
					continue
				}
				if got := plainAnswers(t, noFixtures, p.Apply); cmp.Equal(want, got) != slices.Contains(alike, p.Name) {
					t.Errorf(
						"no fixtures %v: answers equal those of the valid server: %v",
						noFixtures,
						cmp.Equal(want, got),
					)
				}
			}
		})
	}
}

func TestPlainServersHaveUniqueNamesAndDescriptions(t *testing.T) {
	named, id := map[string]bool{}, regexp.MustCompile(`^(CAP-[A-Z]+-[0-9]{2})?$`)
	for _, p := range capmutant.Plains() {
		if named[p.Name] || !id.MatchString(p.Requirement) || !strings.HasSuffix(p.Summary, ".") ||
			!strings.HasPrefix(p.Name, "plain-") {
			t.Errorf("%s is listed twice or incompletely described: %s", p.Name, fmt.Sprint(p))
		}
		named[p.Name] = true
	}
}
