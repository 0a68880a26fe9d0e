package proof

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reference"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver/httpdriver"
	"github.com/capconform/capconform/suites/record"
)

// liveMember changes one member of one answer on its way from the host to the engine.
type liveMember struct {
	turn   int64 // of the exchange, from 1
	random *rand.Rand

	before, after []byte // the answer, nil while nothing was changed
	path          []string
	how           string
}

// change edits the answer of its turn, or the next one that has members.
func (l *liveMember) change(m *message) bool {
	answer := schemas.ReadValue(m.text)
	if l.before != nil || m.turn < l.turn || answer == nil {
		return false
	}
	type place struct {
		path []string
		how  string
	}
	var places []place
	walk(answer, nil, recordedAnswer{}.ends, func(of map[string]any, path []string) {
		for _, how := range []string{removed, emptied, retyped, neighbour} {
			value, stays := changedMember(of, path[len(path)-1], how)
			if !stays || !suites.EqualJSON(value, of[path[len(path)-1]]) {
				places = append(places, place{path, how})
			}
		}
	})
	if len(places) == 0 {
		return false
	}
	one := places[l.random.IntN(len(places))]
	l.path, l.how, l.before = one.path, one.how, bytes.Clone(m.text)
	l.after, _ = json.Marshal(editedValue(answer, l.path, l.how))
	m.text, m.raw = l.after, true
	return true
}

// demand gives what the run has to find. The record says what the edited exchange was about.
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
	read := placesOf(t, &corpusRun{suite: s})
	edited := schemas.ReadValue(l.after)
	for e, err := range all.Entries() {
		require.NoError(t, err)
		if answer := jsonOf(t, e.Received); answer != nil && suites.EqualJSON(edited, schemas.ReadValue(answer)) {
			e.Received = record.NewBody(l.before)
			t.Logf("%s %s %v: /%s %s", e.Operation, e.Stimulus, e.About, strings.Join(l.path, "/"), l.how)
			return read(e).demandOn(l.path, l.how)
		}
	}
	t.Fatalf("the record does not hold the edited answer %s", l.after)
	return demand{}
}

// TestMembersThroughAProxy changes one member of one answer of each of some live runs: what
// TestEachMemberOfEachAnswer demands of a recorded run is found there, too.
// CAPCONFORM_LIVE_MEMBERS says how many runs.
func TestMembersThroughAProxy(t *testing.T) {
	t.Parallel()
	s := chpOnWire(t)
	runs := 24
	if hurried() {
		runs = 4
	}
	if text := os.Getenv("CAPCONFORM_LIVE_MEMBERS"); text != "" {
		var err error
		runs, err = strconv.Atoi(text)
		require.NoError(t, err)
	}
	demanded := 0
	for i := range runs {
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			random := rand.New(rand.NewPCG(11, uint64(i))) // not a secret
			l := &liveMember{turn: 1 + random.Int64N(300), random: random}
			if d := memberLive(t, s, l); len(d.must) > 0 {
				demanded++
			}
		})
	}
	require.Positive(t, demanded)
}

// memberLive examines a fresh host through an edit, and gives what had to be found.
func memberLive(t *testing.T, s *suites.Suite, l *liveMember) demand {
	t.Helper()
	host, err := reference.New(reference.Options{Suites: []string{"chp"}})
	require.NoError(t, err)
	behind := httptest.NewServer(host.HTTPHandler())
	defer behind.Close()
	var rules []rule
	for _, route := range []string{"host", "capabilities", "invoke", "replay"} {
		rules = append(rules, rule{route: route, change: l.change})
	}
	front := httptest.NewServer(&wire{edit: edit{rules: rules}, host: behind})
	defer front.Close()
	at := httpdriver.New(httpdriver.Config{URL: front.URL, Bindings: httpdriver.Bindings{}.WithRoutes(s.Routes)})
	subject := &suites.Subject{Name: "proxy", Driver: at, Invoke: suites.InvokeSafe, Seed: seed, Options: map[string]string{}}
	kept := record.NewWriter(nil)
	defer kept.Close() // what was spooled is not needed any more
	report, err := suites.Run(t.Context(), []*suites.Suite{s}, subject, suites.Options{Explicit: true, Concurrency: 1, Record: kept})
	require.NoError(t, err)
	require.NotNil(t, l.before, "nothing was edited")
	got, err := read(s, report)
	require.NoError(t, err)
	found := map[string]string{}
	for _, id := range having(got, reports.Failed) {
		if req, _ := s.Catalogue.Lookup(id); req.Level.Binding() && len(req.SumOf) == 0 {
			found[id] = got.reason[id]
		}
	}
	d := l.demand(t, s, kept)
	if why := d.unmet(found); why != "" {
		t.Error(why)
	}
	return d
}
