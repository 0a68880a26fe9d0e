package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/schemas"
)

var sameEntries = cmp.Options{cmpopts.IgnoreUnexported(Body{}, Entry{}), cmpopts.EquateEmpty()}

func header() Header {
	return Header{
		Harness: Harness{Name: "capconform", Version: "0.1.0", CatalogueDigest: "c", FeaturesDigest: "f"},
		Subject: Subject{Name: "acme", Driver: "http", Target: "http://127.0.0.1:1"},
		Asked:   []string{"chp"},
		Suites:  []Suite{{Suite: "chp", SpecVersion: "0.1"}},
		Seed:    7,
	}
}

// saved writes the entries and returns the text of the record.
func saved(t *testing.T, mask func([]byte) []byte, entries ...Entry) []byte {
	t.Helper()
	w := NewWriter(mask)
	t.Cleanup(func() { require.NoError(t, w.Close()) })
	for _, e := range entries {
		require.NoError(t, w.Append(e))
	}
	var out bytes.Buffer
	_, err := w.Save(&out, header())
	require.NoError(t, err)
	return out.Bytes()
}

// loaded reads a record and returns its entries.
func loaded(t *testing.T, text []byte) (*Record, []Entry) {
	t.Helper()
	r, err := Read(bytes.NewReader(text))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, r.Close()) })
	var all []Entry
	for e, err := range r.Entries() {
		require.NoError(t, err)
		all = append(all, e)
	}
	return r, all
}

// entry returns an entry with a received body.
func entry(begun Tick, received string) Entry {
	return Entry{
		Begun: begun, Done: begun + 1, Suite: "chp", Party: Target, Stimulus: "replay", Operation: "chp.replay",
		Sent: NewBody([]byte(`{"correlation_id":"c"}`)), Outcome: Returned, Received: NewBody([]byte(received)),
	}
}

func event(n int) string {
	return fmt.Sprintf(`{"event_id":"e-%d","text":"%s"}`, n, strings.Repeat("x", minElement))
}

func TestReadRoundTrips(t *testing.T) {
	full := entry(1, `{"b":1e0,"a":7.0,"a":"\u00e9/<&>"}`)
	full.From, full.Status, full.Provided = Target, 200, "mapping chp.replay"
	full.About = map[string]string{"role": "echo"}
	full.Error = &Fault{Code: "NOT_FOUND", Number: -32000, Message: "no", Data: json.RawMessage(`{"code":"NOT_FOUND"}`)}
	again := entry(3, `[`+event(1)+`,`+event(2)+`]`)
	again.Links = []Link{{RetryOf, 1}, {ControlOf, 2}}
	bodies := []Entry{
		full, again,
		entry(5, `{"events":[`+event(2)+`,`+event(1)+`,`+event(2)+`],"a/b~c":[`+event(3)+`],"next":null}`),
		entry(7, "<html>\xff"), entry(9, `{"events":[`+event(1)+`],"events":[]}`), entry(11, `[]`), entry(13, `[1,2]`),
	}
	bodies[3].Outcome, bodies[3].Received = Malformed, NewHead([]byte("<html>\xff"), 9000)
	text := saved(t, nil, bodies...)
	r, got := loaded(t, text)
	require.Len(t, got, len(bodies))
	for i, e := range got {
		want, wrote := bodies[i].Received.Text()
		require.NoError(t, wrote)
		whole, err := e.Received.Text()
		require.NoError(t, err)
		if string(whole) != string(want) {
			t.Errorf("entry %d: received %s, want %s", i, whole, want)
		}
		e.Received, bodies[i].Received = nil, nil
		if diff := cmp.Diff(bodies[i], e, sameEntries); diff != "" {
			t.Errorf("entry %d (-want +got):\n%s", i, diff)
		}
	}
	want := header()
	want.SchemaVersion, want.Kind = SchemaVersion, Kind
	if diff := cmp.Diff(want, r.Header); diff != "" {
		t.Errorf("header (-want +got):\n%s", diff)
	}
	if n := strings.Count(string(text), `"event_id":"e-2"`); n != 1 {
		t.Errorf("event 2 is stored %d times, want once", n)
	}
}

// TestEntriesOfLongRecord: entries that are read from the spool equal those in memory.
func TestEntriesOfLongRecord(t *testing.T) {
	r, kept := loaded(t, saved(t, nil, entry(1, `{"events":[`+event(1)+`,`+event(2)+`]}`), entry(3, `{"ok":true}`)))
	require.Len(t, kept, 2)
	require.NotNil(t, r.loaded)
	r.keep(Entry{}, maxKept)
	require.Nil(t, r.loaded)
	var spooled []Entry
	for e, err := range r.Entries() {
		require.NoError(t, err)
		spooled = append(spooled, e)
	}
	require.Empty(t, cmp.Diff(kept, spooled, sameEntries))
}

