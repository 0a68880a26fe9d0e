package plan

import (
	"github.com/capconform/capconform/reference"
	capmutant "github.com/capconform/capconform/reference/caphost/mutant"
	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/null"
	"github.com/capconform/capconform/suites"
)

// Job is one trial with all that its run and its judgement need. The kind of the trial decides
// which subject is set.
type Job struct {
	Trial Trial
	Suite *suites.Suite

	Alter    func(*reference.Parts) // of a mutant or a variant; nil for the reference
	Null     null.Host
	Requests []Request // the runs on a null host
	Plain    capmutant.Plain
	Document mutant.Document

	// Baseline is the setting of the subject without fault with which the subject is compared.
	Baseline Setting
	// Valid: the subject is without fault, and its statuses are the baseline.
	Valid    bool
	Expected Expectation
}

// Request is one way to request a run.
type Request struct {
	Name      string
	Selection suites.Selection
	Explicit  bool
}

// Stages are the jobs in the order in which they must run.
type Stages struct{ References, Canaries, Trials []Job }
