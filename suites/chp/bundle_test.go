package chpsuite_test

import (
	"bufio"
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/gowebpki/jcs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites"
	chpsuite "github.com/capconform/capconform/suites/chp"
	"github.com/capconform/capconform/suites/document"
	"github.com/capconform/capconform/suites/text"
)

const (
	changed   = "CHP-HASH-02 an event was changed, since its hash is not that of its members"
	changed2  = "CHP-DISC-01 an event was changed, since its hash is not that of its members and its commitment"
	inserted  = "CHP-HASH-03 an event does not follow the event before it: it was inserted"
	insertedB = "CHP-HASH-03 an event does not follow the event before it: the one before it was inserted or moved"
	removed   = "CHP-HASH-03 an event does not follow the event before it: the one that it follows was removed or replaced"
	moved     = "CHP-HASH-03 an event does not follow the event before it: it was moved or repeated"
	repeated  = "CHP-HASH-03 an event does not follow the event before it: it repeats the one before it"
	first     = "CHP-HASH-03 an event does not follow the event before it: it names none, and was inserted or moved"
	ofRoot    = "CHP-HASH-13 the root hash is not that of the events"
	ofPayload = "CHP-DISC-01 a payload does not fit its commitment"
	unsigned  = "CHP-SIGN-04 the signature of a bundle is not one of its header by its public key"
	foreign   = "CHP-SIGN-10 the attestation in a bundle is one of another host or key"
)

// edition is a text and the suite that it makes.
type edition struct {
	own *text.Text
	s   *suites.Suite
}

// readEdition reads the edition 0.2, which does not change, so that the tests share it.
var readEdition = sync.OnceValues(func() (edition, error) {
	own, err := chpsuite.Load("0.2")
	if err != nil {
		return edition{}, err
	}
	s, err := suites.New(own.Definition())
	return edition{own, s}, err
})

// loaded returns the edition 0.2.
func loaded(t testing.TB) edition {
	t.Helper()
	e, err := readEdition()
	require.NoError(t, err)
	return e
}

// lint examines documents together. It returns the findings of each: the requirement, the message, and the event in
// whose line it is, or -1. The first event is in the line of that number.
func lint(t testing.TB, s *suites.Suite, firstLine int, documents ...*document.File) map[string][]string {
	t.Helper()
	subject := &suites.Subject{}
	for _, d := range documents {
		require.True(t, s.Recognises(d), d.Path)
		subject.Documents = append(subject.Documents, *d)
	}
	report, err := suites.Lint(t.Context(), []*suites.Suite{s}, subject, suites.Options{Explicit: true})
	require.NoError(t, err)
	found := map[string][]string{}
	for _, q := range report.Suites[0].Requirements {
		require.NotEqual(t, reports.Error, q.Status, "%s: %s", q.ID, q.Reason)
		for _, scenario := range q.Scenarios {
			if scenario.Failure == nil {
				continue
			}
			require.Less(t, len(scenario.Failure.Findings), 100, "more findings than a report keeps")
			for _, f := range scenario.Failure.Findings {
				found[f.File] = append(found[f.File], fmt.Sprintf("%s %s at %d", q.ID, f.Message, max(f.Line-firstLine, -1)))
			}
		}
	}
	for _, one := range found {
		slices.Sort(one)
	}
	return found
}

// bundle is a bundle whose events have a line each, from the second on.
type bundle struct {
	head   map[string]any
	events []string
}

func readBundle(t testing.TB) *bundle {
	t.Helper()
	data, err := os.ReadFile("testdata/acme.bundle.json")
	require.NoError(t, err)
	b := &bundle{head: schemas.ReadObject(data)}
	delete(b.head, "events")
	lines := strings.Split(string(data), "\n")
	for _, line := range lines[1:21] {
		b.events = append(b.events, strings.TrimSuffix(line, ","))
	}
	return b
}

func (b *bundle) bytes(t testing.TB) []byte {
	t.Helper()
	head, err := json.Marshal(b.head)
	require.NoError(t, err)
	return fmt.Appendf(nil, `%s, "events": [`+"\n%s\n]}\n", bytes.TrimSuffix(head, []byte("}")), strings.Join(b.events, ",\n"))
}