func TestEachLineIsValidAgainstSchema(t *testing.T) {
	schema, err := schemas.Own("record/record.schema.json")
	require.NoError(t, err)
	linked := entry(3, `[`+event(1)+`]`)
	linked.Links, linked.Status = []Link{{PageOf, 1}}, 200
	lost := Entry{Begun: 5, Done: 6, Party: Model, From: Target, Stimulus: "turn", Operation: "chat", Outcome: Lost, Error: &Fault{Message: "closed"}, Received: NewHead([]byte("x"), 3)}
	lines := bytes.Split(bytes.TrimSpace(saved(t, nil, entry(1, `{}`), linked, lost)), []byte("\n"))
	require.Len(t, lines, 6) // header, entry, element, two entries, end
	for i, line := range lines {
		value, err := schemas.Decode(line, schemas.Limits{})
		require.NoError(t, err)
		if err := schema.Validate(value); err != nil {
			t.Errorf("line %d is not valid: %v\n%s", i+1, err, line)
		}
	}
	value, err := schemas.Decode([]byte(`{"begun":1,"done":2,"party":"target","stimulus":"x","operation":"y","outcome":"fine"}`), schemas.Limits{})
	require.NoError(t, err)
	if schema.Validate(value) == nil {
		t.Error("an undefined outcome is valid")
	}
}

func TestSecretsAreMaskedBeforeStorage(t *testing.T) {
	mask := func(text []byte) []byte {
		return bytes.ReplaceAll(
			bytes.ReplaceAll(text, []byte("hunter2hunter2"), []byte("[masked]")),
			[]byte(`a","p`),
			[]byte("[masked]"),
		)
	}
	e := entry(1, `{"token":"hunter2hunter2"}`)
	e.About = map[string]string{"header": "hunter2hunter2"}
	e.Error = &Fault{Message: "bad hunter2hunter2", Data: json.RawMessage(`["hunter2hunter2"]`)}
	across := entry(3, `{"o":"a","p":"b"}`) // the secret extends over two members
	text := saved(t, mask, e, across)
	if bytes.Contains(text, []byte("hunter2")) {
		t.Errorf("the record contains the secret:\n%s", text)
	}
	_, entries := loaded(t, text)
	if got := string(entries[0].Received.JSON); got != `{"token":"[masked]"}` {
		t.Errorf("received = %s", got)
	}
	if got := entries[0].About["header"] + entries[0].Error.Message + string(entries[0].Error.Data); got != `[masked]bad [masked]["[masked]"]` {
		t.Errorf("other texts = %s", got)
	}
	if got := string(entries[1].Received.Bytes); got != `{"o":"[masked]":"b"}` {
		t.Errorf("a body that is not JSON after masking = %q, want its bytes", got)
	}
}

func TestReadRefusesTruncatedOrEditedRecords(t *testing.T) {
	text := string(saved(t, nil, entry(1, `{"n":1}`), entry(3, `[`+event(1)+`]`)))
	lines := slices.DeleteFunc(strings.SplitAfter(text, "\n"), func(line string) bool { return line == "" })
	edited := func(old, new string) string { return strings.Replace(text, old, new, 1) }
	tests := []struct{ name, text, want string }{
		{"empty", "", "record: it is empty"},
		{"not a record", "{\"kind\":\"ConformanceReport\"}\n", `record: line 1: the kind is "ConformanceReport"`},
		{"other kind", edited(`"ConformanceRecord"`, `"Other"`), `record: line 1: the kind is "Other"`},
		{"newer schema", edited(`"schema_version":"1.0"`, `"schema_version":"2.0"`), `line 1: the schema version is "2.0"`},
		{"end truncated", strings.Join(lines[:len(lines)-1], ""), "it has no last line"},
		{"truncated within a line", text[:len(text)-20], "it has no last line"},
		{"entry removed", strings.Join(append([]string{lines[0]}, lines[2:]...), ""), "the end counts 2 entries, the record has 1"},
		{"value edited", edited(`{"n":1}`, `{"n":2}`), "the record was edited"},
		{"header edited", edited(`"seed":7`, `"seed":8`), "the record was edited"},
		{"element edited", edited(`"event_id":"e-1"`, `"event_id":"e-2"`), "line 3: the element does not match its digest"},
		{"element removed", strings.Join(append(append([]string{}, lines[:2]...), lines[3:]...), ""), "which no earlier line contains"},
		{"element twice", strings.Replace(text, lines[2], lines[2]+lines[2], 1), "line 4: the element is duplicated"},
		{"line after the end", text + lines[1], "it is after the end"},
		{"unknown member", edited(`"begun":1,`, `"begun":1,"extra":1,`), "unknown field"},
		{"ticks", edited(`"begun":1,"done":2`, `"begun":2,"done":1`), "line 2: the entry begins at 2 and is done at 1"},
		{"not JSON", edited(`"begun":1`, `"begun":`), "record: line 2:"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := Read(strings.NewReader(test.text))
			require.ErrorContains(t, err, test.want)
		})
	}
}

