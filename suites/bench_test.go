package suites

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/capconform/capconform/features"
	"github.com/capconform/capconform/spec"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/live"
)

// BenchmarkScenarios measures the speed of the engine (DESIGN 13): features of 20 scenarios with four sentences and
// three calls each, in process. The metric is scenarios per second.
func BenchmarkScenarios(b *testing.B) {
	const perFeature, count = 20, 25
	suite := &Suite{
		Definition: Definition{Name: "toy", Probes: []driver.Operation{ping}},
		Catalogue:  &spec.Catalogue{Suite: "toy", Version: "1"},
	}
	for n := range count {
		var text strings.Builder
		fmt.Fprintf(&text, "Feature: Toy %d\n", n)
		for i := range perFeature {
			id := fmt.Sprintf("TOY-%c-%02d", 'A'+n, i+1)
			fmt.Fprintf(&text, "  @%s\n  Scenario: %s\n    Given a call is made\n    When a call is made\n    Then a call is made\n    And nothing more\n", id, id)
			suite.Catalogue.Requirements = append(suite.Catalogue.Requirements, spec.Requirement{ID: id, Level: spec.Must, Actor: "host", Check: spec.Live})
		}
		f, err := parseFeature(features.File{Name: fmt.Sprintf("toy/%d.feature", n), Text: []byte(text.String())})
		if err != nil {
			b.Fatal(err)
		}
		suite.features = append(suite.features, f)
	}
	suite.Examine = func(context.Context, *Subject, *live.Gate) (Examination, error) { return caller{}, nil }
	for b.Loop() {
		report, err := Run(b.Context(), []*Suite{suite}, alive(), Options{Explicit: true, Concurrency: 2})
		if err != nil || report.Suites[0].Plan.Executed != perFeature*count {
			b.Fatalf("executed %+v, error %v", report.Suites[0].Plan, err)
		}
	}
	b.ReportMetric(float64(b.N*perFeature*count)/b.Elapsed().Seconds(), "scenarios/s")
}

// caller is an examination in which every sentence except the last makes one call.
type caller struct{}

var (
	aCall   = regexp.MustCompile(`^a call is made$`)
	nothing = regexp.MustCompile(`^nothing more$`)
)

func (caller) Steps(voc Vocabulary, sc *Scenario) {
	voc.Step(aCall, func(ctx context.Context) error {
		_, err := sc.Ask(ctx, ping, sc.Subject.Deadlines.Call)
		return err
	})
	voc.Step(nothing, func() error { return nil })
}

func (caller) Condition(_, _ string) error { return nil }

func (caller) Control(context.Context, driver.Session) error { return nil }

func (caller) Profile() Profile { return Profile{Actors: []string{"host"}} }
