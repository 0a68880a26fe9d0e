package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"

	"github.com/rogpeppe/go-internal/testscript"
)

// listening VARIABLE FILE: answers every request with status 200 and {}, sets the variable to the URL, and logs each
// request in the file.
func listening(ts *testscript.TestScript, _ bool, args []string) {
	log := ts.MkAbs(args[1])
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = os.WriteFile(
			log,
			[]byte(r.Method+" "+r.URL.String()+"\n"),
			0o666,
		) // a script that awaits the file reports an error
		_, _ = w.Write([]byte("{}"))
	}))
	ts.Defer(server.Close)
	ts.Setenv(args[0], server.URL)
}

// steer REPORT FILE COMMAND: writes a copy of a report whose run has another command.
func steer(ts *testscript.TestScript, _ bool, args []string) {
	var report map[string]any
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &report))
	report["run"].(map[string]any)["command"] = args[2]
	text, err := json.Marshal(report)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), text, 0o666))
}
