package chpmutant_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reference"
	chpmutant "github.com/capconform/capconform/reference/chphost/mutant"
	"github.com/capconform/capconform/suites/defect"
)

// chpInvocations are the envelopes of the probe set: capability, version, mode, payload and correlation.
var chpInvocations = []struct{ capability, version, mode, payload, correlation string }{
	{"text.measure", "1.0.0", "sync", `{"text":"secret"}`, `{"correlation_id":"a"}`},
	{"text.measure", "1.0.0", "sync", `{"text":"secret"}`, `{"correlation_id":"a-2"}`},
	{"colour.compute_mix", "1.0.0", "sync", `{"first":1,"second":3,"label":"secret"}`, `{"correlation_id":"v"}`},
	{"colour.compute_mix", "1.0.0", "sync", `{"first":1,"second":3,"label":"secret"}`, `{"correlation_id":"w"}`},
	{"colour.compute_mix", "1.0.0", "sync", `{"first":"one"}`, `{"correlation_id":"x"}`},
	{"colour.compute_mix", "1.0.0", "sync", `{"first":"one"}`, `{"correlation_id":"x"}`},
	{"colour.compute_mix", "1.0.0", "async", `{"first":1,"second":3}`, `{"correlation_id":"m1"}`},
	{"colour.compute_mix", "1.0.0", "async", `{"first":1,"second":3}`, `{"correlation_id":"m2"}`},
	{"no.such", "", "sync", `{"secret":"secret"}`, `{"correlation_id":"u1"}`},
	{"no.such", "", "sync", `{"secret":"secret"}`, `{"correlation_id":"u2"}`},
	{"conformance.echo", "1.0.0", "sync", `{"value":"secret"}`, `{"correlation_id":"e"}`},
	{"conformance.fail", "1.0.0", "sync", `{"value":"secret"}`, `{"correlation_id":"f"}`},
	{"conformance.guarded", "1.0.0", "sync", `{}`, `{"correlation_id":"g"}`},
	{"conformance.guarded", "1.0.0", "sync", `{}`, `{"correlation_id":"g2"}`},
	{"conformance.disabled", "1.0.0", "sync", `{}`, `{"correlation_id":"d"}`},
	{"conformance.observe", "1.0.0", "sync", `{"value":"secret"}`, `{"correlation_id":"o"}`},
	{"text.measure", "1.0.0", "sync", `{"text":"secret"}`,
		`{"correlation_id":"full","causation_id":"b","parent_correlation_id":"c","trace_id":"t","baggage":{"k":"v"}}`},
	{"text.measure", "1.0.0", "sync", `{"text":"secret"}`, ``},
	{"text.measure", "1.0.0", "sync", `{"text":"secret"}`, ``},
	{"text.measure", "1.0.0", "sync", `{"text":"secret"}`, `{}`},
	{"text.measure", "1.0.0", "sync", `{"text":"secret"}`, `{}`},
	{"text.measure", "1.0.0", "sync", `{"text":"secret"}`, `{"correlation_id":null}`},
	{"text.measure", "1.0.0", "sync", `{"text":"secret"}`, `{"correlation_id":""}`},
	{"text.measure", "1.0.0", "sync", `{"text":"secret"}`,
		`{"correlation_id":"X/y z%2Fü?q` + strings.Repeat("-long", 50) + `"}`},
	{"text.measure", "1.0.0", "sync", `{"text":"secret"}`, `{"correlation_id":"a"}`},
	{"text.measure", "1.0.0", "sync", `{"text":"secret"}`, `{"correlation_id":"A"}`},
	{"text.measure", "1.0.0", "sync", `{"text":"secret"}`, `{"correlation_id":"a/2"}`},
	{"text.measure", "1.0.0", "sync", `{"text":"secret"}`, `{"correlation_id":"a "}`},
	{"text.measure", "1.0.0", "sync", `{"text":"secret"}`, `{"correlation_id":"` + strings.Repeat("long-", 50) + `1"}`},
	{"text.measure", "1.0.0", "sync", `{"text":"secret"}`, `{"correlation_id":"` + strings.Repeat("long-", 50) + `2"}`},
	{"text.measure", "1.0.0", "sync", `{"text":"secret"}`, `{"correlation_id":"20260504100000000001"}`},
	{"text.measure", "1.0.0", "sync", `{"text":"secret"}`, `{"correlation_id":"0020260504100000000001"}`},
	{"text.measure", "1.0.0", "sync", `{"text":"secret"}`, `{"correlation_id":"7c0f2c1e00004000800000000000000a"}`},
	{"text.measure", "1.0.0", "sync", `{"text":"secret"}`, `{"correlation_id":"` + strings.Repeat("long-", 250) + `"}`},
	{"text.measure", "1.0.0", "sync", `{"text":"secret"}`, `{"correlation_id":"of-` + strings.Repeat("long-", 50) + `1"}`},
	{"text.measure", "1.0.0", "sync", `{"text":"secret"}`, `{"correlation_id":"a.2"}`},
	{"text.measure", "2.0.0", "sync", `{"texts":["secret"]}`, `{"correlation_id":"deep"}`},
	{"text.measure", "1.0.0", "stream", `{"text":"secret"}`, `{"correlation_id":"stream"}`},
	{"text.measure.more", "1.0.0", "sync", `{"text":"secret"}`, `{"correlation_id":"more"}`},
	{"conformance.echo", "1.0.0", "sync", `{"value":"ü"}`, `{"correlation_id":"e2"}`},
	{"conformance.restricted", "1.0.0", "sync", `{}`, `{"correlation_id":"r"}`},
	{"text.measure", "2.0.0", "sync", `{"texts":["secret"]}`, `{"trace_id":"t"}`},
	{"no.such", "", "sync", `{}`, ``},
	{"conformance.fail", "1.0.0", "sync", `{}`, ``},
	{"conformance.disabled", "1.0.0", "sync", `{}`, ``},
	{"no.such", "", "sync", `{}`, `{"correlation_id":"` + strings.Repeat("long-", 50) + `3"}`},
	{"conformance.fail", "1.0.0", "sync", `{}`, `{"correlation_id":"u\u0308"}`},
	{"conformance.echo", "1.0.0", "sync", `{"value":"` + strings.Repeat("long ", 1000) + `"}`, `{"correlation_id":"e3"}`},
	{"text.measure", "1.0.0", "sync", `{"text":"` + strings.Repeat("long ", 1000) + `"}`, `{"correlation_id":"l"}`},
	{"text.measure", "2.0.0", "async", `{"texts":["secret"]}`, `{"correlation_id":"m3"}`},
	{"text.measure", "1.0.0", "sync", `{"text":"secret"}`, `{"correlation_id":"a_2"}`},
	{"text.measure", "1.0.0", "sync", `{"text":"secret"}`, `{"correlation_id":"\u00fc"}`},
	{"text.measure", "1.0.0", "sync", `{"text":"secret"}`, `{"correlation_id":"u\u0308"}`},
	{"text.measure", "1.0.0", "sync", `{"text":"secret"}`, `{"correlation_id":"two"}`},
	{"text.measure", "1.0.0", "sync", `{"text":"secret"}`, `{"correlation_id":"lines\n💡, a.b"}`},
	{"text.measure", "1.0.0", "sync", `{"text":"secret"}`, `{"correlation_id":"7C0F2C1E-0000-4000-8000-00000000000A"}`},
	{"text.measure", "1.0.0", "sync", `{"text":"secret"}`, `{"correlation_id":"x://a/../b\uff21\u200dc"}`},
	{"no.text.measure", "1.0.0", "sync", `{"text":"secret"}`, `{"correlation_id":"ending"}`},
	{"conformance.echo", "1.0.0", "sync", `{"value":"<b>"}`, `{"correlation_id":"e4"}`},
	{"colour.compute_mix", "1.0.0", "sync", `{"first":1,"second":3}`, `{"correlation_id":"two"}`},
	{"no.such", "", "sync", `{}`, `{"correlation_id":"two"}`},
	{"text.measure", "1.0.0", "sync", `{"text":"secret"}`, `{"correlation_id":"a"}`},
	{"text.measure", "1.0.0", "sync", `{"text":"secret"}`, `{"correlation_id":"a"}`},
	{"text.measure", "1.0.0", "sync", `{"text":"secret"}`, `{"correlation_id":"a"}`},
	{"text.measure", "1.0.0", "sync", `{"text":"secret"}`, `{"correlation_id":"a"}`},
}

