package proof

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/capconform/capconform/reference"
	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites"
	capsuite "github.com/capconform/capconform/suites/cap"
	"github.com/capconform/capconform/suites/driver/inproc"
)

func statuses(t *testing.T, s *suites.Suite, o reference.Options) (map[string]reports.Status, *reports.Report) {
	h, err := reference.New(o)
	if err != nil {
		t.Fatal(err)
	}
	r, err := suites.Run(context.Background(), []*suites.Suite{s}, &suites.Subject{Driver: inproc.New("reference", h.Handle), Seed: 1}, suites.Options{Explicit: true, Concurrency: 2})
	if err != nil {
		fmt.Println("ERR", err)
		return nil, nil
	}
	m := map[string]reports.Status{}
	for _, q := range r.Suites[0].Requirements {
		m[q.ID] = q.Status
	}
	return m, r
}

func TestKill(t *testing.T) {
	s, err := suites.New(capsuite.Definition())
	if err != nil {
		t.Fatal(err)
	}
	only := os.Getenv("MUT")
	for _, nofix := range []bool{false, true} {
		base, _ := statuses(t, s, reference.Options{Suites: []string{"cap"}, NoFixtures: nofix})
		start := time.Now()
		bad := 0
		for _, m := range mutant.All() {
			if only != "" && m.Name != only || nofix && m.Role != "" {
				continue
			}
			got, r := statuses(t, s, reference.Options{Suites: []string{"cap"}, NoFixtures: nofix, Alter: m.Apply})
			if r == nil {
				bad++
				continue
			}
			want := map[string]reports.Status{}
			for k, v := range base {
				want[k] = v
			}
			for _, i := range m.Inconclusive {
				want[i] = reports.Inconclusive
			}
			want[m.Requirement] = reports.Failed
			for _, a := range m.Also {
				want[a.ID] = reports.Failed
			}
			diff := ""
			for _, q := range r.Suites[0].Requirements {
				if got[q.ID] != want[q.ID] {
					diff += fmt.Sprintf("    %s want %s got %s (%s)\n", q.ID, want[q.ID], got[q.ID], q.Reason)
				}
			}
			if diff != "" {
				bad++
				fmt.Printf("%v %s [%s]: %s\n%s", nofix, m.Name, m.Requirement, m.Summary, diff)
			}
		}
		fmt.Println("bad", bad, "of", len(mutant.All()), time.Since(start))
	}
}