// load writes a file and reads it. Beyond the size it is not held.
func load(t testing.TB, name string, data []byte, size int) *document.File {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(file, data, 0o600))
	read, err := document.Load(t.Context(), file, document.Limits{Size: size})
	require.NoError(t, err)
	require.Equal(t, size > 0 || strings.HasSuffix(name, ".jsonl"), read.Log != nil)
	return read
}

// sign signs the header with the key of a seed, and attests the key. RFC 8785 is that of a library that the suite does
// not use.
func (b *bundle) sign(t testing.TB, seed byte, scheme string) {
	t.Helper()
	private := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{seed}, ed25519.SeedSize))
	public := private.Public().(ed25519.PublicKey)
	sum := sha256.Sum256(public)
	key, id := base64.StdEncoding.EncodeToString(public), hex.EncodeToString(sum[:])[:16]
	signed := func(form string) string {
		return base64.StdEncoding.EncodeToString(ed25519.Sign(private, []byte(form)))
	}
	b.head["public_key"], b.head["canonicalization"] = key, scheme
	header := fmt.Sprintf(`{"canonicalization": %q, "created_at": %q, "host_id": %q, "protocol_version": %q, "root_hash": %q}`,
		scheme, b.head["created_at"], b.head["host_id"], b.head["protocol_version"], b.head["root_hash"])
	if scheme == "chp-jcs-v1" {
		canonical, err := jcs.Transform([]byte(header))
		require.NoError(t, err)
		header = string(canonical)
	}
	b.head["signature"] = map[string]any{"algorithm": "ed25519", "key_id": id, "signature": signed(header)}
	claim := fmt.Sprintf(`{"host_id": %q, "key_id": %q, "public_key": %q, "valid_from": null, "valid_until": null}`,
		b.head["host_id"], id, key)
	b.head["host_identity"] = map[string]any{"host_id": b.head["host_id"], "public_key": key, "key_id": id,
		"valid_from": nil, "valid_until": nil, "signature": signed(claim)}
}

// The bundle was made by json.dumps and a library for Ed25519 of Python. Each edit of the chain is found at its place, in
// a bundle that is held, in one that is not, and in a log of its events.
func TestEditsOfChains(t *testing.T) {
	s := loaded(t).s
	whole := readBundle(t).events
	check := func(want []string, events ...string) {
		t.Helper()
		slices.Sort(want)
		edited := &bundle{readBundle(t).head, events}
		inBundle := slices.Clone(want)
		if !slices.Equal(events, whole) && !strings.Contains(strings.Join(want, ""), "CHP-HASH-02") {
			inBundle = append(inBundle, ofRoot+" at -1")
		}
		for _, size := range []int{0, 2000} {
			read := load(t, "a.bundle.json", edited.bytes(t), size)
			assert.Equal(t, inBundle, append([]string{}, lint(t, s, 2, read)[read.Path]...), "size %d", size)
		}
		read := load(t, "a.evidence.jsonl", []byte(strings.Join(events, "\n")+"\n"), 0)
		assert.Equal(t, want, append([]string{}, lint(t, s, 1, read)[read.Path]...), "log")
	}
	at := func(message string, place int) string { return fmt.Sprintf("%s at %d", message, place) }
	none := []string{}
	check(none, whole...)
	check(none, whole[:12]...) // only the root shows what was cut off at the end
	for place := range whole {
		without := slices.Delete(slices.Clone(whole), place, place+1)
		if place < 19 {
			check([]string{at(removed, place)}, without...)
		}
		if place > 0 && place < 18 {
			check([]string{at(moved, place), at(moved, place+1), at(moved, place+2)},
				slices.Insert(without, place+1, whole[place])...)
		}
	}
	check([]string{at(repeated, 6)}, slices.Insert(slices.Clone(whole), 6, whole[5])...)
	check([]string{at(moved, 20)}, append(slices.Clone(whole), whole[7])...)

	// An event of the same correlation that somebody made: with the right predecessor, with none, and with an unknown one.
	stranger := func(before string) string {
		form := fmt.Sprintf(`{"capability_id": "c", "correlation_id": "corr-1", "event_id": "x", "event_type": "t", `+
			`"host_id": "h", "invocation_id": "i", "outcome": null, "payload": {}, "prev_hash": %s, "timestamp": "t"}`, before)
		sum := sha256.Sum256([]byte(form))
		return strings.Replace(strings.TrimSuffix(form, "}"), `"correlation_id": "corr-1"`,
			`"correlation": {"correlation_id": "corr-1"}`, 1) + fmt.Sprintf(`, "content_hash": "%x"}`, sum)
	}
	sixth := fmt.Sprintf("%q", schemas.ReadObject([]byte(whole[5]))["content_hash"])
	check([]string{at(insertedB, 7)}, slices.Insert(slices.Clone(whole), 6, stranger(sixth))...)
	check([]string{at(first, 6), at(insertedB, 7)}, slices.Insert(slices.Clone(whole), 6, stranger("null"))...)
	unknown := `"` + strings.Repeat("0", 64) + `"`
	check([]string{at(inserted, 6), at(insertedB, 7)}, slices.Insert(slices.Clone(whole), 6, stranger(unknown))...)
	check([]string{at(removed, 20)}, append(slices.Clone(whole), stranger(unknown))...)
}