// Bodies that are not envelopes.
var noEnvelopes = []string{
	`{}`, `{"invocation_id":"n1","mode":"sync","subject":{},"payload":{},"requested_at":"2026-05-04T10:00:00Z"}`,
	`{"invocation_id":"n2","capability_id":"","mode":"sync","subject":{},"payload":{},"requested_at":"2026-05-04T10:00:00Z"}`,
	`{"invocation_id":"n3","capability_id":7,"mode":"sync","subject":{},"payload":{},"requested_at":"2026-05-04T10:00:00Z"}`,
}

var chpQueries = []string{
	`{"correlation_id":"nobody"}`, `{"correlation_id":"a"}`, `{"correlation_id":"a","limit":1}`,
	`{"correlation_id":"a","limit":3}`,
	`{"correlation_id":"a","since_sequence":1}`, `{"correlation_id":"o","include_payloads":false}`,
	`{"correlation_id":"a","since_sequence":900}`, `{"correlation_id":"f","limit":2}`,
	`{"correlation_id":"a","since_sequence":9}`, `{"correlation_id":"a","since_sequence":3,"limit":1}`,
	`{"correlation_id":"f"}`,
	`{"correlation_id":"o","include_payloads":true}`, `{"correlation_id":"u1","include_payloads":false}`,
	`{"correlation_id":"two","since_sequence":1,"limit":9,"include_payloads":false}`,
	`{"correlation_id":"a","since_sequence":9,"include_payloads":false}`,
	`{"correlation_id":"a","limit":1,"include_payloads":false}`, `{"correlation_id":"tw"}`, `{"correlation_id":"TWO"}`,
}

