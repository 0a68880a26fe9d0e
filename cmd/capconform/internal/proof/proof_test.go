package proof

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/cmd/capconform/internal/proof/golden"
	"github.com/capconform/capconform/cmd/capconform/internal/proof/matrix"
	"github.com/capconform/capconform/cmd/capconform/internal/proof/plan"
	"github.com/capconform/capconform/cmd/capconform/internal/proof/trial"
	"github.com/capconform/capconform/cmd/capconform/internal/proof/wrap"
	"github.com/capconform/capconform/reference"
	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/null"
	"github.com/capconform/capconform/reference/population"
	"github.com/capconform/capconform/reference/variant"
	"github.com/capconform/capconform/spec"
	"github.com/capconform/capconform/suites"
	capsuite "github.com/capconform/capconform/suites/cap"
	chpsuite "github.com/capconform/capconform/suites/chp"
)

// gcPercent is the garbage collection target in percent: many short runs produce much garbage and retain little.
const gcPercent = 400

// memoryLimit is the memory, in bytes, from which the collector works more often: gcPercent alone lets the garbage
// grow to twice as much, beside the compiler and other tests.
const memoryLimit = 800 << 20

// TestMain also serves as the relay of the hosts that the tests start.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "relay" {
		if err := trial.Relay(context.Background(), os.Args[2], os.Stdin, os.Stdout); err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	runtime.MemProfileRate = 0 // the profile takes time; the file of -memprofile is empty
	debug.SetGCPercent(gcPercent)
	debug.SetMemoryLimit(memoryLimit)
	os.Exit(m.Run())
}

func capOptions(t *testing.T, population plan.Population) Options {
	t.Helper()
	return optionsFor(t, capsuite.Definition(), population)
}

func optionsFor(t *testing.T, definition suites.Definition, population plan.Population) Options {
	t.Helper()
	s := suiteOf(t, definition)
	return Options{Options: plan.Options{Suites: []*suites.Suite{s}, Population: population}, Workers: 4}
}

// suitesRead contains the suites by name. They do not change, so the tests share them.
var suitesRead sync.Map

func suiteOf(t testing.TB, definition suites.Definition) *suites.Suite {
	t.Helper()
	read, _ := suitesRead.LoadOrStore(definition.Name,
		sync.OnceValues(func() (*suites.Suite, error) { return suites.New(definition) }))
	s, err := read.(func() (*suites.Suite, error))()
	require.NoError(t, err)
	return s
}

func everything(t *testing.T) plan.Population {
	t.Helper()
	population, err := plan.Everything()
	require.NoError(t, err)
	return population
}

// withFixtures excludes mutants from trials without fixtures.
func withFixtures(mutants ...mutant.Mutant) []mutant.Mutant {
	mutants = slices.Clone(mutants)
	for i := range mutants {
		mutants[i].NeedsFixtures = true
	}
	return mutants
}

// seed and brevity are those of the selftest.
const (
	seed    = trial.Seed
	brevity = trial.ShortWait
)

// quick reports whether the test is short, or slowed down by the race detector.
func quick() bool { return raceEnabled || testing.Short() }

// skipShort skips a test in a quick run. The list whole of .ci/run has its name.
func skipShort(t *testing.T) {
	t.Helper()
	if quick() {
		t.Skip(".ci/run runs it in its proof of detection")
	}
}

// sampled skips most cases of a table in a quick test: it retains the first, and then one of each. The part "proof
// of detection" of .ci/run tries all.
func sampled(t *testing.T, i, each int) {
	t.Helper()
	if quick() && i%each != 0 {
		t.Skip(".ci/run tries all cases in its proof of detection")
	}
}

// large reports whether a quick test omits the runs of a suite.
func large(suite string) bool { return quick() && (suite == "acp" || suite == "acd") }

// quickEach is the number of requirements of which a quick test tries one.
const quickEach = 12