// A line that is no JSON is found once for each form that it lacks, and the event after it may follow it.
func TestLinesThatAreNoEvents(t *testing.T) {
	whole := readBundle(t).events
	whole[7] = whole[7][:100]
	read := load(t, "a.evidence.jsonl", []byte(strings.Join(whole, "\n")+"\n"), 0)
	assert.Equal(t, []string{"CHP-DISC-01 link: it is not an object at 7", "CHP-HASH-01 link: it is not an object at 7"},
		lint(t, loaded(t).s, 1, read)[read.Path])
}

// A log may contain the chains of several correlations, one after the other or mixed, and a chain for all of them.
func TestLogsOfSeveralChains(t *testing.T) {
	s := loaded(t).s
	whole := readBundle(t).events
	chain := func(correlation, before string, count int) []string {
		var events []string
		for i := range count {
			form := fmt.Sprintf(`{"capability_id": "c", "correlation_id": %q, "event_id": "%s-%d", "event_type": "t", `+
				`"host_id": "h", "invocation_id": "i", "outcome": null, "payload": {}, "prev_hash": %s, "timestamp": "t"}`,
				correlation, correlation, i, before)
			sum := sha256.Sum256([]byte(form))
			before = fmt.Sprintf(`"%x"`, sum)
			events = append(events, strings.Replace(strings.TrimSuffix(form, "}"), `"correlation_id": `,
				`"correlation": {"correlation_id": `, 1))
			events[i] = strings.Replace(events[i], `", "event_id"`, `"}, "event_id"`, 1) + `, "content_hash": ` + before + "}"
		}
		return events
	}
	other := chain("other", "null", 5)
	last := fmt.Sprintf("%q", schemas.ReadObject([]byte(whole[19]))["content_hash"])
	mixed := slices.Concat(whole[:3], other[:2], whole[3:9], other[2:3], whole[9:], other[3:])
	for name, c := range map[string]struct {
		events []string
		want   []string
	}{
		"after":    {slices.Concat(whole, other), nil},
		"mixed":    {mixed, nil},
		"of store": {slices.Concat(whole, chain("other", last, 5)), nil},
		"removed":  {slices.Delete(slices.Clone(mixed), 4, 5), []string{removed + " at 10"}},
	} {
		read := load(t, "a.evidence.jsonl", []byte(strings.Join(c.events, "\n")), 0)
		assert.Equal(t, c.want, lint(t, s, 1, read)[read.Path], name)
	}
}

