package proof

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reference/corpus"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/spec"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/record"
)

// corpusRun is a recorded run of the corpus, with its entries in memory.
type corpusRun struct {
	suite   *suites.Suite
	record  *record.Record
	entries []record.Entry
	run     *corpus.Run
}

func readRun(t testing.TB, suite *suites.Suite, name string) *corpusRun {
	t.Helper()
	in, err := corpus.Record(suite.Name, name)
	require.NoError(t, err)
	defer in.Close() // it was only read
	held, err := record.Read(in)
	require.NoError(t, err)
	defer held.Close() // the spool is a temporary file
	r := &corpusRun{suite: suite}
	r.record, err = held.Load()
	require.NoError(t, err)
	var views []corpus.Entry
	for e, err := range r.record.Entries() {
		require.NoError(t, err)
		view := corpus.Entry{
			Operation: e.Operation,
			Stimulus:  e.Stimulus,
			About:     e.About,
			Asks:      e.From == record.Target,
		}
		view.Again = slices.ContainsFunc(e.Links, func(l record.Link) bool { return l.Relation == record.RetryOf })
		view.Sent, view.Received = jsonOf(t, e.Sent), jsonOf(t, e.Received)
		views, r.entries = append(views, view), append(r.entries, e)
	}
	for i, e := range r.entries {
		if views[i].Asks {
			r.within(e, &views[i])
		}
	}
	r.run = corpus.NewRun(views)
	return r
}

// within describes a request of the subject by the call during which it was made.
func (r *corpusRun) within(e record.Entry, view *corpus.Entry) {
	operation, _, _ := strings.Cut(e.Operation, "?")
	view.Operation, view.Stimulus = ownOfRun.ReplaceAllString(operation, "*"), ""
	for _, c := range r.entries {
		if c.Party == record.Target && c.Begun < e.Begun && e.Done < c.Done {
			view.Stimulus, view.About = c.Stimulus, c.About
		}
	}
}

// ownOfRun matches what differs between runs in requests of a subject: marks and CIDs.
var ownOfRun = regexp.MustCompile(`mk[0-9a-f]{16}|baf[a-z2-7]{20,}`)

func jsonOf(t testing.TB, b *record.Body) []byte {
	t.Helper()
	if !b.IsJSON() {
		return nil
	}
	text, err := b.Text()
	require.NoError(t, err)
	return text
}

// edited returns the record after an edit.
func (r *corpusRun) edited(t *testing.T, edit corpus.Edit) *record.Record {
	t.Helper()
	changed, err := r.run.Apply(edit)
	require.NoError(t, err)
	var entries []record.Entry
	unsaid := map[record.Tick]bool{}
	for i, now := range changed {
		e := r.entries[i]
		e.Received = record.NewBody(now.Received)
		if now.Asks {
			e.Received, e.Sent = r.entries[i].Received, record.NewBody(now.Sent)
		}
		if now.Becomes != nil && now.Becomes.Outcome == "unsaid" {
			unsaid[e.Begun] = true
			continue
		}
		if now.Becomes != nil {
			if now.Received == nil {
				e.Received = nil
			}
			e.Outcome, e.Status, e.Error = record.Outcome(
				now.Becomes.Outcome,
			), now.Becomes.Status, fault(
				t,
				now.Becomes.Error,
			)
			if e.Outcome == record.Returned {
				e.Error = nil
			}
		}
		entries = append(entries, e)
	}
	edited := r.record.With(entries)
	if len(unsaid) == 0 {
		return edited
	}
	return edited.Only(func(e record.Entry) bool { return !unsaid[e.Begun] })
}

// judged returns the requirements of a record, by id.
func (r *corpusRun) judged(t *testing.T, held *record.Record) map[string]reports.Requirement {
	t.Helper()
	report, err := suites.Judge(
		t.Context(),
		[]*suites.Suite{r.suite},
		held,
		suites.Options{Explicit: true, Concurrency: 1},
	)
	require.NoError(t, err)
	require.Len(t, report.Suites, 1)
	all := map[string]reports.Requirement{}
	for _, q := range report.Suites[0].Requirements {
		all[q.ID] = q
	}
	return all
}

// failed returns the messages of the requirements that fail directly, not as the sum of their parts.
func (r *corpusRun) failed(all map[string]reports.Requirement) map[string]string {
	failures := map[string]string{}
	for id, q := range all {
		req, _ := r.suite.Catalogue.Lookup(id)
		if len(req.SumOf) > 0 {
			continue
		}
		switch q.Status {
		case reports.Failed:
			for _, s := range q.Scenarios {
				if s.Failure != nil {
					failures[id] = s.Failure.Message
				}
			}
		case reports.Error:
			failures[id] = "error: " + q.Reason
		default:
		}
	}
	return failures
}

// binding returns the requirements that decide the verdict.
func (r *corpusRun) binding(failures map[string]string) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(failures)), func(id string) bool { return !r.binds(id) })
}

// corpora are the suites that have a corpus.
func corpora() []suites.Definition {
	return liveSuites()
}

// corpusEach is the number of edits of which a quick test judges one.
const corpusEach = 24

