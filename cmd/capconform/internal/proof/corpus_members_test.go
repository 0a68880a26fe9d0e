package proof

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/shape"
	"github.com/capconform/capconform/suites/verdict"
)

// memberPlace is an answer of a recorded run, as the tests of one suite interpret it.
type memberPlace interface {
	at() record.Entry
	value() any
	// thread names the group of the answer: answers of different threads do not affect each other.
	thread() string
	// anywhere reports whether an edit of the answer may affect any other answer.
	anywhere() bool
	// demandOn returns the demand on the judgement after an edit.
	demandOn(path []string, how string) demand
	// kind names a place that may occur repeatedly in the run. If every edit is judged, each place has its own kind.
	kind(path []string) string
	// ends reports whether the value of a member is not an object of the protocol.
	ends(member string) bool
}

// memberEdit changes one member of one answer of a recorded run.
type memberEdit struct {
	place memberPlace
	path  []string // of the member, in the answer
	how   string
}

// asking is a place that may be a request of the subject.
type asking interface {
	// edited returns the entry with another body.
	edited(text []byte) record.Entry
	// shows returns the entries that identify a breach as the effect of an edit.
	shows() []record.Tick
}

func editedEntry(p memberPlace, text []byte) record.Entry {
	if asks, is := p.(asking); is {
		return asks.edited(text)
	}
	e := p.at()
	e.Received = record.JSONBody(text)
	return e
}

// in reports whether the entries show the edit.
func (m memberEdit) in(entries []record.Tick) bool {
	if asks, is := m.place.(asking); is {
		return slices.ContainsFunc(asks.shows(), func(one record.Tick) bool { return slices.Contains(entries, one) })
	}
	return slices.Contains(entries, m.place.at().Begun)
}

// demand returns the demand on the judgement after the edit.
func (m memberEdit) demand() demand { return m.place.demandOn(m.path, m.how) }

func (m memberEdit) String() string {
	e := m.place.at()
	return fmt.Sprintf(
		"%s %s %v (%d): /%s %s",
		e.Operation,
		e.Stimulus,
		e.About,
		e.Begun,
		strings.Join(m.path, "/"),
		m.how,
	)
}

// The kinds of change to a member.
const (
	removed   = "removed"
	emptied   = "emptied"
	retyped   = "of another type"
	neighbour = "with its neighbour's value"
)

// editedValue returns a copy of a value with one changed member. Parts outside the path are shared with the original.
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
		_, _ = fmt.Sscan(path[0], &i) // walk wrote the index
		of[i] = editedValue(of[i], path[1:], how)
		return of
	}
	return v
}

// changedMember returns the new value of a member, and false if the member is removed.
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

// memberEdits returns every edit of every answer of a run.
func memberEdits(t *testing.T, r *corpusRun) []memberEdit {
	t.Helper()
	var all []memberEdit
	read := placesOf(t, r)
	for _, e := range r.entries {
		body := e.Received
		if e.From == record.Target {
			body = e.Sent
		}
		if e.Outcome != record.Returned || !body.IsJSON() || e.Operation == "" ||
			e.Party != record.Target && e.From != record.Target {
			continue
		}
		p := read(e)
		if _, asks := p.(asking); e.From == record.Target && !asks {
			continue // an answer of the harness is not an answer of the subject
		}
		walk(p.value(), nil, p.ends, func(of map[string]any, path []string) {
			name := path[len(path)-1]
			for _, how := range []string{removed, emptied, retyped, neighbour} {
				value, stays := changedMember(of, name, how)
				if stays && jsonvalue.Equal(value, of[name]) {
					continue
				}
				all = append(all, memberEdit{place: p, path: path, how: how})
			}
		})
	}
	return all
}

// placesOf returns the function that interprets the answers of a suite.
func placesOf(t *testing.T, r *corpusRun) func(record.Entry) memberPlace {
	t.Helper()
	switch r.suite.Name {
	case "acp":
		run := readACP(r.entries)
		return func(e record.Entry) memberPlace { return run.place(e) }
	case "cap":
		return func(e record.Entry) memberPlace { return placeOfCAP(e) }
	case "acd":
		run := readACD(t, r)
		return func(e record.Entry) memberPlace { return run.place(e) }
	}
	shapes := map[string]*shape.Shape{}
	for _, kind := range kindsOfObject {
		var err error
		shapes[kind], err = shape.Compile("chp/" + kind + ".schema.json")
		require.NoError(t, err)
	}
	return func(e record.Entry) memberPlace { return placeOf(e, shapes, r.binds) }
}

// walk visits each member of each object.
func walk(v any, path []string, ends func(member string) bool, visit func(of map[string]any, path []string)) {
	switch of := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(of)) {
			at := append(slices.Clone(path), name)
			visit(of, at)
			if !ends(name) {
				walk(of[name], at, ends, visit)
			}
		}
	case []any:
		for i, element := range of {
			walk(element, append(slices.Clone(path), fmt.Sprint(i)), ends, visit)
		}
	}
}

// binds reports whether a requirement decides the verdict.
func (r *corpusRun) binds(id string) bool {
	req, _ := r.suite.Catalogue.Lookup(id)
	return req.Level.Binding()
}

// doubted marks a finding that only a repeated call could confirm.
const doubted = "doubt: "

// harnessError marks a judgement that ended with an error of the harness.
const harnessError = "error: "

// members judges edits of members.
type members struct {
	*corpusRun
	rests            map[string][]string // by requirement: the operations that it rests on
	judged, demanded atomic.Int64        // the number of judgements of the record, and of edits that break a demand of the text
}