func chpEnvelope(i int) string {
	c := chpInvocations[i]
	envelope := fmt.Sprintf(`{"invocation_id":"inv-%d","capability_id":%q,"mode":%q,"payload":%s,"subject":{},"requested_at":"2026-05-04T10:00:00Z"`, i, c.capability, c.mode, c.payload)
	if c.version != "" {
		envelope += fmt.Sprintf(`,"version":%q`, c.version)
	}
	if c.correlation != "" {
		envelope += `,"correlation":` + c.correlation
	}
	return envelope + "}"
}

// countIDs numbers the ids of a host and stops its clock, so that two hosts return identical answers.
func countIDs(parts *reference.Parts) {
	var mutex sync.Mutex
	made := 0
	parts.CHP.Now = func() time.Time { return time.Date(2026, 5, 4, 10, 0, 0, 0, time.UTC) }
	parts.CHP.NewID = func(kind string) string {
		mutex.Lock()
		defer mutex.Unlock()
		made++
		return fmt.Sprintf("%s-%d", kind, made)
	}
}

// chpAnswers sends the whole probe set to a host, over JSON-RPC in process and over its HTTP binding. The host runs
// in a synctest bubble: a defect that waits for a concurrent caller waits until every caller in concurrently has
// arrived.
func chpAnswers(t *testing.T, noFixtures bool, alter func(*reference.Parts)) []string {
	t.Helper()
	var answers []string
	synctest.Test(t, func(t *testing.T) { answers = answersOf(t, noFixtures, alter) })
	return answers
}

