package proof

import (
	"bytes"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/cmd/capconform/internal/proof/trial"
	"github.com/capconform/capconform/reference"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites"
	acdsuite "github.com/capconform/capconform/suites/acd"
	acpsuite "github.com/capconform/capconform/suites/acp"
	capsuite "github.com/capconform/capconform/suites/cap"
	chpsuite "github.com/capconform/capconform/suites/chp"
	"github.com/capconform/capconform/suites/driver/httpdriver"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/live"
	"github.com/capconform/capconform/suites/record"
)

// liveMember changes one member of one answer between the host and the engine. The same request gets the same change
// again, so that a doubt can be resolved.
type liveMember struct {
	turn   int64 // of the exchange, from 1
	random *rand.Rand
	ends   func(member string) bool // see memberPlace

	asked  any               // the request of the answer that was changed first
	before map[string][]byte // the original answers, by edited answer
	path   []string
	how    string
}

// change edits the answer of its turn, or the next one that has members.
func (l *liveMember) change(m *message) bool {
	envelope, isRPC := m.body.(map[string]any)
	if _, has := envelope["jsonrpc"]; !isRPC || !has {
		text, changed := l.edited(m.turn, m.asked, m.text)
		if changed {
			m.text, m.raw = text, true
		}
		return changed
	}
	asked, _ := m.asked.(map[string]any)
	question := map[string]any{"method": asked["method"], "params": asked["params"]}
	text, changed := l.edited(m.turn, question, jsonvalue.Encode(envelope["result"]))
	if changed {
		envelope["result"] = schemas.ReadValue(text)
	}
	return changed
}

// edited returns an answer after the edit.
func (l *liveMember) edited(turn int64, asked any, text []byte) ([]byte, bool) {
	answer := schemas.ReadValue(text)
	if len(l.before) > 0 {
		if !jsonvalue.Equal(asked, l.asked) || !hasMember(answer, l.path) {
			return nil, false
		}
		return l.make(text, answer), true
	}
	if turn < l.turn || answer == nil {
		return nil, false
	}
	type place struct {
		path []string
		how  string
	}
	var places []place
	walk(answer, nil, l.ends, func(of map[string]any, path []string) {
		for _, how := range []string{removed, emptied, retyped, neighbour} {
			value, stays := changedMember(of, path[len(path)-1], how)
			if !stays || !jsonvalue.Equal(value, of[path[len(path)-1]]) {
				places = append(places, place{path, how})
			}
		}
	})
	if len(places) == 0 {
		return nil, false
	}
	one := places[l.random.IntN(len(places))]
	l.path, l.how, l.asked, l.before = one.path, one.how, asked, map[string][]byte{}
	return l.make(text, answer), true
}

// make changes an answer and stores the original.
func (l *liveMember) make(text []byte, answer any) []byte {
	after := jsonvalue.Encode(editedValue(answer, l.path, l.how))
	l.before[string(after)] = bytes.Clone(text)
	return after
}

// hasMember reports whether a value has a member at a path.
func hasMember(v any, path []string) bool {
	for _, name := range path {
		switch of := v.(type) {
		case map[string]any:
			next, has := of[name]
			if !has {
				return false
			}
			v = next
		case []any:
			i, err := strconv.Atoi(name)
			if err != nil || i >= len(of) {
				return false
			}
			v = of[i]
		default:
			return false
		}
	}
	return true
}

// demand returns what the run must find. The record describes the edited exchanges.
func (l *liveMember) demand(t *testing.T, s *suites.Suite, kept *record.Writer) demand {
	t.Helper()
	var text bytes.Buffer
	_, err := kept.Save(&text, kept.Described())
	require.NoError(t, err)
	held, err := record.Read(&text)
	require.NoError(t, err)
	defer held.Close() // the spool is a temporary file
	all, err := held.Load()
	require.NoError(t, err)
	run := &corpusRun{suite: s, record: all}
	var edited []int
	for e, err := range all.Entries() {
		require.NoError(t, err)
		if before, is := l.before[string(jsonvalue.Encode(schemas.ReadValue(jsonOf(t, e.Received))))]; is {
			e.Received = record.NewBody(before)
			edited = append(edited, len(run.entries))
		}
		run.entries = append(run.entries, e)
	}
	require.NotEmpty(t, edited, "the record does not contain the edited answer")
	read := placesOf(t, run)
	var d demand
	for _, i := range edited {
		e := run.entries[i]
		t.Logf("%s %s %v: /%s %s", e.Operation, e.Stimulus, e.About, strings.Join(l.path, "/"), l.how)
		one := read(e).demandOn(l.path, l.how)
		if e.Operation == "acd.execlog" { // another call, which has another entry, settles a doubt about an entry
			one = demand{may: append(one.must, one.may...)}
		}
		d.must, d.may = append(d.must, one.must...), append(d.may, one.may...)
	}
	return d
}

