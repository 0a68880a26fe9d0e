package proof

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reference"
	"github.com/capconform/capconform/reference/population"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites"
	acdsuite "github.com/capconform/capconform/suites/acd"
	acpsuite "github.com/capconform/capconform/suites/acp"
	capsuite "github.com/capconform/capconform/suites/cap"
	chpsuite "github.com/capconform/capconform/suites/chp"
	"github.com/capconform/capconform/suites/driver/httpdriver"
	"github.com/capconform/capconform/suites/driver/inproc"
	"github.com/capconform/capconform/suites/live"
	"github.com/capconform/capconform/suites/record"
)

// referenceRecord records a run of a suite against the reference, with the styles of variants.
func referenceRecord(t *testing.T, s *suites.Suite, styles ...string) *record.Record {
	t.Helper()
	host, err := reference.New(reference.Options{Suites: []string{s.Name}, Alter: func(parts *reference.Parts) {
		for _, style := range styles {
			v, known := population.FindVariant(style)
			require.True(t, known, style)
			v.Apply(parts)
		}
	}})
	require.NoError(t, err)
	t.Cleanup(func() { _ = host.Close() })
	subject := &suites.Subject{
		Name: s.Name, Driver: inproc.New(s.Name, host.Handle), Restarter: host.Restarter(), Invoke: live.InvokeSafe, Seed: seed,
		Options: map[string]string{},
	}
	writer := record.NewWriter(nil)
	t.Cleanup(func() { _ = writer.Close() })
	_, err = suites.Run(
		t.Context(),
		[]*suites.Suite{s},
		subject,
		suites.Options{Explicit: true, Concurrency: 1, Record: writer},
	)
	require.NoError(t, err)
	h := writer.Described()
	h.Suites = []record.Suite{{Suite: s.Name, SpecVersion: s.Catalogue.Version}}
	h.Subject = record.Subject{Name: s.Name, Driver: "inproc"}
	var text bytes.Buffer
	_, err = writer.Save(&text, h)
	require.NoError(t, err)
	spooled, err := record.Read(&text)
	require.NoError(t, err)
	held, err := spooled.Load()
	require.NoError(t, err)
	require.NoError(t, spooled.Close())
	return held
}

// mapped returns a record in which a mapping made each answer to an operation.
func mapped(t *testing.T, held *record.Record, operation string) *record.Record {
	t.Helper()
	var entries []record.Entry
	for e, err := range held.Entries() {
		require.NoError(t, err)
		if e.Operation == operation {
			e.Provided = "mapping " + operation
			entries = append(entries, e)
		}
	}
	require.NotEmpty(t, entries)
	return held.With(entries)
}

// restsOn returns, by requirement, the operations on whose answers it rests: if a mapping made them, the requirement
// is provided. Every other status must be unchanged.
func restsOn(t *testing.T, s *suites.Suite, held *record.Record) map[string][]string {
	t.Helper()
	judged := func(held *record.Record) []reports.Requirement {
		report, err := suites.Judge(
			t.Context(),
			[]*suites.Suite{s},
			held,
			suites.Options{Explicit: true, Concurrency: 1},
		)
		require.NoError(t, err)
		return report.Suites[0].Requirements
	}
	plain, rests := judged(held), map[string][]string{}
	for _, operation := range s.Operations {
		if !asks(t, held, operation) {
			continue
		}
		for i, q := range judged(mapped(t, held, operation)) {
			switch {
			case q.Status == reports.Provided:
				rests[q.ID] = append(rests[q.ID], operation)
			case q.Status != plain[i].Status:
				t.Errorf("%s: %s is %s, but %s without a mapping", operation, q.ID, q.Status, plain[i].Status)
			case q.Status == reports.Passed && rests[q.ID] == nil:
				rests[q.ID] = []string{}
			}
		}
	}
	return rests
}

func asks(t *testing.T, held *record.Record, operation string) bool {
	t.Helper()
	for e, err := range held.Entries() {
		require.NoError(t, err)
		if e.Operation == operation {
			return true
		}
	}
	return false
}

func goldenRests(suite string) string { return filepath.Join("testdata", "rests-"+suite+".golden") }

func linesOfRests(t *testing.T, suite string) []string {
	t.Helper()
	text, err := os.ReadFile(goldenRests(suite))
	require.NoError(t, err)
	return strings.Split(strings.TrimSpace(string(text)), "\n")
}

// knownRests returns the result of restsOn in the golden files.
func knownRests(t *testing.T, suite string) map[string][]string {
	t.Helper()
	rests := map[string][]string{}
	for _, line := range linesOfRests(t, suite) {
		words := strings.Fields(line)
		rests[words[0]] = words[1:]
	}
	return rests
}

// TestRequirementsRestOnOperationsRead: if the target file maps one operation, exactly those requirements are provided
// whose judgements read answers to it.
func TestRequirementsRestOnOperationsRead(t *testing.T) {
	for i, def := range liveSuites() {
		t.Run(def.Name, func(t *testing.T) {
			sampled(t, i, len(liveSuites()))
			t.Parallel()
			s := suiteOf(t, def)
			rests := restsOn(t, s, referenceRecord(t, s))
			var lines []string
			for _, id := range slices.Sorted(maps.Keys(rests)) {
				require.NotEmpty(t, rests[id], "%s rests on nothing", id)
				lines = append(lines, id+" "+strings.Join(rests[id], " "))
			}
			if *update {
				require.NoError(t, os.WriteFile(goldenRests(def.Name), []byte(strings.Join(lines, "\n")+"\n"), 0o600))
			}
			if diff := cmp.Diff(linesOfRests(t, def.Name), lines); diff != "" {
				t.Errorf("operations that requirements rest on (-want +got, see -update):\n%s", diff)
			}
		})
	}
}

// TestOneMappedOperation runs a suite with one mapped operation: the requirements that rest on it according to a
// record are provided.
func TestOneMappedOperation(t *testing.T) {
	for i, mapped := range []struct {
		operation string
		of        suites.Definition
	}{
		{"capability.describe", capsuite.Definition()}, {"capability.list", capsuite.Definition()}, {"acp.get", acpsuite.Definition()},
		{"chp.host", chpsuite.Definition()}, {"acd.channel.declare", acdsuite.Definition()},
	} {
		operation, def := mapped.operation, mapped.of
		t.Run(operation, func(t *testing.T) {
			sampled(t, i, 5)
			t.Parallel()
			s := suiteOf(t, def)
			rests := restsOn(t, s, referenceRecord(t, s))
			host, err := reference.New(reference.Options{Suites: []string{def.Name}})
			require.NoError(t, err)
			defer host.Close() // the test is over
			got := boundRun(
				t,
				def,
				host.HTTPHandler(),
				map[string]httpdriver.Binding{operation: rpcBinding(operation, ".body.result | .")},
			)
			var faults []string
			for _, q := range got.Requirements {
				if of, known := rests[q.ID]; known && (q.Status == reports.Provided) != slices.Contains(of, operation) {
					faults = append(faults, fmt.Sprintf("%s is %s and rests on %v", q.ID, q.Status, of))
				}
			}
			require.Empty(t, faults)
		})
	}
}