func answersOf(t *testing.T, noFixtures bool, alter func(*reference.Parts)) []string {
	t.Helper()
	host, err := reference.New(reference.Options{Suites: []string{"chp"}, NoFixtures: noFixtures,
		Alter: func(parts *reference.Parts) {
			countIDs(parts)
			if alter != nil {
				alter(parts)
			}
		}})
	require.NoError(t, err)
	var answers []string
	ask := func(method, params string) []byte {
		request := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"chp.%s","params":%s}`, method, params)
		reply := host.Handle(context.Background(), []byte(request))
		answers = append(answers, method+" "+params+" -> "+string(reply))
		return reply
	}
	for range 5 {
		ask("host", "{}")
		ask("capabilities", "{}")
	}
	for i, c := range chpInvocations {
		given := correlationIn([]byte(`{"result":{"correlation":` + firstOf(c.correlation, "{}") + `}}`))
		made := correlationIn(ask("invoke", chpEnvelope(i)))
		ask("replay", fmt.Sprintf(`{"correlation_id":%q}`, firstOf(given, made)))
	}
	for _, envelope := range noEnvelopes {
		ask("invoke", envelope)
		ask("invoke", chpEnvelope(0))
	}
	for _, query := range chpQueries {
		ask("replay", query)
	}
	for range 12 {
		ask("replay", `{"correlation_id":"v"}`)
	}
	for i := range 26 { // more than 50 events of more than 19 invocations
		own := fmt.Sprintf(`"inv-many-%d"`, i)
		ask("invoke", strings.NewReplacer(`"correlation_id":"a"`, `"correlation_id":"many"`, `"inv-0"`, own).Replace(chpEnvelope(0)))
	}
	ask("replay", `{"correlation_id":"many"}`)
	require.NoError(t, host.Restarter()(t.Context()))
	ask("host", "{}")
	for _, body := range append([]string{`{`, strings.Replace(chpEnvelope(0), `"subject":{}`, `"subject":{"rank":NaN}`,
		1), "[" + chpEnvelope(0) + "]", strconv.Quote(chpEnvelope(0))}, noEnvelopes...) {
		answers = append(answers, overBinding(host, body), overBinding(host, chpEnvelope(0)))
	}
	for i := range chpInvocations {
		answers = append(answers, overBinding(host, chpEnvelope(i)))
	}
	return append(answers, concurrently(host)...)
}

// correlationIn returns the correlation id of an answered invocation.
func correlationIn(reply []byte) string {
	var members struct {
		Result struct {
			Correlation struct {
				ID string `json:"correlation_id"`
			} `json:"correlation"`
		} `json:"result"`
	}
	_ = json.Unmarshal(reply, &members) // an unreadable reply has no id
	return members.Result.Correlation.ID
}

func firstOf(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}

func overBinding(host *reference.Host, body string) string {
	recorder := httptest.NewRecorder()
	request := httptest.NewRequestWithContext(context.Background(), http.MethodPost, "/invoke",
		bytes.NewReader([]byte(body)))
	host.HTTPHandler().ServeHTTP(recorder, request)
	return fmt.Sprintf("HTTP %s => %d %s", body, recorder.Code, recorder.Body)
}

const inParallel = "concurrent "

// concurrently returns the ids that concurrent callers receive, and the number of their events.
func concurrently(host *reference.Host) []string {
	answers := make([]string, 4)
	var group sync.WaitGroup
	for i := range answers {
		group.Go(func() {
			own := fmt.Sprintf(`"inv-t-%d"`, i)
			ask := func(method, params string) []byte {
				return host.Handle(context.Background(), fmt.Appendf(nil, `{"jsonrpc":"2.0","id":1,"method":"chp.%s","params":%s}`,
					method, params))
			}
			envelope := strings.NewReplacer(`"correlation_id":"a"`, fmt.Sprintf(`"correlation_id":"t-%d"`, i), `"inv-0"`,
				own).Replace(chpEnvelope(0))
			reply := ask("invoke", envelope)
			left := ask("replay", fmt.Sprintf(`{"correlation_id":"t-%d"}`, i))
			value := fmt.Sprintf("value %d", i)
			echoed := ask("invoke", fmt.Sprintf(`{"invocation_id":"inv-e-%d","capability_id":"conformance.echo","mode":"sync","payload":{"value":%q},"subject":{},"requested_at":"2026-05-04T10:00:00Z"}`, i, value))
			answers[i] = fmt.Sprint(inParallel, i, correlationIn(reply), bytes.Contains(reply, []byte(own)),
				bytes.Count(left, []byte("event_type")), bytes.Contains(echoed, []byte(value)))
		})
	}
	group.Wait()
	return answers
}

// withoutConcurrent omits the answers to concurrent callers, because chance decides which two of them meet.
func withoutConcurrent(answers []string) []string {
	return slices.DeleteFunc(slices.Clone(answers),
		func(answer string) bool { return strings.HasPrefix(answer, inParallel) })
}

func TestValidHostsAnswerProbesIdentically(t *testing.T) {
	for _, noFixtures := range []bool{false, true} {
		if diff := cmp.Diff(chpAnswers(t, noFixtures, nil), chpAnswers(t, noFixtures, nil)); diff != "" {
			t.Errorf("two valid hosts (no fixtures: %v) differ (-first +second)\n%s", noFixtures, diff)
		}
	}
}

func TestEveryMutantDiffersFromTheReference(t *testing.T) {
	original := map[bool][]string{false: chpAnswers(t, false, nil), true: chpAnswers(t, true, nil)}
	for i, m := range chpmutant.All() {
		t.Run(m.Name, func(t *testing.T) {
			if testing.Short() && i%8 != 0 {
				t.Skip(".ci/run tries all mutants")
			}
			t.Parallel()
			for _, noFixtures := range []bool{false, true} {
				if noFixtures && m.NeedsFixtures {
					continue
				}
				got := chpAnswers(t, noFixtures, m.Apply)
				if cmp.Equal(original[noFixtures], got) {
					t.Errorf("all answers equal those of the reference (no fixtures: %v)", noFixtures)
				}
				overMessages := 0
				for i, answer := range got {
					_, reply, isMessage := strings.Cut(answer, " -> ")
					if isMessage && !json.Valid([]byte(reply)) {
						t.Errorf("not JSON: %s", answer)
					}
					if isMessage && answer != original[noFixtures][i] {
						overMessages++
					}
				}
				if m.Driver == "http" && overMessages > 0 {
					t.Errorf("%d answers differ over JSON-RPC too", overMessages)
				}
				// Each host must have its own state of a defect.
				if noFixtures {
					continue
				}
				if diff := cmp.Diff(withoutConcurrent(got), withoutConcurrent(chpAnswers(t, noFixtures, m.Apply))); diff != "" {
					t.Errorf("a second host with the defect differs (-first +second)\n%s", diff)
				}
			}
		})
	}
}

// Rows are compiled at their first use, and an edit without a value changes nothing.
func TestRowsCompile(t *testing.T) {
	file, err := os.ReadFile("defects.yaml")
	require.NoError(t, err)
	_, err = defect.Load("defects.yaml", file, defect.Scope(), nil, nil)
	require.NoError(t, err)
}

// The requirements that are observable on a live host and that a defect can break.
func TestEveryTestableRequirementHasAMutant(t *testing.T) {
	broken := map[string]int{}
	for _, m := range chpmutant.All() {
		broken[m.Requirement]++
	}
	for section, last := range map[int]int{3: 19, 4: 11, 6: 18, 7: 8, 8: 14, 9: 12, 10: 12} {
		for n := 1; n <= last; n++ {
			id := fmt.Sprintf("CHP-%d-%02d", section, n)
			exempt := slices.Contains([]string{"CHP-6-15", "CHP-6-17", "CHP-8-12", "CHP-9-06", "CHP-10-11"}, id)
			if (broken[id] > 0) == exempt {
				t.Errorf("%s is broken by %d mutants", id, broken[id])
			}
		}
	}
	for _, id := range []string{"CHP-5-01", "CHP-5-09", "CHP-5-10", "CHP-5-11", "CHP-5-14"} {
		if broken[id] == 0 {
			t.Errorf("no mutant breaks %s", id)
		}
	}
	t.Log(len(chpmutant.All()), broken)
}
