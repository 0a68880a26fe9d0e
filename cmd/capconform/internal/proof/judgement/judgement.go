// Package judgement compares the statuses of a trial with those that its host or document must
// have (DESIGN section 5). It runs nothing.
package judgement

import (
	"github.com/capconform/capconform/cmd/capconform/internal/proof/plan"
	"github.com/capconform/capconform/cmd/capconform/internal/proof/trial"
	"github.com/capconform/capconform/reports"
)

// Judge adds a fault to the result for each status that the subject of the job must not have. It
// keeps the statuses of a subject without fault, with which others are compared.
func Judge(result *trial.Result, job plan.Job, baselines *Baselines, got trial.Statuses) {
	isDocument := job.Trial.Kind == plan.KindDocument
	if isDocument {
		noFalsePositive(result, got)
	}
	if job.Valid {
		baselines.keep(job.Baseline, got)
		if !isDocument {
			judgeHost(result, job, baselines, got)
		}
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

// judgeHost requires that a host without fault shows no fault, and that its statuses over a wire
// are the same as in process.
func judgeHost(result *trial.Result, job plan.Job, baselines *Baselines, got trial.Statuses) {
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
