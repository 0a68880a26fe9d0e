package chpsuite_test

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/capconform/capconform/reference/chp2host"
	"github.com/capconform/capconform/reports"
)

type object = map[string]any

// editionStyle is a lawful way of a host to serve the edition 0.2.
type editionStyle struct {
	name string
	host http.Handler
	key  string
	open []string // requirements that the style leaves inconclusive, since it invokes nothing
}

// rewriting returns a host whose answers in JSON are changed.
func rewriting(host http.Handler, change func(path string, value any) any) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		recorded := httptest.NewRecorder()
		host.ServeHTTP(recorded, r)
		maps.Copy(w.Header(), recorded.Header())
		body := recorded.Body.Bytes()
		var value any
		decoder := json.NewDecoder(bytes.NewReader(body))
		decoder.UseNumber()
		if decoder.Decode(&value) == nil {
			body, _ = json.Marshal(change(r.URL.Path, value))
		}
		w.WriteHeader(recorded.Code)
		_, _ = w.Write(body)
	})
}

// eachObject changes each object in a value.
func eachObject(value any, change func(object)) any {
	switch v := value.(type) {
	case object:
		for name := range v {
			v[name] = eachObject(v[name], change)
		}
		change(v)
	case []any:
		for i := range v {
			v[i] = eachObject(v[i], change)
		}
	}
	return value
}

// late returns a host of which the first replay of each correlation shows no event.
func late(host http.Handler) http.Handler {
	seen := map[string]bool{}
	return rewriting(host, func(path string, value any) any {
		replay, _ := value.(object)
		id, _ := replay["correlation_id"].(string)
		if path == "/replay" && !seen[id] {
			seen[id], replay["events"], replay["event_count"] = true, []any{}, 0
		}
		return value
	})
}

// answeringFirst returns a host of which some requests are answered in another way.
func answeringFirst(host http.Handler, by func(w http.ResponseWriter, r *http.Request) (answered bool)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !by(w, r) {
			host.ServeHTTP(w, r)
		}
	})
}

// streaming returns a host whose streams have comments and other line ends, and do not end after the result.
func streaming(host http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		recorded := httptest.NewRecorder()
		host.ServeHTTP(recorded, r)
		maps.Copy(w.Header(), recorded.Header())
		w.WriteHeader(recorded.Code)
		if recorded.Header().Get("Content-Type") != "text/event-stream" {
			_, _ = w.Write(recorded.Body.Bytes())
			return
		}
		text := strings.ReplaceAll(recorded.Body.String(), `data: {`, "data: {\ndata:")
		_, _ = io.WriteString(w, ": a comment\r\n\r\nretry: 10\r\n\r\n"+strings.ReplaceAll(text, "\n", "\r\n"))
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	})
}

func of(s chp2host.Settings) http.Handler { return chp2host.New(s) }

func disabled(all []*chp2host.Capability) []*chp2host.Capability {
	for _, c := range all {
		c.Disabled = true
	}
	return all
}

func errorEnvelope(w http.ResponseWriter, status int) bool {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, `{"error":{"code":"x","details":null,"message":""}}`)
	return true
}

