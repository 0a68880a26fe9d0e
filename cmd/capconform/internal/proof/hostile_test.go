package proof

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/format"
	"github.com/capconform/capconform/suites"
	capsuite "github.com/capconform/capconform/suites/cap"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/httpdriver"
	"github.com/capconform/capconform/suites/driver/inproc"
	"github.com/capconform/capconform/suites/live"
	"github.com/capconform/capconform/suites/verdict"
)

// manifestWith returns the manifest of a tool with hostile schemas and description.
func manifestWith(input, output, description string) string {
	return fmt.Sprintf(`{"capability_id":"text.measure","version":"1.0.0","kind":"tool","name":"Measure","description":%s,"input_schema":%s,"output_schema":%s}`, description, input, output)
}

// weapon holds the answers of a hostile host, by operation.
type weapon struct{ list, describe, invoke string }

// hostile returns the hostile answers of DESIGN section 12. planted is a file that nobody may read, trap an address
// that nobody may contact.
func hostile(planted, trap string) map[string]weapon {
	good := `{"ok":true,"output":{},"error":null,"duration_ms":1}`
	bySchema := func(input string) weapon {
		m := manifestWith(input, `{"type":"object"}`, `"Counts."`)
		return weapon{"[" + m + "]", m, good}
	}
	deep := strings.Repeat(`{"properties":{"a":`, 5000) + `{}` + strings.Repeat(`}}`, 5000)
	doubling := `{"$defs":{"d0":{"type":"object"}`
	for i := 1; i < 30; i++ {
		doubling += fmt.Sprintf(`,"d%d":{"allOf":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]}`, i, i-1, i-1)
	}
	doubling += `},"$ref":"#/$defs/d29"}`
	valid := manifestWith(`{"type":"object"}`, `{"type":"object"}`, `"Counts."`)
	length := 20_000
	if quick() {
		length = 2_000
	}
	many := "[" + strings.TrimSuffix(strings.Repeat(valid+",", length), ",") + "]"
	return map[string]weapon{
		"file reference":           bySchema(`{"$ref":"file://` + planted + `"}`),
		"remote reference":         bySchema(`{"$ref":"` + trap + `/schema.json"}`),
		"remote dialect":           bySchema(`{"$schema":"` + trap + `/dialect","type":"object"}`),
		"endless recursion":        bySchema(`{"$ref":"#"}`),
		"mutual endless recursion": bySchema(`{"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}},"$ref":"#/$defs/a"}`),
		"doubling references":      bySchema(doubling),
		"catastrophic pattern":     bySchema(`{"type":"object","required":["a"],"properties":{"a":{"type":"string","pattern":"^(?=a)(a+)+$","minLength":40}}}`),
		"deep schema":              bySchema(deep),
		"huge minLength":           bySchema(`{"type":"object","required":["a"],"properties":{"a":{"type":"string","minLength":1000000000000}}}`),
		"huge minItems":            bySchema(`{"type":"object","required":["a"],"properties":{"a":{"type":"array","minItems":1000000000}}}`),
		"number that panics":       bySchema(`{"type":"object","properties":{"a":{"type":"number","minimum":1e1000001}}}`),
		"output that panics":       {"[" + valid + "]", valid, `{"ok":true,"output":{"n":1e1000001},"error":null,"duration_ms":1}`},
		"deep output":              {"[" + valid + "]", valid, `{"ok":true,"output":` + strings.Repeat(`{"a":`, 9000) + `1` + strings.Repeat(`}`, 9000) + `,"error":null,"duration_ms":1}`},
		"beyond the tokenizer":     {"[" + valid + "]", valid, strings.Repeat(`[`, 20_000) + strings.Repeat(`]`, 20_000)},
		"duplicate names":          {"[" + valid + "]", valid, `{"ok":true,"ok":false,"output":{},"duration_ms":1}`},
		"not a number":             {"[" + valid + "]", valid, `{"ok":true,"output":{"n":NaN},"error":null,"duration_ms":1}`},
		"broken UTF-8":             {"[" + valid + "]", valid, "{\"ok\":true,\"output\":{\"s\":\"\xff\"},\"error\":null,\"duration_ms\":1}"},
		"numbers beyond 64 bit":    {"[" + valid + "]", valid, `{"ok":true,"output":{"n":` + strings.Repeat("9", 900) + `},"error":null,"duration_ms":18446744073709551616}`},
		"escapes in texts":         {"[" + manifestWith(`{}`, `{}`, `"\u001b[31mred\u0000 ]]> ::error:: <script>"`) + "]", valid, `{"ok":false,"error":{"code":"\u001b[2J::error::"},"duration_ms":1}`},
		"a long list":              {many, valid, good},
	}
}

// serve answers JSON-RPC with the weapon.
func (w weapon) serve(_ context.Context, request []byte) []byte {
	var call struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
	}
	if json.Unmarshal(request, &call) != nil {
		return nil
	}
	answer := map[string]string{"capability.list": w.list, "capability.describe": w.describe, "capability.invoke": w.invoke}[call.Method]
	if answer == "" {
		return []byte(`{"jsonrpc":"2.0","id":` + string(call.ID) + `,"error":{"code":-32601,"message":"no"}}`)
	}
	return []byte(`{"jsonrpc":"2.0","id":` + string(call.ID) + `,"result":` + answer + `}`)
}

