package chpdocument

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/document"
	"github.com/capconform/capconform/suites/lint"
	"github.com/capconform/capconform/suites/lint/linttest"
)

func TestForms(t *testing.T) {
	event := shortEvent{1, started, "i1", ""}.line()
	for name, c := range map[string]struct {
		text string
		want form
	}{
		"descriptor":                 {descriptorJSON, formDescriptor},
		"descriptor, least":          {`{"id": "a", "version": "1", "description": "", "modes": ["sync"]}`, formDescriptor},
		"host":                       {hostJSON, formHost},
		"host without capabilities":  {without(t, hostJSON, "capabilities"), formHost},
		"discovery":                  {`{"capabilities": ["x", ` + descriptorJSON + `]}`, formDiscovery},
		"list of descriptors":        {`[` + descriptorJSON + `]`, formDiscovery},
		"envelope":                   {envelopeJSON, formEnvelope},
		"envelope, short":            {`{"capability_id": "a", "correlation_id": "c", "payload": {}}`, formEnvelope},
		"result":                     {resultJSON, formResult},
		"event":                      {event, formEvent},
		"event, broken":              {`{"event_type": "execution_started", "invocation_id": "i", "capability_id": "a", "payload": {}}`, formEvent},
		"list of events":             {`[1, ` + event + `]`, formEvents},
		"query":                      {`{"correlation_id": "c"}`, formQuery},
		"query without id":           {`{"since_sequence": 3}`, formQuery},
		"replay":                     {replayOf("", validEvents...), formReplay},
		"replay without events":      {`{"correlation_id": "c", "events": []}`, formReplay},
		"bundle of events":           {`{"correlation_id": "c", "events": [` + event + `], "signature": "x"}`, formEvents},
		"package.json":               {`{"name": "x", "version": "1.0.0", "description": "y", "files": ["a"]}`, ""},
		"manifest of CAP":            {`{"capability_id": "a", "version": "1.0.0", "kind": "tool", "name": "", "description": "", "input_schema": {}, "output_schema": {}}`, ""},
		"manifests of CAP":           {`{"capabilities": [{"capability_id": "a", "version": "1.0.0", "kind": "tool", "manifest": {}}]}`, ""},
		"reference of CAP":           {`{"capability_id": "a", "version": "1.0.0"}`, ""},
		"descriptor of ACD":          {`{"capability_id": "cap.x", "name": "x", "version": "1", "description": "", "kind": "atomic", "execution": {}, "invocation": {}, "exposure": {}}`, ""},
		"card of A2A":                {`{"name": "x", "description": "y", "url": "https://x", "version": "1", "protocolVersion": "0.3", "capabilities": {"streaming": true}, "skills": []}`, ""},
		"delegation of AAP":          {`{"task_id": "t", "capability": {"capability_id": "a", "version": "1"}, "input": {}, "correlation_id": "c"}`, ""},
		"audit trail of HACP":        {`{"events": [{"action": "task.created", "seq": 1, "actor": "a"}]}`, ""},
		"object of Kubernetes":       {`{"apiVersion": "v1", "kind": "Event", "metadata": {}}`, ""},
		"event of another log":       {`{"event_id": "1", "event_type": "click", "timestamp": "2026-01-01", "payload": {}, "sequence": 1}`, ""},
		"request of JSON-RPC":        {`{"jsonrpc": "2.0", "id": 1, "method": "chp.invoke", "params": {}}`, ""},
		"schema":                     {`{"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object"}`, ""},
		"text":                       {`"acme.add:1.0.0"`, ""},
		"health of a host":           {`{"status": "ok", "host_id": "h", "protocol": "chp", "version": "0.1", "host_version": "2"}`, ""},
		"nothing":                    {`{}`, ""},
		"no capability":              {`{"capabilities": []}`, ""},
		"result of a transformation": {`{"success": true, "data": {}}`, ""},
	} {
		file, err := document.Parse("x.json", []byte(c.text), document.Limits{})
		require.NoError(t, err, name)
		if got := formOf(file.Roots[0]); got != c.want {
			t.Errorf("%s: form %q, want %q", name, got, c.want)
		}
		if got := Recognises(file); got != (c.want != "") {
			t.Errorf("%s: recognised %v", name, got)
		}
	}
}

func FuzzInspection(f *testing.F) {
	for _, seed := range []string{
		descriptorJSON, hostJSON, envelopeJSON, resultJSON, logOf(validEvents...), replayOf("", validEvents...),
		"[" + descriptorJSON + ",1]",
		logOf(validEvents[1], validEvents[1], validEvents[0]) + "{",
		`{"correlation_id": 1, "events": [[], {"sequence": 1e300}, {"sequence": 1e999999999}], "event_count": -1}`,
		`{"protocol_version": {}, "evidence": [], "capabilities": [1], "id": null}`, `{"since_sequence": {}}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, path := range []string{"a.json", "a.jsonl", "a.yaml"} {
			file, err := document.Parse(path, []byte(text), document.Limits{Values: 1000})
			if err != nil || !Recognises(file) {
				continue
			}
			r, err := readDocuments(t.Context(), []suites.Document{*file}, compiledForms(t), false)
			require.NoError(t, err)
			lines := strings.Count(text, "\n") + 1
			for id, found := range linttest.Judged(r.Findings, documents().Rules()) {
				require.True(t, len(found) > 0 || r.Open(id) != "", id)
				require.LessOrEqual(t, len(found), lint.MaxShownPerFile)
				for _, finding := range found {
					if finding.Line < 1 || finding.Line > lines || finding.Column < 1 || finding.Message == "" {
						t.Errorf("%s: %+v", id, finding)
					}
				}
			}
		}
	})
}
