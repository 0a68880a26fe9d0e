package proof

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/cmd/capconform/internal/proof/plan"
	"github.com/capconform/capconform/reference"
	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/spec"
	"github.com/capconform/capconform/suites"
	acdsuite "github.com/capconform/capconform/suites/acd"
	acpsuite "github.com/capconform/capconform/suites/acp"
	capsuite "github.com/capconform/capconform/suites/cap"
	chpsuite "github.com/capconform/capconform/suites/chp"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/inproc"
)

// TestBlockedRequirementsAreThoseOfTheGoldenFiles compares the relation by which reports order causes with what the
// selftest saw.
func TestBlockedRequirementsAreThoseOfTheGoldenFiles(t *testing.T) {
	population := everything(t)
	blocked := map[string]map[string]bool{}
	add := func(suite, name, requirement string, e plan.Expectation) {
		if blocked[requirement] == nil {
			blocked[requirement] = map[string]bool{}
		}
		for _, id := range append(e.Failed, population.Undecided[suite][name].Inconclusive...) {
			blocked[requirement][id] = id != requirement
		}
	}
	options := plan.Options{Population: population}
	for _, m := range population.Mutants {
		add(m.Suite, m.Name, m.Requirement, options.OfMutant(m))
	}
	for _, d := range population.Documents {
		add(d.Suite, d.Name, d.Requirement, options.OfDocument(d))
	}
	var want strings.Builder
	for _, suite := range spec.Names() {
		c, err := spec.Load(suite)
		require.NoError(t, err)
		for _, q := range c.Requirements {
			line := q.ID
			for _, other := range c.Requirements {
				if blocked[q.ID][other.ID] {
					line += " " + other.ID
				}
			}
			if line != q.ID {
				want.WriteString(line + "\n")
			}
		}
	}
	path := filepath.Join("..", "..", "..", "..", "reports", "blocking.txt")
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(want.String()), 0o666))
	}
	got, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, want.String(), string(got), "make golden writes it")
}

// pairOfDefects is a host with two defects. The cause that its report names first blocks so many requirements.
type pairOfDefects struct {
	definition suites.Definition
	one, other string // mutants
	blocks     int
}

func pairsOfDefects() []pairOfDefects {
	chp, cap, acd, acp := chpsuite.Definition(), capsuite.Definition(), acdsuite.Definition(), acpsuite.Definition()
	return []pairOfDefects{
		{chp, "chp-no-evidence-of-skip", "chp-host-id-missing", 3},
		{cap, "cap-no-list", "cap-describe-by-id", 27},
		{chp, "chp-no-replay", "chp-made-id-empty", 38},
		{cap, "cap-no-describe", "cap-invalid-ok-string", 5},
		{chp, "chp-host-id-number", "chp-status-500", 3},
		{cap, "cap-describe-crashes", "cap-skill-refuses-input", 5},
		{chp, "chp-failure-as-success", "chp-host-evidence-list", 2},
		{chp, "chp-skip-executed", "chp-denials-renamed", 2},
		{acd, "acd-no-invoke-operation", "acd-skills-with-ghost", 25},
		{acd, "acd-no-create-operation", "acd-no-query-operation", 21},
		{acp, "acp-no-message", "acp-record-without-cap-uri", 54},
		{acp, "acp-keywords-ignored", "acp-no-publish", 16},
	}
}

// TestMendingTheFirstCauseUnblocksWhatTheReportSays examines hosts with two defects, and then without that which their
// report puts first.
func TestMendingTheFirstCauseUnblocksWhatTheReportSays(t *testing.T) {
	for i, tt := range pairsOfDefects() {
		t.Run(tt.one+" and "+tt.other, func(t *testing.T) {
			t.Parallel()
			sampled(t, i, 5)
			cause := mendedFirst(t, tt.definition, mutantNamed(t, tt.one), mutantNamed(t, tt.other))
			require.Len(t, cause.Blocked, tt.blocks, "%s blocks %v", cause.Message, namesOf(cause.Blocked))
		})
	}
}

// TestMendingTheFirstCauseOfOtherPairs does the same with pairs that nobody chose: each mutant of a step, and the one
// that is half of the list away.
func TestMendingTheFirstCauseOfOtherPairs(t *testing.T) {
	const step = 32
	for _, definition := range []suites.Definition{chpsuite.Definition(), capsuite.Definition(), acdsuite.Definition()} {
		if large(definition.Name) {
			continue
		}
		all := mutantsInProcess(t, definition.Name)
		for i := 0; i < len(all); i += step {
			one, other := all[i], all[(i+len(all)/2)%len(all)]
			if one.Strict || other.Strict || one.Actors != nil || other.Actors != nil || one.Requirement == other.Requirement {
				continue // one run cannot show both
			}
			t.Run(one.Name+" and "+other.Name, func(t *testing.T) {
				t.Parallel()
				sampled(t, i/step, 8)
				mendedFirst(t, definition, one, other)
			})
		}
	}
}

// mendedFirst examines a host with two defects, and then without that which its report puts first. It requires that
// what the report says of this cause has changed, and returns the cause.
func mendedFirst(t *testing.T, definition suites.Definition, one, other mutant.Mutant) reports.Group {
	t.Helper()
	report := examineAltered(t, definition, one, other)
	cause := report.Groups(false)[0]
	left, broken := one, plan.Options{}.OfMutant(one).Failed
	if slices.ContainsFunc(namesOf(cause.Requirements), func(id string) bool { return slices.Contains(broken, id) }) {
		left = other
	}
	mended := map[string]string{}
	for _, q := range reports.RequirementsOf(examineAltered(t, definition, left)) {
		mended[q.Requirement.ID] = resultOf(q.Requirement)
	}
	for _, q := range slices.Concat(cause.Requirements, cause.Blocked) {
		if mended[q.ID] == resultOf(q) {
			t.Errorf("%s is still %s", q.ID, mended[q.ID])
		}
	}
	return cause
}

func namesOf(all []*reports.Requirement) []string {
	var ids []string
	for _, q := range all {
		ids = append(ids, q.ID)
	}
	return ids
}

// resultOf returns the status with its cause. A requirement that is judged again may be undecided because of the other defect.
func resultOf(q *reports.Requirement) string { return string(q.Status) + ": " + q.Cause() }

// mutantNamed returns a mutant of the population.
func mutantNamed(t *testing.T, name string) mutant.Mutant {
	t.Helper()
	all := everything(t).Mutants
	at := slices.IndexFunc(all, func(m mutant.Mutant) bool { return m.Name == name })
	require.GreaterOrEqual(t, at, 0, name)
	return all[at]
}

// examineAltered examines the reference with defects.
func examineAltered(t *testing.T, definition suites.Definition, defects ...mutant.Mutant) *reports.Report {
	t.Helper()
	alter := func(parts *reference.Parts) {
		for _, m := range defects {
			m.Apply(parts)
		}
	}
	host, err := reference.New(reference.Options{Suites: []string{definition.Name}, Alter: alter})
	require.NoError(t, err)
	defer host.Close()
	subject := &suites.Subject{Name: "host", Adapter: suites.Adapter{Mode: "auto"}, Seed: seed, Options: map[string]string{},
		Driver: inproc.NewWith("host", host.Handle, driver.Limits{}, driver.Deadlines{Slow: brevity}), Restarter: host.Restarter()}
	report, err := suites.Run(t.Context(), []*suites.Suite{suiteOf(t, definition)}, subject,
		suites.Options{Explicit: true, Concurrency: 1})
	require.NoError(t, err)
	return report
}
