package hostile

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// first stores the beginning of what a mode writes, then returns errors like a client that is gone.
type first struct {
	bytes.Buffer
	left int
}

// Write implements io.Writer.
func (f *first) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, bytes.ErrTooLarge
	}
	return f.Buffer.Write(p)
}

// Each mode answers on its transports as its summary says or with a refusal, and the answers of lawful ones are JSON.
func TestModesAnswerAsDescribed(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range All("http://trap.invalid") {
		if seen[m.Name] || m.Summary == "" || len(m.Wires) == 0 {
			t.Errorf("the name %q is listed twice, or something is missing: %+v", m.Name, m)
		}
		seen[m.Name] = true
		if found, ok := Find(m.Name, ""); !ok || found.Name != m.Name {
			t.Errorf("%s is not found", m.Name)
		}
		if m.byteBySecond || m.http != nil {
			continue
		}
		for operation := range m.results {
			out := &first{left: 32 << 20}
			request := `{"jsonrpc":"2.0","id":7,"method":"` + operation + `","params":{"capability_id":"text.measure","version":"1.0.0",` +
				`"ref":{"capability_id":"text.measure","version":"1.0.0"},"input":{}}}`
			err := m.reply(t.Context(), out, []byte(request), false)
			if m.Lawful && m.replyInstead == nil {
				require.NoError(t, err, m.Name)
				if !json.Valid(out.Bytes()) && out.Len() < 1<<20 && !strings.Contains(m.Name, "levels") {
					t.Errorf("%s: the answer to %s is not JSON", m.Name, operation)
				}
			}
			if out.Len() == 0 {
				t.Errorf("%s: no answer to %s", m.Name, operation)
			}
		}
	}
	if _, ok := Find("nothing", ""); ok {
		t.Error("Find returned a mode that does not exist")
	}
}

// A host refuses unknown requests, so that a lawful one does not fail.
func TestModesRefuseUnknownRequests(t *testing.T) {
	m, ok := Find("600000-members", "")
	require.True(t, ok)
	for request, want := range map[string]string{
		`{"id":1,"method":"capability.describe","params":{"capability_id":"other","version":"1.0.0"}}`:                         "NOT_FOUND",
		`{"id":1,"method":"capability.invoke","params":{"ref":{"capability_id":"text.measure","version":"2.0.0"},"input":{}}}`: "NOT_FOUND",
		`{"id":1,"method":"capability.invoke","params":{"ref":{"capability_id":"text.measure","version":"1.0.0"},"input":7}}`:  "INVALID_INPUT",
		`{"id":1,"method":"nothing","params":{}}`:                                                             "-32601",
		`{"id":1,"method":"capability.describe","params":{"capability_id":"text.measure","version":"1.0.0"}}`: "text.measure",
	} {
		var out bytes.Buffer
		require.NoError(t, m.reply(t.Context(), &out, []byte(request), false))
		if !strings.Contains(out.String(), want) {
			t.Errorf("%s: %s, want %s", request, out.String(), want)
		}
	}
}
