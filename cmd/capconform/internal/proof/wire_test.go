package proof

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/cmd/capconform/internal/proof/trial"
	"github.com/capconform/capconform/reference"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites"
	chpsuite "github.com/capconform/capconform/suites/chp"
	"github.com/capconform/capconform/suites/driver/httpdriver"
	"github.com/capconform/capconform/suites/live"
)

// edit is one change of the messages between the engine and a conforming host.
type edit struct {
	breaks string // the requirement that must fail; empty if no text forbids the edit
	what   string
	rules  []rule
}

// rule applies a change to requests or answers of one route.
type rule struct {
	route   string // the first segment of the path
	request bool
	change  change
}

// change edits a message and reports whether it did.
type change func(m *message) bool

// message is a request to the host or an answer of it.
type message struct {
	body    any    // nil if the text is not JSON
	text    []byte // sent unchanged if raw is set
	raw     bool
	status  int
	asked   any // the body as the engine sent it
	path    string
	turn    int64 // the number of the exchange
	chunked bool
	reorder bool // members in another order
}

// wire is a proxy that edits messages. It has its own JSON code and shares nothing with the host or its mutants.
type wire struct {
	edit   edit
	host   string // its URL
	turn   atomic.Int64
	mutex  sync.Mutex // edits may have state
	edited int
}

func (w *wire) ServeHTTP(out http.ResponseWriter, in *http.Request) {
	sent, err := io.ReadAll(in.Body)
	if err != nil {
		http.Error(out, err.Error(), http.StatusBadRequest)
		return
	}
	route, _, _ := strings.Cut(strings.TrimPrefix(in.URL.Path, "/"), "/")
	asked, turn := decodeWire(sent), w.turn.Add(1)
	request := &message{body: decodeWire(sent), text: sent, asked: asked, path: in.URL.Path, turn: turn}
	answer, header, err := w.forward(in, w.apply(route, true, request))
	if err != nil {
		http.Error(out, err.Error(), http.StatusBadGateway)
		return
	}
	answer.asked, answer.path, answer.turn = asked, in.URL.Path, turn
	text := w.apply(route, false, answer)
	out.Header().Set("Content-Type", header.Get("Content-Type"))
	out.WriteHeader(answer.status)
	for part := range slices.Chunk(text, 16) {
		_, _ = out.Write(part) // the engine may have left
		if answer.chunked {
			_ = http.NewResponseController(out).Flush()
		}
	}
}

func (w *wire) forward(in *http.Request, text []byte) (*message, http.Header, error) {
	onward, err := http.NewRequestWithContext(
		in.Context(),
		in.Method,
		w.host+in.URL.RequestURI(),
		bytes.NewReader(text),
	)
	if err != nil {
		return nil, nil, err
	}
	onward.Header = in.Header.Clone()
	onward.Header.Del("Accept-Encoding")
	response, err := http.DefaultTransport.RoundTrip(onward)
	if err != nil {
		return nil, nil, err
	}
	defer response.Body.Close()
	received, err := io.ReadAll(response.Body)
	return &message{body: decodeWire(received), text: received, status: response.StatusCode}, response.Header, err
}

// apply returns the text of a message after the edit; an unedited message is forwarded byte for byte.
func (w *wire) apply(route string, request bool, m *message) []byte {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	edited := false
	for _, r := range w.edit.rules {
		if r.route == route && r.request == request && r.change(m) {
			w.edited++
			edited = true
		}
	}
	if !edited || m.raw || m.body == nil {
		return m.text
	}
	return encodeWire(m.body, m.reorder)
}

// overWire examines a new host through an edit.
func overWire(t *testing.T, s *suites.Suite, e edit) (trial.Statuses, int) {
	t.Helper()
	host, err := reference.New(reference.Options{Suites: []string{"chp"}})
	require.NoError(t, err)
	behind := httptest.NewServer(host.HTTPHandler())
	defer behind.Close()
	proxy := &wire{edit: e, host: behind.URL}
	front := httptest.NewServer(proxy)
	defer front.Close()
	at := httpdriver.New(httpdriver.Config{URL: front.URL, Bindings: httpdriver.Bindings{}.WithRoutes(s.Routes)})
	subject := &suites.Subject{
		Name:    "wire",
		Driver:  at,
		Invoke:  live.InvokeSafe,
		Seed:    seed,
		Options: map[string]string{},
	}
	report, err := suites.Run(t.Context(), []*suites.Suite{s}, subject, suites.Options{Explicit: true, Concurrency: 1})
	require.NoError(t, err)
	got, err := trial.Read(s, report)
	require.NoError(t, err)
	return got, proxy.edited
}

func chpOnWire(t *testing.T) *suites.Suite {
	t.Helper()
	return suiteOf(t, chpsuite.Definition())
}

// some returns few edits in a quick test.
func some(edits []edit) []edit {
	if !quick() {
		return edits
	}
	var few []edit
	for i := 0; i < len(edits); i += 2 * quickEach {
		few = append(few, edits[i])
	}
	return few
}

// eachEdit runs the edits two at a time.
func eachEdit(t *testing.T, edits []edit, judge func(t *testing.T, e edit)) {
	t.Helper()
	places := make(chan struct{}, 2)
	for _, e := range some(edits) {
		t.Run(strings.TrimPrefix(e.breaks+" "+e.what, " "), func(t *testing.T) {
			t.Parallel()
			places <- struct{}{}
			defer func() { <-places }()
			judge(t, e)
		})
	}
}

// This proof is independent of the mutants and works on the bytes: each edit makes one change between a conforming
// host and the engine, and names the requirement that must fail.
func TestBreachesOnTheWireAreFound(t *testing.T) {
	t.Parallel()
	s := chpOnWire(t)
	eachEdit(t, breaches(), func(t *testing.T, e edit) {
		if r, known := s.Catalogue.Lookup(e.breaks); !known || !r.Testable() {
			t.Fatalf("%s is not a requirement that can be broken", e.breaks)
		}
		got, edited := overWire(t, s, e)
		if edited == 0 {
			t.Error("nothing was edited")
		}
		if got.Status[e.breaks] != reports.Failed {
			t.Errorf(
				"%s is %s, want failed: %s\nwhat failed: %v",
				e.breaks,
				got.Status[e.breaks],
				got.Reason[e.breaks],
				having(got, reports.Failed),
			)
		}
	})
}

func TestPermittedChangesOnTheWireChangeNoStatus(t *testing.T) {
	t.Parallel()
	s := chpOnWire(t)
	valid, _ := overWire(t, s, edit{})
	eachEdit(t, liberties(), func(t *testing.T, e edit) {
		got, edited := overWire(t, s, e)
		if edited == 0 {
			t.Error("nothing was edited")
		}
		for _, id := range got.Order {
			if valid.Status[id] != got.Status[id] {
				t.Logf("%s: %s", id, got.Reason[id])
			}
		}
		if diff := cmp.Diff(valid.Status, got.Status); diff != "" {
			t.Errorf("statuses (-without the edit +with it):\n%s", diff)
		}
	})
}

func having(s trial.Statuses, status reports.Status) []string {
	var ids []string
	for _, id := range s.Order {
		if s.Status[id] == status {
			ids = append(ids, id)
		}
	}
	return ids
}
