package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// leaking VARIABLE: serves a host that repeats in every answer what it received, including headers and query, in each
// form in which a secret may appear. With the query "surplus" it sends the answer twice.
func leaking(ts *testscript.TestScript, _ bool, args []string) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var request struct {
			ID json.RawMessage `json:"id"`
		}
		body, _ := io.ReadAll(r.Body)
		_ = json.Unmarshal(body, &request)
		seen := []string{}
		for _, values := range r.Header {
			seen = append(seen, values...)
		}
		for _, values := range r.URL.Query() {
			seen = append(seen, values...)
		}
		if _, password, ok := r.BasicAuth(); ok {
			seen = append(seen, password)
		}
		forms := []string{}
		for _, value := range seen {
			forms = append(
				forms,
				value,
				url.QueryEscape(value),
				url.PathEscape(value),
				base64.StdEncoding.EncodeToString([]byte("x"+value)),
			)
			quoted, _ := json.Marshal(value)
			forms = append(forms, string(quoted))
		}
		answer, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": request.ID, "result": forms})
		w.Header().Set("Content-Type", "application/json")
		if r.URL.Query().Has("surplus") {
			conn, _, err := w.(http.Hijacker).Hijack()
			if err == nil {
				_, _ = io.WriteString(
					conn,
					strings.Repeat(
						fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(answer), answer),
						2,
					),
				)
				_ = conn.Close()
			}
			return
		}
		_, _ = w.Write(answer)
	}))
	ts.Defer(server.Close)
	ts.Setenv(args[0], server.URL)
	ts.Setenv(args[0]+"_HOST", strings.TrimPrefix(server.URL, "http://"))
}

// keeps FOLDER COUNT SECRET...: checks that the folder contains COUNT files, and that none contains a secret: plain,
// or in JSON, percent or base64 encoding.
func keeps(ts *testscript.TestScript, _ bool, args []string) {
	files, err := os.ReadDir(ts.MkAbs(args[0]))
	ts.Check(err)
	if got := fmt.Sprint(len(files)); got != args[1] {
		ts.Fatalf("%s contains %s files, want %s", args[0], got, args[1])
	}
	for _, file := range files {
		raw, err := os.ReadFile(filepath.Join(ts.MkAbs(args[0]), file.Name()))
		ts.Check(err)
		for _, secret := range args[2:] {
			for _, form := range secretForms(secret) {
				if at := strings.Index(string(raw), form); at >= 0 {
					ts.Fatalf(
						"%s contains %q of %q: …%s…",
						file.Name(),
						form,
						secret,
						raw[max(0, at-80):min(len(raw), at+80)],
					)
				}
			}
		}
	}
}

func secretForms(secret string) []string {
	quoted, _ := json.Marshal(secret)
	forms := []string{secret, strings.Trim(string(quoted), `"`), url.QueryEscape(secret), url.PathEscape(secret)}
	for offset := range 3 {
		text := base64.RawStdEncoding.EncodeToString([]byte(strings.Repeat("x", offset) + secret))
		forms = append(forms, text[4:len(text)-4]) // the first and last characters depend on the surrounding text
	}
	return forms
}