// A host may sign with one key after another, and by either scheme. A signature by another key, or of another header, is
// found.
func TestSignaturesOfBundles(t *testing.T) {
	s := loaded(t).s
	made := func(edit func(b *bundle)) *document.File {
		b := readBundle(t)
		edit(b)
		return load(t, "a.bundle.json", b.bytes(t), 0)
	}
	var files []*document.File
	var wants [][]string
	add := func(want []string, edit func(b *bundle)) {
		files, wants = append(files, made(edit)), append(wants, want)
	}
	add(nil, func(*bundle) {})
	add(nil, func(b *bundle) { b.sign(t, 1, "chp-stable-v1") }) // rotated
	add(nil, func(b *bundle) { b.sign(t, 1, "chp-jcs-v1") })
	add(nil, func(b *bundle) { b.sign(t, 1, "chp-jcs-v1"); delete(b.head, "host_identity") })
	add([]string{unsigned + " at -1"}, func(b *bundle) { b.sign(t, 1, "chp-jcs-v1"); b.head["canonicalization"] = "chp-stable-v1" })
	add([]string{unsigned + " at -1"}, func(b *bundle) {
		before := b.head["signature"].(map[string]any)["signature"]
		b.sign(t, 1, "chp-stable-v1")
		b.head["signature"].(map[string]any)["signature"] = before
	})
	add([]string{foreign + " at -1"}, func(b *bundle) { // the attestation of the key before
		before := b.head["host_identity"]
		b.sign(t, 1, "chp-stable-v1")
		b.head["host_identity"] = before
	})
	add([]string{"CHP-TIER-04 the key_id of a signature does not begin the hash of its public key at -1"},
		func(b *bundle) { b.head["signature"].(map[string]any)["key_id"] = "0123456789abcdef" })
	add([]string{"CHP-SIGN-03 a bundle of the signed tier lacks its signature or its public key at -1"},
		func(b *bundle) { b.head["signature"] = nil })
	for _, name := range []string{"host_id", "protocol_version", "created_at"} {
		want := []string{unsigned + " at -1"}
		if name == "host_id" {
			want = append([]string{}, want[0], foreign+" at -1")
		}
		add(want, func(b *bundle) { b.head[name] = "2027-07-06T00:00:00Z" })
	}
	for name, id := range map[string]string{
		"canonicalization": "CHP-HASH-04", "host_id": "CHP-SIGN-02", "protocol_version": "CHP-SIGN-02", "created_at": "CHP-SIGN-02",
		"assurance": "CHP-SIGN-02", "root_hash": "CHP-HASH-13",
	} {
		add([]string{fmt.Sprintf("%s bundle: %s is missing at -1", id, name)}, func(b *bundle) {
			delete(b.head, name)
			delete(b.head, "signature")
			delete(b.head, "host_identity")
			if name != "assurance" {
				b.head["assurance"] = "hash-chain"
			}
		})
	}
	found := lint(t, s, 2, files...)
	for i, file := range files {
		assert.Equal(t, wants[i], found[file.Path], "file %d", i)
	}
}

// covered returns what the hashes and signatures of a bundle cover, by the line in which it is. A line that is not
// covered may be edited in its other members.
func covered(t *testing.T, data []byte) (map[string]any, []any) {
	t.Helper()
	head := schemas.ReadObject(data)
	events, _ := head["events"].([]any)
	delete(head, "events")
	var all []any
	for _, one := range events {
		event, _ := one.(map[string]any)
		part := map[string]any{}
		for _, name := range []string{"event_id", "event_type", "invocation_id", "capability_id", "host_id", "timestamp", "outcome",
			"payload", "prev_hash", "content_hash", "hash_scheme", "payload_commitment"} {
			part[name] = event[name]
		}
		correlation, _ := event["correlation"].(map[string]any)
		part["correlation"] = correlation["correlation_id"]
		all = append(all, part)
	}
	return head, all
}

// optional are the names of members that may be left out: without a signature for their names, nothing shows it.
var optional = regexp.MustCompile(`"(host_identity|valid_until|payload)"`)

func lacksOptional(edited []byte, line int) bool {
	text := string(bytes.Split(edited, []byte("\n"))[line-1])
	return line == 1 && !(strings.Contains(text, `"host_identity":`) && strings.Contains(text, `"valid_until":`)) ||
		strings.Contains(text, `"hash_scheme":`) && !strings.Contains(text, `"payload":`)
}