func editionStyles() []editionStyle {
	echo := chp2host.Described("conformance.echo", "Returns its payload.", nil)
	alone := func(descriptor object) []*chp2host.Capability {
		return []*chp2host.Capability{{Descriptor: descriptor, Run: func(payload object) (any, error) { return payload, nil }}}
	}
	keys := map[string]string{"agent": "a-long-secret-key"}
	plain := of(chp2host.Settings{})
	return []editionStyle{
		{name: "no hashes", host: of(chp2host.Settings{Tier: chp2host.None})},
		{name: "hashes without a key", host: of(chp2host.Settings{Tier: chp2host.HashChain})},
		{name: "the first scheme of hashes", host: of(chp2host.Settings{OldHashes: true})},
		{name: "the canonical form of RFC 8785", host: of(chp2host.Settings{Canon: "chp-jcs-v1", ID: "hôte"})},
		{name: "an id beyond ASCII", host: of(chp2host.Settings{ID: "host-🔒-é"})},
		{name: "replays without hashes", host: of(chp2host.Settings{HidesHashes: true})},
		{name: "one chain of the store", host: of(chp2host.Settings{ChainOfStore: true, Tier: chp2host.HashChain})},
		{name: "prefers the older version", host: of(chp2host.Settings{Prefers: "0.1"})},
		{name: "lists no versions", host: of(chp2host.Settings{Versions: []string{}})},
		{name: "named keys", host: of(chp2host.Settings{Keys: keys}), key: keys["agent"]},
		{name: "strict output", host: of(chp2host.Settings{Strict: true})},
		{name: "no safety evaluator", host: of(chp2host.Settings{Unassessed: true})},
		{name: "streams without replay", host: of(chp2host.Settings{ForgetsStreams: true})},
		{name: "parts of replays count all events", host: of(chp2host.Settings{CountsAll: true})},
		{name: "streams of another form", host: streaming(plain)},
		{name: "null for what is missing", host: of(chp2host.Settings{Nulls: true})},
		{name: "a disabled capability alone", host: of(chp2host.Settings{Capabilities: disabled(alone(chp2host.Described(
			"conformance.echo", "", object{"autonomy": object{"tier": "approval_required"}, "policy": object{
				"allowed_actors": []any{"somebody"}}})))})},
		{name: "one capability", host: of(chp2host.Settings{Capabilities: alone(echo)})},
		{name: "an older mode beside others", host: of(chp2host.Settings{Capabilities: alone(chp2host.Described("conformance.echo",
			"", object{"modes": []any{"sync", "fire_and_forget", "async"}, "name": nil, "owner": nil, "timeout_s": 0.5}))})},
		{name: "no capability", host: of(chp2host.Settings{Capabilities: []*chp2host.Capability{}}),
			open: []string{"CHP-5-01", "CHP-3-01", "CHP-3-02", "CHP-3-03", "CHP-3-04", "CHP-3-11", "CHP-OBJ-01", "CHP-3-06",
				"CHP-10-30", "CHP-10-31"}},
		{name: "further members", host: rewriting(plain, func(_ string, value any) any {
			return eachObject(value, func(o object) {
				if o["event_id"] != nil || o["modes"] != nil || o["outcome"] != nil || o["host_version"] != nil || o["events"] != nil {
					o["chp_further"] = 1.5
				}
			})
		})},
		{name: "late evidence", host: late(chp2host.New(chp2host.Settings{}))},
		{name: "slow", host: answeringFirst(plain, func(_ http.ResponseWriter, r *http.Request) bool {
			select {
			case <-time.After(5 * time.Millisecond):
			case <-r.Context().Done():
			}
			return false
		})},
		{name: "malformed requests are refused with details", host: answeringFirst(plain,
			func(w http.ResponseWriter, r *http.Request) bool {
				body, _ := io.ReadAll(r.Body)
				r.Body = io.NopCloser(bytes.NewReader(body))
				return r.Method == http.MethodPost && !strings.Contains(string(body), `"`) && errorEnvelope(w, http.StatusBadRequest)
			})},
		{name: "a blank id is no request", host: answeringFirst(plain, func(w http.ResponseWriter, r *http.Request) bool {
			body, _ := io.ReadAll(r.Body)
			r.Body = io.NopCloser(bytes.NewReader(body))
			blank := strings.Contains(string(body), `"capability_id":"`) && strings.Contains(string(body), `"capability_id":" `)
			return (blank || strings.Contains(string(body), `"capability_id":""`)) && errorEnvelope(w, http.StatusBadRequest)
		})},
		{name: "ranges are no member", host: answeringFirst(plain, func(w http.ResponseWriter, r *http.Request) bool {
			body, _ := io.ReadAll(r.Body)
			r.Body = io.NopCloser(bytes.NewReader(body))
			further := strings.Contains(string(body), "requested_capability_version") || strings.Contains(string(body), `"actor"`)
			return further && errorEnvelope(w, http.StatusBadRequest)
		})},
	}
}

// What a style lacks is not observed or not applicable. It breaks nothing, and leaves open only what it names.
func TestLawfulStylesOfTheEditionAreNotAccused(t *testing.T) {
	for _, one := range editionStyles() {
		t.Run(one.name, func(t *testing.T) {
			_, report, _ := examined(t, one.host, one.key)
			for _, q := range report.Suites[0].Requirements {
				lawful := strings.HasPrefix(q.Level, "SHOULD") && q.Status == reports.Failed ||
					q.Status == reports.Inconclusive && strings.Contains(strings.Join(one.open, " "), q.ID)
				if !lawful {
					assert.NotContains(t, []reports.Status{reports.Failed, reports.Inconclusive, reports.Error}, q.Status,
						"%s: %s", q.ID, q.Reason)
				}
			}
		})
	}
}

// A host that gives no useful answer keeps no MUST.
func TestNullHostsKeepNothingOfTheEdition(t *testing.T) {
	for name, one := range map[string]struct {
		status int
		body   string
	}{
		"empty objects": {200, `{}`}, "success": {200, `{"outcome":"success","success":true}`}, "not JSON": {200, "\xff<p>"},
		"not found": {404, `{"error":{"code":"a","message":"b"}}`}, "bad request": {400, `{"error":{"code":"a","message":"b"}}`},
		"failure": {500, ""}, "the request": {200, ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, report, _ := examined(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body := []byte(one.body)
				if name == "the request" {
					body, _ = io.ReadAll(r.Body)
				}
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(one.status)
				_, _ = w.Write(body)
			}), "")
			assert.Equal(t, reports.Nonconformant, report.Verdict)
			for _, q := range report.Suites[0].Requirements {
				if !strings.HasPrefix(q.Level, "SHOULD") {
					assert.NotEqual(t, reports.Passed, q.Status, q.ID)
				}
			}
		})
	}
}