func TestForwardLinksAreRefused(t *testing.T) {
	e := entry(3, `{}`)
	e.Links = []Link{{RetryOf, 5}}
	_, err := Read(bytes.NewReader(saved(t, nil, e)))
	require.ErrorContains(t, err, "linked to 5, which is not earlier")
}

func TestWriterSpoolsBeyondMemoryLimit(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	w := NewWriter(nil)
	w.spool.limit = 1 << 10
	for n := range 100 {
		require.NoError(t, w.Append(entry(Tick(2*n+1), fmt.Sprintf(`{"n":%d}`, n))))
	}
	require.NotNil(t, w.spool.file, "100 entries fit into 1 KiB")
	if runtime.GOOS != "windows" {
		info, err := w.spool.file.Stat()
		require.NoError(t, err)
		if info.Mode().Perm() != 0o600 {
			t.Errorf("mode of the spool = %v, want 0600", info.Mode())
		}
	}
	var out bytes.Buffer
	_, err := w.Save(&out, header())
	require.NoError(t, err)
	require.NoError(t, w.Close())
	require.NoError(t, w.Close())
	require.Error(t, w.Append(entry(1, `{}`)), "a closed writer accepts entries")
	left, err := os.ReadDir(os.Getenv("TMPDIR"))
	require.NoError(t, err)
	require.Empty(t, left, "the spool was not removed")
	r, entries := loaded(t, out.Bytes())
	require.Equal(t, 100, r.Len())
	require.Equal(t, `{"n":99}`, string(entries[99].Received.JSON))
}

func TestTicksOrderConcurrentCalls(t *testing.T) {
	w := NewWriter(nil)
	defer w.Close() // nothing is spooled
	var group sync.WaitGroup
	var clock Clock
	for range 8 {
		group.Go(func() {
			for range 50 {
				begun := clock.Tick()
				if err := w.Append(Entry{Begun: begun, Done: clock.Tick(), Party: Target, Stimulus: "probe", Operation: "x", Outcome: Returned}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	var out bytes.Buffer
	_, err := w.Save(&out, header())
	require.NoError(t, err)
	_, entries := loaded(t, out.Bytes())
	seen := map[Tick]bool{}
	for _, e := range entries {
		if seen[e.Begun] || seen[e.Done] {
			t.Fatalf("a tick occurs twice: %+v", e)
		}
		seen[e.Begun], seen[e.Done] = true, true
	}
	require.Len(t, entries, 400)
}

// The rate is the number of bytes of records read per second: DESIGN section 13 requires 20 MB/s.
func BenchmarkRead(b *testing.B) {
	w := NewWriter(nil)
	defer w.Close() // the spooled entries are not needed any more
	for n := range 2000 {
		var events []string
		for i := range 20 {
			events = append(events, event(n+i))
		}
		if err := w.Append(entry(Tick(2*n+1), `{"events":[`+strings.Join(events, ",")+`]}`)); err != nil {
			b.Fatal(err)
		}
	}
	var out bytes.Buffer
	if _, err := w.Save(&out, header()); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(out.Len()))
	for b.Loop() {
		r, err := Read(bytes.NewReader(out.Bytes()))
		if err != nil {
			b.Fatal(err)
		}
		for e, err := range r.Entries() {
			if err != nil {
				b.Fatal(err)
			}
			if _, err := e.Received.Text(); err != nil {
				b.Fatal(err)
			}
		}
		if err := r.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

func TestOnceReadsEntryOfLoadedRecordOnce(t *testing.T) {
	r, err := Read(bytes.NewReader(saved(t, nil, entry(1, `{"n":1}`), entry(3, `{"n":2}`))))
	require.NoError(t, err)
	count := 0
	read := func(e Entry) string {
		count++
		text, _ := e.Received.Text()
		return string(text)
	}
	all := func(r *Record) (texts []string) {
		for e, err := range r.Entries() {
			require.NoError(t, err)
			texts = append(texts, Once(e, read))
		}
		return texts
	}
	all(r)
	all(r)
	require.Equal(t, 4, count, "a record of a file caches nothing")
	whole, err := r.Load()
	require.NoError(t, err)
	require.NoError(t, r.Close())
	all(whole)
	require.Equal(t, []string{`{"n":1}`, `{"n":2}`}, all(whole))
	require.Equal(t, 6, count)
	edited := whole.loaded[1]
	edited.Received = NewBody([]byte(`{"n":3}`))
	require.Equal(t, []string{`{"n":1}`, `{"n":3}`}, all(whole.With([]Entry{edited})))
	require.Equal(t, []string{`{"n":1}`, `{"n":2}`}, all(whole))
	require.Equal(t, 7, count, "only the edited entry is read again")
}
