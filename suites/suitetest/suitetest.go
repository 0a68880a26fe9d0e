// Package suitetest runs a suite as Go subtests, for hosts that are written in Go. Each requirement
// is a subtest with its id as name, so that go test -run selects it.
//
//	func TestHost(t *testing.T) {
//		suitetest.Run(t, chpsuite.Definition(), suitetest.Handler(myHost), nil)
//	}
package suitetest

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/httpdriver"
	"github.com/capconform/capconform/suites/driver/inproc"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/live"
)

// Options configure the examination. Nil means the defaults.
type Options struct {
	Roles       map[string]live.Player // by role of the suite; the fixture profile plays the others
	Supports    map[string][]string    // what the underlying system supports, as in the target file
	Invoke      live.InvokePolicy      // empty: safe
	Strict      bool                   // a failed SHOULD fails its subtest
	Concurrency int                    // scenarios at once; below 1 counts as 1
	Deadlines   driver.Deadlines
}

// Target determines how the host is reached. It returns a driver for the operations and routes of
// the suite. Whatever it starts ends with the test.
type Target func(tb testing.TB, def suites.Definition) driver.Driver

// Handler returns a Target that reaches an http.Handler over a socket on loopback.
func Handler(host http.Handler) Target {
	return func(tb testing.TB, def suites.Definition) driver.Driver {
		tb.Helper()
		server := httptest.NewServer(host)
		tb.Cleanup(server.Close)
		return URL(server.URL, nil)(tb, def)
	}
}

// URL returns a Target that reaches a host that is already listening.
func URL(url string, header http.Header) Target {
	return func(_ testing.TB, def suites.Definition) driver.Driver {
		return httpdriver.New(httpdriver.Config{URL: url, Header: header,
			Bindings: httpdriver.Bindings{}.WithRoutes(def.Routes)})
	}
}

// Func returns a Target that reaches a function from one JSON-RPC message to another, in this
// process (DESIGN section 9).
func Func(host func(ctx context.Context, request []byte) []byte) Target {
	return func(tb testing.TB, _ suites.Definition) driver.Driver {
		tb.Helper()
		return inproc.New(tb.Name(), host)
	}
}

// Run examines the host once and reports each requirement as a subtest. The subtest fails if the
// requirement failed or ended in an error, and is skipped with the reason if it could not be
// judged. A failed SHOULD is logged. The test itself fails if no requirement passed.
func Run(t *testing.T, def suites.Definition, target Target, options *Options) {
	t.Helper()
	if options == nil {
		options = &Options{}
	}
	report, err := examine(t, def, target, options)
	if err != nil {
		t.Fatalf("suitetest: %v", err)
	}
	for _, note := range report.Notes {
		t.Log("note: " + note)
	}
	passed := 0
	for _, q := range report.Suites[0].Requirements {
		if q.Status == reports.Passed || q.Status == reports.Provided {
			passed++
		}
		t.Run(q.ID, func(t *testing.T) { reportStatus(t, q, options.Strict) })
	}
	if passed == 0 {
		t.Error("suitetest: no requirement passed, so nothing was shown")
	}
}

func examine(t *testing.T, def suites.Definition, target Target, options *Options) (*reports.Report, error) {
	t.Helper()
	suite, err := suites.New(def)
	if err != nil {
		return nil, err
	}
	subject := &suites.Subject{
		Name: t.Name(), Driver: target(t, def), Roles: map[string]map[string]live.Player{def.Name: options.Roles},
		Supports: options.Supports, Invoke: options.Invoke, Deadlines: options.Deadlines, Seed: 1,
		Options: map[string]string{},
	}
	if subject.Invoke == "" {
		subject.Invoke = live.InvokeSafe
	}
	if options.Strict {
		subject.Options["strict"] = "true"
	}
	return suites.Run(t.Context(), []*suites.Suite{suite}, subject,
		suites.Options{Explicit: true, Strict: options.Strict, Concurrency: options.Concurrency})
}

// reportStatus reports a status as the result of a subtest.
func reportStatus(t *testing.T, q reports.Requirement, strict bool) {
	t.Helper()
	t.Log(q.Level + ": " + q.Summary)
	switch q.Status {
	case reports.Passed, reports.Provided:
	case reports.Failed:
		report := t.Error
		if advises := q.Level == "ADVICE" || q.Level == "MAY" ||
			(!strict && (q.Level == "SHOULD" || q.Level == "SHOULD NOT")); advises {
			report = t.Log
		}
		report(explained(q))
	case reports.Error:
		t.Error(explained(q))
	default:
		t.Skip(string(q.Status) + ": " + q.Reason)
	}
}

// explained returns the message, want and got of the scenario that decided.
func explained(q reports.Requirement) string {
	text := q.Cause()
	for _, sc := range q.Scenarios {
		if sc.Failure == nil {
			continue
		}
		text += "\n  scenario: " + sc.Name + "\n  want: " + sc.Failure.Want + "\n  got:  " + sc.Failure.Got
		for _, e := range sc.Failure.Exchanges {
			text += "\n  sent:     " + e.Operation + " " + jsonvalue.Clip(e.Sent.Text) + "\n  received: " +
				jsonvalue.Clip(e.Received.Text)
		}
	}
	return text
}