// Each byte of a bundle is changed, one at a time. A file that is no JSON is refused at the line of the edit, or the one
// after it. What the hashes and the signatures cover is found in its line, and nothing else is.
func TestEditsOfBytes(t *testing.T) {
	s := loaded(t).s
	data := readBundle(t).bytes(t)
	head, events := covered(t, data)
	step := 1
	if testing.Short() {
		step = 23
	}
	var files []*document.File
	var want []string // the place that must be found; "" for none
	count, refused := 0, 0
	judge := func() {
		found := lint(t, s, 2, files...)
		for i, file := range files {
			if want[i] == "" {
				assert.Empty(t, found[file.Path], file.Path)
				continue
			}
			assert.True(t, slices.ContainsFunc(found[file.Path], func(one string) bool { return strings.HasSuffix(one, want[i]) }),
				"%s: want a finding%s, got %q", file.Path, want[i], found[file.Path])
			count++
		}
		files, want = nil, nil
	}
	for offset := 0; offset < len(data); offset += step {
		edited := slices.Clone(data)
		edited[offset] ^= 1
		line := bytes.Count(data[:offset], []byte("\n")) + 1
		name := fmt.Sprintf("%d-%s.bundle.json", offset, strings.Map(func(r rune) rune {
			if r < 'A' || r > 'z' {
				return '_'
			}
			return r
		}, string(edited[max(0, offset-10):min(len(data), offset+10)])))
		file, err := document.Parse(name, edited, document.Limits{})
		if err != nil {
			var at *document.Error
			require.ErrorAs(t, err, &at)
			assert.Contains(t, []int{line, line + 1}, at.Line, "%s: %v", name, err)
			refused++
			continue
		}
		files = append(files, file)
		headNow, eventsNow := covered(t, edited)
		place := ""
		switch {
		case optional.Match(data[max(0, offset-15):min(len(data), offset+15)]) && lacksOptional(edited, line):
		case !assert.ObjectsAreEqual(head, headNow):
			place = " at -1"
		case !assert.ObjectsAreEqual(events, eventsNow):
			place = fmt.Sprintf(" at %d", line-2)
		}
		if want = append(want, place); len(files) == 40 {
			judge()
		}
	}
	judge()
	assert.NotZero(t, count)
	assert.NotZero(t, refused)
}

// A bundle of any length is judged in linear time and bounded memory.
func BenchmarkBundle(b *testing.B) {
	s := loaded(b).s
	for _, count := range []int{25_000, 100_000} {
		b.Run(fmt.Sprint(count), func(b *testing.B) {
			name := filepath.Join(b.TempDir(), "a.bundle.json")
			size := writeLong(b, name, count)
			b.SetBytes(size)
			for b.Loop() {
				read, err := document.Load(b.Context(), name, document.Limits{})
				require.NoError(b, err)
				require.NotNil(b, read.Log)
				require.Empty(b, lint(b, s, 2, read))
			}
			b.ReportMetric(float64(count)*float64(b.N)/b.Elapsed().Seconds(), "events/s")
		})
	}
}

// writeLong writes a signed bundle and returns its size.
func writeLong(t testing.TB, name string, count int) int64 {
	t.Helper()
	out, err := os.Create(name)
	require.NoError(t, err)
	defer func() { require.NoError(t, out.Close()) }()
	w := bufio.NewWriter(out)
	_, _ = w.WriteString(`{"events": [`)
	before, root := "null", sha256.New()
	for i := range count {
		form := fmt.Sprintf(`{"capability_id": "com.acme.echo", "correlation_id": "corr-1", "event_id": "evt-%d", `+
			`"event_type": "execution_started", "host_id": "acme-1", "invocation_id": "inv-%d", "outcome": null, `+
			`"payload": {"more": {"a": true, "b": null}, "n": [1, 2, 3], "text": "caf\u00e9"}, "prev_hash": %s, `+
			`"timestamp": "2026-07-06T00:00:00Z"}`, i, i/2, before)
		hash := fmt.Sprintf("%x", sha256.Sum256([]byte(form)))
		before = `"` + hash + `"`
		_, _ = io.WriteString(root, hash+"\n")
		value := schemas.ReadObject([]byte(form))
		delete(value, "correlation_id")
		value["correlation"], value["content_hash"], value["sequence"] = map[string]any{"correlation_id": "corr-1"}, hash, i
		line, err := json.Marshal(value)
		require.NoError(t, err)
		_, _ = fmt.Fprintf(w, "%s\n%s", map[bool]string{true: "", false: ","}[i == 0], line)
	}
	b := &bundle{head: map[string]any{"host_id": "acme-1", "protocol_version": "0.2", "created_at": "2026-07-06T00:01:00Z",
		"assurance": "signed", "root_hash": hex.EncodeToString(root.Sum(nil))}}
	b.sign(t, 1, "chp-jcs-v1")
	head, err := json.Marshal(b.head)
	require.NoError(t, err)
	_, _ = fmt.Fprintf(w, "\n],%s", head[1:])
	require.NoError(t, w.Flush())
	info, err := out.Stat()
	require.NoError(t, err)
	return info.Size()
}