// TestMembersThroughAProxy changes one member of one answer in each of several live runs: the demands of
// TestEachMemberOfEachAnswer on a recorded run apply there too. CAPCONFORM_LIVE_MEMBERS is the number of runs.
func TestMembersThroughAProxy(t *testing.T) {
	t.Parallel()
	runs := 24
	if quick() {
		runs = 1
	}
	if text := os.Getenv("CAPCONFORM_LIVE_MEMBERS"); text != "" {
		var err error
		runs, err = strconv.Atoi(text)
		require.NoError(t, err)
	}
	var demanded atomic.Int64
	t.Cleanup(func() { assert.Positive(t, demanded.Load()) }) // after all runs have ended
	for _, of := range []struct {
		definition suites.Definition
		routes     []string
		turns      int64
		ends       func(member string) bool
	}{
		{chpsuite.Definition(), []string{"host", "capabilities", "invoke", "replay"}, 300, recordedAnswer{}.ends},
		{capsuite.Definition(), []string{"rpc"}, 300, answerOfCAP{}.ends},
		{acpsuite.Definition(), []string{"rpc"}, 300, answerOfACP{}.ends},
		{acdsuite.Definition(), []string{"rpc"}, 300, answerOfACD{}.ends},
	} {
		s := suiteOf(t, of.definition)
		if large(s.Name) {
			continue // .ci/run tries these
		}
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			for i := range runs {
				t.Run(strconv.Itoa(i), func(t *testing.T) {
					t.Parallel()                                   // some runs wait for what an edit removed
					random := rand.New(rand.NewPCG(12, uint64(i))) // not a secret
					l := &liveMember{turn: 1 + random.Int64N(of.turns), random: random, ends: of.ends}
					if d := memberLive(t, s, of.routes, l); len(d.must) > 0 {
						demanded.Add(1)
					}
				})
			}
		})
	}
}

// memberLive examines a new host through an edit, and returns the demand.
func memberLive(t *testing.T, s *suites.Suite, routes []string, l *liveMember) demand {
	t.Helper()
	host, err := reference.New(reference.Options{Suites: []string{s.Name}})
	require.NoError(t, err)
	defer func() { require.NoError(t, host.Close()) }()
	behind := httptest.NewServer(host.HTTPHandler())
	defer behind.Close()
	var rules []rule
	for _, route := range routes {
		rules = append(rules, rule{route: route, change: l.change})
	}
	front := httptest.NewServer(&wire{edit: edit{rules: rules}, host: behind.URL})
	defer front.Close()
	at := httpdriver.New(httpdriver.Config{URL: front.URL, Bindings: httpdriver.Bindings{}.WithRoutes(s.Routes)})
	subject := &suites.Subject{
		Name:    "proxy",
		Driver:  at,
		Invoke:  live.InvokeSafe,
		Seed:    seed,
		Options: map[string]string{},
	}
	kept := record.NewWriter(nil)
	defer kept.Close() // the spooled entries are not needed any more
	report, err := suites.Run(
		t.Context(),
		[]*suites.Suite{s},
		subject,
		suites.Options{Explicit: true, Concurrency: 1, Record: kept},
	)
	require.NoError(t, err)
	require.NotEmpty(t, l.before, "no answer was edited")
	got, err := trial.Read(s, report)
	require.NoError(t, err)
	found := map[string]string{}
	for _, id := range having(got, reports.Failed) {
		if req, _ := s.Catalogue.Lookup(id); req.Level.Binding() && len(req.SumOf) == 0 {
			found[id] = got.Reason[id]
		}
	}
	d := l.demand(t, s, kept)
	if why := d.unmet(found); why != "" {
		t.Error(why)
	}
	return d
}
