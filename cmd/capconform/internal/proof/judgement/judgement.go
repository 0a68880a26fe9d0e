// Package judgement compares the statuses of a trial with those that its host or document must
// show (DESIGN section 5). It runs nothing.
package judgement

import (
	"github.com/capconform/capconform/cmd/capconform/internal/proof/plan"
	"github.com/capconform/capconform/cmd/capconform/internal/proof/trial"
	"github.com/capconform/capconform/reports"
)

// Judge adds a fault to the result for each status that the subject of the job must not have. It
// keeps the statuses of a subject without fault, with which others are compared.
func Judge(result *trial.Result, job plan.Job, baselines *Baselines, got trial.Statuses) {
	if job.Trial.Kind == plan.KindDocument {
		noFalsePositive(result, got)
	}
	if job.Valid {
		baselines.keep(job.Baseline, got)
		judgeValid(result, job, baselines, got)
		return
	}
	baseline := baselines.of(job.Baseline)
	result.Killed = result.Requirement != "" && got.Status[result.Requirement] == reports.Failed
	switch job.Trial.Kind {
	case plan.KindVariant:
		compareStyle(result, baseline, job.Expected, got)
	case plan.KindPlain:
		judgePlain(result, baseline, got)
	case plan.KindDocument:
		judgeDocument(result, job, baseline, got)
	default:
		Compare(result, baseline, job.Expected, got)
	}
}

// judgeValid requires that a host without fault shows no fault. A document has been judged.
func judgeValid(result *trial.Result, job plan.Job, baselines *Baselines, got trial.Statuses) {
	if job.Trial.Kind == plan.KindDocument {
		return
	}
	conforms(result, job.Suite.Catalogue, got, job.Trial.Kind == plan.KindPlain || job.Trial.Ordinary)
	if job.Trial.Kind != plan.KindReference || job.Trial.Driver == plan.InProcess {
		return
	}
	at := plan.Setting{Suite: job.Trial.Suite, Driver: plan.InProcess, Actors: job.Trial.Actors}
	if inProcess := baselines.of(at); inProcess.Order != nil {
		Compare(result, inProcess, job.Expected, got)
	}
}

func judgeDocument(result *trial.Result, job plan.Job, valid, got trial.Statuses) {
	if result.Requirement == "" {
		return
	}
	if len(valid.Order) == 0 {
		result.Fault("there is no valid document to compare it with")
	}
	Compare(result, valid, job.Expected, got)
}