// oneEach returns the canary, the first mutant and the first two documents of each requirement of a suite, the first
// variant of each permission, and a few null hosts. In a quick test it returns few requirements and no variants.
func oneEach(all plan.Population, suite string) plan.Population {
	few := plan.Population{Nulls: all.Nulls[:2], Undecided: all.Undecided}
	if quick() {
		few.Nulls, all.Variants = nil, nil
	}
	all.Mutants = withFixtures(all.Mutants...)
	seen, requirements := map[string]int{}, map[string]int{}
	first := func(kind, requirement string, n int) bool {
		key := kind + " " + requirement
		seen[key]++
		if _, known := requirements[requirement]; !known {
			requirements[requirement] = len(requirements)
		}
		return seen[key] <= n && (!quick() || requirements[requirement]%quickEach == 0)
	}
	for _, m := range all.Mutants {
		if m.Suite == suite && (m.Name == plan.Canary(suite) || first("mutant", m.Requirement, 1)) {
			few.Mutants = append(few.Mutants, m)
		}
	}
	for _, d := range all.Documents {
		if d.Suite == suite && (d.Name == plan.ValidName(d) || first("document", d.Requirement, 2)) {
			few.Documents = append(few.Documents, d)
		}
	}
	for _, v := range all.Variants {
		if v.Suite == suite && first("variant", v.Allows[0], 1) {
			few.Variants = append(few.Variants, v)
		}
	}
	return few
}

func want(t *testing.T, m *matrix.Matrix, err error) {
	t.Helper()
	require.NoError(t, err)
	var text bytes.Buffer
	require.NoError(t, m.Write(&text, false))
	if !m.OK() {
		t.Errorf("the selftest fails:\n%s", text.String())
	}
}

// Every requirement that can be broken is killed once, even on a busy machine; a quick test tries some. The whole
// matrix is capconform selftest.
func TestEachRequirementIsKilled(t *testing.T) {
	for _, definition := range []func() suites.Definition{capsuite.Definition, chpsuite.Definition} {
		options := optionsFor(t, definition(), plan.Population{})
		suite := options.Suites[0]
		t.Run(suite.Name, func(t *testing.T) {
			options.Population = oneEach(everything(t), suite.Name)
			m, err := Selftest(t.Context(), options)
			want(t, m, err)
			killed := map[string]bool{}
			for _, r := range m.Rows {
				killed[r.ID] = r.Mutants.Killed+r.Documents.Killed > 0
			}
			if len(killed) < 5 {
				t.Errorf("only %d requirements were tried, want at least 5", len(killed))
			}
			for _, r := range suite.Catalogue.Requirements {
				if _, tried := killed[r.ID]; r.Testable() && r.Level != spec.Advice && !killed[r.ID] &&
					(tried || !quick()) {
					t.Errorf("nothing that was tried breaks %s", r.ID)
				}
			}
		})
	}
}

func TestStatusesAreEqualOverEveryDriver(t *testing.T) {
	all := everything(t)
	options := capOptions(t, all)
	self, err := os.Executable()
	require.NoError(t, err)
	options.Relay, options.Drivers, options.Depth = []string{self, "relay"}, plan.Drivers(), plan.Full
	options.Names = []string{"cap-ref-as-string", "closes", "plain-coerces"}
	if !quick() {
		options.Names = append(options.Names, "cap-reply-exponents", "silent", "echo", "plain-streams")
	}
	m, err := Selftest(t.Context(), options)
	want(t, m, err)
	reached := map[string]bool{}
	for _, result := range m.Trials {
		reached[string(result.Kind)+" over "+result.Driver] = true
	}
	for _, over := range plan.Drivers() {
		for _, kind := range []plan.Kind{plan.KindReference, plan.KindMutant, plan.KindVariant, plan.KindNull} {
			if !reached[string(kind)+" over "+over] {
				t.Errorf("no %s was tried over %s", kind, over)
			}
		}
	}
}