func TestCorpus(t *testing.T) {
	t.Parallel()
	for _, definition := range corpora() {
		suite := suiteOf(t, definition)
		edits, err := corpus.Edits(suite.Name)
		require.NoError(t, err)
		runs, names := map[string]*corpusRun{}, map[string]bool{}
		for i, edit := range edits {
			if runs[edit.Record] == nil && (!quick() || i%corpusEach == 0) {
				runs[edit.Record] = readRun(t, suite, edit.Record)
				r := runs[edit.Record]
				require.Empty(t, r.binding(r.failed(r.judged(t, r.record))), "before any edit")
			}
			require.False(t, names[edit.Name], "two edits named %s", edit.Name)
			names[edit.Name] = true
		}
		for i, edit := range edits {
			t.Run(suite.Name+"/"+edit.Name, func(t *testing.T) {
				sampled(t, i, corpusEach)
				t.Parallel()
				runs[edit.Record].meets(t, edit)
			})
		}
	}
}

// meets judges an edited run: only the requirement that the edit breaks must fail.
func (r *corpusRun) meets(t *testing.T, edit corpus.Edit) {
	t.Helper()
	failures := r.failed(r.judged(t, r.edited(t, edit)))
	if edit.Lawful != "" {
		delete(failures, edit.Advises)
		assert.Empty(t, failures, "a lawful edit")
		return
	}
	assert.Contains(t, failures, edit.Breaks)
	delete(failures, edit.Breaks)
	for id := range edit.Also {
		assert.Contains(t, failures, id, "also")
		delete(failures, id)
	}
	assert.Empty(t, r.binding(failures), "other requirements: %v", failures)
}

// unsettled are the requirements that no recorded run breaks in an unusual place, each with the reason.
var unsettled = map[string]string{
	"CAP-MAN-06": "another call must show that the custom member is missing",

	"ACD-DEF-01":   "the agent is asked again for the place that names an id, and for the registry",
	"ACD-MAN-11":   "the agent is asked again for the manifest and the registry",
	"ACD-LEG-01":   "the agent is asked again for an old list and the registry; no copy is composite",
	"ACD-EX2-02":   "a projection is repeated between two readings of the entry",
	"ACD-SDK2-07":  "a refused call is repeated, with a control",
	"ACD-SDK3-01":  "a refused call is repeated, with a control; calls of unlisted capabilities are ACD-SDK1-08",
	"ACD-SDK4-03":  "the record contains the effect of the shell on the harness: an edit of answers cannot add it",
	"ACD-SDK5-02":  "the agent is asked again for a declaration, between two manifests",
	"ACP-DONE-02":  "the record has no message that shows the top of the stack, because the stack itself shows it",
	"ACP-EXEC-03":  "no request arrived that could be a call of the binding",
	"ACP-EXEC-05":  "the place of a call is its address, which differs between runs",
	"ACP-PUB-09":   "the signature is in a file, and the file is not JSON",
	"ACP-REG-04":   "every query shows what becomes known",
	"ACP-ROUTE-01": "a command sends no request to the model",
	"ACP-SEC-02":   "no request arrived that could be a request of the tool",
}

// TestUnusualPlaces: for each requirement on every object, some edit of a recorded run breaks it in a place that is
// easily overlooked.
func TestUnusualPlaces(t *testing.T) {
	t.Parallel()
	least := map[string]int{"acd": 90, "acp": 85, "cap": 60, "chp": 200}
	for _, definition := range corpora() {
		suite := suiteOf(t, definition)
		edits, err := corpus.Edits(suite.Name)
		require.NoError(t, err)
		unusual, records, total := map[string]int{}, map[string]int{}, 0
		for _, edit := range edits {
			unusually := 0
			if edit.Place != "" && edit.Breaks != "" {
				unusually = 1
			}
			unusual[edit.Breaks] += unusually
			records[edit.Record] += unusually
			total += unusually
		}
		for _, req := range suite.Catalogue.Requirements {
			live := req.Check == spec.Live || req.Check == spec.Both
			if live && req.Level.Binding() && len(req.SumOf) == 0 && unsettled[req.ID] == "" {
				assert.Positive(t, unusual[req.ID], "no edit breaks %s in an unusual place", req.ID)
			}
		}
		assert.GreaterOrEqual(t, total, least[suite.Name])
		for name, n := range records {
			assert.Positive(t, n, name)
		}
	}
}

func TestCorpusIsValidAgainstItsSchema(t *testing.T) {
	t.Parallel()
	schema, err := schemas.Own("corpus/edits.schema.json")
	require.NoError(t, err)
	for _, definition := range corpora() {
		names, err := corpus.Names(definition.Name)
		require.NoError(t, err)
		require.NotEmpty(t, names)
		for _, name := range names {
			text, err := corpus.File(name)
			require.NoError(t, err)
			assert.NoError(t, schema.Validate(schemas.ReadValue(text)), name)
		}
	}
}

func fault(t *testing.T, text json.RawMessage) *record.Fault {
	t.Helper()
	if len(text) == 0 {
		return nil
	}
	f := &record.Fault{}
	require.NoError(t, json.Unmarshal(text, f))
	return f
}
