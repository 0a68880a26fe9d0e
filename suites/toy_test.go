package suites

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/features"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/spec"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/inproc"
	"github.com/capconform/capconform/suites/live"
	"github.com/capconform/capconform/suites/verdict"
)

// toy is a suite of one sentence, whose word decides how a scenario ends.
type toy struct {
	ends    map[string]func(context.Context, *Scenario) error
	lacks   map[string]error
	profile Profile
	control error
	// controls counts the control calls.
	controls atomic.Int64
}

var toySentence = regexp.MustCompile(`^it ends with ([a-z]+)$`)

func (t *toy) Steps(voc Vocabulary, sc *Scenario) {
	voc.Step(toySentence, func(ctx context.Context, word string) error {
		end, ok := t.ends[word]
		if !ok {
			return fmt.Errorf("no end %q", word)
		}
		return end(ctx, sc)
	})
}

func (t *toy) Condition(kind, name string) error { return t.lacks[kind+":"+name] }

func (t *toy) Control(context.Context, driver.Session) error {
	t.controls.Add(1)
	return t.control
}

func (t *toy) Profile() Profile { return t.profile }

var ping = driver.Operation{Name: "ping"}

func newToy() *toy {
	call := func(ctx context.Context, sc *Scenario) error {
		_, err := sc.Ask(ctx, ping, sc.Subject.Deadlines.Call)
		return err
	}
	return &toy{
		profile: Profile{Actors: []string{"host"}},
		ends: map[string]func(context.Context, *Scenario) error{
			"nothing": func(context.Context, *Scenario) error { return nil },
			"violation": func(context.Context, *Scenario) error {
				return &verdict.Violation{Message: "broken", Want: "this", Got: "that"}
			},
			"open":  func(context.Context, *Scenario) error { return verdict.Undecided("nobody plays it") },
			"not":   func(context.Context, *Scenario) error { return verdict.Inapplicable("not declared") },
			"fault": func(context.Context, *Scenario) error { return errors.New("our own fault") },
			"panic": func(context.Context, *Scenario) error { panic("at the disco") },
			"call":  call,
			"act":   func(ctx context.Context, sc *Scenario) error { return sc.Perform(ctx, "one", pings(1)) },
		},
	}
}

// suite joins the toy to a catalogue of one requirement for each scenario.
func (t *toy) suite(tb testing.TB, text string, levels ...spec.Level) *Suite {
	tb.Helper()
	f, err := parseFeature(features.File{Name: "toy/all.feature", Text: []byte(text)})
	require.NoError(tb, err)
	catalogue := &spec.Catalogue{Suite: "toy", Version: "1"}
	seen := map[string]bool{}
	for i, c := range f.cases {
		if seen[c.Requirement] {
			continue
		}
		seen[c.Requirement] = true
		level := spec.Must
		if i < len(levels) {
			level = levels[i]
		}
		catalogue.Requirements = append(
			catalogue.Requirements,
			spec.Requirement{ID: c.Requirement, Level: level, Actor: "host", Check: spec.Live},
		)
	}
	def := Definition{
		Name: "toy", Probes: []driver.Operation{ping},
		Examine: func(context.Context, *Subject, *live.Gate) (Examination, error) { return t, nil },
	}
	return &Suite{Definition: def, Catalogue: catalogue, features: []*feature{f}}
}

// scenarios returns a feature with one scenario for each word.
func scenarios(words ...string) string {
	var b strings.Builder
	b.WriteString("Feature: Toy\n")
	for i, w := range words {
		fmt.Fprintf(&b, "\n  @TOY-A-%02d\n  Scenario: Number %d\n    When it ends with %s\n", i+1, i+1, w)
	}
	return b.String()
}

func pong(int64) []byte { return []byte(`{"jsonrpc":"2.0","id":1,"result":{}}`) }

var idPattern = regexp.MustCompile(`"id":(\d+)`)

// answering returns a subject whose host answers every request with its own id.
func answering(handler func(n int64) []byte) *Subject {
	var n atomic.Int64
	return &Subject{Driver: inproc.New("toy", func(_ context.Context, request []byte) []byte {
		reply := handler(n.Add(1))
		id := idPattern.FindSubmatch(request)
		if reply == nil || id == nil {
			return nil
		}
		return []byte(strings.Replace(string(reply), `"id":1`, `"id":`+string(id[1]), 1))
	})}
}

func alive() *Subject {
	return answering(pong)
}

func statusesOf(r *reports.Report) map[string]reports.Status {
	all := map[string]reports.Status{}
	for _, s := range r.Suites {
		for _, q := range s.Requirements {
			all[q.ID] = q.Status
		}
	}
	return all
}