// TestHostileHosts: whatever a host answers, the run ends in bounded time and memory with a report that every format
// can write, and it reads no file and contacts no third party.
func TestHostileHosts(t *testing.T) {
	planted := filepath.Join(t.TempDir(), "planted.json")
	require.NoError(t, os.WriteFile(planted, []byte(`{"title":"capconform-planted-secret"}`), 0o600))
	var contacted atomic.Int64
	trap := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { contacted.Add(1) }))
	defer trap.Close()
	suite := suiteOf(t, capsuite.Definition())
	for name, w := range hostile(planted, trap.URL) {
		t.Run(name, func(t *testing.T) {
			for over, d := range overBoth(t, w) {
				report := examineHostile(t, suite, d)
				for _, f := range format.Formats() {
					var out strings.Builder
					if err := f.Write(&out, report, format.Options{}); err != nil {
						t.Errorf("%s: format %s: %v", over, f.Name, err)
					}
					if strings.Contains(out.String(), "capconform-planted-secret") {
						t.Errorf("%s: format %s contains the content of a local file", over, f.Name)
					}
				}
				allowed := []reports.Exit{
					reports.ExitConformant,
					reports.ExitNonconformant,
					reports.ExitUnreachable,
					reports.ExitIncomplete,
				}
				if exit := reports.ExitStatus(report, reports.Policy{}); !slices.Contains(allowed, exit) {
					t.Errorf("%s: exit = %v; notes %v", over, exit, faults(report))
				}
			}
		})
	}
	if n := contacted.Load(); n > 0 {
		t.Errorf("an address other than that of the target was contacted %d times", n)
	}
}

// overBoth returns drivers that reach the host in process and over HTTP.
func overBoth(t *testing.T, w weapon) map[string]driver.Driver {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, in *http.Request) {
		body, err := io.ReadAll(in.Body)
		if err != nil || in.URL.Path != "/rpc" {
			http.NotFound(out, in)
			return
		}
		_, _ = out.Write(w.serve(in.Context(), body))
	}))
	t.Cleanup(server.Close)
	return map[string]driver.Driver{
		"in process": inproc.New("hostile", w.serve),
		"http":       httpdriver.New(httpdriver.Config{URL: server.URL}),
	}
}

func examineHostile(t *testing.T, suite *suites.Suite, d driver.Driver) *reports.Report {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute) // a bound, not a measurement
	defer cancel()
	report, err := suites.Run(ctx, []*suites.Suite{suite}, &suites.Subject{Driver: d, Seed: 1, Invoke: live.InvokeAll}, suites.Options{Explicit: true})
	if report == nil || (err != nil && !errors.Is(err, verdict.ErrTargetDied) && !errors.Is(err, driver.ErrUnreachable)) {
		t.Fatalf("no report: %v", err)
	}
	if report.Run.Interrupted {
		t.Error("the run was interrupted")
	}
	const most = 600 << 20 // the race detector and the host itself included
	var m runtime.MemStats
	if runtime.ReadMemStats(&m); m.HeapInuse > most {
		t.Errorf("%d MiB of heap in use", m.HeapInuse>>20)
	}
	return report
}

// faults returns the faults that the harness attributes to itself.
func faults(r *reports.Report) []string {
	var all []string
	for _, s := range r.Suites {
		for _, q := range s.Requirements {
			for _, sc := range q.Scenarios {
				if sc.Fault == reports.HarnessFault {
					all = append(all, q.ID+": "+sc.Reason)
				}
			}
		}
	}
	return all
}

// TestSlowTarget: an answer that arrives byte by byte ends at the deadline, and the run reports that the target is
// unreachable.
func TestSlowTarget(t *testing.T) {
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	done := make(chan struct{})
	server := &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(out http.ResponseWriter, in *http.Request) {
		ticker := time.NewTicker(50 * time.Millisecond)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				_, _ = out.Write([]byte(" "))
				_ = http.NewResponseController(out).Flush()
			case <-in.Context().Done():
				return
			case <-done:
				return
			}
		}
	})}
	go func() { _ = server.Serve(listener) }()
	defer server.Close() // the test is over
	defer close(done)
	suite := suiteOf(t, capsuite.Definition())
	subject := &suites.Subject{
		Driver:    httpdriver.New(httpdriver.Config{URL: "http://" + listener.Addr().String()}),
		Deadlines: driver.Deadlines{Call: 200 * time.Millisecond, Handshake: 400 * time.Millisecond},
	}
	_, err = suites.Run(t.Context(), []*suites.Suite{suite}, subject, suites.Options{Explicit: true})
	if !errors.Is(err, driver.ErrUnreachable) {
		t.Errorf("error = %v, want one that wraps ErrUnreachable", err)
	}
}
