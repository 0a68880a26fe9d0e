package main

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/capconform/capconform/schemas"
)

// proxying VARIABLE URL [OLD NEW]: serves a gateway in front of a host and sets the variable to its URL. If OLD and
// NEW are given, it replaces OLD by NEW in every answer.
func proxying(ts *testscript.TestScript, _ bool, args []string) {
	host, err := url.Parse(args[1])
	ts.Check(err)
	proxy := httputil.NewSingleHostReverseProxy(host)
	proxy.ModifyResponse = func(r *http.Response) error {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return err
		}
		if len(args) == 4 {
			body = bytes.ReplaceAll(body, []byte(args[2]), []byte(args[3]))
		}
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		r.Header.Del("Content-Length")
		return nil
	}
	server := httptest.NewServer(proxy)
	ts.Defer(server.Close)
	ts.Setenv(args[0], server.URL)
}

// accepted SCHEMA FILE: checks that a JSON document is valid against a schema of this project.
func accepted(ts *testscript.TestScript, _ bool, args []string) {
	schema, err := schemas.Own(args[0])
	ts.Check(err)
	ts.Check(schema.Validate(schemas.ReadValue([]byte(ts.ReadFile(args[1])))))
}
