package main

import (
	"encoding/json"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const jsonRPCFolder = "../../examples/json-rpc"

// prove sees every requirement of JSON-RPC fail that can be observed, and each row of defects.yaml is found.
func TestJSONRPCIsProven(t *testing.T) {
	t.Parallel()
	args := []string{"prove", "--json", "--suite", jsonRPCFolder}
	if testing.Short() {
		args = append(args, "--defects") // .ci/run judges the edits too
	}
	args = append(args, "--", python(t), jsonRPCFolder+"/server.py", "stdio")
	c := exec.CommandContext(t.Context(), "capconform", args...) // the program was just built
	out, _ := c.Output()
	assert.Equal(t, 0, c.ProcessState.ExitCode())
	var result struct {
		Requirements []struct {
			ID, Level, Excluded string
			Broken              int
		}
		Defects []struct {
			Defect string
			Found  bool
		}
	}
	require.NoErrorf(t, json.Unmarshal(out, &result), "%s", out)
	for _, q := range result.Requirements {
		byEditsAlone := testing.Short() && q.Broken == 0
		assert.Equalf(t, q.Excluded != "" || q.Level == "MAY" || byEditsAlone, q.Broken == 0, "%s was broken %d times",
			q.ID, q.Broken)
	}
	for _, d := range result.Defects {
		assert.True(t, d.Found, d.Defect)
	}
	assert.NotEmpty(t, result.Defects)
}

// The reference host is a server of JSON-RPC.
func TestReferenceSpeaksJSONRPC(t *testing.T) {
	t.Parallel()
	verdict, open := statusesOf(t, jsonRPCFolder, "--call-timeout", "2s", "--", "capconform", "serve", "--suite", "cap", "--stdio")
	assert.Equalf(t, "conformant", verdict, "%v", open)
}

// Servers that are wrong in more than one answer break the requirements that their defect concerns, and no other MUST.
func TestJSONRPCServersAreJudged(t *testing.T) {
	for name, c := range map[string]struct {
		change string // of server.py, which is the module s
		broken []string
	}{
		"conforming": {"", nil},
		"ids as text": {`s.failure = lambda code, message, id=None: {"jsonrpc": "2.0",
            "id": None if id is None else str(id), "error": {"code": code, "message": message}}`, []string{"JSONRPC-4-06", "JSONRPC-5-09"}},
		"null as no id": {`old = s.respond
s.respond = lambda m: None if s.is_request(m) and m.get("id") is None else old(m)`, []string{"JSONRPC-4-06"}},
		"version 1.0": {`s.failure = lambda code, message, id=None: {"id": id, "result": None,
            "error": {"code": code, "message": message}}`, []string{"JSONRPC-5-02", "JSONRPC-5-04", "JSONRPC-5-11"}},
		"notifications answered": {`s.respond = lambda m: (s.failure(-32601, "Method not found", m.get("id"))
            if s.is_request(m) else s.failure(-32600, "Invalid Request"))`, []string{"JSONRPC-4-07"}},
		"everything is served": {`s.failure = lambda code, message, id=None: {"jsonrpc": "2.0", "id": id, "result": {}}`,
			[]string{"JSONRPC-4-02", "JSONRPC-5-05", "JSONRPC-8-01"}},
		"no batches": {`old = s.answer
s.answer = lambda t: s.failure(-32600, "Invalid Request") if t.startswith("[") else old(t)`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			script := "import sys; sys.path.insert(0, '" + jsonRPCFolder + "'); import server as s\n" + c.change + "\ns.main()"
			_, open := statusesOf(t, jsonRPCFolder, "--call-timeout", "2s", "--level", "must", "--", python(t), "-B", "-c", script)
			var broken []string
			for id, status := range open {
				if status == "failed" {
					broken = append(broken, id)
				}
			}
			assert.ElementsMatch(t, c.broken, broken)
		})
	}
}
