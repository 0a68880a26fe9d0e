package proof

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites"
	chpsuite "github.com/capconform/capconform/suites/chp"
	"github.com/capconform/capconform/suites/record"
)

// memberEdit changes one member of one answer of a recorded run.
type memberEdit struct {
	place  recordedAnswer
	path   []string // of the member, in the answer
	how    string
	demand demand
}

func (m memberEdit) String() string {
	about := m.place.entry.About
	return fmt.Sprintf("%s %s %v (%d): /%s %s", m.place.entry.Operation, m.place.entry.Stimulus, about, m.place.entry.Begun, strings.Join(m.path, "/"), m.how)
}

// answer gives the edited answer.
func (m memberEdit) answer() []byte {
	text, _ := json.Marshal(editedValue(m.place.answer, m.path, m.how))
	return text
}

// The ways to change a member.
const (
	removed   = "removed"
	emptied   = "emptied"
	retyped   = "of another type"
	neighbour = "with its neighbour's value"
)

// editedValue gives a copy of a value in which a member is changed. What lies beside the path is
// shared.
func editedValue(v any, path []string, how string) any {
	switch of := v.(type) {
	case map[string]any:
		of = maps.Clone(of)
		if len(path) > 1 {
			of[path[0]] = editedValue(of[path[0]], path[1:], how)
			return of
		}
		value, stays := changedMember(of, path[0], how)
		if of[path[0]] = value; !stays {
			delete(of, path[0])
		}
		return of
	case []any:
		of = slices.Clone(of)
		var i int
		_, _ = fmt.Sscan(path[0], &i) // made by walk
		of[i] = editedValue(of[i], path[1:], how)
		return of
	}
	return v
}

// changedMember gives the new value of a member, and false where the member goes.
func changedMember(of map[string]any, name, how string) (any, bool) {
	switch how {
	case removed:
		return nil, false
	case emptied:
		return emptyOf(of[name]), true
	case retyped:
		switch of[name].(type) {
		case string, nil:
			return json.Number("7"), true
		}
		return "text", true
	}
	names := slices.Sorted(maps.Keys(of))
	return of[names[(slices.Index(names, name)+1)%len(names)]], true
}

func emptyOf(v any) any {
	switch v.(type) {
	case string:
		return ""
	case json.Number:
		return json.Number("0")
	case bool:
		return false
	case []any:
		return []any{}
	case map[string]any:
		return map[string]any{}
	}
	return nil
}

// memberEdits lists every edit of every answer of a run.
func memberEdits(t *testing.T, r *corpusRun) []memberEdit {
	t.Helper()
	var all []memberEdit
	shapes := map[string]*schemas.Schema{}
	for kind := range parts {
		var err error
		shapes[kind], err = schemas.Own("chp/" + kind + ".schema.json")
		require.NoError(t, err)
	}
	for _, e := range r.entries {
		if e.Outcome != record.Returned || !e.Received.IsJSON() || e.Operation == "" {
			continue
		}
		p := placeOf(e, shapes)
		walk(p.answer, nil, func(of map[string]any, path []string) {
			name := path[len(path)-1]
			for _, how := range []string{removed, emptied, retyped, neighbour} {
				value, stays := changedMember(of, name, how)
				if stays && suites.EqualJSON(value, of[name]) {
					continue
				}
				m := memberEdit{place: p, path: path, how: how}
				m.demand = p.demandOn(path, how)
				all = append(all, m)
			}
		})
	}
	return all
}

// walk visits each member of each object. The schemas of capabilities are one value: what
// stands in them is no member of CHP.
func walk(v any, path []string, visit func(of map[string]any, path []string)) {
	switch of := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(of)) {
			at := append(slices.Clone(path), name)
			visit(of, at)
			if name != "input_schema" && name != "output_schema" {
				walk(of[name], at, visit)
			}
		}
	case []any:
		for i, element := range of {
			walk(element, append(slices.Clone(path), fmt.Sprint(i)), visit)
		}
	}
}

// batches puts edits of different answers together: a breach names the answer that it is in.
func batches(all []memberEdit) [][]memberEdit {
	var some [][]memberEdit
	next := map[record.Tick]int{}
	for _, m := range all {
		n := next[m.place.entry.Begun]
		next[m.place.entry.Begun]++
		if n == len(some) {
			some = append(some, nil)
		}
		some[n] = append(some[n], m)
	}
	return some
}

// members judges edits of members.
type members struct {
	*corpusRun
	judged atomic.Int64 // how many times the record was judged
}