// faultCase is a population with one fault, with the message of the selftest.
type faultCase struct {
	name       string
	population plan.Population
	want       string
}

func faultCases(t *testing.T, all plan.Population) []faultCase {
	t.Helper()
	find := func(name string) mutant.Mutant {
		m, ok := population.FindMutant(name)
		require.True(t, ok, name)
		return m
	}
	canaryOf := find("cap-no-describe")
	withoutEffect := find("cap-ref-as-string")
	withoutEffect.Apply = func(*reference.Parts) {}
	breakingTwo := find("cap-kind-missing")
	breaks := breakingTwo.Apply
	breakingTwo.Apply = func(parts *reference.Parts) { breaks(parts); find("cap-version-word").Apply(parts) }
	undecided := find("cap-describe-crashes")
	undecided.Also = nil
	listing := func(name string, ids ...string) golden.Undecided {
		losses := maps.Clone(all.Undecided["cap"])
		losses[name] = golden.Loss{Inconclusive: ids}
		return golden.Undecided{"cap": losses}
	}
	wrong := variant.Variant{Name: "cap-lawless", Suite: "cap", Apply: find("cap-version-word").Apply}
	toolsOnly, ok := population.FindVariant("cap-tools-only")
	require.True(t, ok)
	host, err := reference.New(reference.Options{})
	require.NoError(t, err)
	passing := null.Host{Name: "generous", Handle: host.Handle, HTTP: reference.HTTPHandler(host.Handle)}
	valid := documents(all, "cap-manifest-sound-json")
	validDocument := documents(all, "cap-manifest-kind-missing-json")[0]
	validDocument.Content = valid[0].Content
	return []faultCase{
		{"a mutant whose defect is off", plan.Population{Mutants: []mutant.Mutant{canaryOf, withoutEffect}}, "survives: CAP-REF-01 is passed"},
		{"a mutant that breaks more than it declares", plan.Population{Mutants: []mutant.Mutant{canaryOf, breakingTwo}}, "CAP-CAP-03 also fails"},
		{"a mutant that makes more inconclusive than the golden file lists",
			plan.Population{Mutants: []mutant.Mutant{canaryOf, undecided}, Undecided: listing(undecided.Name)}, "CAP-DIS-07: want passed, got inconclusive"},
		{"a mutant that passes what the golden file lists",
			plan.Population{Mutants: []mutant.Mutant{canaryOf, find("cap-ref-as-string")}, Undecided: listing("cap-ref-as-string", "CAP-CAP-02")},
			"CAP-CAP-02: want inconclusive, got passed"},
		{"a golden entry without an undecided requirement",
			plan.Population{Mutants: []mutant.Mutant{canaryOf, find("cap-ref-as-string")}, Undecided: listing("cap-ref-as-string", "CAP-MAY-01")},
			"CAP-MAY-01: the golden file lists it as inconclusive, but no trial has this status"},
		{"a variant that warns", plan.Population{Mutants: []mutant.Mutant{canaryOf}, Variants: []variant.Variant{wrong}}, "false positive: CAP-CAP-03 fails"},
		{"a variant that makes a requirement undecided", plan.Population{Mutants: []mutant.Mutant{canaryOf}, Variants: []variant.Variant{toolsOnly}, Undecided: listing(toolsOnly.Name)}, "CAP-GRAN-04: want passed, got not_applicable"},
		{"a null host that passes", plan.Population{Mutants: []mutant.Mutant{canaryOf}, Nulls: []null.Host{passing}}, "exit status 0"},
		{"a broken document that is valid", plan.Population{Mutants: []mutant.Mutant{canaryOf}, Documents: append(valid, validDocument)}, "survives: CAP-CAP-04 is passed"},
		{"a canary that survives", plan.Population{Mutants: []mutant.Mutant{renamed(withoutEffect, canaryOf.Name)}}, "void: nothing can be concluded"},
		{"a canary that does not start", plan.Population{Mutants: []mutant.Mutant{closing(canaryOf)}}, "void: nothing can be concluded"},
	}
}