// concerned returns the requirements whose judgements read an answer that a batch edits, and those for which the
// record has no evidence. A judgement that reads no edited answer has the same result as before.
func (r *members) concerned(b batch) []string {
	var all []string
	for _, q := range r.suite.Catalogue.Requirements {
		operations, rests := r.rests[q.ID]
		if !rests || slices.ContainsFunc(b.edits, func(m memberEdit) bool {
			e := m.place.at()
			return !slices.Contains(r.suite.Operations, e.Operation) || slices.Contains(operations, e.Operation)
		}) {
			all = append(all, q.ID)
		}
	}
	return all
}

// breaches judges edits together, by some requirements or by all. It returns the broken binding requirements by
// edited answer; those that belong to no edited answer have the key 0.
func (r *members) breaches(t *testing.T, b batch, of []string) map[record.Tick]map[string]string {
	r.judged.Add(1)
	found := map[record.Tick]map[string]string{}
	note := func(at record.Tick, id, message string) {
		if found[at] == nil {
			found[at] = map[string]string{}
		}
		found[at][id] = message
	}
	opts := suites.Options{Explicit: true, Concurrency: 1, Breach: func(id string, breach verdict.Breach) {
		if !r.binds(id) {
			return
		}
		known, first, rests := false, false, false
		for _, m := range b.edits {
			if at := m.place.at().Begun; m.in(breach.Entries) {
				known = true
				note(at, id, breach.Message)
				first = first || at == breach.Entries[0] // other entries may be there for context
				rests = rests || m.place.at().From == record.Target ||
					slices.Contains(r.rests[id], m.place.at().Operation)
			}
		}
		if !known {
			note(0, id, breach.Message)
		}
		assert.False(t, first && !rests, "%s is broken by answers on which it does not rest", id)
	}}
	opts.Doubt = func(id string, d verdict.Doubt) {
		for _, m := range b.edits {
			if at := m.place.at().Begun; m.in(d.Breach.Entries) && found[at][id] == "" && r.binds(id) {
				note(at, id, doubted+d.Breach.Message)
			}
		}
	}
	opts.Selection.Requirements = of
	report, err := suites.Judge(t.Context(), []*suites.Suite{r.suite}, b.record.With(allAtOnce(b.edits)), opts)
	if !assert.NoError(t, err) {
		return found
	}
	for _, q := range report.Suites[0].Requirements {
		if q.Status == reports.Error {
			note(0, q.ID, harnessError+q.Reason)
		}
	}
	return found
}

// judge judges a batch. If the demands are not met, it judges smaller batches, down to single edits, because edits
// may interfere with each other.
func (r *members) judge(t *testing.T, b batch) (wrong []string) {
	found := r.breaches(t, b, r.concerned(b))
	if len(b.edits) == 1 {
		by := map[string]string{}
		for _, some := range found {
			maps.Copy(by, some)
		}
		if why := b.demand[0].unmet(by); why != "" {
			return []string{b.edits[0].String() + ": " + why}
		}
		return nil
	}
	for _, part := range b.suspects(found) {
		wrong = append(wrong, r.judge(t, part)...)
	}
	return wrong
}

// TestEachMemberOfEachAnswer changes members of the answers of a recorded run, one at a time: a violation of the text
// must be found in each place, and a permitted change must break no MUST. The test takes a sample of all members of
// all answers; the complete test samples only the repetitions. The complete test needs a separate process: it keeps
// all processors busy, so that hosts would miss deadlines.
func TestEachMemberOfEachAnswer(t *testing.T) {
	t.Parallel()
	for _, definition := range corpora() {
		t.Run(definition.Name, func(t *testing.T) {
			t.Parallel()
			suite := suiteOf(t, definition)
			r := &members{corpusRun: readRun(t, suite, "fixtures")}
			r.rests = knownRests(t, suite.Name)
			if !quick() {
				r.rests = restsOn(t, suite, r.record)
			}
			all := memberEdits(t, r.corpusRun)
			random := rand.New(rand.NewPCG(7, 7)) // not a secret
			random.Shuffle(len(all), func(i, k int) { all[i], all[k] = all[k], all[i] })
			some := sampleOf(t, all)
			batches := r.batches(t, some)
			r.othersFindNothing(t, batches)
			wrong := r.all(t, batches)
			t.Logf("%d of %d edits, %d of them must be found; %d batches; the record was judged %d times; %d wrong",
				len(some), len(all), r.demanded.Load(), len(batches), r.judged.Load(), len(wrong))
			require.Positive(t, r.demanded.Load())
			for _, one := range wrong[:min(len(wrong), 60)] {
				t.Error(one)
			}
		})
	}
}

// othersFindNothing judges a few batches by all requirements: those that are not concerned must find nothing.
func (r *members) othersFindNothing(t *testing.T, batches []batch) {
	t.Helper()
	for i := 0; i < len(batches); i += len(batches)/3 + 1 {
		b := batches[i]
		require.Equal(t, r.breaches(t, b, nil), r.breaches(t, b, r.concerned(b)))
	}
}

func (r *members) all(t *testing.T, some []batch) []string {
	queue := make(chan batch)
	var mu sync.Mutex
	var wrong []string
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for b := range queue {
				for _, d := range b.demand {
					if len(d.must) > 0 {
						r.demanded.Add(1)
					}
				}
				found := r.judge(t, b)
				mu.Lock()
				wrong = append(wrong, found...)
				mu.Unlock()
			}
		})
	}
	for _, b := range some {
		queue <- b
	}
	close(queue)
	workers.Wait()
	slices.Sort(wrong)
	return wrong
}