// breaches judges edits together. It gives the binding requirements that are broken by answer;
// those of no edited answer are at 0.
func (r *members) breaches(t *testing.T, some []memberEdit) map[record.Tick]map[string]string {
	var those []record.Entry
	for _, m := range some {
		e := m.place.entry
		e.Received = record.NewBody(m.answer())
		those = append(those, e)
	}
	found := map[record.Tick]map[string]string{}
	note := func(at record.Tick, id, message string) {
		if found[at] == nil {
			found[at] = map[string]string{}
		}
		found[at][id] = message
	}
	opts := suites.Options{Explicit: true, Concurrency: 1, Breach: func(id string, b suites.Breach) {
		if req, _ := r.suite.Catalogue.Lookup(id); !req.Level.Binding() {
			return
		}
		at := record.Tick(0)
		for _, e := range those {
			if slices.Contains(b.Entries, e.Begun) {
				at = e.Begun
				note(at, id, b.Message)
			}
		}
		if at == 0 {
			note(0, id, b.Message)
		}
	}}
	report, err := suites.Judge(t.Context(), []*suites.Suite{r.suite}, r.record.With(those), opts)
	if !assert.NoError(t, err) {
		return found
	}
	for _, q := range report.Suites[0].Requirements {
		if q.Status == reports.Error {
			note(0, q.ID, "error: "+q.Reason)
		}
	}
	return found
}

// judge judges a batch. Where it is not as the demands are, its halves are judged, down to one
// edit: edits may get in each other's way.
func (r *members) judge(t *testing.T, batch []memberEdit) (wrong []string) {
	r.judged.Add(1)
	found := r.breaches(t, batch)
	if len(batch) > 1 {
		suspect := len(found[0]) > 0
		for _, m := range batch {
			suspect = suspect || m.demand.unmet(found[m.place.entry.Begun]) != ""
		}
		if !suspect {
			return nil
		}
		half := len(batch) / 2
		return append(r.judge(t, batch[:half]), r.judge(t, batch[half:])...)
	}
	by := map[string]string{}
	for _, some := range found {
		maps.Copy(by, some)
	}
	if why := batch[0].demand.unmet(by); why != "" {
		wrong = append(wrong, batch[0].String()+": "+why)
	}
	return wrong
}

// membersSampled is how many edits are judged: a few in a short test. CAPCONFORM_MEMBERS gives
// another number; all of them take about half an hour.
func membersSampled(t *testing.T) int {
	t.Helper()
	n := 1000
	if testing.Short() {
		n = 150
	}
	if text := os.Getenv("CAPCONFORM_MEMBERS"); text != "" {
		var err error
		n, err = strconv.Atoi(text)
		require.NoError(t, err)
	}
	return n
}

// TestEachMemberOfEachAnswer changes members of the answers of a recorded run, one at a time: what
// the text demands is found in each place, and what it does not demand breaks no MUST. It takes a
// sample of all members of all answers.
func TestEachMemberOfEachAnswer(t *testing.T) {
	t.Parallel()
	suite, err := suites.New(chpsuite.Definition())
	require.NoError(t, err)
	r := &members{corpusRun: readRun(t, suite, "fixtures")}
	all := memberEdits(t, r.corpusRun)
	random := rand.New(rand.NewPCG(7, 7)) //nolint:gosec // not a secret
	random.Shuffle(len(all), func(i, k int) { all[i], all[k] = all[k], all[i] })
	some := batches(all[:min(len(all), membersSampled(t))])
	demanded, edits := 0, 0
	for _, batch := range some {
		edits += len(batch)
		for _, m := range batch {
			if len(m.demand.must) > 0 {
				demanded++
			}
		}
	}
	wrong := r.all(t, some)
	t.Logf("%d of %d edits, %d of them of what the text demands; %d batches; the record was judged %d times; %d wrong", edits, len(all), demanded, len(some), r.judged.Load(), len(wrong))
	require.Positive(t, demanded)
	for _, one := range wrong[:min(len(wrong), 60)] {
		t.Error(one)
	}
}

func (r *members) all(t *testing.T, some [][]memberEdit) []string {
	queue := make(chan []memberEdit)
	var mu sync.Mutex
	var wrong []string
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for batch := range queue {
				found := r.judge(t, batch)
				mu.Lock()
				wrong = append(wrong, found...)
				mu.Unlock()
			}
		})
	}
	for _, batch := range some {
		queue <- batch
	}
	close(queue)
	workers.Wait()
	return wrong
}