// TestSelftestReportsFaultsOfPopulation examines populations with one fault each, and checks the message of the
// selftest.
func TestSelftestReportsFaultsOfPopulation(t *testing.T) {
	all := everything(t)
	options := capOptions(t, plan.Population{})
	for i, c := range faultCases(t, all) {
		t.Run(c.name, func(t *testing.T) {
			sampled(t, i, 3)
			options.Population = c.population
			if options.Population.Undecided == nil {
				options.Population.Undecided = all.Undecided
			}
			options.Population.Mutants = withFixtures(c.population.Mutants...)
			m, err := Selftest(t.Context(), options)
			require.NoError(t, err)
			var text bytes.Buffer
			require.NoError(t, m.Write(&text, false))
			if m.OK() || !strings.Contains(strings.Join(strings.Fields(text.String()), " "), c.want) {
				t.Errorf("OK is %v; want %q in\n%s", m.OK(), c.want, text.String())
			}
		})
	}
}

func documents(all plan.Population, names ...string) []mutant.Document {
	return slices.DeleteFunc(
		slices.Clone(all.Documents),
		func(d mutant.Document) bool { return !slices.Contains(names, d.Name) },
	)
}

func renamed(m mutant.Mutant, name string) mutant.Mutant {
	m.Name = name
	return m
}

// closing makes a mutant close every connection.
func closing(m mutant.Mutant) mutant.Mutant {
	m.Apply = func(parts *reference.Parts) { parts.Reply = func(string, []byte) []byte { return nil } }
	return m
}

func TestUnknownNamesAreRefused(t *testing.T) {
	for _, change := range []func(*Options){
		func(o *Options) { o.Names = []string{"cap-no-such"} },
		func(o *Options) { o.Drivers = []string{"pigeon"} },
	} {
		options := capOptions(t, everything(t))
		change(&options)
		if _, err := Selftest(t.Context(), options); err == nil || !strings.Contains(err.Error(), "\"") {
			t.Errorf("want an error that quotes the name, got %v", err)
		}
	}
}

func TestInterruptedSelftestReturnsError(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Selftest(ctx, capOptions(t, everything(t))); err == nil {
		t.Error("no error")
	}
}

func TestEmptySelftestIsNotSuccess(t *testing.T) {
	if (&matrix.Matrix{}).OK() {
		t.Error("an empty matrix is OK")
	}
	if _, err := Selftest(t.Context(), Options{}); err == nil {
		t.Error("a selftest without suites returned no error")
	}
}

func TestMatrixCountsKills(t *testing.T) {
	options := capOptions(t, everything(t))
	options.Names = []string{"cap-ref-as-string"}
	options.Population.Documents = nil
	m, err := Selftest(t.Context(), options)
	want(t, m, err)
	rows := map[string]matrix.Row{}
	for _, r := range m.Rows {
		rows[r.ID] = r
	}
	one := matrix.Score{Killed: 1, Total: 1}
	wanted := map[string]matrix.Row{
		"CAP-REF-01": {ID: "CAP-REF-01", Suite: "cap", Level: "DECLARED", Mutants: one, Elsewhere: one},
		"CAP-DIS-03": {ID: "CAP-DIS-03", Suite: "cap", Level: "MUST", Mutants: one, Elsewhere: one},
	}
	if diff := cmp.Diff(wanted, rows); diff != "" {
		t.Errorf("rows (-want +got)\n%s", diff)
	}
	var text bytes.Buffer
	require.NoError(t, m.Write(&text, true))
	for line := range strings.Lines(text.String()) {
		if len([]rune(line)) > wrap.Columns+1 {
			t.Errorf("longer than %d columns: %s", wrap.Columns, line)
		}
	}
	if _, err := json.Marshal(m); err != nil {
		t.Error(err)
	}
}
